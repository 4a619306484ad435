"""How people get to play together: from a press or a link to the first card, and what a room is before that."""

import json

import pytest
from playwright.sync_api import expect

from accessibility import SIZES, expect_accessible
from layout import BROKEN_WORDS, OVERLAPS, resize
from tabs import PlaywrightTab, give_name, way
from visitors import PHONE, add_computer, code, start

pytestmark = pytest.mark.shares_hub

# Counts presses, across pages.
# Whether the focused element is fully visible.
IS_BARE = """e => { const { x, top, bottom } = e.getBoundingClientRect()
  return [top + 3, bottom - 3].every(y => e.contains(document.elementFromPoint(x + 20, y))) }"""
# The parts round a table, above it and below.
AT_TABLE = ".bar a, .bar button, .at-table :is(.avatar, .name, .tag, button), #say, #door, #waiting, .actions button"
INVITATIONS = [("en-GB", "Ann invites you to play Memory, 4 × 4"), ("de-DE", "Ann lädt dich ein: Memory, 4 × 4"),
               pytest.param("es-MX", "Ann te invita a una partida: Memoria, 4 × 4", marks=pytest.mark.long),
               ("zh-CN", "Ann 邀请你来玩翻牌记忆（4 × 4）")]


class TestTheDoor:
    def test_the_player_who_opens_a_room_sits_at_once_and_only_once(self, visitors):
        page = visitors.new("Ann")
        page.goto(visitors.open_room("Ann"))
        expect(page.locator(".player.you .name")).to_have_text("Ann")
        page.locator("#leave").click()
        expect(page.locator(".player.you")).to_have_count(0)
        page.reload()
        # A player who has left is not seated again.
        expect(page.get_by_role("button", name="Take a seat")).to_be_visible()
        expect(page.locator("#door")).to_be_hidden()

    @pytest.mark.parametrize("locale, sentence", INVITATIONS, ids=["en", "de", "es", "zh"])
    def test_a_visitor_who_follows_a_link_is_invited_in_one_sentence(self, visitors, locale, sentence):
        path = visitors.open_room("Ann")
        visitors.join(path, "Ann")
        page = visitors.new(view=PHONE, locale=locale)
        page.goto(path)
        expect(page.locator("#door-title")).to_have_text(sentence)
        expect(page.locator("#waiting")).to_be_hidden()
        expect(page.locator("#say")).to_be_hidden()
        if locale.startswith("de"):
            expect_accessible(page, SIZES)

    def test_another_name_can_be_proposed_and_the_press_takes_it(self, visitors):
        ann = visitors.host("Ann")
        page = visitors.new()
        page.goto(ann.url)
        name = page.locator("#name-form [name=name]")
        expect(name).not_to_have_value("")
        proposed = name.input_value()
        page.get_by_role("button", name="Suggest another name").click()
        expect(name).not_to_have_value(proposed)
        name.fill("Mia")
        name.press("Enter")
        expect(page.locator(".player.you .name")).to_have_text("Mia")
        expect(ann.locator(".player", has_text="Mia")).to_have_count(1)

    def test_a_player_with_a_name_just_presses(self, visitors):
        path = visitors.open_room("Ann")
        visitors.join(path, "Ann")
        page = visitors.new("Ben")
        page.goto(path)
        expect(page.locator("#join")).to_be_visible()
        expect(page.locator("#name-form [name=name]")).to_be_hidden()
        page.locator("#join").click()
        expect(page.locator(".player.you .name")).to_have_text("Ben")
        # A player who leaves is not invited again.
        page.locator("#leave").click()
        expect(page.get_by_role("button", name="Take a seat")).to_be_visible()
        expect(page.locator("#door")).to_be_hidden()

    @pytest.mark.parametrize("width, height", [(320, 568), (360, 640)])
    def test_nothing_covers_a_button_on_the_smallest_screens(self, visitors, width, height):
        guest = visitors.new(view=dict(viewport=dict(width=width, height=height)))
        guest.goto(visitors.open_room("Ann"))
        for name in "Just watch", "I have a code":
            button = guest.get_by_role("button", name=name)
            button.focus()
            assert button.evaluate(IS_BARE), name

    def test_a_spectator_needs_no_name_and_may_sit_later(self, visitors):
        path = visitors.open_room("Ann")
        visitors.join(path, "Ann")
        page = visitors.new()
        page.goto(path)
        page.get_by_role("button", name="Just watch").click()
        expect(page.locator("#door")).to_be_hidden()
        expect(page.locator("#say")).to_have_text("You’re watching. There’s a free seat.")
        expect(page.locator("#room .primary:visible")).to_have_text(["Take a seat"])
        assert page.evaluate("localStorage['flipside.player'] ?? null") is None
        expect_accessible(page, SIZES)
        page.get_by_role("button", name="Take a seat").click()
        expect(page.locator("#name-form [name=name]")).to_be_focused()
        page.locator("#join").click()
        expect(page.locator(".player.you")).to_have_count(1)

    def test_a_visitor_who_loses_the_seat_while_typing_a_name_is_told_and_watches(self, visitors):
        path = visitors.open_room("Ann", "reversi")
        visitors.join(path, "Ann")
        page = visitors.new()
        page.goto(path)
        taken = []

        def be_late(route):
            taken.append(visitors.join(path, "Ben"))
            route.continue_()
        page.route("**/api/players", be_late)
        page.locator("#join").click()
        expect(page.locator("#toasts")).to_contain_text("All seats are taken")
        expect(page.locator("#say")).to_have_text("All seats are taken. You’re watching.")
        expect(page.locator("#door")).to_be_hidden()
        assert taken

    def test_a_visitor_to_a_running_game_is_told_what_it_is(self, visitors):
        ann = visitors.host("Ann")
        visitors.join(ann.url, "Ben")
        start(ann)
        page = visitors.new(view=PHONE)
        page.goto(ann.url)
        expect(page.locator("#watching")).to_contain_text("Ann and Ben are playing")
        expect(page.locator("#door")).to_be_hidden()
        expect(page.locator("#actions .primary:visible")).to_have_count(0)
        expect_accessible(page, SIZES)
        page.get_by_role("button", name="Join next game").click()
        give_name(PlaywrightTab(page), "Mia")
        expect(page.locator(".player.you .tag")).to_contain_text("next game")
        expect(ann.locator("#watching")).not_to_contain_text("are playing")


class TestTheTable:
    def test_chairs_that_are_empty_say_so_and_the_host_puts_a_computer_there(self, visitors):
        ann = visitors.host("Ann", seats=3)
        ben = visitors.guest(ann)
        for page in ann, ben:
            expect(page.locator(".chair .name")).to_have_text(["Empty seat"])
        expect(ben.locator(".chair button")).to_be_hidden()
        chair = ann.get_by_role("button", name="Add a computer to seat 3")
        chair.focus()
        ann.keyboard.press("Enter")
        expect(ann.locator("#levels-dialog")).to_be_visible()
        expect_accessible(ann, SIZES)
        ann.get_by_role("button", name="Hard").click()
        expect(ben.locator(".player[data-seat='2'] .tag")).to_have_text("Hard")
        expect(ann.locator(".chair")).to_have_count(0)

    def test_a_chip_opens_one_choice_and_all_see_what_is_chosen(self, visitors, server):
        ann = visitors.host("Ann")
        ben = visitors.guest(ann, locale="de-DE")
        chip = ann.get_by_role("button", name="Cards")
        chip.focus()
        ann.keyboard.press("Enter")
        expect(ann.locator("#change-dialog [data-option]:visible")).to_have_count(1)
        expect_accessible(ann, SIZES)
        # By keyboard only: choosing submits nothing until Enter.
        field = ann.locator("#change-dialog [data-option]:visible [value=numbers]")
        while not field.is_checked():
            ann.keyboard.press("ArrowRight")
        ann.keyboard.press("Enter")
        expect(ann.locator("#change-dialog")).to_be_hidden()
        expect(chip).to_be_focused()
        expect(chip).to_contain_text("Numbers")
        expect(ben.locator("#facts")).to_contain_text("Zahlen")
        expect(ben.locator("#facts button")).to_have_count(0)
        changes = [json.loads(line) for line in server.log(code(ann.url)) if b"options-changed" in line]
        assert [change["options"] for change in changes] == [dict(theme="numbers")], changes

    def test_no_one_reads_messages_for_others(self, visitors):
        ann = visitors.host("Ann")
        primary = ann.locator("#room .primary:visible")
        expect(ann.locator("#say")).to_have_text("Invite your friends")
        expect(primary).to_have_text(["Copy link"])
        ben = visitors.guest(ann)
        expect(ben.locator("#say")).to_have_text("Waiting for Ann to start")
        expect(ben.locator("#room .primary:visible")).to_have_count(0)
        expect(ann.locator("#say")).to_have_text("Everyone here? Start!")
        expect(primary).to_have_text(["Start"])

    def test_the_code_is_there_to_read_aloud_and_the_address_on_request(self, visitors):
        ann = visitors.host("Ann")
        expect(ann.locator("#room-code")).to_have_text(code(ann.url))
        expect(ann.locator("#link")).to_be_hidden()
        ann.get_by_text("Show full link").click()
        expect(ann.locator("#link")).to_have_text(ann.url)
        ann.locator("#copy-link").click()
        expect(ann.locator("#link-said")).to_contain_text("copied")

    def test_a_full_table_fits_every_screen(self, visitors):
        ann = visitors.host("Ann")
        for seat in range(1, 8):
            add_computer(ann, seat)
        expect_accessible(ann, (*SIZES, (768, 1024), (1440, 900)))

    @pytest.mark.parametrize("seats", [2, pytest.param(4, marks=pytest.mark.long), 8])
    def test_the_longest_names_run_into_nothing(self, visitors, seats):
        ann = visitors.host("Maximiliane Wolkenstein", seats=seats)
        # Kept, since a player whose connection closes is offline.
        other = visitors.join(ann.url, "W" * 24)
        expect(ann.locator(".player")).to_have_count(2)
        guest = visitors.new()
        guest.goto(ann.url)
        expect(guest.locator("#door" if seats > 2 else "#say")).to_be_visible()
        # Known once the hub has said who is here.
        expect(guest.locator(".at-table .tag", has_text="offline")).to_have_count(0)
        for size in [(320, 568), (390, 844), (768, 1024), (844, 390), (1024, 600), (1440, 900)]:
            for page in ann, guest:
                resize(page, size)
                assert not page.evaluate(OVERLAPS, AT_TABLE), size
        for size in [(844, 390)] * (seats < 8) + [(1024, 600), (1440, 900)]:
            resize(ann, size)
            assert ann.evaluate("document.querySelector('#start').getBoundingClientRect().bottom") <= size[1], size
        assert other


class TestTheHomePage:
    def test_board_and_computer_are_chosen_behind_one_button(self, visitors, server):
        newcomer = visitors.new()
        newcomer.goto("/")
        newcomer.get_by_role("button", name="Game options Memory").click()
        dialog = newcomer.locator("#set-up-dialog")
        dialog.locator("[name=level][value=perfect]").check(force=True)
        dialog.get_by_label("Easy · 5 pairs").check(force=True)
        assert not newcomer.evaluate(BROKEN_WORDS, "#set-up-dialog .choice span")
        expect_accessible(newcomer, SIZES)
        dialog.get_by_label("Easy · 5 pairs").press("Enter")
        expect(dialog).to_be_hidden()
        newcomer.locator(way("computer")).click()
        newcomer.locator("#name-dialog .primary").click()
        expect(newcomer.locator("#board [data-target]")).to_have_count(10)
        taken = [json.loads(line) for line in server.log(code(newcomer.url)) if b"seat-taken" in line]
        assert [seat.get("bot") for seat in taken] == [None, "perfect"], taken
        # No one chose a time, so the hub decides that there is none against a computer.
        assert "turnTime" not in json.loads(server.http("GET", "/api/rooms/" + code(newcomer.url)))["options"]
        expect(newcomer.locator("#clock")).to_be_hidden()

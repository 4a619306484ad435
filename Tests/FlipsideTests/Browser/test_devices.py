"""A player on several devices: taken along by a link that works once, back by a recovery code, signed out."""

import json
import re

import pytest
from playwright.sync_api import expect

from accessibility import SIZES, expect_accessible
from visitors import PHONE

PLAYER = "JSON.parse(localStorage['flipside.player'])"
# Another page of the browser makes it this player.
BECOME = """player => {
    localStorage["flipside.player"] = player;
    dispatchEvent(new StorageEvent("storage", { key: "flipside.player" }));
}"""
SIGNED_OUT = "You are signed out here"


@pytest.fixture
def ann(visitors):
    """Ann's page, in a room of hers."""
    return visitors.host("Ann")


def drawn(page, button, kind="link"):
    """The code that a press on a button draws."""
    with page.expect_response(f"**/api/players/me/{kind}-code") as response:
        button.click()
    return json.loads(response.value.body())["code"]


def link(page):
    """The link with which another device becomes one of who plays on a room's page."""
    page.locator("#share").click()
    code = drawn(page, page.locator("#share-take-code .show-code"))
    expect(page.locator("#share-take-code svg")).to_be_visible()
    page.keyboard.press("Escape")
    return f"{page.url}#code={code.replace('-', '')}"


def open_you(page):
    """Opens the dialog with name and devices; the account is shown."""
    page.locator("#settings").click()
    page.locator("#settings-dialog").get_by_role("button", name="Name and devices").click()
    expect(page.locator("#you-dialog")).to_be_visible()
    return page.locator("#you-dialog")


def second(visitors, ann, **context):
    """Ann's page on a phone, in the same room."""
    phone = visitors.new(view=PHONE, **context)
    phone.goto(link(ann))
    expect(phone.locator(".player.you .name")).to_have_text("Ann")
    return phone


def recovery_code(page):
    """Makes one, in the dialog that is open."""
    code = drawn(page, page.locator("#recovery-make"), "recovery")
    expect(page.locator("#recovery-code")).to_have_text(code)
    return code


class TestALinkThatTakesOneAlong:
    def test_is_shown_with_a_warning_and_goes_with_the_dialog(self, ann):
        ann.locator("#share").click()
        ann.locator("#share-take-code .show-code").click()
        expect(ann.locator("#share-take-code svg")).to_be_visible()
        expect(ann.locator("#share-dialog")).to_contain_text("It works once, for ten minutes")
        expect_accessible(ann, SIZES)
        ann.keyboard.press("Escape")
        expect(ann.locator("#share-take-code svg")).to_have_count(0)

    def test_makes_a_phone_a_device_with_a_token_of_its_own_and_tells_no_server_its_code(self, visitors, ann):
        address, asked = link(ann), []
        phone = visitors.new(view=PHONE)
        phone.on("request", lambda request: asked.append(request.url))
        phone.goto(address)
        expect(phone.locator(".player.you .name")).to_have_text("Ann")
        assert phone.url == ann.url and not any(address.split("=")[1] in url for url in asked), (phone.url, asked)
        here, there = (page.evaluate(PLAYER) for page in (ann, phone))
        assert here["id"] == there["id"] and here["token"] != there["token"]
        phone.reload()
        expect(phone.locator(".player.you .name")).to_have_text("Ann")

    def test_is_put_away_where_it_was_shown_once_the_other_device_has_come(self, visitors, ann):
        dialog = open_you(ann)
        code = drawn(ann, ann.locator("#devices-take .show-code"))
        visitors.new(view=PHONE).goto(f"/#code={code}")
        expect(dialog.locator(".take-along .said")).to_have_text("Chrome on Linux plays as you now, too.")
        expect(dialog.locator("#devices-take svg")).to_have_count(0)
        expect(dialog.locator("#devices-take .show-code")).to_be_focused()
        expect(dialog.locator("#devices li")).to_have_count(2)

    def test_is_put_away_where_another_device_is_signed_out(self, visitors, ann):
        second(visitors, ann)
        open_you(ann)
        drawn(ann, ann.locator("#devices-take .show-code"))
        expect(ann.locator("#devices-take svg")).to_be_visible()
        ann.get_by_role("button", name="Sign out: Chrome on Linux").click()
        ann.locator("#ask-dialog .yes").click()
        expect(ann.locator("#you-said")).to_have_text("Chrome on Linux is signed out.")
        expect(ann.locator("#devices-take svg")).to_have_count(0)

    def test_works_once_and_says_so_and_what_else_there_is(self, visitors, ann):
        address = link(ann)
        visitors.new().goto(address)
        late = visitors.new(view=PHONE)
        late.goto(address)
        expect(late.locator("#ask-dialog")).to_contain_text("This link does not work any more")
        expect_accessible(late, SIZES)
        late.locator("#ask-dialog").get_by_role("button", name="Enter a code").click()
        code = link(ann).split("=")[1].lower()
        late.locator("#code-dialog [name=code]").fill(f" {code[:7]} {code[7:]}")
        late.locator("#code-dialog").get_by_role("button", name="Use it").click()
        expect(late.locator(".player.you .name")).to_have_text("Ann")

    def test_asks_who_is_somebody_else_and_says_both_names(self, visitors, ann):
        olga = visitors.host("Olga")
        olga.goto(link(ann))
        question = olga.locator("#ask-dialog")
        expect(question).to_contain_text("You are Olga here. Become Ann instead?")
        expect(question).to_contain_text("you could never be Olga again")
        question.get_by_role("button", name="Cancel").click()
        expect(olga.locator("#sit")).to_be_visible()
        assert olga.evaluate(PLAYER)["name"] == "Olga"

    def test_makes_who_is_somebody_else_another_who_says_yes(self, visitors, ann):
        olga = visitors.host("Olga")
        open_you(olga)
        recovery_code(olga)
        olga.goto(link(ann))
        expect(olga.locator("#ask-dialog")).to_contain_text("You can be Olga again")
        olga.get_by_role("button", name="Become Ann").click()
        expect(olga.locator(".player.you .name")).to_have_text("Ann")
        expect(olga.locator("#toasts")).to_contain_text("You play as Ann here, too.")
        expect(olga.locator("#toasts")).not_to_contain_text(SIGNED_OUT)

    def test_of_ones_own_changes_nothing(self, visitors, ann):
        before = ann.evaluate(PLAYER)
        ann.goto(link(ann))
        expect(ann.locator("#toasts")).to_contain_text("You are Ann here already.")
        expect(ann.locator(".player.you .name")).to_have_text("Ann")
        assert ann.evaluate(PLAYER) == before

    def test_can_be_tried_again_where_the_hub_did_not_answer(self, visitors, ann):
        phone = visitors.new(view=PHONE)
        phone.route("**/api/players/devices", lambda route: route.abort())
        phone.goto(link(ann))
        expect(phone.locator("#ask-dialog")).to_contain_text("The hub cannot be reached")
        phone.unroute("**/api/players/devices")
        phone.get_by_role("button", name="Try again").click()
        expect(phone.locator(".player.you .name")).to_have_text("Ann")


def test_an_address_that_brings_a_player_is_believed_by_no_browser_that_keeps_its_own(visitors, ann):
    phone = visitors.new()
    phone.goto(f"{ann.url}#player={json.dumps(ann.evaluate(PLAYER))}")
    expect(phone.locator("#name-form")).to_be_visible()
    assert phone.url == ann.url


class TestTheDevices:
    def test_are_listed_by_browser_and_system_this_one_first_named(self, visitors, ann):
        phone = second(visitors, ann)
        dialog = open_you(phone)
        expect(dialog.locator("#devices li")).to_have_count(2)
        expect(dialog.locator("#devices li", has_text="this device")).to_contain_text("Chrome on Linux")
        expect_accessible(phone, SIZES)

    def test_of_one_name_are_told_apart_by_what_describes_their_buttons(self, visitors, ann):
        second(visitors, ann)
        dialog = open_you(ann)
        other = dialog.get_by_role("button", name="Sign out: Chrome on Linux")
        expect(other).to_have_accessible_description(re.compile(r"^since .*\d{4}$"))
        here = dialog.get_by_role("button", name="Sign out here")
        expect(here).to_have_accessible_description(re.compile("^this device · since "))

    def test_keep_the_keyboard_where_it_was_when_they_are_drawn_anew(self, visitors, ann):
        dialog = open_you(ann)
        dialog.get_by_role("button", name="Sign out here").focus()
        with ann.expect_response("**/api/players/me"):
            ann.evaluate(BECOME, json.dumps({**ann.evaluate(PLAYER), "name": "Anna"}))
        expect(dialog.locator("[name=name]")).to_have_value("Ann")
        expect(dialog.get_by_role("button", name="Sign out here")).to_be_focused()

    def test_that_have_no_name_are_called_a_browser_everywhere(self, visitors, ann):
        def take_labels(route):
            answer = route.fetch()
            fields = answer.json()
            for device in fields["devices"]:
                device["label"] = ""
            route.fulfill(response=answer, json=fields)

        second(visitors, ann)
        ann.route("**/api/players/me", lambda route: take_labels(route))
        open_you(ann).get_by_role("button", name="Sign out: A browser").click()
        expect(ann.locator("#ask-dialog")).to_contain_text("Sign out A browser?")
        ann.locator("#ask-dialog .yes").click()
        expect(ann.locator("#you-said")).to_have_text("A browser is signed out.")
        expect(ann.locator("#devices li")).to_have_count(1)

    def test_that_are_signed_out_watch_at_once_and_are_told(self, visitors, ann):
        phone = second(visitors, ann)
        open_you(ann).get_by_role("button", name="Sign out: Chrome on Linux").click()
        ann.locator("#ask-dialog .yes").click()
        expect(phone.locator("#toasts")).to_contain_text(SIGNED_OUT)
        expect(phone.locator(".player.you")).to_have_count(0)
        expect(phone.locator("#name-form")).to_be_visible()
        assert phone.evaluate("localStorage['flipside.player'] ?? null") is None
        expect(ann.locator("#you-said")).to_have_text("Chrome on Linux is signed out.")
        expect(ann.locator("#devices li")).to_have_count(1)
        expect(ann.locator("#devices-title")).to_be_focused()

    def test_that_are_signed_out_are_told_so_on_a_page_without_a_room_as_soon_as_somebody_looks(self, visitors, ann):
        phone = second(visitors, ann)
        phone.goto("/")
        expect(phone.locator("#playing-as")).to_have_text("You play as Ann.")
        open_you(ann).get_by_role("button", name="Sign out: Chrome on Linux").click()
        ann.locator("#ask-dialog .yes").click()
        expect(ann.locator("#devices li")).to_have_count(1)
        phone.evaluate("dispatchEvent(new Event('focus'))")
        expect(phone.locator("#toasts")).to_contain_text(SIGNED_OUT)
        expect(phone.locator("#playing-as")).to_be_hidden()
        phone.get_by_role("button", name="Choose a name, or enter a code").click()
        expect(phone.locator("#you-dialog [name=name]")).to_be_visible()

    def test_this_one_signs_itself_out_and_is_told_of_no_other(self, visitors, ann):
        phone = second(visitors, ann)
        open_you(phone).get_by_role("button", name="Sign out here").click()
        phone.locator("#ask-dialog .yes").click()
        expect(phone.locator("#you-said")).to_have_text("You are signed out on this device.")
        expect(phone.locator("#you-devices")).to_be_hidden()
        expect(phone.locator("#rename-form [name=name]")).to_be_focused()
        phone.keyboard.press("Escape")
        phone.keyboard.press("Escape")
        expect(phone.locator("#name-form")).to_be_visible()
        expect(phone.locator(".toast")).to_have_count(0)
        expect(ann.locator(".player.you .name")).to_have_text("Ann")

    def test_the_last_one_stays_until_there_is_a_recovery_code(self, ann):
        dialog = open_you(ann)
        dialog.get_by_role("button", name="Sign out here").click()
        expect(dialog.locator("#devices-problem")).to_contain_text("make a recovery code first")
        recovery_code(ann)
        dialog.get_by_role("button", name="Sign out here").click()
        expect(ann.locator("#ask-dialog")).to_contain_text("Have you written down your recovery code?")
        ann.locator("#ask-dialog .yes").click()
        expect(dialog.locator("#you-said")).to_have_text("You are signed out on this device.")


class TestARecoveryCode:
    def test_is_shown_once(self, ann):
        dialog = open_you(ann)
        recovery_code(ann)
        expect(dialog).to_contain_text("it is not shown again")
        expect_accessible(ann, SIZES)
        ann.keyboard.press("Escape")
        ann.locator("#settings-dialog").get_by_role("button", name="Name and devices").click()
        expect(dialog).to_contain_text("You have one.")
        expect(dialog.locator("#recovery-code")).to_be_hidden()

    def test_whose_answer_is_lost_is_said_to_be_unseen_until_there_is_a_new_one(self, ann):
        def lose(route):
            route.fetch()
            route.abort()

        dialog = open_you(ann)
        ann.route("**/recovery-code", lose)
        dialog.get_by_role("button", name="Make a recovery code").click()
        expect(dialog.locator("#recovery-problem")).to_contain_text("nobody has seen")
        ann.keyboard.press("Escape")
        ann.locator("#settings-dialog").get_by_role("button", name="Name and devices").click()
        expect(dialog.locator("#recovery-problem")).to_contain_text("nobody has seen")
        ann.unroute("**/recovery-code")
        dialog.get_by_role("button", name="Make a new one").click()
        expect(dialog.locator("#recovery-copy")).to_be_visible()
        expect(dialog.locator("#recovery-problem")).to_have_text("")

    def test_goes_where_another_page_of_the_browser_becomes_somebody_else(self, visitors, ann):
        olga = visitors.host("Olga").evaluate(PLAYER)
        dialog = open_you(ann)
        recovery_code(ann)
        drawn(ann, ann.locator("#devices-take .show-code"))
        expect(ann.locator("#devices-take svg")).to_be_visible()
        ann.evaluate(BECOME, json.dumps(olga))
        expect(dialog.locator("[name=name]")).to_have_value("Olga")
        expect(dialog.locator("#recovery-code")).to_be_hidden()
        expect(ann.locator("#devices-take svg")).to_have_count(0)

    def test_brings_one_back_on_a_fresh_browser_that_asks_for_a_name(self, visitors, ann):
        open_you(ann)
        code = recovery_code(ann)
        fresh = visitors.new()
        fresh.goto("/")
        fresh.locator("#quick").click()
        fresh.locator("#name-dialog").get_by_role("button", name="I have a code").click()
        expect_accessible(fresh, SIZES)
        fresh.locator("#code-dialog [name=code]").fill(code)
        fresh.keyboard.press("Enter")
        expect(fresh.locator(".player.you .name")).to_have_text("Ann")
        assert fresh.evaluate(PLAYER)["id"] == ann.evaluate(PLAYER)["id"]

    def test_brings_one_back_in_a_room_and_is_used_up(self, visitors, ann):
        open_you(ann)
        code = recovery_code(ann)
        fresh, late = visitors.new(), visitors.new()
        for page in fresh, late:
            page.goto(ann.url)
            page.locator("#name-form").get_by_role("button", name="I have a code").click()
            page.locator("#code-dialog [name=code]").fill(code.lower().replace("-", " "))
            page.locator("#code-dialog").get_by_role("button", name="Use it").click()
        expect(fresh.locator(".player.you .name")).to_have_text("Ann")
        expect(fresh.locator("#toasts")).to_contain_text("The recovery code is used up")
        expect(late.locator("#code-problem")).to_contain_text("it was used already")

    def test_that_is_made_anew_replaces_the_one_before(self, visitors, ann):
        dialog = open_you(ann)
        first = recovery_code(ann)
        dialog.get_by_role("button", name="Make a new one").click()
        second = drawn(ann, ann.locator("#ask-dialog .yes"), "recovery")
        expect(dialog.locator("#recovery-code")).to_have_text(second)
        fresh = visitors.new()
        fresh.goto(ann.url)
        fresh.get_by_role("button", name="I have a code").click()
        fresh.locator("#code-dialog [name=code]").fill(first)
        fresh.keyboard.press("Enter")
        expect(fresh.locator("#code-problem")).to_contain_text("it was used already")

    def test_with_a_slip_in_it_is_no_code_before_anybody_is_asked(self, visitors):
        page, asked = visitors.new(), []
        page.goto("/")
        page.on("request", lambda request: asked.append(request.url))
        page.locator("#quick").click()
        page.get_by_role("button", name="I have a code").click()
        page.locator("#code-dialog [name=code]").fill("abcd-efgh")
        page.keyboard.press("Enter")
        expect(page.locator("#code-problem")).to_contain_text("32 letters and digits")
        assert not any("devices" in url for url in asked), asked


class TestAName:
    def test_that_is_changed_is_seen_by_the_other_player_at_once_and_keeps_the_seat(self, visitors, ann):
        ben = visitors.guest(ann)
        rename(ann, "Anna")
        expect(ben.locator(".player .name", has_text="Anna")).to_be_visible()
        expect(ann.locator(".player.you .name")).to_have_text("Anna")
        ann.reload()
        expect(ann.locator(".player.you .name")).to_have_text("Anna")

    def test_that_is_changed_is_known_on_ones_other_devices(self, visitors, ann):
        phone = second(visitors, ann)
        rename(ann, "Anna")
        expect(phone.locator(".player.you .name")).to_have_text("Anna")
        phone.goto("/")
        expect(phone.locator("#playing-as")).to_have_text("You play as Anna.")

    def test_that_somebody_else_has_is_refused_and_ones_own_stays(self, visitors, ann):
        visitors.known("Ben")
        rename(ann, "Ben")
        expect(ann.locator("#rename-problem")).to_contain_text("has this name already")
        assert ann.evaluate(PLAYER)["name"] == "Ann"

    def test_that_is_changed_has_the_account_asked_for_once(self, ann):
        dialog, asked = open_you(ann), []
        expect(dialog.locator("#devices li")).to_have_count(1)
        ann.on("request", lambda request: asked.append(request.method) if request.url.endswith("/me") else None)
        dialog.locator("[name=name]").fill("Anna")
        with ann.expect_response("**/api/players/me"):
            dialog.get_by_role("button", name="Change").click()
        expect(dialog.locator("#you-said")).to_have_text("You are Anna now.")
        drawn(ann, dialog.locator("#recovery-make"), "recovery")
        expect(dialog).to_contain_text("You have one.")
        assert asked == ["GET", "GET"], asked

    def test_is_chosen_there_by_who_has_none(self, visitors):
        page = visitors.new()
        page.goto("/")
        rename(page, "Nora", "Take this name")
        expect(page.locator("#you-said")).to_have_text("You are Nora now.")
        expect(page.locator("#devices li")).to_contain_text("Chrome on Linux")


def rename(page, name, button="Change"):
    """Takes another name."""
    dialog = open_you(page)
    dialog.locator("[name=name]").fill(name)
    dialog.get_by_role("button", name=button).click()


class TestWhoeverIsForgotten:
    def test_watches_on_all_devices_and_bears_no_name_for_others(self, visitors, ann):
        ben, phone = visitors.guest(ann), second(visitors, ann)
        open_you(ann)
        ann.get_by_role("button", name="Forget me", exact=True).click()
        expect(ann.locator("#forget-dialog")).to_contain_text("What stays: the games and results")
        expect_accessible(ann, SIZES)
        ann.get_by_role("button", name="Forget me for good").click()
        expect(ann.locator("#toasts")).to_contain_text("You are forgotten")
        expect(phone.locator("#toasts")).to_contain_text(SIGNED_OUT)
        for page in ann, phone:
            expect(page.locator(".player.you")).to_have_count(0)
            assert page.evaluate("localStorage['flipside.player'] ?? null") is None
        expect(ben.locator(".player .name", has_text="someone")).to_be_visible()
        expect(ben.locator(".player .name", has_text="Ann")).to_have_count(0)

    def test_is_asked_once_more_and_may_stay(self, ann):
        open_you(ann)
        ann.get_by_role("button", name="Forget me", exact=True).click()
        ann.locator("#forget-dialog").get_by_role("button", name="Cancel").click()
        expect(ann.locator("#devices li")).to_have_count(1)
        assert ann.evaluate(PLAYER)["name"] == "Ann"


def test_all_of_it_is_done_by_keyboard_alone(ann):
    ann.locator("#settings").focus()
    for key in "Enter", "Tab":
        ann.keyboard.press(key)
    ann.locator("#settings-dialog").get_by_role("button", name="Name and devices").focus()
    ann.keyboard.press("Enter")
    expect(ann.locator("#devices li")).to_have_count(1)
    reached = []
    for _ in range(8):
        ann.keyboard.press("Tab")
        reached.append(ann.evaluate("document.activeElement.textContent || document.activeElement.name"))
    assert reached[:7] == ["name", "Change", "Sign out here", "Show a code for another device",
                           "Make a recovery code", "Forget me", "Done"], reached

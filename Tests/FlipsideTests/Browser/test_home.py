"""The ways into rooms: the home page, its list of rooms, and a quick game."""

import json

import pytest
from playwright.sync_api import expect

from accessibility import SIZES, expect_accessible
from layout import CUT
from tabs import PlaywrightTab, choose, give_name, way
from visitors import DESKTOP, PHONE, code, start

# Counts the sounds that would play.
HEARD = """window.heard = {contexts: 0, tones: 0};
  window.AudioContext = class extends AudioContext { constructor() { super(); heard.contexts++; } };
  const {start} = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (...at) { heard.tones++; start.apply(this, at); };"""

# Chromium also reports requests that the hub refuses: a name that is taken.
REFUSED_NAME = "Failed to load resource: the server responded with a status of 409"


@pytest.fixture(autouse=True)
def tolerated(visitors):
    visitors.tolerated = REFUSED_NAME


@pytest.fixture
def page(visitors):
    page = visitors.new()
    page.goto("/")
    return page


class TestQuickGame:
    def test_a_new_visitor_is_proposed_a_name_and_another(self, page):
        page.locator(way("quick")).click()
        name = page.locator("#name-dialog [name=name]")
        expect(name).not_to_have_value("")
        proposed = name.input_value()
        expect_accessible(page, SIZES)
        page.get_by_role("button", name="Suggest another name").click()
        expect(name).not_to_have_value(proposed)

    def test_two_new_visitors_play_together(self, visitors, page):
        page.locator(way("quick")).click()
        give_name(PlaywrightTab(page), "Ann")
        page.wait_for_url("**/room/*")
        ben = visitors.new()
        ben.goto("/")
        ben.locator(way("quick")).click()
        # One tap is enough: the proposed name is free.
        ben.locator("#name-dialog").get_by_role("button", name="Play", exact=True).click()
        ben.wait_for_url("**/room/*")
        assert code(page.url) == code(ben.url)
        # It starts by itself.
        for one in (page, ben):
            expect(one.locator("#board [data-target]")).to_have_count(16)

    def test_a_taken_name_is_refused_and_another_proposed(self, visitors, page):
        visitors.known("Ann")
        page.locator(way("quick")).click()
        give_name(PlaywrightTab(page), "ann")
        expect(page.locator("#name-problem")).to_have_text("This name, or one that looks like it, is taken.")
        page.get_by_role("button", name="Suggest another name").click()
        page.keyboard.press("Escape")
        expect(page.locator("#name-dialog")).to_be_hidden()
        page.locator(way("quick")).click()
        page.locator("#name-dialog").get_by_role("button", name="Play", exact=True).click()
        page.wait_for_url("**/room/*")


class TestListOfRooms:
    """Rooms appear in the list and disappear without a reload."""

    def test_rooms_appear_and_change_and_joining_takes_a_seat(self, visitors, page):
        path = visitors.open_room("Ann", seats=4)
        row = page.locator("#rooms li", has=page.locator(f"a[href='{path}']"))
        ann = visitors.join(path, "Ann")
        expect(row).to_contain_text("Ann’s room")
        expect(row).to_contain_text("3 seats free")
        expect(row.locator(".miniature [data-target]")).to_have_count(12)
        expect_accessible(page, SIZES)
        ben = visitors.new("Ben")
        ben.goto("/")
        ben.locator("#rooms").get_by_role("button", name="Join").click()
        expect(ben.locator(".player.you .name")).to_have_text("Ben")
        expect(row).to_contain_text("2 seats free")
        ann.do("start")
        expect(row).to_contain_text("playing")
        expect(row.get_by_role("button")).to_have_count(0)

    def test_rooms_disappear_when_all_have_left_and_an_empty_list_takes_no_space(self, visitors, page):
        expect(page.locator("#games [data-target]").first).to_be_visible()
        expect(page.locator("#open-rooms")).to_be_hidden()
        ann = visitors.host("Ann")
        ben = visitors.join(visitors.open_room("Ben"), "Ben")
        expect(page.locator("#rooms a")).to_have_count(2)
        ann.context.close()
        expect(page.locator("#rooms a")).to_have_count(1)
        ben.do("close")
        expect(page.locator("#open-rooms")).to_be_hidden()


class TestReturning:
    """A player who leaves a game's page finds the way back on the home page."""

    def test_a_game_with_others_asks_before_leaving_and_waits_at_home(self, visitors):
        ann = visitors.host("Ann", turnTime=3600)
        visitors.join(ann.url, "Ben")
        start(ann)
        path = visitors.path(ann)
        ann.locator(".brand").click()
        expect(ann.locator("#ask-title")).to_have_text("Leave this page? You’re in a game with Ben.")
        expect_accessible(ann, SIZES)
        ann.get_by_role("button", name="Stay").click()
        expect(ann.locator("#ask-dialog")).to_be_hidden()
        assert visitors.path(ann) == path
        ann.locator(".brand").click()
        ann.locator("#ask-dialog").get_by_role("button", name="Leave page").click()
        ann.wait_for_url("**/")
        row = ann.locator("#own-games li")
        expect(row).to_contain_text("with Ben · Your turn")
        # It is announced once.
        expect(ann.locator("#open-rooms")).to_be_hidden()
        expect_accessible(ann, SIZES)
        row.get_by_role("link", name="Continue").click()
        expect(ann.locator(".player.you")).to_have_count(1)
        assert visitors.path(ann) == path

    def test_a_game_alone_asks_nothing_and_another_device_finds_it_too(self, visitors):
        ann = visitors.host("Ann")
        start(ann)
        ann.locator(".brand").click()
        ann.wait_for_url("**/")
        expect(ann.locator("#own-games li")).to_contain_text("alone")
        other = visitors.new("Ann")
        other.goto("/")
        other.locator("#own-games a").click()
        other.locator("#leave").click()
        other.locator("#leave-dialog [value=leave]").click()
        expect(other.locator("#room")).to_have_attribute("data-status", "ended")
        other.locator(".brand").click()
        other.wait_for_url("**/")
        expect(other.locator("#games [data-target]").first).to_be_visible()
        expect(other.locator("#continue")).to_be_hidden()


class TestCards:
    """One card a game, with its board."""

    def test_boards_play_once_and_not_with_reduced_motion(self, visitors):
        card = ".game-card[data-game=connect-four]"
        won = f"{card} [data-line=true]"
        page = visitors.new(view=DESKTOP, reduced_motion="no-preference")
        # It does not play by itself, so the machine's speed does not matter.
        page.clock.install(time=0)
        page.clock.pause_at(1_000)
        page.goto("/")
        expect(page.locator(f"{card} [data-target]").first).to_be_visible()
        page.clock.run_for(3_000)
        expect(page.locator(won)).to_have_count(0)
        page.clock.run_for(6_000)
        expect(page.locator(won)).to_have_count(4)
        page.clock.run_for(20_000)
        expect(page.locator(won)).to_have_count(4)
        still = visitors.new()
        still.goto("/")
        expect(still.locator(won)).to_have_count(4)
        expect(still.locator(".game-card [data-target]").first.get_by_role("button")).to_have_count(0)
        still.locator(".game-card").first.hover()
        expect(still.locator(won)).to_have_count(4)

    def test_buttons_sound_and_music_plays_once_the_page_was_touched(self, visitors):
        page = visitors.new()
        page.add_init_script(HEARD)
        page.goto("/")
        expect(page.locator("#games [data-target]").first).to_be_visible()
        assert page.evaluate("heard.contexts") == 0
        page.locator("#settings").click()
        page.wait_for_function("() => heard.tones > 0")
        page.get_by_role("switch", name="Music").check()
        page.wait_for_function("() => heard.tones > 3")


def test_music_is_a_press_away_on_every_page(visitors):
    page = visitors.new(view=PHONE)
    page.add_init_script(HEARD)
    music = page.get_by_role("button", name="Music")
    for path in "/#wall", "/#leaderboard", "/":
        page.goto(path)
        expect(music, path).to_be_in_viewport(ratio=1)
        expect(music, path).to_have_attribute("aria-pressed", "false")
    music.click()
    expect(music).to_have_attribute("aria-pressed", "true")
    page.wait_for_function("() => heard.tones > 3")
    page.reload()
    expect(music).to_have_attribute("aria-pressed", "true")
    music.click()
    expect(music).to_have_attribute("aria-pressed", "false")
    # A user who had turned sound off hears it.
    page.locator("#settings").click()
    page.get_by_role("switch", name="Sound").uncheck()
    page.keyboard.press("Escape")
    music.click()
    expect(music).to_have_attribute("aria-pressed", "true")
    page.locator("#settings").click()
    expect(page.get_by_role("switch", name="Sound")).to_be_checked()


def test_a_room_is_what_its_host_chooses_in_it(page, server):
    chosen = dict(rule="hard", turnRule="alternate", theme="numbers")
    page.locator(way("friends")).click()
    give_name(PlaywrightTab(page), "Ann")
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_visible()
    for name, value in (chosen | dict(board="easy")).items():
        choose(PlaywrightTab(page), name, value)
    expect(page.locator("#facts")).to_contain_text("Next player’s turn")
    expect(page.locator("#facts")).to_contain_text("Easy · 5 pairs")
    options = json.loads(server.http("GET", "/api/rooms/" + code(page.url)))["options"]
    assert options.items() >= (chosen | dict(preset="easy")).items(), options


class TestAtOnce:
    """One tap and a name lead to a running game."""

    def test_alone(self, page):
        page.locator(way("alone")).click()
        give_name(PlaywrightTab(page), "Cy")
        page.wait_for_url("**/room/*")
        expect(page.locator("#board [data-target]")).to_have_count(16)
        page.locator('#board [data-target="3"]').click()
        expect(page.locator('#board [data-target="3"]')).to_have_attribute("data-side", "up")

    def test_against_a_computer_in_games_for_two(self, page):
        expect(page.locator(way("alone", "reversi"))).to_be_hidden()
        page.locator(way("computer", "reversi")).click()
        give_name(PlaywrightTab(page), "Dee")
        page.wait_for_url("**/room/*")
        expect(page.locator("#board [data-target]")).to_have_count(64)


def test_running_games_are_on_the_wall_and_move(visitors, page):
    hosts = [visitors.join(visitors.open_room(name, theme="numbers", seats=1), name)
             for name in ("Ann", "Maximiliane Wolkenstein")]
    for host in hosts:
        host.do("start")
    page.get_by_role("link", name="Live games").click()
    expect(page.locator(".tile")).to_have_count(2)
    for host in hosts:
        tile = page.locator(".tile").filter(has_text=host.code)
        expect(tile.locator("[data-target]")).to_have_count(16)
        expect(tile.locator(".caption")).to_have_text("Cards: Numbers")
        host.do("flip", cell=0)
        expect(tile.locator("[data-side=up]")).to_have_count(1)
    assert not page.evaluate(CUT, ".tile :is(.say, .name)")
    expect_accessible(page, SIZES)
    # The pages of a room are one click away.
    page.get_by_role("link", name="Room " + hosts[0].code).click()
    page.wait_for_url("**/room/" + hosts[0].code)
    expect(page.locator("#watching")).to_contain_text("watching")


def test_how_to_play_shows_all_rules(page):
    page.get_by_role("link", name="How to play").click()
    expect(page.locator("#rules tr")).to_have_count(5)
    expect_accessible(page, SIZES)

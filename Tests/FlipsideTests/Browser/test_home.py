"""What leads into rooms: the home page, its list of rooms, and a quick game."""

import json

import pytest
from playwright.sync_api import expect

from accessibility import SIZES, expect_accessible
from tabs import PlaywrightTab, choose, give_name
from visitors import code

# Chromium reports what the hub refuses, too: a name that is taken.
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
    def test_who_has_never_been_here_is_proposed_a_name_and_another(self, page):
        page.get_by_role("button", name="Quick game").click()
        name = page.locator("#name-dialog [name=name]")
        expect(name).not_to_have_value("")
        proposed = name.input_value()
        expect_accessible(page, SIZES)
        page.get_by_role("button", name="Another name").click()
        expect(name).not_to_have_value(proposed)

    def test_two_who_have_never_been_here_play_together(self, visitors, page):
        page.get_by_role("button", name="Quick game").click()
        give_name(PlaywrightTab(page), "Ann")
        page.wait_for_url("**/room/*")
        ben = visitors.new()
        ben.goto("/")
        ben.get_by_role("button", name="Quick game").click()
        # One tap is enough: the name proposed is free.
        ben.locator("#name-dialog").get_by_role("button", name="Play", exact=True).click()
        ben.wait_for_url("**/room/*")
        assert page.url == ben.url
        for one in (page, ben):
            expect(one.locator(".player")).to_have_count(2)
        page.get_by_role("button", name="Start", exact=True).click()
        for one in (page, ben):
            expect(one.locator("#board [data-cell]")).to_have_count(16)

    def test_a_name_that_is_taken_is_refused_and_another_proposed(self, visitors, page):
        visitors.known("Ann")
        page.get_by_role("button", name="Quick game").click()
        give_name(PlaywrightTab(page), "ann")
        expect(page.locator("#name-problem")).to_have_text("Somebody has this name already, or one that looks like it.")
        page.get_by_role("button", name="Another name").click()
        page.keyboard.press("Escape")
        expect(page.locator("#name-dialog")).to_be_hidden()
        page.get_by_role("button", name="Quick game").click()
        page.locator("#name-dialog").get_by_role("button", name="Play", exact=True).click()
        page.wait_for_url("**/room/*")


class TestListOfRooms:
    """A room comes and goes in a list that nobody has asked for anew."""

    def test_rooms_come_and_change(self, visitors, page):
        expect(page.locator("#no-rooms")).to_be_visible()
        path = visitors.open_room("Ann", seats=4)
        row = page.locator(f"#rooms a[href='{path}']")
        expect(row).to_contain_text("0 of 4 seats taken")
        ann = visitors.join(path, "Ann")
        expect(row).to_contain_text("1 of 4 seats taken")
        expect(row).to_contain_text("waiting")
        expect_accessible(page, SIZES)
        ann.do("start")
        expect(row).to_contain_text("playing")

    def test_rooms_go(self, visitors, page):
        ann = visitors.join(visitors.open_room("Ann"), "Ann")
        expect(page.locator("#rooms a")).to_have_count(1)
        ann.do("close")
        expect(page.locator("#no-rooms")).to_be_visible()


def test_a_room_is_what_its_host_chooses_in_it(page, server):
    chosen = dict(rule="hard", turnRule="alternate", theme="numbers")
    page.get_by_role("button", name="With friends").click()
    give_name(PlaywrightTab(page), "Ann")
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_visible()
    for name, value in (chosen | dict(board="easy")).items():
        choose(PlaywrightTab(page), name, value)
    expect(page.locator("#facts")).to_contain_text("The next player has the turn")
    expect(page.locator("#facts")).to_contain_text("Easy · 5 pairs")
    options = json.loads(server.http("GET", "/api/rooms/" + code(page.url)))["options"]
    assert options.items() >= (chosen | dict(preset="easy")).items(), options


class TestAtOnce:
    """One tap, and a name: a game that is running."""

    def test_alone(self, page):
        page.get_by_role("button", name="Alone").click()
        give_name(PlaywrightTab(page), "Cy")
        page.wait_for_url("**/room/*")
        expect(page.locator("#board [data-cell]")).to_have_count(16)
        page.locator('#board [data-cell="3"]').click()
        expect(page.locator('#board [data-cell="3"]')).to_have_attribute("data-side", "up")

    def test_against_a_computer_what_nobody_plays_alone(self, page):
        page.locator("#play-form").get_by_label("Reversi").check()
        expect(page.get_by_role("button", name="Alone")).to_be_hidden()
        page.locator("#computer").click()
        give_name(PlaywrightTab(page), "Dee")
        page.wait_for_url("**/room/*")
        expect(page.locator("#board [data-cell]")).to_have_count(64)


def test_running_games_are_on_the_wall_and_move(visitors, page):
    hosts = [visitors.join(visitors.open_room(name, theme="numbers", seats=1), name)
             for name in ("Ann", "Ben")]
    for host in hosts:
        host.do("start")
    page.get_by_role("link", name="Live games").click()
    expect(page.locator(".tile")).to_have_count(2)
    for host in hosts:
        tile = page.locator(".tile").filter(has_text=host.code)
        expect(tile.locator("[data-cell]")).to_have_count(16)
        expect(tile.locator(".caption")).to_have_text("Cards: Numbers")
        host.do("flip", cell=0)
        expect(tile.locator("[data-side=up]")).to_have_count(1)
    expect_accessible(page, SIZES)
    # The pages of a room are one click away.
    page.get_by_role("link", name="Room " + hosts[0].code).click()
    page.wait_for_url("**/room/" + hosts[0].code)
    expect(page.locator("#watching")).to_contain_text("watching")


def test_how_to_play_shows_all_rules(page):
    page.get_by_role("link", name="How to play").click()
    expect(page.locator("#rules tr")).to_have_count(5)
    expect_accessible(page, SIZES)

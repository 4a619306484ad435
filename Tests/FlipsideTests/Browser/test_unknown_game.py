"""A page that lacks one of the hub's games, like an older page in a browser's cache."""

import re, shutil

import pytest
from playwright.sync_api import expect

from visitors import PHONE, code

GAME = "connect-four"
WORDS = "This page can’t show this game. Reload it: a newer version may."


@pytest.fixture
def served(web, tmp_path):
    """The page's files, without the entry for the game."""
    page = shutil.copytree(web, tmp_path / "web")
    listed = page / "games/list.js"
    text = listed.read_text()
    fewer = re.sub(r'  "connect-four": connectFour,\n|import \{ connectFour \}[^\n]*\n', "", text)
    assert "connectFour" not in fewer and len(fewer) < len(text) - 60
    listed.write_text(fewer)
    return page


@pytest.fixture
def table(visitors):
    """Two players without a page, in a running game."""
    path = visitors.open_room("Ada", GAME, turnTime=60)
    players = [visitors.join(path, name) for name in ("Ada", "Bob")]
    players[0].do("start")
    return path, players


def test_a_room_of_the_game_says_so_and_follows_whose_turn_it_is(visitors, table):
    path, (ada, bob) = table
    page = visitors.new("Bob", PHONE)
    page.goto(path)
    expect(page.locator("#board")).to_have_text(WORDS)
    expect(page.locator("#say")).to_have_text("Ada’s turn")
    ada.do("drop", column=3)
    expect(page.locator("#say")).to_have_text("Your turn")
    expect(page.locator(".player.turn .name")).to_have_text("Bob")
    bob.do("resign")
    expect(page.locator("#places li")).to_have_count(2)
    # And the next one.
    page.locator("#again").click()
    expect(page.locator("#again")).to_contain_text("✓")
    ada.do("propose", what="rematch")
    expect(page.locator("#say")).to_have_text("Your turn")
    expect(page.locator("#board")).to_be_in_viewport()


def test_a_waiting_room_has_chairs_for_all_who_come(visitors):
    path = visitors.open_room("Ada", GAME)
    page = visitors.new("Bob")
    page.goto(path)
    page.locator("#join").click()
    expect(page.locator(".player.you")).to_have_count(1)


def test_replays_lists_and_the_wall_work_without_it(visitors, table):
    path, (ada, bob) = table
    page = visitors.new()
    page.goto("/#wall")
    expect(page.locator(".tile .unknown-game")).to_have_text(WORDS)
    ada.do("drop", column=3)
    bob.do("resign")
    page.goto("/replay/" + code(path))
    expect(page.locator("#replay-board")).to_have_text(WORDS)
    page.locator("#replay-range").press("End")
    expect(page.locator("#replay-say")).to_contain_text("Ada")
    page.locator("#replay-check").click()
    expect(page.locator("#check-verdict")).to_contain_text("doesn’t know the game")
    page.goto("/")
    expect(page.locator("#rooms li")).to_have_count(1)

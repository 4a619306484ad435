"""The past of a running game, for spectators only: players should remember the cards."""

import pytest
from playwright.sync_api import expect

from board import REPLAY, ROOM, expect_board
from pictures import pictures
from protocol_player import wait_for
from record_room import OPTIONS, Table
from tabs import PlaywrightTab


@pytest.fixture
def table(server):
    """A room whose game has had some turns, by players without a page."""
    table = wait_for(Table().open(server, **OPTIONS))
    wait_for(table.begin())
    for _ in range(4):
        wait_for(table.attempt())
    return table


@pytest.fixture
def page(visitors, table):
    visitors.tolerated = ()
    return visitors.new()


def go_on(table):
    """Another turn; returns what a newcomer then receives."""
    wait_for(table.attempt())
    wait_for(table.tell())
    return table.welcomes[-1]


def test_the_game_grows_after_the_current_position(page, table):
    page.goto(f"/replay/{table.code}?v=6")
    expect(page.get_by_role("button", name="Live")).to_have_attribute("aria-pressed", "false")
    before = len(table.server.log(table.code))
    go_on(table)
    after = len(table.server.log(table.code))
    assert after > before
    expect(page.locator("#replay-position")).to_have_text(f"6 of {after}")


def test_it_is_followed_live(page, table):
    page.goto(f"/replay/{table.code}?v=6")
    page.get_by_role("button", name="Live").click()
    expect(page.get_by_role("button", name="Live")).to_have_attribute("aria-pressed", "true")
    expect_board(page, REPLAY, go_on(table))


def test_following_is_shown_by_a_shape(visitors, table):
    visitors.tolerated = ()
    page = visitors.new(forced_colors="active")
    page.goto(f"/replay/{table.code}?v=6")
    live, shapes = page.get_by_role("button", name="Live"), []
    for is_pressed in "false", "true":
        expect(live).to_have_attribute("aria-pressed", is_pressed)
        shapes.append(pictures(PlaywrightTab(page), "#replay-live")[0].part(0.05, 0.1, 0.4, 0.9).shape)
        live.click()
        live.blur()
        page.mouse.move(0, 0)
    assert shapes[0].unlike(shapes[1]) > 0.01


def test_the_deal_cannot_be_checked_yet(page, table):
    page.goto(f"/replay/{table.code}?v=6")
    page.get_by_role("button", name="Check this game").click()
    expect(page.locator("#check-verdict")).to_contain_text("The deal can be checked when the game is over")
    expect(page.locator("#check-verdict")).to_have_attribute("data-result", "open")


class TestTheGameSoFar:
    """Latecomers to a room can see the game so far."""

    @pytest.fixture
    def late(self, page, table):
        wait_for(table.tell())
        page.goto(f"/room/{table.code}")
        expect_board(page, ROOM, table.welcomes[-1])
        return page

    def test_and_then_the_current_state(self, late, table):
        late.get_by_role("button", name="Game so far").click()
        late.wait_for_function("() => document.querySelectorAll('#board [data-side=won]').length === 0")
        welcome = go_on(table)
        expect(late.locator(".toast", has_text="This is the game right now")).to_be_visible()
        expect_board(late, ROOM, welcome)

    def test_or_goes_back_to_now(self, late, table):
        late.get_by_role("button", name="Game so far").click()
        late.get_by_role("button", name="Back to live").click()
        expect_board(late, ROOM, table.welcomes[-1])


class TestAPlayer:
    """Players see the past of their game when it is over."""

    @pytest.fixture
    def seated(self, visitors, table):
        seat = table.pages[0].welcome["you"]["player"]
        visitors.players["Ann"] = dict(id=seat, name="Ann", token=table.tokens[0])
        return visitors.new("Ann")

    def test_has_no_way_to_it_in_the_room(self, seated, table):
        seated.goto(f"/room/{table.code}")
        expect(seated.locator(".player.you")).to_be_visible()
        expect(seated.get_by_role("link", name="Replay")).to_be_hidden()
        expect(seated.get_by_role("button", name="Game so far")).to_be_hidden()

    def test_is_refused_until_the_game_is_over_and_again_when_the_next_one_begins(self, seated, table):
        seated.goto(f"/replay/{table.code}")
        expect(seated.locator("#replay-refused")).to_be_visible()
        while wait_for(table.attempt()):
            pass
        seated.get_by_role("link", name="Back to room").click()
        seated.get_by_role("link", name="Replay").click()
        expect(seated.locator("#replay")).to_be_visible()
        # Not of the next one either, which begins while they look.
        wait_for(table.begin())
        expect(seated.locator("#replay-refused")).to_be_visible()

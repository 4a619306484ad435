"""The leaderboard: real results, and made-up ones where real games would take too long."""

import json, time

import pytest
from playwright.sync_api import expect

from accessibility import SIZES, expect_accessible


def result(number, **fields):
    made_up = dict(player="p", name=f"Player {number}", game="memory", mode="hard-4x5", against="alone", score=number, turns=20, time=60_000,
                   at=1_700_000_000_000 + number * 60_000, kind="finished", room="abcdef") | fields
    return {name: value for name, value in made_up.items() if value is not None}


def answer(page, results):
    """Answers the page's requests to the leaderboard with a page of `results`, a link to the next page, and the usual other
    fields."""
    def fulfil(route):
        asked = dict(pair.split("=") for pair in route.request.url.split("?")[1].split("&"))
        found, following, *more = results(asked)
        route.fulfill(json=dict(results=found) | (dict(next=following) if following else {}) | dict(*more))

    page.route("**/api/leaderboard*", fulfil)


@pytest.fixture
def page(visitors):
    visitors.tolerated = ()
    return visitors.new()


@pytest.fixture
def rows(page):
    return page.locator("#results-list li")


def test_the_leaderboard_opens_at_the_last_played_game(visitors):
    page = play_alone(visitors, "Cy")
    page.goto("/")
    # A link pressed before its page has loaded leads there at once, like its address.
    expect(page.locator("#home")).to_be_visible()
    page.get_by_role("link", name="Leaderboard").click()
    expect(page.get_by_role("heading", name="Leaderboard")).to_be_focused()
    rows = page.locator("#results-list li")
    expect(rows).to_have_count(1)
    expect(rows.and_(page.locator(".you"))).to_contain_text("Cy")
    expect(rows).to_contain_text("8 points")
    expect(page.get_by_role("radio", name="Alone")).to_be_checked()
    expect_accessible(page, SIZES)
    page.get_by_label("Computers").check()
    expect(page.locator("#no-results")).to_be_visible()
    page.get_by_role("radio", name="Alone").check()
    page.get_by_label("Newest").check()
    expect(rows).to_have_count(1)
    page.get_by_label("Hard · 4 × 5").check()
    expect(page.locator("#no-results")).to_be_visible()
    page.go_back()
    expect(page.locator("#home")).to_be_visible()
    expect(page.locator("#leaderboard")).to_be_hidden()


def play_alone(visitors, name):
    """The page of a player whose own game has ended, once the hub has the result."""
    url = visitors.open_room(name, reveal=200, seats=1)
    player = visitors.join(url, name)
    player.do("start")
    page = visitors.new(name)
    page.goto(url)
    expect(page.locator("[data-target]").first).to_be_visible()
    player.play_alone()
    expect(page.locator("#end-title")).to_be_visible()
    end = time.monotonic() + 30
    while not json.loads(visitors.server.http("GET", "/api/leaderboard"))["results"]:
        assert time.monotonic() < end, "no results"
    return page


class TestPagesOfResults:
    def test_the_best_stand_first_and_more_appear_below(self, page, rows):
        def results(asked):
            first = int(asked.get("after", "0"))
            kinds = "finished", "left", "helped"
            return [result(n, score=100 - n, kind=kinds[n % 3], room=None if n % 2 else "abcdef")
                    for n in range(first, first + 20)], None if first else "20"

        answer(page, results)
        page.goto("/#leaderboard")
        page.get_by_label("Best", exact=True).check()
        expect(rows).to_have_count(20)
        page.get_by_role("button", name="More", exact=True).click()
        expect(rows).to_have_count(40)
        expect(rows.nth(20)).to_be_focused()
        expect(rows.nth(39)).to_contain_text("61 points")
        expect(page.get_by_role("button", name="More", exact=True)).to_be_hidden()
        for row, kind in ((0, ""), (1, "unfinished"), (2, "with computer help")):
            expect(rows.nth(row).locator(".kind")).to_have_text([kind] if kind else [])
        # The code of an unlisted room is not shown.
        expect(rows.nth(0).get_by_role("link")).to_have_attribute("href", "/room/abcdef")
        expect(rows.nth(1).get_by_role("link")).to_have_count(0)
        expect_accessible(page, SIZES)

    def test_equal_results_share_a_rank_and_the_players_own_is_found_beyond_the_page(self, page, rows):
        scores = 9, 9, 8, 7, 7
        mine = dict(rank=812, result=result(0, player="me", name="Ann", score=2))
        answer(page, lambda asked: ([result(n, score=score) for n, score in enumerate(scores)], None,
                                    dict(own=mine) if asked.get("span") == "all" else
                                    dict(own=dict(result=mine["result"])) if asked.get("span") == "week" else {}))
        page.goto("/#leaderboard")
        expect(rows.locator(".place")).to_have_text(["🥇", "🥇", "🥉", "4", "4"])
        own = page.get_by_role("region", name="Your best")
        expect(own.locator(".place")).to_have_text("812")
        expect(own.locator("li")).to_contain_text("2 points")
        expect_accessible(page, SIZES)
        page.get_by_label("This week").check()
        expect(own.locator(".place")).to_have_text("1000+")
        page.get_by_label("Today").check()
        expect(own).to_be_hidden()

    def test_lists_are_chosen_with_the_arrow_keys_and_games_for_two_have_no_list_for_one(self, page, rows):
        answer(page, lambda asked: ([result(1, name=f"{asked.get('game')} {asked.get('against')}")], None))
        page.goto("/#leaderboard")
        expect(rows.locator(".name")).to_have_text("memory people")
        page.get_by_label("People").focus()
        page.keyboard.press("ArrowLeft")
        expect(rows.locator(".name")).to_have_text("memory alone")
        page.get_by_label("Memory", exact=True).focus()
        page.keyboard.press("ArrowRight")
        expect(rows.locator(".name")).to_have_text("reversi people")
        expect(page.get_by_label("Reversi")).to_be_focused()
        expect(page.get_by_role("radio", name="Alone")).to_be_hidden()

    def test_the_newest_stand_last_and_earlier_ones_appear_above(self, page, rows):
        def results(asked):
            first = 0 if "after" in asked else 20
            return [result(n) for n in range(first, first + 20)], "20" if first else None

        answer(page, results)
        page.goto("/#leaderboard")
        page.get_by_label("Newest").check()
        expect(rows.locator(".name")).to_have_text([f"Player {n}" for n in range(20, 40)])
        expect_accessible(page, SIZES)
        page.get_by_role("button", name="Earlier").click()
        expect(rows.locator(".name")).to_have_text([f"Player {n}" for n in range(40)])
        expect(rows.first).to_be_focused()
        expect(page.locator("#more-results")).to_be_hidden()

    def test_a_chosen_board_stays_chosen_when_the_newest_results_no_longer_have_it(self, page):
        played = ["easy-3x3"]
        answer(page, lambda asked: ([result(9, mode=mode) for mode in played], None))
        page.goto("/#leaderboard")
        modes = page.locator("#leaderboard-form [name=mode]")
        expect(modes).to_have_count(6)
        page.get_by_label("3 × 3").check()
        played[:] = ["medium-3x5"]
        page.get_by_label("Newest").check()
        expect(modes).to_have_count(7)
        expect(page.get_by_label("3 × 3")).to_be_checked()
        page.get_by_label("Reversi").check()
        expect(page.get_by_label("3 × 3")).to_have_count(0)

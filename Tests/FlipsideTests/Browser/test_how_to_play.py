"""How to play: the games demonstrate themselves on their own boards."""

import pytest
from playwright.sync_api import expect

from accessibility import SIZES, expect_accessible

pytestmark = pytest.mark.shares_hub

GAMES = {"Memory": "[data-side=won]", "Reversi": "[data-disc=black]", "Connect four": "[data-line=true]",
         "Dots and boxes": ".dots-and-boxes-line[data-seat]"}
BEFORE = {"Memory": 0, "Reversi": 3, "Connect four": 0, "Dots and boxes": 3}
AT_THE_END = {"Memory": 2, "Reversi": 7, "Connect four": 4, "Dots and boxes": 6}


@pytest.fixture
def page(visitors):
    page = visitors.new(view=dict(viewport=dict(width=1000, height=2000)))
    page.emulate_media(reduced_motion="no-preference")
    return page


def shown(page, game):
    section = page.locator("#how-to-play section", has=page.get_by_role("heading", name=game, exact=True))
    return section.locator(".demonstration"), section.get_by_role("button")


def test_each_game_plays_on_its_board_until_it_is_paused(page):
    page.clock.install(time=0)
    page.goto("/#how-to-play")
    for game in GAMES:
        expect(shown(page, game)[1]).to_have_attribute("aria-label", f"Pause: {game}")
    page.clock.pause_at(60_000)
    for game in GAMES:
        demonstration, button = shown(page, game)
        cells = demonstration.locator(GAMES[game])
        # Ten seconds are enough for each to start over.
        for count in AT_THE_END[game], BEFORE[game], AT_THE_END[game]:
            for _ in range(100):
                if cells.count() == count:
                    break
                page.clock.run_for(100)
            expect(cells, game).to_have_count(count)
        button.click()
        expect(button).to_have_attribute("aria-label", f"Play: {game}")
        page.clock.run_for(20_000)
        expect(cells, game).to_have_count(AT_THE_END[game])
        button.click()
        page.clock.run_for(3_300)
        expect(cells, game).to_have_count(BEFORE[game])


def test_with_less_motion_the_end_of_each_game_is_a_picture(page):
    page.emulate_media(reduced_motion="reduce")
    page.goto("/#how-to-play")
    for game in GAMES:
        demonstration, button = shown(page, game)
        expect(demonstration.locator(GAMES[game]), game).to_have_count(AT_THE_END[game])
        expect(button, game).to_have_count(0)


def test_demonstrations_are_hidden_from_screen_readers_and_fairness_folds_away(page):
    page.emulate_media(reduced_motion="reduce")
    page.goto("/#how-to-play")
    expect(page.locator(".demonstration [data-target]").first).to_be_visible()
    expect(page.locator(".demonstration").get_by_role("button")).to_have_count(0)
    fairness = page.locator("#how-to-play details")
    expect(fairness.locator("p").first).to_be_hidden()
    fairness.locator("summary").click()
    expect(fairness.locator("p").first).to_be_visible()
    expect_accessible(page, SIZES)

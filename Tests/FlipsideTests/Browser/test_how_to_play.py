"""How to play: the games demonstrate themselves on their own boards."""

import pytest
from playwright.sync_api import expect

from accessibility import SIZES, expect_accessible

pytestmark = pytest.mark.shares_hub

# What a game's moves change on its board.
GAMES = {"Memory": "[data-side=won]", "Reversi": "[data-disc=black]", "Connect four": "[data-line=true]",
         "Dots and boxes": ".dots-and-boxes-line[data-seat]", "Go Fish": ".go-fish-hand .go-fish-card",
         "Goofspiel": ".goofspiel-player [data-state=gone]"}
BEFORE = {"Memory": 0, "Reversi": 3, "Connect four": 0, "Dots and boxes": 3, "Go Fish": 5, "Goofspiel": 3}
AT_THE_END = {"Memory": 2, "Reversi": 7, "Connect four": 4, "Dots and boxes": 6, "Go Fish": 4, "Goofspiel": 9}
# How much of that each board shows.
COUNT = """games => Object.fromEntries([...document.querySelectorAll('#how-to-play section:has(.demonstration)')].map(section => {
  const name = section.querySelector('h2').textContent
  return [name, section.querySelectorAll(`.demonstration ${games[name]}`).length] }))"""
# Shorter than any position that is looked for, in ms.
STEP = 500


@pytest.fixture
def page(visitors):
    page = visitors.new(view=dict(viewport=dict(width=1000, height=3200)))
    page.emulate_media(reduced_motion="no-preference")
    return page


def shown(page, game):
    section = page.locator("#how-to-play section", has=page.get_by_role("heading", name=game, exact=True))
    return section.locator(".demonstration"), section.get_by_role("button")


def test_each_game_plays_over_and_over_on_its_board_until_it_is_paused(page):
    page.clock.install(time=0)
    page.goto("/#how-to-play")
    for game in GAMES:
        expect(shown(page, game)[1]).to_have_attribute("aria-label", f"Pause: {game}")
    page.clock.pause_at(60_000)
    awaited = {game: [AT_THE_END[game], BEFORE[game], AT_THE_END[game]] for game in GAMES}
    play_until(page, awaited)
    for game in GAMES:
        button = shown(page, game)[1]
        button.click()
        expect(button).to_have_attribute("aria-label", f"Play: {game}")
    paused = page.evaluate(COUNT, GAMES)
    page.clock.run_for(20_000)
    assert page.evaluate(COUNT, GAMES) == paused
    for game in GAMES:
        shown(page, game)[1].click()
    play_until(page, {game: [BEFORE[game]] for game in GAMES})


def play_until(page, awaited):
    """Until each game has shown what is awaited of it, in this order; 40 seconds are enough for each to start over twice."""
    for _ in range(80):
        counts = page.evaluate(COUNT, GAMES)
        assert counts.keys() == GAMES.keys()
        for game, numbers in awaited.items():
            if numbers and counts[game] == numbers[0]:
                numbers.pop(0)
        if not any(awaited.values()):
            return
        page.clock.run_for(STEP)
    assert not awaited


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

"""Each scoring rule of Memory, with either rule of turns, alone and against computers; and Reversi against a computer."""

import json

import pytest
from playwright.sync_api import expect

from tabs import IS_MINE, IS_OVER, PlaywrightTab, play
from visitors import PHONE, add_computer, code, start

pytestmark = pytest.mark.shares_hub

SHOWN = "[...document.querySelectorAll('#places .score')].map(score => Number(score.textContent))"
DISCS = "[...document.querySelectorAll('.reversi-square')].map(square => square.dataset.disc)"


@pytest.mark.parametrize("rule, turn_rule, theme, level", [
    ("pairs", "again", "random", "easy"), ("memorize", "alternate", "pictures", None),
    ("medium", "alternate", "characters", "perfect"),
    pytest.param("easy", "again", "numbers", None, marks=pytest.mark.long),
    pytest.param("hard", "again", "sky", "medium", marks=pytest.mark.long)])
def test_the_page_ends_up_showing_what_the_log_says(visitors, server, rule, turn_rule, theme, level):
    page = visitors.host("Ann", preset="custom", columns=2, rows=3, rule=rule, turnRule=turn_rule, theme=theme, reveal=200)
    if level:
        add_computer(page, level=level)
    start(page)
    tab = PlaywrightTab(page)
    play([tab], [tab])
    events = [json.loads(line) for line in server.log(code(page.url))]
    began, ended = (next(event for event in events if event["type"] == type) for type in ("game-started", "game-ended"))
    assert (began["options"]["rule"], began["options"]["turnRule"]) == (rule, turn_rule), began["options"]
    assert theme in ("random", began["theme"]["name"]), began["theme"]
    assert page.evaluate(SHOWN) == sorted((result["score"] for result in ended["results"]), reverse=True), ended


@pytest.mark.seconds(10)
def test_reversi_against_a_computer_looks_the_same_on_a_phone(visitors):
    visitors.tolerated = ()
    ann = visitors.host("Ann", "reversi")
    expect(ann.get_by_role("button", name="Start", exact=True)).to_be_hidden()
    add_computer(ann, level="1")
    phone = visitors.spectator(ann, PHONE)
    start(ann, phone)
    placed, moves = "document.querySelectorAll('.reversi-square:not([data-disc=\"\"])').length", 0
    settled = f"() => ({IS_MINE}) || {IS_OVER}"
    while True:
        ann.wait_for_function(settled)
        if ann.locator("#end").is_visible():
            break
        before = ann.evaluate(placed)
        ann.locator('[data-legal="true"]').first.click()
        # Another disc shows that the hub has answered.
        ann.wait_for_function(f"() => {placed} > {before}")
        moves += 1
        assert moves < 64
    expect(phone.locator("#end")).to_be_visible()
    assert ann.evaluate(DISCS) == phone.evaluate(DISCS)
    places = ann.locator("#places").inner_text()
    assert places.replace("you · ", "") == phone.locator("#places").inner_text()

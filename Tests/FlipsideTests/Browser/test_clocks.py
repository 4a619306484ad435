"""A device whose clock is set back an hour while a page is open: nothing on the page waits for that hour."""

import pytest
from playwright.sync_api import expect

from bad_line import BadLine
from visitors import start

CLOCK = "window.ahead = 0; const now = Date.now; Date.now = () => now() + window.ahead"
SET_BACK = "window.ahead = -3_600_000"


@pytest.fixture
def line(hub, chance):
    return BadLine(hub.port, chance)


@pytest.fixture
def page(make_visitors, chromium, line):
    """Ann's page, in a game with a turn timer, after its clock was set back."""
    visitors = make_visitors(chromium, port=line.port)
    ann = visitors.new("Ann")
    ann.add_init_script(CLOCK)
    ann.goto(visitors.open_room("Ann", preset="easy", turnTime=30))
    expect(ann.locator(".player.you")).to_have_count(1)
    ben = visitors.guest(ann)
    start(ann, ben)
    expect(ann.locator("#clock[data-runs=true]")).to_be_visible()
    ann.evaluate(SET_BACK)
    return ann


def test_the_time_of_a_turn_keeps_running(page):
    left = page.locator("#clock .left")
    before = left.inner_text()
    expect(left).not_to_have_text(before)
    after = left.inner_text()
    expect(left).not_to_have_text(after)


def test_a_line_that_falls_silent_is_in_doubt(page, line):
    line.mode = "swallow"
    expect(page.locator("#line")).to_have_text("No answer. Still trying…")

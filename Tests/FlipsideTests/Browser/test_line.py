"""What a page in a room says about its line, lost or in doubt, and how it recovers."""

import pytest
from playwright.sync_api import expect

from bad_line import BadLine
from visitors import start

LOST, DOUBT = "Connection lost. Reconnecting…", "No answer. Still trying…"
# Every message in the header about the line, as read aloud.
LISTEN = """() => { window.said = []; new MutationObserver(() => said.push(document.querySelector('#line').textContent))
  .observe(document.querySelector('#line'), {childList: true, characterData: true, subtree: true}) }"""
# What a screen shows for a working and for a broken line: no state may show both.
SHOWN = """() => [['#line', '#trip'].filter(id => document.querySelector(id).checkVisibility()),
  document.querySelector('#felt').dataset.line]"""


@pytest.fixture
def line(hub, chance):
    return BadLine(hub.port, chance)


@pytest.fixture
def pages(make_visitors, chromium, line):
    """Ann and Ben, in their game."""
    visitors = make_visitors(chromium, port=line.port)
    ann = visitors.host("Ann", preset="easy", reveal=200)
    ben = visitors.guest(ann)
    start(ann, ben)
    ann.evaluate(LISTEN)
    return ann, ben


def expect_caught_up(page, other):
    """Both pages show the same cards."""
    cards = "() => JSON.stringify([...document.querySelectorAll('[data-target]')].map(({dataset}) => dataset.side))"
    expect(page.locator("#line")).to_be_hidden()
    page.wait_for_function(f"cards => ({cards})() === cards", arg=other.evaluate(cards))


def test_a_lost_network_is_shown_at_once_and_so_is_its_return(pages):
    ann, ben = pages
    # The page says so in the same moment as the browser.
    ann.evaluate("() => addEventListener('offline', () => window.shown = document.querySelector('#line').checkVisibility())")
    ann.context.set_offline(True)
    expect(ann.locator("#line")).to_have_text(LOST)
    assert ann.evaluate("window.shown")
    ann.context.set_offline(False)
    expect(ann.get_by_text("Reconnected.")).to_be_visible()
    expect_caught_up(ann, ben)
    assert ann.evaluate("said") == [LOST, ""]


def test_a_lost_hub_is_announced_once_however_often_it_is_tried(pages, hub):
    ann, ben = pages
    looks = []
    ann.on("requestfailed", lambda request: looks.append(request.url))
    hub.kill()
    expect(ann.locator("#line")).to_have_text(LOST)
    while len(looks) < 6:
        ann.wait_for_event("requestfailed")
    hub.start()
    expect_caught_up(ann, ben)
    assert ann.evaluate("said") == [LOST, ""]


def test_a_move_without_an_answer_puts_a_silent_line_in_doubt_until_the_network_is_back(pages, line):
    ann, ben = pages
    mover = next(page for page in pages if page.locator("#room").get_attribute("data-mine") == "true")
    line.mode = "swallow"
    mover.locator("[data-side=down]").first.click()
    expect(mover.locator("#line")).to_have_text(DOUBT)
    assert mover.evaluate(SHOWN) == [["#line"], "doubtful"]
    line.mode = "pass"
    # The command is sent again, and all see its effect.
    for page in pages:
        expect(page.locator("#line")).to_be_hidden()
        expect(page.locator("[data-side=up]")).to_have_count(1)
    assert mover.evaluate(SHOWN) == [[], "open"]


def test_a_line_that_falls_silent_is_in_doubt_even_if_no_one_moves(pages, line):
    ann, ben = pages
    line.mode = "swallow"
    expect(ann.locator("#line")).to_have_text(DOUBT)
    line.mode = "pass"
    expect(ann.get_by_text("Reconnected.")).to_be_visible()
    expect_caught_up(ann, ben)
    assert ann.evaluate("said") == [DOUBT, ""]

"""How a game and a room end, and what is said of it."""

from playwright.sync_api import expect

from accessibility import expect_accessible
from layout import CUT, resize
from tabs import PlaywrightTab, play
from visitors import PHONE, start

# After so long, in ms, a page takes what it has asked for as lost.
LONGEST_LOAD = 10_000
# How often a score was seen to change.
GAINS = """() => { window.gains = 0; new MutationObserver(() => { gains += document.querySelectorAll('.player .change').length })
  .observe(document.querySelector('#players'), {subtree: true, childList: true, characterData: true}) }"""


def test_scores_are_seen_to_change_and_the_end_is_shown_to_all(visitors):
    ann = visitors.host("Maximiliane Wolkenstein", preset="custom", columns=2, rows=3, turnTime=60, reveal=200)
    ben = visitors.guest(ann, "Ben", PHONE)
    start(ann, ben)
    ann.evaluate(GAINS)
    tabs = [PlaywrightTab(page) for page in (ann, ben)]
    play(tabs, tabs)
    assert ann.evaluate("window.gains") > 0, "no score was seen to change"
    for page in (ann, ben):
        expect(page.locator("#end")).to_be_visible()
        expect_accessible(page)
    resize(ann, (320, 568))
    assert not ann.evaluate(CUT, ".player :is(.name, .tag), #end :is(.name, .detail)")


def test_who_resigns_loses_though_the_other_page_never_gets_its_words(visitors):
    black = visitors.host("Blanche", "reversi")
    white = visitors.new("Wanda", PHONE)
    # The line swallows it once: the page does not wait for ever.
    swallowed = []
    white.route("**/ending.js", lambda route: swallowed.append(route))
    white.clock.install()
    white.goto(black.url)
    white.locator("#join").click()
    start(black)
    expect(white.locator(".reversi-square").first).to_be_visible()
    expect(black.locator('[data-legal="true"]')).to_have_count(4)
    expect_accessible(black)
    black.get_by_role("button", name="Resign").click()
    black.locator("#ask-dialog .yes").click()
    expect(black.locator("#end-detail")).to_have_text("You resigned.")
    expect(white.locator("#room")).to_have_attribute("data-status", "ended")
    white.clock.fast_forward(LONGEST_LOAD)
    expect(white.locator("#end-detail")).to_have_text("Blanche resigned.")
    expect(white.locator("#end-title")).to_have_text("You win!")
    swallowed.pop().abort()


def test_a_room_that_its_host_closes_is_closed_for_all(visitors):
    ann = visitors.host("Ann")
    ben = visitors.spectator(ann, PHONE)
    ann.locator("#seats").click()
    ann.get_by_role("button", name="Close the room").click()
    ann.locator("#ask-dialog .yes").click()
    expect(ben.locator("#say")).to_have_text("This room is closed.")

"""Boards of Memory under fingers faster than any person's, and moving cards."""

import pytest
from playwright.sync_api import expect

from accessibility import expect_accessible
from tabs import CARDS
from visitors import PHONE, start

pytestmark = pytest.mark.shares_hub

BOARD = dict(preset="custom", columns=4, rows=4, turnTime=60, reveal=200)
# Watches every change of the board: how many cards show a face or are about to, and how many show one while down.
WATCH = """() => {
  window.most = 0;
  window.leaks = 0;
  const board = document.querySelector('#board');
  new MutationObserver(() => {
    const cards = [...board.children];
    const up = cards.filter(c => c.dataset.side === 'up').length;
    const lifted = cards.filter(c => c.dataset.side === 'down' && c.dataset.asked === 'true');
    window.most = Math.max(window.most, up + lifted.length);
    window.leaks += lifted.filter(c => c.querySelector('.memory-front').textContent !== '').length;
  }).observe(board, { subtree: true, attributes: true, childList: true });
}"""
# Two pointers at once, a pair of cards in each task, as fast as the machine can.
HAMMER = """async (times) => {
  const cards = [...document.querySelectorAll('[data-target]')];
  const any = () => cards[Math.floor(Math.random() * cards.length)];
  for (let n = 0; n < times; n++) {
    for (const card of [any(), any()]) card.click();
    await new Promise((go) => setTimeout(go, n % 5));
  }
}"""
# No request is open, and no two cards are up that will turn back: this lasts while no one plays.
IS_AT_REST = """() => !document.querySelector('[data-asked=true]')
  && document.querySelectorAll('#board [data-side=up]').length < 2"""
# Moved by a script, not by a style sheet: shuffled cards.
IS_MOVING = "document.getAnimations().some(a => a.constructor === Animation && a.effect.target.matches('.memory-card'))"


def test_no_page_shows_a_third_card_or_a_face_too_early_and_all_agree_in_the_end(visitors):
    ann = visitors.host("Ann", **BOARD)
    # Two pages of one player, and a rival.
    phone, ben = visitors.new("Ann", PHONE), visitors.guest(ann, "Ben", PHONE)
    phone.goto(ann.url)
    pages = (ann, phone, ben)
    start(*pages)
    for page in pages:
        expect(page.locator("[data-target]")).to_have_count(16)
        page.evaluate(WATCH)
    for page in pages:
        page.evaluate(f"window.hammered = ({HAMMER})(150)")
    for page in pages:
        page.evaluate("window.hammered")
    for page in pages:
        page.wait_for_function(IS_AT_REST)
        most, leaks = page.evaluate("[window.most, window.leaks]")
        assert most <= 2 and leaks == 0, (most, leaks)
    # Once nothing is in flight, all pages show the same as a page that has just opened.
    fresh = visitors.spectator(ann)
    expect(fresh.locator("[data-target]")).to_have_count(16)
    fresh.wait_for_function(IS_AT_REST)
    shown = fresh.evaluate(f"JSON.stringify({CARDS})")
    for page in pages:
        page.wait_for_function(f"shown => JSON.stringify({CARDS}) === shown", arg=shown)
        assert page.locator('[data-asked="true"]').count() == 0
    assert [page.locator(".player.you .name").inner_text() for page in pages] == ["Ann", "Ann", "Ben"]


def test_shuffled_cards_visibly_move_if_motion_is_wanted(visitors):
    ann = visitors.host("Ann", context=dict(reduced_motion="no-preference"), **BOARD)
    ben = visitors.guest(ann, "Ben", PHONE)
    start(ann, ben)
    # Checked in every frame from here on: the cards soon lie still again.
    ann.evaluate(f"""() => {{ (function look() {{
      if ({IS_MOVING}) window.haveMoved = true; else requestAnimationFrame(look) }})() }}""")
    ann.get_by_role("button", name="Shuffle").click()
    ann.wait_for_function("() => window.haveMoved")
    expect(ben.locator("#announcer")).to_contain_text("Ann shuffled the face-down cards.")
    assert not ben.evaluate(IS_MOVING)
    expect(ann.get_by_role("button", name="Shuffle")).to_have_attribute("aria-disabled", "true")
    expect_accessible(ann)
    expect_accessible(ben)

"""Dots and boxes: a board whose lines are pressed, not cells."""

import pytest
from playwright.sync_api import expect

from accessibility import expect_accessible
from visitors import DESKTOP, PHONE, start

pytestmark = pytest.mark.shares_hub

# What is pressed in the middle of each line.
HIT = """() => [...document.querySelectorAll('#board .dots-and-boxes-line')].map(line => {
  const { x, y, width, height } = line.getBoundingClientRect();
  return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('[data-target]') === line && Math.min(width, height);
})"""
FOCUSED = "() => Number(document.activeElement.dataset.target)"


def table(visitors, view=DESKTOP, **options):
    ann = visitors.host("Ann", "dots-and-boxes", view, seats=2, turnTime=0, **options)
    ben = visitors.guest(ann, "Ben", view)
    start(ann, ben)
    return ann, ben


def line(page, number):
    return page.locator(f'#board [data-target="{number}"]')


def box(page, number):
    return page.locator("#board .dots-and-boxes-box").nth(number)


def draw(pages, mover, number):
    line(pages[mover], number).click()
    for page in pages:
        expect(line(page, number)).to_have_attribute("data-seat", str(mover))


def test_players_draw_lines_and_the_fourth_side_wins_a_box_and_another_turn(visitors):
    pages = table(visitors, size=3)
    for mover, number in ((0, 0), (1, 2), (0, 6), (1, 11)):
        expect(pages[mover].locator("#say")).to_have_text("Your turn")
        draw(pages, mover, number)
    for page in pages:
        for number, label in ((7, "Vertical line 2 of row 1: open, wins a box"), (9, "Vertical line 1 of row 2: open"),
                              (6, "Vertical line 1 of row 1: drawn by seat 1")):
            expect(line(page, number)).to_have_attribute("aria-label", label)
    draw(pages, 0, 7)
    for page in pages:
        expect(box(page, 0)).to_have_attribute("data-seat", "0")
        expect(page.locator(".player[data-seat='0'] .score")).to_have_text("1")
        expect(page.locator(".player.turn")).to_have_attribute("data-seat", "0")
    expect(pages[0].locator("#say")).to_have_text("Your turn")
    # A line that is drawn says so.
    line(pages[0], 7).click(force=True)
    expect(pages[0].get_by_text("This line is already drawn.").first).to_be_visible()
    expect_accessible(pages[0])


@pytest.mark.parametrize("size", [3, 6])
def test_every_line_can_be_hit_by_a_thumb_on_a_phone(visitors, size):
    ann, _ = table(visitors, PHONE, size=size)
    expect(ann.locator("#board [data-target]")).to_have_count(2 * size * (size - 1))
    reach = ann.evaluate(HIT)
    assert all(one and one >= 24 for one in reach), reach


def test_arrow_keys_reach_every_line(visitors):
    ann, _ = table(visitors, size=3)
    line(ann, 0).focus()
    reached, waiting = {0}, [0]
    while waiting:
        start_at = waiting.pop()
        for key in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"):
            line(ann, start_at).focus()
            ann.keyboard.press(key)
            at = ann.evaluate(FOCUSED)
            if at not in reached:
                reached.add(at)
                waiting.append(at)
    assert reached == set(range(12))
    line(ann, 5).focus()
    ann.keyboard.press("Enter")
    expect(line(ann, 5)).to_have_attribute("data-seat", "0")

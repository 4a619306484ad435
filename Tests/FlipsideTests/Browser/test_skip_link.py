"""The keyboard's way past the parts that every page has."""

import pytest
from playwright.sync_api import expect

from accessibility import expect_accessible
from visitors import DESKTOP, PHONE, start

pytestmark = pytest.mark.shares_hub

# The element that shows that a page has loaded, and the page's first own one.
PAGES = {"/": "Good games, better together", "/#wall": "Live games", "/#leaderboard": "Leaderboard", "/#how-to-play": "How to play",
         "/room/abcdef": "Room not found", "/nowhere": "Page not found"}

# Whether nothing focusable precedes the focused element.
FIRST = "document.querySelector('a[href], button, input, select, summary, [tabindex]') === document.activeElement"


@pytest.mark.parametrize("path", PAGES)
def test_the_first_key_leads_past_the_bar(visitors, path):
    page = visitors.new(view=PHONE if path in ("/", "/#wall") else DESKTOP)
    page.goto(path)
    heading = page.get_by_role("heading", name=PAGES[path], exact=True)
    expect(heading).to_be_visible()
    link = page.get_by_role("link", name="Skip to content")
    expect(link).not_to_be_in_viewport()
    # After a link to `#place`, browsers start from that place.
    page.keyboard.press("Tab") if "#" not in path else link.focus()
    expect(link).to_be_focused()
    assert page.evaluate(FIRST)
    expect(link).to_be_in_viewport(ratio=1)
    if path == "/":
        expect_accessible(page)
    address = page.url
    page.keyboard.press("Enter")
    assert page.url == address
    main = page.locator("main:not([hidden])")
    expect(main).to_be_focused()
    page.keyboard.press("Tab")
    # The next element is the page's own, or there is none.
    assert page.evaluate("document.activeElement === document.body || document.activeElement.closest('main') !== null")


def test_in_a_game_it_leads_to_the_board(visitors):
    page = visitors.host("Ann", seats=1)
    start(page)
    page.locator("#settings").focus()
    page.get_by_role("link", name="Skip to content").focus()
    page.keyboard.press("Enter")
    expect(page.locator('[data-target="0"]')).to_be_focused()

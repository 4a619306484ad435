"""Browsers that store nothing, because cookies are blocked."""

import pytest
from playwright.sync_api import expect

from tabs import PlaywrightTab, give_name, open_room, way

REFUSED = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError') } })"


@pytest.fixture
def page(visitors):
    page = visitors.new()
    page.add_init_script(REFUSED)
    page.goto("/")
    assert page.evaluate("(() => { try { localStorage } catch { return true } })()")
    return page


def turn_a_card(page):
    page.locator("#board [data-target]").first.click()
    expect(page.locator("#board [data-side=up]")).to_have_count(1)
    expect(page.locator(".toast")).to_have_count(0)


def test_a_player_stays_the_same_from_page_to_page_and_takes_part_in_the_draw(page):
    open_room(PlaywrightTab(page), page.url, "Nora")
    assert "#" not in page.url, page.url
    page.reload()
    expect(page.locator(".player.you .name")).to_have_text("Nora")
    page.locator("#start").click()
    expect(page.locator("#room")).to_have_attribute("data-status", "running")
    turn_a_card(page)
    page.reload()
    expect(page.locator(".player.you .name")).to_have_text("Nora")


def test_settings_last_as_long(page):
    page.locator("#settings").click()
    page.get_by_label("Dark").check()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-colours", "dark")


def test_a_player_seated_before_the_rooms_page_has_loaded_takes_part_in_the_draw(page):
    page.locator(way("alone")).click()
    give_name(PlaywrightTab(page), "Nora")
    page.wait_for_url("**/room/*")
    turn_a_card(page)

"""A visitor's settings, which apply to every page."""

import pytest
from playwright.sync_api import expect

from accessibility import SIZES, expect_accessible
from pictures import pictures
from tabs import PlaywrightTab

pytestmark = pytest.mark.shares_hub

GROUND = "getComputedStyle(document.documentElement).getPropertyValue('--ground').trim()"
LIGHT, DARK = "#f7f5fc", "#12101b"


@pytest.fixture(autouse=True)
def tolerated(visitors):
    visitors.tolerated = ()


@pytest.fixture
def page(visitors):
    page = visitors.new("Cy")
    page.goto("/")
    page.get_by_role("button", name="Settings").click()
    return page


def test_settings_survive_a_reload(page):
    expect_accessible(page, SIZES)
    page.get_by_label("Dark").check()
    page.get_by_role("switch", name="Reduce motion").check()
    page.get_by_role("switch", name="Sound").uncheck()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 16, 27)"
    page.reload()
    html = page.locator("html")
    expect(html).to_have_attribute("data-colours", "dark")
    expect(html).to_have_attribute("data-still", "true")
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("switch", name="Sound")).not_to_be_checked()
    expect(page.get_by_label("Dark")).to_be_checked()
    page.get_by_label("System default").check()
    expect(html).not_to_have_attribute("data-colours", "dark")


@pytest.mark.parametrize("system, chosen, colour", [("light", "", LIGHT), ("dark", "", DARK), ("dark", "light", LIGHT),
                                                    ("light", "dark", DARK)])
def test_chosen_colours_override_the_systems(visitors, system, chosen, colour):
    page = visitors.new(color_scheme=system)
    page.goto("/")
    page.evaluate("colours => localStorage.setItem('flipside.settings', JSON.stringify({colours}))", chosen)
    page.reload()
    assert page.evaluate(GROUND) == colour


@pytest.mark.parametrize("system, chosen", [("dark", "light"), ("light", "dark")])
def test_the_chosen_tab_is_visible_in_colours_that_a_system_forces(visitors, system, chosen):
    page = visitors.new(color_scheme=system, forced_colors="active")
    page.goto("/")
    page.evaluate("colours => localStorage.setItem('flipside.settings', JSON.stringify({colours}))", chosen)
    page.goto("/#leaderboard")
    page.reload()
    expect(page.locator(".tabs input:checked").first).to_be_attached()
    # Without the underline, which is visible in any colours.
    words = pictures(PlaywrightTab(page), ".tabs input:checked + span")[0].part(0, 0, 1, 0.8)
    assert words.contrast >= 4.5

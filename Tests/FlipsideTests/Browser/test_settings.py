"""What a visitor chooses for every page."""

import pytest
from playwright.sync_api import expect

from accessibility import SIZES, expect_accessible

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


def test_what_is_chosen_is_there_after_a_reload(page):
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
def test_the_colours_that_are_chosen_count_before_the_systems(visitors, system, chosen, colour):
    page = visitors.new(color_scheme=system)
    page.goto("/")
    page.evaluate("colours => localStorage.setItem('flipside.settings', JSON.stringify({colours}))", chosen)
    page.reload()
    assert page.evaluate(GROUND) == colour

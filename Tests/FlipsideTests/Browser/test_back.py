"""Pages that the browser shows again as they were left: they catch up with what has happened since."""

import pytest
from playwright.sync_api import expect

from accounts import rename
from tabs import PlaywrightTab, play, way
from visitors import start


@pytest.fixture(scope="session")
def returning(playwright):
    """Chromium with its back-forward cache, which only works with a browser window."""
    browser = playwright.chromium.launch(
        executable_path="/usr/bin/chromium", ignore_default_args=["--disable-back-forward-cache"])
    yield browser
    browser.close()


@pytest.fixture
def visitors(make_visitors, returning):
    return make_visitors(returning)


@pytest.fixture
def page(visitors):
    """Nora's page, which records whether it is shown again as it was left."""
    page = visitors.new("Nora")
    page.add_init_script("addEventListener('pageshow', ({ persisted }) => { window.isKept = persisted })")
    return page


def go_back(page):
    page.evaluate("setTimeout(() => history.back())")
    page.wait_for_function("() => window.isKept === true")


def test_home_offers_the_new_game(page):
    page.goto("/")
    page.locator(way("computer")).click()
    page.wait_for_url("**/room/*")
    expect(page.locator("#board [data-target]").first).to_be_visible()
    go_back(page)
    expect(page.locator("#own-games li")).to_have_count(1)


def test_home_shows_the_name_that_was_taken_elsewhere(visitors, page):
    page.goto("/")
    expect(page.locator("#playing-as")).to_contain_text("Nora")
    page.goto(visitors.open_room("Ann"))
    rename(page, "Zoe")
    expect(page.locator("#you-said")).to_contain_text("Zoe")
    # Going back would close these first.
    for dialog in "you", "settings":
        page.locator(f"#{dialog}-dialog [value=done]").click()
    go_back(page)
    expect(page.locator("#playing-as")).to_contain_text("Zoe")


def test_the_list_of_rooms_has_the_new_ones(visitors, page):
    page.goto("/")
    page.goto("/replay/abcdef")
    visitors.join(visitors.open_room("Ann"), "Ann")
    go_back(page)
    expect(page.locator("#rooms li", has_text="Ann")).to_be_visible()


def test_the_leaderboard_has_the_new_results(visitors, page):
    page.goto("/#leaderboard")
    expect(page.locator("#no-results")).to_be_visible()
    page.goto(visitors.open_room("Nora", preset="custom", columns=2, rows=3, seats=1, reveal=200))
    expect(page.locator(".player.you")).to_have_count(1)
    start(page)
    play([PlaywrightTab(page)], [PlaywrightTab(page)])
    go_back(page)
    expect(page.locator("#results-list li")).to_have_count(1)


def test_a_room_has_the_new_moves(visitors, page):
    path = visitors.open_room("Ann", preset="easy")
    ann, _ = (visitors.join(path, name) for name in ("Ann", "Ben"))
    page.goto(path)
    expect(page.locator(".player")).to_have_count(2)
    page.goto("/#how-to-play")
    ann.do("start")
    go_back(page)
    expect(page.locator("#board [data-target]").first).to_be_visible()
    expect(page.locator("#line")).to_be_hidden()


def test_a_replay_of_a_running_game_continues(visitors, page):
    path = visitors.open_room("Ann", preset="easy", seats=1)
    ann = visitors.join(path, "Ann")
    ann.do("start")
    page.goto(path.replace("/room/", "/replay/"))
    expect(page.locator("#replay-live")).to_be_visible()
    before = int(page.locator("#replay-range").get_attribute("max"))
    page.goto("/#how-to-play")
    ann.do("flip", cell=0)
    go_back(page)
    page.wait_for_function("before => Number(document.querySelector('#replay-range').max) > before", arg=before)

"""The replay of a finished game: scrubbed, stepped, played, linked to, checked, and altered on its way."""

import json

import pytest
from playwright.sync_api import expect

from accessibility import SIZES, expect_accessible
from board import REPLAY, expect_board
from protocol_player import wait_for
from record_room import OPTIONS, Table
from visitors import DESKTOP, PHONE, SMALL

pytestmark = pytest.mark.shares_hub

IS_LISTED = """() => {
  const [list, current] = ["#replay-events", "#replay-events [aria-current]"]
    .map((one) => document.querySelector(one).getBoundingClientRect());
  return list.top <= current.top && current.bottom <= list.bottom;
}"""

# Every position that is announced.
SHOWN = """() => { const position = document.querySelector("#replay-position"); window.shown = []
  new MutationObserver(() => shown.at(-1) === position.textContent || shown.push(position.textContent))
    .observe(position, { childList: true, characterData: true, subtree: true }) }"""
IS_AHEAD = "() => history.state?.isAhead"


@pytest.fixture
def over(server):
    """A room with a finished game, by players without a page."""
    table = wait_for(Table().open(server, **OPTIONS))
    wait_for(table.play())
    return table


@pytest.fixture
def page(visitors, over):
    """A page that has not opened the room's replay yet."""
    visitors.tolerated = ()
    page = visitors.new()
    page.path = f"/replay/{over.code}"
    return page


@pytest.fixture
def count(over):
    return len(over.server.log(over.code))


def expect_position(page, version, count):
    expect(page.locator("#replay-position")).to_have_text(f"{version} of {count}")


@pytest.mark.seconds(10)
def test_at_any_position_the_board_equals_the_welcome_of_that_time(page, over):
    playing = [welcome for welcome in over.welcomes if welcome["view"] and welcome["room"]["status"] != "dealing"]
    page.goto(f"{page.path}?v=5")
    for welcome in playing[::-1] + playing:
        page.locator("#replay-range").fill(str(welcome["version"]))
        expect_board(page, REPLAY, welcome)
    # The address links to the current position.
    page.wait_for_url(f"**{page.path}?v={playing[-1]['version']}")


def test_a_link_leads_to_its_position(page, over, count):
    linked = next(welcome for welcome in over.welcomes[6:] if welcome["view"])
    page.goto(f"{page.path}?v={linked['version']}")
    expect_position(page, linked["version"], count)
    expect_board(page, REPLAY, linked)


def test_buttons_keys_and_the_list_step_through_it(page, count):
    page.goto(f"{page.path}?v=5")
    page.get_by_role("button", name="Next").click()
    expect_position(page, 6, count)
    page.keyboard.press("ArrowRight")
    expect_position(page, 7, count)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect_position(page, 5, count)
    expect(page.locator("#replay-events [aria-current]")).to_have_attribute("data-version", "5")
    page.locator('#replay-events [data-version="9"]').click()
    expect_position(page, 9, count)


def test_going_back_from_a_dialog_keeps_its_position(page, count):
    page.goto(f"{page.path}?v=5")
    page.get_by_role("button", name="Check this game").click()
    page.wait_for_function(IS_AHEAD)
    page.locator("#replay-range").evaluate("range => { range.value = 9; range.dispatchEvent(new Event('input')) }")
    page.wait_for_url("**?v=9")
    page.evaluate(SHOWN)
    page.go_back()
    expect(page.locator("#check-dialog")).to_be_hidden()
    page.wait_for_function(IS_AHEAD)
    page.get_by_role("button", name="Next").click()
    expect_position(page, 10, count)
    assert page.evaluate("shown") == [f"10 of {count}"]


def test_it_plays_to_its_end_and_a_reload_stays_there(page, over, count):
    page.goto(f"{page.path}?v={count - 12}")
    page.get_by_label("Speed").select_option("16")
    page.get_by_role("button", name="Play", exact=True).click()
    expect_position(page, count, count)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect_board(page, REPLAY, over.welcomes[-1])
    page.reload()
    page.wait_for_url(f"**?v={count}")


def test_requests_of_the_first_script_are_not_repeated(page, over):
    asked = []
    page.on("request", lambda request: asked.append(request.url.split("/")[-1]))
    page.goto(page.path)
    expect(page.locator("#replay-events li").first).to_be_visible()
    assert [asked.count(name) for name in (over.code, "log?after=0")] == [2, 1], asked


def test_the_options_of_the_game_are_named(page):
    page.goto(page.path)
    expect(page.locator("#replay-caption")).to_have_text("Cards: Garden")
    expect_accessible(page, SIZES)


def test_all_of_it_holds(page):
    page.goto(page.path)
    page.get_by_role("button", name="Check this game").click()
    expect(page.locator("#check-verdict")).to_have_text("Everything checks out.")
    expect(page.locator('#check-findings [data-result="holds"]')).to_have_count(5)


def test_a_face_altered_on_the_way_is_found_and_shown(page, over):
    def alter(route):
        answer = route.fetch()
        lines = answer.text().splitlines()
        index = next(i for i, line in enumerate(lines) if '"show-card"' in line)
        event = json.loads(lines[index])
        lines[index] = json.dumps(event | {"face": "🃏"}, ensure_ascii=False, separators=(",", ":"))
        route.fulfill(response=answer, body="\n".join(lines) + "\n")

    page.goto(page.path)
    expect(page.locator("#replay-events li").first).to_be_visible()
    page.route("**/log?after=0", alter)
    page.get_by_role("button", name="Check this game").click()
    expect(page.locator("#check-verdict")).to_have_text("Something doesn’t check out.")
    # The chain, and the deck.
    expect(page.locator('#check-findings [data-result="fails"]')).to_have_count(2)
    page.get_by_role("button", name="Show event").click()
    expect(page.locator("#check-dialog")).to_be_hidden()
    shown = int(page.locator("#replay-position").inner_text().split()[0])
    assert json.loads(over.server.log(over.code)[shown - 1])["type"] == "show-card"


@pytest.mark.parametrize("view", [
    pytest.param(PHONE, id="phone", marks=pytest.mark.long), pytest.param(SMALL, id="small", marks=pytest.mark.long),
    pytest.param(DESKTOP, id="desktop")])
def test_it_is_accessible_paused_playing_at_its_list_and_checked(visitors, over, view):
    page = visitors.new(view=view)
    first = next(welcome for welcome in over.welcomes if welcome["view"])
    page.goto(f"/replay/{over.code}?v={first['version']}")
    expect(page.locator("#replay-board [data-target]").first).to_be_visible()
    expect_accessible(page)
    # So slow, and so far from the end, that it is still playing while it is examined.
    page.get_by_label("Speed").select_option("0.5")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#replay-play")).to_have_attribute("data-plays", "true")
    expect_accessible(page)
    expect(page.locator("#replay-play")).to_have_attribute("data-plays", "true")
    page.get_by_role("button", name="Pause").click()
    assert page.evaluate(IS_LISTED), "the list shows other events than the one that the board shows"
    page.locator("#replay-events [aria-current]").scroll_into_view_if_needed()
    expect_accessible(page)
    page.get_by_role("button", name="Check this game").click()
    expect(page.locator('#check-findings [data-result="holds"]')).to_have_count(5)
    expect_accessible(page)

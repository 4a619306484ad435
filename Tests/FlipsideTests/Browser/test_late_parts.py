"""Parts that a first view does without: they load on demand, or when there is nothing else to do."""

import pytest
from playwright.sync_api import expect

from visitors import module, sit

LATE = ("chat-panel.js", "chat.css", "room-host.js", "room-share.js", "ending.js", "settings.css")
MODULES = ["pages/chat-panel.js", "pages/room-host.js", "pages/room-share.js", "views/ending.js", "pages/settings.js"]
HAVE_COME = "late => late.every(name => performance.getEntriesByType('resource').some(one => one.name.endsWith(name)))"


@pytest.fixture
def nora(visitors):
    """The page of a room that is not open yet."""
    page = visitors.new("Nora", idle=True)
    page.path = visitors.open_room("Nora")
    return page


def test_a_first_view_loads_none_of_them(nora):
    asked = []
    nora.on("request", lambda request: asked.append(request.url))
    sit(nora, nora.path)
    assert not [url for url in asked if url.rsplit("/", 1)[-1] in LATE], asked


def test_a_part_that_fails_to_load_is_reported_and_loads_at_the_next_press(nora):
    nora.route("**/chat-panel.js", lambda route: route.abort())
    sit(nora, nora.path)
    nora.locator("#chat-open").click()
    expect(nora.locator("#toasts")).to_contain_text("Part of the page didn’t load")
    expect(nora.locator("#chat")).to_be_hidden()
    nora.unroute("**/chat-panel.js")
    nora.locator("#chat-open").click()
    expect(nora.locator("#chat-form input")).to_be_focused()


def test_once_loaded_they_need_no_hub(nora, hub):
    sit(nora, nora.path)
    nora.wait_for_function(HAVE_COME, arg=list(LATE))
    # Everything that they import has loaded too.
    nora.evaluate(f"() => Promise.all([{', '.join(map(module, MODULES))}])")
    hub.kill()
    expect(nora.locator("#line")).to_be_visible()
    for opener, opened in (("#chat-open", "#chat"), ("#facts button >> nth=0", "#change-dialog"), ("#seats", "#seats-dialog"),
                           ("#settings", "#settings-dialog")):
        nora.locator(opener).click()
        expect(nora.locator(opened)).to_be_visible()
        nora.keyboard.press("Escape")
        expect(nora.locator(opened)).to_be_hidden()


def test_a_part_that_cannot_load_while_the_hub_is_away_loads_once_for_two_presses_when_it_is_back(nora):
    held, is_away = [], True
    sit(nora, nora.path)
    nora.route("**/{icon.svg,pages/*.js}", lambda route: route.abort() if is_away else route.continue_())
    nora.route("**/chat-panel.js", lambda route: route.abort() if is_away else held.append(route))
    nora.locator("#chat-open").click()
    expect(nora.locator(".toast", has_text="Can’t reach the server")).to_be_visible()
    is_away = False
    with nora.expect_request("**/chat-panel.js"):
        nora.locator("#chat-open").click()
    nora.locator("#chat-open").click()
    held[0].continue_()
    expect(nora.locator("#chat")).to_be_visible()


def test_a_part_that_the_open_page_can_never_load_comes_with_the_offered_reload(nora):
    nora.route("**/room-share.js", lambda route: route.abort())
    sit(nora, nora.path)
    nora.locator("#invite").click()
    anew = nora.get_by_role("button", name="Reload")
    expect(anew).to_be_visible()
    nora.unroute("**/room-share.js")
    anew.click()
    nora.locator("#invite").click()
    expect(nora.locator("#share-dialog")).to_be_visible()

"""A first view: its weight, and how many round trips it takes until there is a board."""

import pytest

from flipside import finish
from record_room import Table
from visitors import module

# Bytes of everything that a page loads until it is idle, as sent. A game adds some 3,000 for its fold and its words, and as
# much again for its board, which is joined to them.
WEIGHT_LIMIT = 131_500
READY = {"": "#games [data-target]", "room": "#board [data-target]", "replay": "#replay-board [data-target]"}
# Not needed for a board: the check for newer files, the icon of the window, and the list of rooms below the boards, which a
# slow machine requests before the boards are there.
BESIDE = "/files.json", "/icon.svg", "/api/rooms"


@pytest.fixture(scope="module")
def hub(make_module_hub):
    hub = make_module_hub()
    hub.start()
    return hub


@pytest.fixture(scope="module")
def code(hub):
    """A room with a running game."""
    async def begin():
        table = await Table().open(hub.server, columns=4, rows=4, reveal=200, turnTime=0)
        await table.begin()
        return table.code

    return finish(begin(), 60)


@pytest.fixture(params=READY)
def path(request, code):
    return f"/{request.param}/{code}" if request.param else "/"


@pytest.fixture
def first(visitors):
    """Opens a page as a new visitor: the requests until its content shows, then all with their sizes."""
    def first(path, **context):
        page = visitors.new(**context)
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        sent, sizes = [], {}
        session.on("Network.requestWillBeSent", lambda event: sent.append(event))
        session.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
        page.goto(path)
        page.locator(READY[path.split("/")[1]]).first.wait_for()
        needed = list(sent)
        page.wait_for_load_state("networkidle")
        return page, needed, sizes

    return first


def where(event):
    """The path of a request."""
    return "/" + event["request"]["url"].split("/", 3)[3]


def begins_with(event):
    """The initiator: the address of a document or of a script, or nothing."""
    initiator = event["initiator"]
    return initiator.get("url") or next((frame["url"] for frame in initiator.get("stack", {}).get("callFrames", [])), "")


@pytest.mark.parametrize("locale", ["de-AT", pytest.param("en-GB", marks=pytest.mark.long)])
def test_everything_that_a_board_needs_is_named_by_the_page_itself(first, path, locale):
    page, needed, _ = first(path, locale=locale)
    files = [event for event in needed if event["request"]["url"].startswith("http") and where(event) not in BESIDE]
    document, *others = files
    assert where(document) == path and others
    deeper = [where(event) for event in others if begins_with(event) != document["request"]["url"]]
    # The page, and then what it names: two round trips.
    assert not deeper, deeper
    # Each game has a file of words.
    assert len(others) < 14


def test_a_first_view_weighs_no_more_than_it_may(first, path):
    _, _, sizes = first(path)
    assert 10_000 < sum(sizes.values()) <= WEIGHT_LIMIT, sizes


def test_later_modules_share_the_loaded_ones(first):
    page, _, _ = first("/", locale="de-AT")
    # A module that was loaded twice would speak English the second time.
    assert page.evaluate(f"async () => (await {module('texts/texts.js')}).spoken()") == "de"
    assert page.evaluate(f"async () => (await {module('games/list.js')}).games") is not None
    page.locator("#settings").click()
    assert page.locator("#settings-title").inner_text() == "Einstellungen"


def test_joined_modules_export_what_their_files_do(first):
    page, _, _ = first("/")
    given, own = page.evaluate("""async () => {
      const { $all } = await import(document.querySelector("script[type=module]").src);
      const names = (all) => Object.keys(all).sort();
      const own = await Promise.all(Object.keys($all).map(async (path) => [path, names(await import(path))]));
      return [Object.entries($all).map(([path, all]) => [path, names(all)]), own];
    }""")
    assert given and given == own

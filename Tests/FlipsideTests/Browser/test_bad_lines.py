"""Games over bad lines: all pages agree in the end, and none has missed an event or got it twice."""

import json, re, signal, time

import pytest
from playwright.sync_api import expect

from bad_line import BadLine
from tabs import IS_MINE, IS_OVER, LINE_IS_BACK, PATIENCE, PlaywrightTab, play
from visitors import PHONE, code

# All that the page has announced of the game: a word for each event that it received.
LISTEN = """() => { window.said = []; new MutationObserver(changes => said.push(...changes.flatMap(
  ({addedNodes}) => [...addedNodes].map(node => node.textContent)))).observe(
  document.querySelector('#announcer'), {childList: true}) }"""
# Bytes a second and ms, as on slow 3G.
SLOW = dict(offline=False, latency=400, downloadThroughput=50_000, uploadThroughput=50_000)


@pytest.fixture
def line(hub, chance):
    return BadLine(hub.port, chance)


@pytest.fixture
def table(make_visitors, chromium, line):
    return Table(make_visitors(chromium, port=line.port), line)


class Table:
    """Two players and a spectator in a room, on a line that a test makes bad."""

    def __init__(self, visitors, line):
        self.server, self.line = visitors.server, line
        self.ann = visitors.host("Ann", preset="easy", reveal=200)
        self.ben = visitors.guest(self.ann, "Ben", PHONE)
        self.watcher = visitors.spectator(self.ann)
        self.pages = [self.ann, self.ben, self.watcher]
        self.tabs = [PlaywrightTab(page) for page in self.pages]
        for page in self.pages:
            expect(page.locator(".player")).to_have_count(2)
            page.evaluate(LISTEN)

    def play(self, interrupt=lambda flips: None):
        """Plays the game to its end, when all have heard of every card."""
        self.ann.locator("#start").click()
        for page in self.pages:
            expect(page.locator("[data-target]")).to_have_count(10)
        play(self.tabs[:2], self.tabs, interrupt, is_steady=False)
        self.line.mode = "pass"
        log = [json.loads(line) for line in self.server.log(code(self.ann.url))]
        shown = [(event["cell"] + 1, event["face"]) for event in log if event["type"] == "show-card"]
        for page in self.pages:
            said = [re.search(r"card (\d+): (.*)\.$", words) for words in page.evaluate("said")]
            heard = [(int(found[1]), found[2]) for found in said if found]
            assert heard == shown, f"heard {heard}, not {shown}"

    def mover(self):
        """The player to move, once there is one."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for tab in self.tabs[:2]:
                assert not tab.see(IS_OVER)
                if tab.see(IS_MINE):
                    return tab.page
        raise AssertionError("no one has the turn")

    def wait_for_line(self, is_there):
        for tab in self.tabs:
            tab.until(LINE_IS_BACK if is_there else f"!({LINE_IS_BACK})")


@pytest.mark.seconds(15)
def test_a_line_that_breaks_at_random_and_a_hub_that_restarts(table, line, hub):
    def interrupt(flips):
        line.mode = "drop"
        if flips == 6:
            hub.kill(signal.SIGTERM)
            table.wait_for_line(False)
            hub.start()

    line.mode = "drop"
    table.play(interrupt)
    assert line.dropped >= 3, "the line was too good"


@pytest.mark.seconds(10)
def test_a_spectator_and_then_a_player_who_are_offline_for_a_while(table):
    def interrupt(flips):
        if flips in (1, 4):
            table.watcher.context.set_offline(flips == 1)
        if flips == 6:
            mover = table.mover()
            mover.context.set_offline(True)
            # If two cards were already up, nothing was sent.
            mover.evaluate("document.querySelector('[data-side=down]').click()")
            mover.context.set_offline(False)
            mover.wait_for_function("() => !document.querySelector('[data-asked=true]')")

    table.play(interrupt)


@pytest.mark.seconds(20)
def test_a_player_and_a_spectator_on_slow_3g_where_the_spectator_loads_the_page(table):
    for page in (table.ben, table.watcher):
        tools = page.context.new_cdp_session(page)
        tools.send("Network.enable")
        tools.send("Network.emulateNetworkConditions", SLOW)
    table.watcher.context.set_extra_http_headers({"Cache-Control": "no-cache"})
    table.watcher.reload()
    expect(table.watcher.locator(".player")).to_have_count(2, timeout=60_000)
    table.watcher.evaluate(LISTEN)
    table.play()


@pytest.mark.seconds(15)
def test_pages_that_sleep_while_the_line_swallows_everything_check_it_when_they_wake(table, line):
    def interrupt(flips):
        if flips != 5:
            return
        line.mode = "swallow"
        for state in ("frozen", "active"):
            for page in table.pages:
                page.context.new_cdp_session(page).send("Page.setWebLifecycleState", {"state": state})
        for page, event in zip(table.pages, ("visibilitychange", "visibilitychange", "pageshow")):
            page.evaluate("name => (name === 'pageshow' ? window : document).dispatchEvent(new Event(name))", event)
        table.wait_for_line(False)
        line.mode = "pass"
        table.wait_for_line(True)

    table.play(interrupt)

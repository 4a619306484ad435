"""Games in Chromium over bad lines; all pages agree in the end, and none has missed an event or had it twice:
networks.py BINARY WEB TROUBLE [SEED], with offline, slow, asleep or dropping for TROUBLE."""

import json, pathlib, random, re, signal, sys, tempfile, time

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Clients"))
from bad_line import BadLine
from flipside import Hub
from tabs import IS_MINE, IS_OVER, PlaywrightTab, join_room, open_room, play

SEED = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(2**32)
# All that the page has said of the game, in words: a word for each event that it took.
LISTEN = """(() => { window.said = []; new MutationObserver(changes => said.push(...changes.flatMap(
  ({addedNodes}) => [...addedNodes].map(node => node.textContent)))).observe(
  document.querySelector('#announcer'), {childList: true}); return true })()"""
# Bytes a second and ms, as slow 3G has them.
SLOW = dict(offline=False, latency=400, downloadThroughput=50_000, uploadThroughput=50_000)


class Table:
    """Two players and a spectator in a room, behind a line that a test makes bad."""

    def __init__(self, browser, hub, server, name):
        self.hub, self.server, self.line = hub, server, BadLine(hub.port, SEED)
        self.base = f"http://localhost:{self.line.port}/"
        self.tabs = [PlaywrightTab(browser.new_context(viewport=size).new_page()) for size in (
            dict(width=1280, height=800), dict(width=390, height=844), dict(width=800, height=600))]
        self.faults = []
        for tab in self.tabs:
            tab.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.ann, self.ben, self.watcher = self.tabs
        self.url = open_room(self.ann, self.base, f"Ann {name}")
        join_room(self.ben, self.url, f"Ben {name}")
        self.watcher.go(self.url)
        self.watcher.until("document.querySelectorAll('.player').length === 2")
        for tab in self.tabs:
            tab.see(LISTEN)

    def play(self, interrupt=lambda flips: None):
        self.ann.press("#start")
        for tab in self.tabs:
            tab.until("document.querySelectorAll('[data-cell]').length === 10")
        flips, _ = play([self.ann, self.ben], self.tabs, interrupt, is_steady=False)
        self.line.mode = "pass"
        log = [json.loads(line) for line in self.server.log(self.url.rsplit("/", 1)[1])]
        shown = [(event["cell"] + 1, event["face"]) for event in log if event["type"] == "show-card"]
        for tab in self.tabs:
            said = [re.search(r"card (\d+): (.*)\.$", words) for words in tab.see("said")]
            heard = [(int(found[1]), found[2]) for found in said if found]
            assert heard == shown, f"heard {heard}, not {shown}"
        assert not self.faults, self.faults
        for tab in self.tabs:
            tab.page.context.close()
        return flips

    def mover(self):
        """Who is to move, once somebody is."""
        while not (tabs := [tab for tab in (self.ann, self.ben) if tab.see(IS_MINE)]):
            assert not self.ann.see(IS_OVER)
            time.sleep(0.02)
        return tabs[0]

    def wait_for_line(self, is_there):
        for tab in self.tabs:
            tab.until(("" if is_there else "!") + "document.querySelector('#line').hidden", 30)


def dropping(table):
    """A proxy that breaks connections at random, for a whole game; in the middle the hub restarts."""
    def interrupt(flips):
        table.line.mode = "drop"
        if flips == 6:
            table.hub.kill(signal.SIGTERM)
            table.wait_for_line(False)
            table.hub.start()
    table.line.mode = "drop"
    flips = table.play(interrupt)
    assert table.line.dropped >= 3, "the line was too good"
    return f"{flips} flips, {table.line.dropped} connections dropped"


def offline(table):
    """The spectator is offline for three flips; then a player, who turns a card meanwhile."""
    def interrupt(flips):
        if flips in (1, 4):
            table.watcher.page.context.set_offline(flips == 1)
        if flips == 6:
            mover = table.mover()
            mover.page.context.set_offline(True)
            # Where two cards were up by then, nothing is asked.
            mover.see("document.querySelector('[data-side=down]').click()")
            mover.page.context.set_offline(False)
            mover.until("!document.querySelector('[data-asked=true]')")
    return f"{table.play(interrupt)} flips"


def slow(table):
    """Slow 3G for a player and for the spectator, who loads the whole page by it."""
    for tab in (table.ben, table.watcher):
        cdp = tab.page.context.new_cdp_session(tab.page)
        cdp.send("Network.enable")
        cdp.send("Network.emulateNetworkConditions", SLOW)
    began = time.monotonic()
    table.watcher.page.context.set_extra_http_headers({"Cache-Control": "no-cache"})
    table.watcher.page.reload()
    table.watcher.until("document.querySelectorAll('.player').length === 2", 60)
    took = time.monotonic() - began
    table.watcher.see(LISTEN)
    return f"{table.play()} flips, page loaded in {took:.1f} s"


def asleep(table):
    """The line swallows all while the pages sleep; they look at it when they are shown again."""
    def interrupt(flips):
        if flips != 5:
            return
        table.line.mode = "swallow"
        for tab in table.tabs:
            tab.page.context.new_cdp_session(tab.page).send("Page.setWebLifecycleState", {"state": "frozen"})
        for tab in table.tabs:
            tab.page.context.new_cdp_session(tab.page).send("Page.setWebLifecycleState", {"state": "active"})
        for tab, name in zip(table.tabs, ("visibilitychange", "visibilitychange", "pageshow")):
            tab.see(f"(name => (name === 'pageshow' ? window : document).dispatchEvent(new Event(name)))('{name}')")
        table.wait_for_line(False)
        table.line.mode = "pass"
        table.wait_for_line(True)
    return f"{table.play(interrupt)} flips"


TROUBLES = {trouble.__name__: trouble for trouble in (offline, slow, asleep, dropping)}
BEGAN = time.monotonic()
with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
    print("seed", SEED, flush=True)
    hub = Hub(sys.argv[1], folder, "--web", sys.argv[2])
    server = hub.start()
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    try:
        trouble = sys.argv[3]
        print(trouble, TROUBLES[trouble](Table(browser, hub, server, trouble)), f"{time.monotonic() - BEGAN:.1f} s")
    finally:
        browser.close()
        hub.kill()

"""Two players and a spectator play a game of Memory in Firefox: firefox.py BINARY WEB."""

import json, pathlib, re, subprocess, sys, tempfile, time

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Clients"))
from flipside import Hub
from tabs import PlaywrightTab, join_room, open_room, play, watch_replay

# The oldest that Playwright's WebDriver BiDi gets along with. Debian's security updates bring a newer one; without them the
# test says that it cannot be run.
OLDEST = 150
SIZES = [dict(width=1280, height=800), dict(width=390, height=844), dict(width=1024, height=768)]

version = subprocess.run(["/usr/bin/firefox-esr", "--version"], capture_output=True, text=True).stdout
if int(re.search(r"\d+", version)[0]) < OLDEST:
    sys.exit(77)
began = time.monotonic()
with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
    hub = Hub(sys.argv[1], folder, "--web", sys.argv[2])
    hub.start()
    # The channel makes Playwright speak WebDriver BiDi to a Firefox as it is; it would want a build of its own else.
    browser = playwright.firefox.launch(channel="moz-firefox", executable_path="/usr/bin/firefox-esr")
    try:
        faults, tabs = [], []
        for size in SIZES:
            page = browser.new_context(viewport=size).new_page()
            page.on("pageerror", lambda error: faults.append(str(error)))
            tabs.append(PlaywrightTab(page))
        ann, ben, watcher = tabs
        url = open_room(ann, f"http://localhost:{hub.port}/", "Ann")
        join_room(ben, url, "Ben")
        watcher.go(url)
        ann.press("#start")
        flips, seen = play([ann, ben], tabs)
        watch_replay(watcher, url, seen)
        assert not faults, faults
        print(browser.version, flips, "flips", json.dumps(seen["scores"]), round(time.monotonic() - began, 1), "s")
    finally:
        browser.close()
        hub.kill()

"""The page in Firefox, and in WebKit, the engine of Safari."""

import json, os, re, subprocess

import pytest

from tabs import PlaywrightTab, join_room, play, watch_replay, webkit
from visitors import Visitors, start

# The oldest that Playwright's WebDriver BiDi gets along with. Debian's security updates bring a newer one; without them the
# test says that it cannot be run.
OLDEST_FIREFOX = 150
# Its contexts know no phones.
NARROW = dict(viewport=dict(width=390, height=844))
# WebKit's driver shows no errors of the page: they are gathered from here on.
FAULTS = "window.faults ??= (addEventListener('error', e => faults.push(e.message)), []), faults"


@pytest.fixture(scope="session")
def firefox(playwright):
    version = subprocess.run(["/usr/bin/firefox-esr", "--version"], capture_output=True, text=True).stdout
    if int(re.search(r"\d+", version)[0]) < OLDEST_FIREFOX:
        pytest.skip(f"{version.strip()} is too old for Playwright")
    # The channel makes Playwright speak WebDriver BiDi to a Firefox as it is; it would want a build of its own else.
    browser = playwright.firefox.launch(channel="moz-firefox", executable_path="/usr/bin/firefox-esr")
    yield browser
    browser.close()


@pytest.mark.seconds(20)
def test_two_players_and_a_spectator_in_firefox(make_visitors, firefox):
    visitors = make_visitors(firefox)
    ann = visitors.host("Ann", preset="easy", reveal=200)
    ben, watcher = PlaywrightTab(visitors.new(view=NARROW)), PlaywrightTab(visitors.spectator(ann))
    join_room(ben, ann.url, "Ben")
    start(ann)
    ann = PlaywrightTab(ann)
    _, seen = play([ann, ben], [ann, ben, watcher])
    watch_replay(watcher, ann.url, seen)


@pytest.fixture
def display():
    """A screen to draw on, for browsers that have to have one."""
    reader, writer = os.pipe()
    screen = subprocess.Popen(["Xvfb", "-displayfd", str(writer), "-screen", "0", "2560x2400x24", "-nolisten", "tcp"],
                              pass_fds=[writer], stderr=subprocess.DEVNULL)
    os.close(writer)
    with open(reader) as number:
        yield ":" + number.readline().strip()
    screen.terminate()
    screen.wait()


@pytest.mark.seconds(20)
def test_a_player_and_a_spectator_in_webkit(hub, display):
    visitors = Visitors(None, hub)
    url = visitors.origin + visitors.open_room("Ann", preset="easy", reveal=200)
    with webkit(display) as ann, webkit(display, 390, 844) as ben:
        ann.go(visitors.origin)
        ann.see(f"localStorage.setItem('flipside.player', {json.dumps(json.dumps(visitors.known('Ann')))})")
        ann.go(url)
        ann.see(FAULTS)
        ben.go(url)
        ben.see(FAULTS)
        ann.press("#start")
        _, seen = play([ann], [ann, ben])
        assert ann.see("faults") == ben.see("faults") == [], (ann.see("faults"), ben.see("faults"))
        join_room(ben, url, "Ben")
        ben.until("document.querySelectorAll('.player').length === 2")
        watch_replay(ben, url, seen)

"""Two players and a spectator play a whole game in three Chromium contexts; in the middle the hub is killed and started
again. two_players.py BINARY WEB [CERTIFICATE KEY]: over wss with a certificate. SHOTS=FOLDER keeps screenshots."""

import json, os, pathlib, re, sys, tempfile, time

from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Clients"))
from flipside import Hub
from tabs import CARDS, PATIENCE, PlaywrightTab, play

BINARY, WEB, TLS = sys.argv[1], sys.argv[2], sys.argv[3:]
SHOTS = os.environ.get("SHOTS")
DESKTOP = dict(viewport=dict(width=1280, height=800), color_scheme="light")
PHONE = dict(viewport=dict(width=390, height=844), device_scale_factor=2, is_mobile=True, has_touch=True, color_scheme="dark")


def shot(page, name):
    if SHOTS:
        page.wait_for_timeout(700)
        page.screenshot(path=pathlib.Path(SHOTS) / f"{name}.png")


def agree(tabs):
    """Waits until all show the same cards."""
    end = time.monotonic() + PATIENCE
    while any(tab.see(CARDS) != tabs[0].see(CARDS) for tab in tabs):
        assert time.monotonic() < end, "the pages show different cards"


def evening(browser, hub, base):
    faults, pages = [], []
    for view in (DESKTOP, PHONE, DESKTOP):
        page = browser.new_context(ignore_https_errors=True, **view).new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        pages.append(page)
    ann, ben, watcher = pages
    ann.goto(base)
    ben.goto(base)
    shot(ann, "home-desktop")
    shot(ben, "home-phone")
    ann.get_by_role("button", name="Open a room").click()
    ann.locator("#name-dialog [name=name]").fill("Ann")
    ann.locator("#name-dialog").get_by_role("button", name="Play", exact=True).click()
    ann.get_by_role("button", name="Take a seat").click()
    shot(ann, "waiting-desktop")
    ben.goto(ann.url)
    ben.locator("#name-form [name=name]").fill("Ben")
    ben.get_by_role("button", name="Play along").click()
    ben.get_by_role("button", name="Take a seat").click()
    watcher.goto(ann.url)
    shot(ben, "waiting-phone")
    expect(ann.locator(".player")).to_have_count(2)
    ann.get_by_role("button", name="Start").click()
    for page in pages:
        expect(page.locator("[data-cell]")).to_have_count(16)

    def interrupt(flips):
        agree(tabs)
        if flips == 5:
            shot(ann, "play-desktop")
            shot(ben, "play-phone")
        if flips == 8:
            hub.kill()
            for page in pages:
                expect(page.locator("#line")).to_contain_text("Trying again")
            shot(ann, "line-down-desktop")
            hub.start()
            for page in pages:
                expect(page.locator("#line")).to_be_hidden(timeout=20_000)

    tabs = [PlaywrightTab(page) for page in pages]
    flips, seen = play(tabs[:2], tabs, interrupt)
    assert flips > 8, "the game ended before the hub was killed"
    for page in pages:
        expect(page.locator("#end")).to_be_visible()
    shot(ann, "end-desktop")
    shot(ben, "end-phone")
    titles = {re.sub("^You win!|.* wins!$", "won", page.locator("#end-title").text_content()) for page in pages}
    assert len(titles) == 1, titles
    assert not faults, faults
    ann.get_by_role("button", name="Play again").click()
    expect(ben.locator("#end")).to_be_hidden()
    return {"flips": flips, "seen": seen["scores"]}


with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
    arguments = ["--web", WEB] + (["--tls-cert", TLS[0], "--tls-key", TLS[1]] if TLS else [])
    hub = Hub(BINARY, folder, *arguments)
    hub.start()
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    try:
        print(browser.version, json.dumps(evening(browser, hub, f"http{'s' if TLS else ''}://localhost:{hub.port}/")))
    finally:
        browser.close()
        hub.kill()

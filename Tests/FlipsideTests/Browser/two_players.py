"""Two players and a spectator play a whole game in three Chromium contexts; in the middle the hub is killed and started
again. two_players.py BINARY WEB [CERTIFICATE KEY]: over wss with a certificate. SHOTS=FOLDER keeps screenshots."""

import json, os, pathlib, sys, tempfile

from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Clients"))
from flipside import Hub
from tabs import CARDS, next_card

BINARY, WEB, TLS = sys.argv[1], sys.argv[2], sys.argv[3:]
SHOTS = os.environ.get("SHOTS")
DESKTOP = dict(viewport=dict(width=1280, height=800), color_scheme="light")
PHONE = dict(viewport=dict(width=390, height=844), device_scale_factor=2, is_mobile=True, has_touch=True, color_scheme="dark")
SEEN = """() => ({cards: %s, title: document.querySelector('#end-title').textContent.replace(/^You win!|.* wins!$/, 'won'),
  scores: [...document.querySelectorAll('#places li')].map(li => [li.dataset.place, li.querySelector('.score').textContent])})""" % CARDS


def shot(page, name):
    if SHOTS:
        page.wait_for_timeout(700)
        page.screenshot(path=pathlib.Path(SHOTS) / f"{name}.png")


def play(browser, hub, base):
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

    known, flips, restarted = {}, 0, False
    while ann.locator("#end").is_hidden():
        # Whoever is to move by the hub's word: the page says so, once the reveal is over.
        expect(ann.locator(".card.miss")).to_have_count(0)
        mover = next((page for page in (ann, ben) if page.locator("#room").get_attribute("data-mine") == "true"), None)
        if mover is None or ann.locator("#end").is_visible():
            continue
        cards = mover.evaluate(CARDS)
        known.update({cell: face for cell, (side, face) in enumerate(cards) if side in ("up", "won")})
        down = [cell for cell, (side, _) in enumerate(cards) if side == "down"]
        up = [cell for cell, (side, _) in enumerate(cards) if side == "up"]
        if len(up) == 2 or not down:
            continue
        cell = next_card(known, down, up)
        mover.locator(f'[data-cell="{cell}"]').click()
        for page in pages:
            expect(page.locator(f'[data-cell="{cell}"]')).not_to_have_attribute("data-side", "down")
        known[cell] = mover.evaluate(CARDS)[cell][1]
        flips += 1
        if flips == 5:
            shot(ann, "play-desktop")
            shot(ben, "play-phone")
        if flips == 8 and not restarted:
            restarted = True
            hub.kill()
            for page in pages:
                expect(page.locator("#line")).to_contain_text("Trying again")
            shot(ann, "line-down-desktop")
            hub.start()
            for page in pages:
                expect(page.locator("#line")).to_be_hidden(timeout=20_000)
        assert flips < 400, "the game does not end"
    assert restarted
    for page in pages:
        expect(page.locator("#end")).to_be_visible()
    shot(ann, "end-desktop")
    shot(ben, "end-phone")
    seen = [page.evaluate(SEEN) for page in pages]
    assert seen[0] == seen[1] == seen[2], seen
    assert not faults, faults
    ann.get_by_role("button", name="Play again").click()
    expect(ben.locator("#end")).to_be_hidden()
    return {"flips": flips, "seen": seen[0]["scores"]}


with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
    arguments = ["--web", WEB] + (["--tls-cert", TLS[0], "--tls-key", TLS[1]] if TLS else [])
    hub = Hub(BINARY, folder, *arguments)
    hub.start()
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    try:
        print(browser.version, json.dumps(play(browser, hub, f"http{'s' if TLS else ''}://localhost:{hub.port}/")))
    finally:
        browser.close()
        hub.kill()

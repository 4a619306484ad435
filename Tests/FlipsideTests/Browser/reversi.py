"""A game of Reversi against a computer in Chromium, watched from a phone: reversi.py BINARY WEB. SHOTS=FOLDER keeps
screenshots."""

import os, pathlib, sys, tempfile

from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Clients"))
from flipside import Hub

SHOTS = os.environ.get("SHOTS")
DESKTOP = dict(viewport=dict(width=1280, height=800), color_scheme="light")
PHONE = dict(viewport=dict(width=390, height=844), device_scale_factor=2, is_mobile=True, has_touch=True, color_scheme="dark")
DISCS = "[...document.querySelectorAll('.square')].map(square => square.dataset.disc)"
PLACED = "document.querySelectorAll('.square:not([data-disc=\"\"])').length"
SETTLED = "() => document.querySelector('#room').dataset.mine === 'true' || !document.querySelector('#end').hidden"


def shot(page, name):
    if SHOTS:
        page.wait_for_timeout(700)
        page.screenshot(path=pathlib.Path(SHOTS) / f"{name}.png", full_page=name == "how-to-play")


def play(browser, base):
    faults = []
    ann, phone = (browser.new_context(**view).new_page() for view in (DESKTOP, PHONE))
    for page in (ann, phone):
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: message.type == "error" and faults.append(message.text))
    ann.goto(base)
    ann.locator("#open-form").get_by_label("Reversi").check()
    shot(ann, "home-reversi")
    ann.get_by_role("button", name="Open a room").click()
    ann.locator("#name-dialog").get_by_role("button", name="Play", exact=True).click()
    ann.get_by_role("button", name="Take a seat").click()
    expect(ann.get_by_role("button", name="Start", exact=True)).to_be_hidden()
    ann.get_by_role("button", name="Seats").click()
    ann.get_by_label("Level of the computer on seat 2").select_option("1")
    shot(ann, "seats")
    ann.get_by_role("button", name="Add a computer").click()
    ann.get_by_role("button", name="Done").click()
    ann.get_by_role("button", name="Start", exact=True).click()
    phone.goto(ann.url)
    moves = 0
    while True:
        ann.wait_for_function(SETTLED)
        if ann.locator("#end").is_visible():
            break
        placed = ann.evaluate(PLACED)
        ann.locator('[data-legal="true"]').first.click()
        # The hub has answered once there is another disc.
        ann.wait_for_function(f"() => {PLACED} > {placed}")
        moves += 1
        if moves == 12:
            ann.wait_for_function(SETTLED)
            shot(ann, "reversi-desktop")
            shot(phone, "reversi-phone")
        assert moves < 64
    expect(phone.locator("#end")).to_be_visible()
    shot(ann, "reversi-end")
    assert ann.evaluate(DISCS) == phone.evaluate(DISCS)
    assert ann.locator("#places").inner_text() == phone.locator("#places").inner_text()
    ann.goto(base + "#how-to-play")
    expect(ann.locator("#rules tr")).to_have_count(5)
    shot(ann, "how-to-play")
    assert not faults, faults
    print(moves, "moves")


with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
    hub = Hub(sys.argv[1], folder, "--web", sys.argv[2], "--think-time", "0")
    hub.start()
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    try:
        play(browser, f"http://localhost:{hub.port}/")
    finally:
        browser.close()
        hub.kill()

"""Each way of scoring Memory, with either rule of turns, is played to its end in Chromium, against a computer and alone;
what the page shows then is what the log says: modes.py BINARY WEB."""

import json, pathlib, sys, tempfile

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Clients"))
from flipside import Hub
from tabs import IS_OVER, PlaywrightTab, choose, give_name, play

# The rule, who goes on after a pair, the theme, and the level of a computer, if one plays along.
MODES = [("pairs", "again", "random", "easy"), ("memorize", "alternate", "pictures", None), ("easy", "again", "numbers", None),
         ("medium", "alternate", "characters", "perfect"), ("hard", "again", "sky", "medium")]
SHOWN = "[...document.querySelectorAll('#places .score')].map(score => Number(score.textContent))"


def pick(tab, name, value):
    tab.see(f"(field => {{ field.value = {value!r}; field.dispatchEvent(new Event('change', {{bubbles: true}})) }})"
            f"(document.querySelector('#open-form [name={name}]'))")


def room(tab, base, is_known, rule, turn_rule, theme, level):
    """A game of this mode, which has begun, by somebody whose name may be known already; its code."""
    tab.go(base)
    tab.until_shown("#open-form")
    choose(tab, "board", "easy")
    for name, value in (("rule", rule), ("turnRule", turn_rule), ("theme", theme)):
        pick(tab, name, value)
    tab.press("#open-form [type=submit]")
    if not is_known:
        give_name(tab, "Ann")
    tab.press("#sit")
    tab.until_shown("#start")
    if level:
        tab.press("#seats")
        tab.until_shown("#seats-list select")
        tab.see(f"document.querySelector('#seats-list select').value = {level!r}")
        tab.page.get_by_role("button", name="Add a computer").first.click()
        tab.page.get_by_role("button", name="Done").click()
        tab.until("document.querySelectorAll('.player').length === 2")
    tab.press("#start")
    tab.until("document.querySelectorAll('#board [data-cell]').length > 0")
    return tab.url.rsplit("/", 1)[1]


with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
    hub = Hub(sys.argv[1], folder, "--web", sys.argv[2], "--think-time", "0")
    server = hub.start()
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    faults = []
    try:
        page = browser.new_context(viewport=dict(width=1280, height=800)).new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        tab = PlaywrightTab(page)
        for mode in MODES:
            code = room(tab, server.base + "/", mode is not MODES[0], *mode)
            play([tab], [tab])
            events = [json.loads(line) for line in server.log(code)]
            start, end = (next(event for event in events if event["type"] == type) for type in ("game-started", "game-ended"))
            assert (start["options"]["rule"], start["options"]["turnRule"]) == mode[:2], start["options"]
            assert mode[2] in ("random", start["theme"]["name"]), start["theme"]
            assert tab.see(SHOWN) == sorted((result["score"] for result in end["results"]), reverse=True), (mode, end)
            assert tab.see(IS_OVER) and not faults, faults
            print(*mode, [result["score"] for result in end["results"]])
    finally:
        browser.close()
        hub.kill()

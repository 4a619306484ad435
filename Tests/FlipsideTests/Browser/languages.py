"""Browsers of four languages see theirs, and nothing is cut off or stands out of the window, however small: languages.py
BINARY WEB. SHOTS=FOLDER keeps screenshots."""

import os, pathlib, sys, tempfile

from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Clients"))
from flipside import Hub
from tabs import PlaywrightTab, open_room

SHOTS = os.environ.get("SHOTS")
# What a browser says that it wants, what the page speaks, and a word of it.
LANGUAGES = [("es-MX", "es", "Abrir una sala"), ("de-AT", "de", "Raum öffnen"), ("zh-CN", "zh", "开房间"),
             ("fr-FR", "en", "Open a room")]
# Phones, a window enlarged four times (WCAG 1.4.10), and widths at which the page begins to be laid out otherwise.
SIZES = [(390, 844), (320, 568), (320, 256), (360, 640), (641, 700), (1024, 768)]
# Words that are wider than what holds them, or stand out of the window; not those that are for screen readers alone.
CUT = """() => [...document.querySelectorAll('body *')].filter(element => {
  if (!element.checkVisibility() || element.closest('.hidden, .card, .square, svg, .player .name, .fan')) return false
  const words = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim())
  const {left, right} = element.getBoundingClientRect(), width = document.documentElement.clientWidth
  return words && (right > width + 1 || left < -1 || (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1))
}).map(element => element.outerHTML.slice(0, 120) + ' ' + element.scrollWidth + '>' + element.clientWidth)"""


def holds(page, name):
    if SHOTS:
        page.wait_for_timeout(700)
        page.screenshot(path=pathlib.Path(SHOTS) / f"{name}.png", full_page=True)
    cut = page.evaluate(CUT)
    width = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if cut or width > 0:
        return [f"{name}: {width} px too wide, cut off: {cut}"]
    return []


def keeps_size(page, language):
    """Nothing that comes and goes while cards are turned moves the board."""
    rectangle = "JSON.stringify(document.querySelector('#board').getBoundingClientRect())"
    page.set_viewport_size(dict(width=320, height=568))
    before = page.evaluate(rectangle)
    for cell in 0, 1:
        page.locator(f'[data-cell="{cell}"]').click()
        expect(page.locator(f'[data-cell="{cell}"]')).not_to_have_attribute("data-side", "down")
        after = page.evaluate(rectangle)
        if after != before:
            return [f"{language}: the board moves from {before} to {after} when card {cell} is turned"]
    return []


def without_line(page, hub, sizes):
    """What is said then has room in the bar, and moves nothing below."""
    heights = lambda: [page.set_viewport_size(dict(width=width, height=height)) or page.evaluate(
        "document.querySelector('.bar').getBoundingClientRect().height") for width, height in SIZES]
    before = heights()
    hub.kill()
    expect(page.locator("#line")).to_be_visible()
    wrong, after = sizes("no-line"), heights()
    # The longest that is said of the line.
    page.evaluate("async () => { document.querySelector('#line').textContent = "
                  "(await import('/texts.js')).text('error.restart') }")
    wrong += sizes("restart")
    hub.start()
    expect(page.locator("#line")).to_be_hidden(timeout=20_000)
    return wrong + ([f"the bar's heights go from {before} to {after}"] if after != before else [])


def look(browser, hub, base, locale, language, word):
    wrong = []
    page = browser.new_context(locale=locale, is_mobile=True, has_touch=True, viewport=dict(width=390, height=844)).new_page()
    sizes = lambda name: [line for width, height in SIZES for line in (
        page.set_viewport_size(dict(width=width, height=height)) or holds(page, f"{language}-{name}-{width}x{height}"))]
    page.goto(base)
    expect(page.locator("#open-form [type=submit]")).to_have_text(word)
    assert page.evaluate("document.documentElement.lang") == language
    wrong += sizes("home")
    page.goto("about:blank")
    page.goto(base + "#how-to-play")
    expect(page.locator("#rules tr")).to_have_count(5)
    wrong += sizes("how-to-play")
    page.goto("about:blank")
    open_room(PlaywrightTab(page), base, f"Maximiliane {language} Müller", "classic")
    wrong += sizes("waiting")
    page.locator("#change").click()
    expect(page.locator("#change-dialog")).to_be_visible()
    wrong += sizes("change")
    page.keyboard.press("Escape")
    page.locator("#seats").click()
    expect(page.locator("#seats-dialog")).to_be_visible()
    wrong += sizes("seats")
    page.keyboard.press("Escape")
    page.locator("#start").click()
    expect(page.locator("[data-cell]")).to_have_count(16)
    wrong += sizes("running") + keeps_size(page, language) + without_line(page, hub, sizes)
    page.locator("#leave").click()
    wrong += sizes("leave")
    return wrong


with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
    hub = Hub(sys.argv[1], folder, "--web", sys.argv[2])
    hub.start()
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    try:
        found = [line for row in LANGUAGES for line in look(browser, hub, f"http://localhost:{hub.port}/", *row)]
        assert not found, "\n".join(found)
    finally:
        browser.close()
        hub.kill()

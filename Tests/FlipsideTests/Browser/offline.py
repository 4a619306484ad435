"""The page opens without a line in Chromium, says so, and is never made of two states of the hub: offline.py BINARY WEB."""

import json, pathlib, shutil, sys, tempfile

from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Clients"))
from flipside import Hub

KEPT = """async () => { const names = (await caches.keys()).filter(name => name.startsWith('kept-'))
  const whole = await Promise.all(names.map(async name => (await caches.open(name)).match('/files.json')))
  return whole.filter(Boolean).length }"""
WHO_CONTROLS = "() => navigator.serviceWorker.controller?.scriptURL"
FILES = "async () => Object.keys(await (await fetch('/files.json')).json()).length"
IN_CACHE = """async () => { const cache = await caches.open((await caches.keys()).find(name => name.startsWith('kept-')))
  return (await cache.keys()).length }"""
STATE = "import('/games/state.js').then(module => module.state)"


def play(browser, hub, web, base):
    context = browser.new_context()
    page = context.new_page()
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    check_manifest(context, base)
    page.goto(base)
    page.wait_for_function(WHO_CONTROLS)
    assert page.evaluate(KEPT) == 1
    # The list stands beside what it lists.
    assert page.evaluate(IN_CACHE) == page.evaluate(FILES) + 1

    # No network: the page opens, and says so until the line is back.
    context.set_offline(True)
    expect(page.locator("#line")).to_contain_text("offline")
    page.reload()
    expect(page.locator("#open-form")).to_be_visible()
    expect(page.locator("#line")).to_contain_text("offline")
    page.goto(base + "room/abcdef")
    expect(page.locator("#line")).to_contain_text("No connection")
    context.set_offline(False)
    page.goto(base)
    expect(page.locator("#line")).to_be_hidden()

    # The hub goes and comes back with other files. A page opened meanwhile stays what it was: its later imports, too.
    hub.kill()
    page.reload()
    expect(page.locator("#line")).to_contain_text("offline")
    old = page.evaluate(STATE)
    other = context.new_page()
    other.goto(base)
    expect(other.locator("#line")).to_contain_text("offline")
    for path in web.rglob("state*.js"):
        path.write_text("export const state = 'new';")
    other.route("**/files.json", lambda route: route.abort())
    hub.start()
    assert old == "old"
    page.wait_for_function(f"() => {STATE}.then(state => state === 'new')")
    assert other.evaluate("import('/games/state-later.js').then(module => module.state)") == "old"
    other.close()
    page.reload()
    page.wait_for_function(KEPT.replace("return whole.filter(Boolean).length", "return whole.filter(Boolean).length === 1"))
    hub.kill()
    page.reload()
    expect(page.locator("#line")).to_contain_text("offline")
    assert page.evaluate(STATE) == "new"
    assert not faults, faults


def check_manifest(context, base):
    answer = context.request.get(base + "manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    for icon in json.loads(answer.text())["icons"]:
        found = context.request.get(base + icon["src"].lstrip("/"))
        assert found.ok and found.headers["content-type"] == icon["type"], icon


with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
    web = pathlib.Path(folder, "web")
    shutil.copytree(sys.argv[2], web)
    for name in "state.js", "state-later.js":
        (web / "games" / name).write_text("export const state = 'old';")
    hub = Hub(sys.argv[1], folder + "/data", "--web", str(web))
    hub.start()
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    try:
        play(browser, hub, web, f"http://localhost:{hub.port}/")
    finally:
        browser.close()
        hub.kill()

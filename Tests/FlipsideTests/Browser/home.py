"""What leads into rooms and what is seen from outside of them, in Chromium: home.py BINARY WEB. Every page is held to
axe-core's rules, light and dark. SHOTS=FOLDER keeps screenshots."""

import os, pathlib, sys, tempfile

import axe_playwright_python
from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Clients"))
from flipside import Hub

SHOTS = os.environ.get("SHOTS")
AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
FOUND = "axe.run().then(r => r.violations.map(v => [v.id, v.nodes.map(n => n.html.slice(0, 160) + n.failureSummary)]))"
SIZES = dict(desktop=(1280, 800), phone=(390, 844), small=(320, 568))
CARDS = "[...document.querySelectorAll('#board [data-cell]')].map(c => [c.dataset.side, c.querySelector('.front').textContent])"


def look(page, name):
    """Nothing that axe-core knows is wrong with the page, light or dark; nor is it wider than its window."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function("() => document.getAnimations().every(a => a.playState !== 'running' || a.effect.getTiming().iterations === Infinity)")
        page.evaluate(AXE)
        for size, (width, height) in SIZES.items():
            page.set_viewport_size(dict(width=width, height=height))
            found = page.evaluate(FOUND)
            assert not found, (name, scheme, size, found)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (name, size)
            if SHOTS:
                page.wait_for_timeout(300)
                page.screenshot(path=pathlib.Path(SHOTS) / f"{name}-{size}-{scheme}.png", full_page=True)
        page.set_viewport_size(dict(width=1280, height=800))
    page.emulate_media(color_scheme="light")


def visitor(browser, base, faults, **context):
    page = browser.new_context(viewport=dict(width=1280, height=800), reduced_motion="reduce", **context).new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    # Chromium reports what the hub refuses, too: a name that is taken.
    page.on("console", lambda message: message.type == "error" and "409" not in message.text and faults.append(message.text))
    page.goto(base)
    return page


def take_name(page, name):
    page.locator("#name-dialog [name=name]").fill(name)
    page.locator("#name-dialog").get_by_role("button", name="Play", exact=True).click()


def quick_game(browser, base, faults):
    """Two who have never been here want a quick game: they get one, together."""
    ann, ben = visitor(browser, base, faults), visitor(browser, base, faults)
    expect(ben.locator("#no-rooms")).to_be_visible()
    ann.get_by_role("button", name="Quick game").click()
    proposed = ann.locator("#name-dialog [name=name]").input_value()
    assert proposed
    look(ann, "name")
    ann.get_by_role("button", name="Another name").click()
    expect(ann.locator("#name-dialog [name=name]")).not_to_have_value(proposed)
    take_name(ann, "Ann")
    ann.wait_for_url("**/room/*")
    # The list is live: Ben has touched nothing.
    expect(ben.locator("#rooms a")).to_have_attribute("href", "/room/" + ann.url.split("/")[-1])
    expect(ben.locator("#rooms")).to_contain_text("1 of 4 seats taken")
    look(ben, "home")
    ben.get_by_role("button", name="Quick game").click()
    take_name(ben, "ann")
    expect(ben.locator("#name-problem")).to_have_text("Somebody has this name already.")
    # One tap is enough: the name proposed is free.
    ben.get_by_role("button", name="Another name").click()
    ben.keyboard.press("Escape")
    expect(ben.locator("#name-dialog")).to_be_hidden()
    ben.get_by_role("button", name="Quick game").click()
    ben.locator("#name-dialog").get_by_role("button", name="Play", exact=True).click()
    ben.wait_for_url("**/room/*")
    assert ann.url == ben.url
    for page in (ann, ben):
        expect(page.locator(".player")).to_have_count(2)
    ann.get_by_role("button", name="Start", exact=True).click()
    for page in (ann, ben):
        expect(page.locator("#board [data-cell]")).to_have_count(16)
    return ann, ben


def live_list(page, other):
    """A room that is opened and closed comes and goes in a list that nobody has asked for anew."""
    page.goto(page.url.split("/room")[0])
    # Who has nothing live asks for it: first without a line.
    other.locator("#open-form").get_by_text("More choices").click()
    look(other, "home-open")
    other.locator("#open-form [name=turnRule]").select_option("alternate")
    other.locator("#open-form").get_by_role("button", name="Open a room").click()
    other.wait_for_url("**/room/*")
    expect(other.locator("#facts")).to_contain_text("The next player has the turn")
    row = page.locator(f"#rooms a[href='/room/{other.url.split('/')[-1]}']")
    expect(row).to_contain_text("waiting")
    other.get_by_role("button", name="Take a seat").click()
    expect(row).to_contain_text("1 of 4 seats taken")
    other.get_by_role("button", name="Start", exact=True).click()
    expect(row).to_contain_text("playing")


def held(page, base):
    """What can be a document or a worker bears the page's rules; whatever is chosen counts before the system."""
    for path in "", "room/nowhere", "icon.svg", "service-worker.js":
        assert page.request.get(base + path).headers["content-security-policy"].startswith("default-src 'self';"), path
    for path in "", "main.js", "styles/base.css", "icon.svg":
        assert page.request.get(base + path).headers["x-content-type-options"] == "nosniff", path
    ground = "getComputedStyle(document.documentElement).getPropertyValue('--ground').trim()"
    page.goto(base)
    for system, chosen, colour in (("light", "", "#f7f5fc"), ("dark", "", "#12101b"), ("dark", "light", "#f7f5fc"),
                                   ("light", "dark", "#12101b")):
        page.emulate_media(color_scheme=system)
        page.evaluate("colours => localStorage.setItem('flipside.settings', JSON.stringify({colours}))", chosen)
        page.reload()
        assert page.evaluate(ground) == colour, (system, chosen)
    page.evaluate("localStorage.removeItem('flipside.settings')")
    page.emulate_media(color_scheme="light")


def wall(browser, base, faults, movers):
    """Both running games are on the wall, and move; the pages of a room are one click away."""
    page = visitor(browser, base, faults)
    page.get_by_role("link", name="Live games").click()
    expect(page.locator(".tile")).to_have_count(2)
    for mover in movers:
        code = mover.url.split("/")[-1]
        tile = page.locator(".tile").filter(has_text=code)
        expect(tile.locator("[data-cell]")).to_have_count(16)
        mover.locator("#board [data-side=down]").first.click()
        expect(tile.locator("[data-side=up]")).to_have_count(1)
    look(page, "wall")
    page.get_by_role("link", name="Room " + code).click()
    page.wait_for_url("**/room/" + code)
    expect(page.locator("#watching")).to_contain_text("watching")


def alone(browser, base, faults):
    """One tap, and a name: a game that is running. It is played to its end."""
    page = visitor(browser, base, faults)
    page.get_by_role("button", name="Alone").click()
    take_name(page, "Cy")
    page.wait_for_url("**/room/*")
    expect(page.locator("#board [data-cell]")).to_have_count(16)
    known = {}
    for _ in range(200):
        page.wait_for_function("() => document.querySelector('#room').dataset.mine === 'true' || !document.querySelector('#end').hidden")
        if page.locator("#end").is_visible():
            break
        cards = page.evaluate(CARDS)
        down = [cell for cell, (side, _) in enumerate(cards) if side == "down"]
        up = [cell for cell, (side, _) in enumerate(cards) if side == "up"]
        if up:
            twin = [cell for cell in down if known.get(cell) == known[up[0]]]
            choice = (twin or [cell for cell in down if cell not in known] or down)[0]
        else:
            choice = next((cell for cell in down if cell not in known), down[0])
        page.locator(f'#board [data-cell="{choice}"]').click()
        expect(page.locator(f'#board [data-cell="{choice}"]')).not_to_have_attribute("data-side", "down")
        known[choice] = page.evaluate(CARDS)[choice][1]
        expect(page.locator(".card.miss")).to_have_count(0)
    expect(page.locator("#end")).to_be_visible()
    return page


def leaderboard(page, base):
    """What was finished is there, as soon as the hub's rows have it."""
    for _ in range(100):
        if page.request.get(base + "api/leaderboard").json()["results"]:
            break
        page.wait_for_timeout(100)
    page.goto(base)
    # A link that is pressed before the page is there leads to the other page at once, as its address would.
    expect(page.locator("#home")).to_be_visible()
    page.get_by_role("link", name="Leaderboard").click()
    expect(page.get_by_role("heading", name="Leaderboard")).to_be_focused()
    row = page.locator("#results-list li")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Cy")
    expect(row).to_contain_text("8 points")
    look(page, "leaderboard")
    page.get_by_label("Newest").check()
    expect(row).to_have_count(1)
    page.locator("[name=mode]").select_option("hard-4x5")
    expect(page.locator("#no-results")).to_be_visible()
    pages(page)
    page.go_back()
    expect(page.locator("#home")).to_be_visible()
    expect(page.locator("#leaderboard")).to_be_hidden()
    page.get_by_role("link", name="How to play").click()
    expect(page.locator("#rules tr")).to_have_count(5)
    look(page, "how-to-play")


def pages(page):
    """More results than a page has: made up, since nobody plays so many here."""
    def answer(route):
        asked = dict(pair.split("=") for pair in route.request.url.split("?")[1].split("&"))
        first = int(asked.get("after", "0"))
        results = [dict(player="p", name=f"Player {n}", game="memory", mode="hard-4x5", score=100 - n, turns=20, time=60_000,
                        at=1_700_000_000_000, kind=["finished", "left", "helped"][n % 3], **({} if n % 2 else dict(room="abcdef")))
                   for n in range(first, first + 20)]
        route.fulfill(json=dict(results=results) | ({} if first else {"next": "20"}))

    page.route("**/api/leaderboard*", answer)
    page.get_by_label("Best").check()
    rows = page.locator("#results-list li")
    expect(rows).to_have_count(20)
    page.get_by_role("button", name="More", exact=True).click()
    expect(rows).to_have_count(40)
    expect(rows.nth(20)).to_be_focused()
    expect(rows.nth(39)).to_contain_text("61 points")
    expect(page.get_by_role("button", name="More", exact=True)).to_be_hidden()
    for row, kind in ((0, ""), (1, "left early"), (2, "helped by a computer")):
        expect(rows.nth(row).locator(".kind")).to_have_text([kind] if kind else [])
    # The code of a room that only its link opens is not told.
    expect(rows.nth(0).get_by_role("link")).to_have_attribute("href", "/room/abcdef")
    expect(rows.nth(1).get_by_role("link")).to_have_count(0)
    look(page, "leaderboard-long")
    page.unroute("**/api/leaderboard*")


def settings(page, base):
    """What is chosen is there after a reload, before anything is drawn; the name is changed, and given up."""
    page.goto(base)
    page.get_by_role("button", name="Settings").click()
    look(page, "settings")
    page.get_by_label("Dark").check()
    page.get_by_role("switch", name="Less motion").check()
    page.get_by_role("switch", name="Sound").uncheck()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 16, 27)"
    page.reload()
    html = page.locator("html")
    expect(html).to_have_attribute("data-colours", "dark")
    expect(html).to_have_attribute("data-still", "true")
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("switch", name="Sound")).not_to_be_checked()
    expect(page.get_by_label("Dark")).to_be_checked()
    page.get_by_label("As the system").check()
    expect(html).not_to_have_attribute("data-colours", "dark")
    page.locator("#rename-form [name=name]").fill("Cyd")
    page.locator("#rename-form").get_by_role("button", name="Change").click()
    expect(page.locator("#playing-as")).to_have_text("You play as Cyd.")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Give up my name").click()
    look(page, "give-up")
    page.get_by_role("button", name="Give it up").click()
    expect(page.locator("#playing-as")).to_be_hidden()
    assert page.evaluate("localStorage.getItem('flipside.player')") is None


def computer(page):
    """Reversi against a computer, at once; nobody plays it alone."""
    page.locator("#play-form").get_by_label("Reversi").check()
    expect(page.get_by_role("button", name="Alone")).to_be_hidden()
    page.get_by_role("button", name="Computer").click()
    take_name(page, "Dee")
    page.wait_for_url("**/room/*")
    expect(page.locator("#board [data-cell]")).to_have_count(64)


with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
    hub = Hub(sys.argv[1], folder, "--web", sys.argv[2], "--think-time", "0")
    hub.start()
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    try:
        base, faults = f"http://localhost:{hub.port}/", []
        ann, ben = quick_game(browser, base, faults)
        other = ann.context.new_page()
        other.goto(base)
        live_list(visitor(browser, base, faults), other)
        expect(ann.locator("#room")).to_have_attribute("data-mine", "true", timeout=40_000)
        wall(browser, base, faults, [ann, other])
        page = alone(browser, base, faults)
        leaderboard(page, base)
        settings(page, base)
        held(visitor(browser, base, faults), base)
        computer(page)
        assert not faults, faults
        print(browser.version, "home, leaderboard, settings and wall hold")
    finally:
        browser.close()
        hub.kill()

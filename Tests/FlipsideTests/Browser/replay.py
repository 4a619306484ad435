"""A game's replay in Chromium: scrubbed, stepped, played, linked to, checked, altered, and followed live, and axe on all of
it, light and dark: replay.py BINARY WEB. SHOTS=FOLDER keeps screenshots."""

import asyncio, json, os, pathlib, sys, tempfile, threading

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Clients"))
from flipside import Hub
from record_room import OPTIONS, Table

SHOTS = os.environ.get("SHOTS")
DESKTOP = dict(viewport=dict(width=1280, height=800), color_scheme="light")
PHONE = dict(viewport=dict(width=390, height=844), device_scale_factor=2, is_mobile=True, has_touch=True, color_scheme="dark")
SMALL = dict(viewport=dict(width=320, height=568), device_scale_factor=2, is_mobile=True, has_touch=True, color_scheme="light")
# What a board shows: sides of cards, faces of those that are up, by whom they were won; and the scores.
LISTED = """(() => {
  const [list, current] = ["#replay-events", "#replay-events [aria-current]"]
    .map((one) => document.querySelector(one).getBoundingClientRect());
  return list.top <= current.top && current.bottom <= list.bottom;
})()"""
SHOWN = """([board, players]) => JSON.stringify({
  cards: [...document.querySelectorAll(board + ' [data-cell]')].map(card => [card.dataset.side,
    ['up', 'won'].includes(card.dataset.side) ? card.querySelector('.front').textContent : '', card.dataset.seat ?? '']),
  scores: [...document.querySelectorAll(players + ' .score')].map(score => score.textContent)})"""
REPLAY, ROOM = ["#replay-board", "#replay-players"], ["#board", "#players"]

# Playwright's own loop runs in this thread; the players' runs in one of its own.
loop = asyncio.new_event_loop()
threading.Thread(target=loop.run_forever, daemon=True).start()


def run(coroutine):
    return asyncio.run_coroutine_threadsafe(coroutine, loop).result(60)


def shot(page, name):
    if SHOTS:
        page.wait_for_timeout(700)
        page.screenshot(path=pathlib.Path(SHOTS) / f"{name}.png")


def told(welcome):
    """What a board that draws this `welcome` shows."""
    view = welcome["view"]
    cards = [[cell["state"], cell.get("face", ""), str(cell.get("by", ""))] for cell in view["cells"]]
    return {"cards": cards, "scores": [str(view["scores"][str(seat)]) for seat in view["seats"]]}


def shows(page, welcome, where=REPLAY):
    wanted = json.dumps(told(welcome), ensure_ascii=False, separators=(",", ":"))
    page.wait_for_function(f"([where, wanted]) => ({SHOWN})(where) === wanted", arg=[where, wanted])


def at(page, version, count):
    expect(page.locator("#replay-position")).to_have_text(f"{version} of {count}")


def server_event(table, page):
    """The event that a replay shows."""
    return json.loads(table.server.log(table.code)[int(page.locator("#replay-position").inner_text().split()[0]) - 1])


def finished(page, base, table):
    """Everywhere in the past of a game that is over the board is what a welcome said then."""
    code, count = table.code, len(table.server.log(table.code))
    playing = [welcome for welcome in table.welcomes if welcome["view"] and welcome["room"]["status"] != "dealing"]
    linked = playing[3]
    page.goto(f"{base}replay/{code}?v={linked['version']}")
    at(page, linked["version"], count)
    shows(page, linked)
    shot(page, "replay-desktop")
    for welcome in playing[::-1] + playing:
        page.locator("#replay-range").fill(str(welcome["version"]))
        shows(page, welcome)
    # The address is a link to what is shown.
    page.wait_for_url(f"**/replay/{code}?v={playing[-1]['version']}")
    page.locator("#replay-range").fill("5")
    page.get_by_role("button", name="One event on").click()
    at(page, 6, count)
    page.keyboard.press("ArrowRight")
    at(page, 7, count)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    at(page, 5, count)
    expect(page.locator("#replay-events [aria-current]")).to_have_attribute("data-version", "5")
    page.locator('#replay-events [data-version="9"]').click()
    at(page, 9, count)
    page.get_by_label("Speed").select_option("16")
    page.get_by_role("button", name="Play", exact=True).click()
    at(page, count, count)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    shows(page, table.welcomes[-1])
    page.reload()
    page.wait_for_url(f"**?v={count}")


def checked(page, base, table):
    """All holds, until somebody alters a face on the way to this page."""
    asked = []
    page.on("request", lambda request: asked.append(request.url.split("/")[-1]))
    page.goto(f"{base}replay/{table.code}")
    expect(page.locator("#replay-events li").first).to_be_visible()
    # What the page's first script has asked for is what the page then takes.
    assert [asked.count(name) for name in (table.code, "log?after=0")] == [2, 1], asked
    page.get_by_role("button", name="Check this game").click()
    expect(page.locator("#check-verdict")).to_have_text("All of it holds.")
    expect(page.locator('#check-findings [data-result="holds"]')).to_have_count(5)
    shot(page, "check-desktop")
    page.get_by_role("button", name="Done").click()

    def alter(route):
        answer = route.fetch()
        lines = answer.text().splitlines()
        index = next(i for i, line in enumerate(lines) if '"show-card"' in line)
        event = json.loads(lines[index])
        lines[index] = json.dumps(event | {"face": "🃏"}, ensure_ascii=False, separators=(",", ":"))
        route.fulfill(response=answer, body="\n".join(lines) + "\n")

    page.route("**/log?after=0", alter)
    page.get_by_role("button", name="Check this game").click()
    expect(page.locator("#check-verdict")).to_have_text("Something does not hold.")
    # The chain, and the deck.
    expect(page.locator('#check-findings [data-result="fails"]')).to_have_count(2)
    shot(page, "check-fails-desktop")
    # It leads to the event that does not fit.
    page.get_by_role("button", name="See event").click()
    expect(page.locator("#check-dialog")).to_be_hidden()
    assert server_event(table, page)["type"] == "show-card"
    page.unroute("**/log?after=0")


def clean(page, where):
    """axe finds nothing, in light nor in dark."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = Axe().run(page).response["violations"]
        faults = [(one["id"], node["html"][:160], node.get("failureSummary")) for one in found for node in one["nodes"]]
        assert not faults, (where, scheme, faults)


def accessible(browser, base, table):
    """Paused, playing, scrolled to its events and checked, on a phone and a desk."""
    for name, view in ("phone", PHONE), ("small", SMALL), ("desktop", DESKTOP):
        page = browser.new_context(**view).new_page()
        page.goto(f"{base}replay/{table.code}?v={table.welcomes[6]['version']}")
        expect(page.locator("#replay-board [data-cell]").first).to_be_visible()
        clean(page, f"paused {name}")
        # So slow that it goes on while it is looked at.
        page.get_by_label("Speed").select_option("0.5")
        page.get_by_role("button", name="Play", exact=True).click()
        expect(page.locator("#replay-play")).to_have_attribute("data-plays", "true")
        clean(page, f"playing {name}")
        expect(page.locator("#replay-play")).to_have_attribute("data-plays", "true")
        page.get_by_role("button", name="Pause").click()
        assert page.evaluate(LISTED), f"{name}: the list shows other events than the one that the board shows"
        page.locator("#replay-events [aria-current]").scroll_into_view_if_needed()
        clean(page, f"events {name}")
        page.get_by_role("button", name="Check this game").click()
        expect(page.locator('#check-findings [data-result="holds"]')).to_have_count(5)
        clean(page, f"checked {name}")
        page.context.close()


def live(browser, page, base, table):
    """A running game is watched from its past up to now, and then as it goes on."""
    run(table.begin())
    for _ in range(4):
        run(table.attempt())
    page.goto(f"{base}replay/{table.code}?v=6")
    expect(page.get_by_role("button", name="Live")).to_have_attribute("aria-pressed", "false")
    before = len(table.server.log(table.code))
    run(table.attempt())
    # It grows behind what is looked at.
    at(page, 6, len(table.server.log(table.code)))
    assert len(table.server.log(table.code)) > before
    page.get_by_role("button", name="Live").click()
    expect(page.get_by_role("button", name="Live")).to_have_attribute("aria-pressed", "true")
    run(table.attempt())
    run(table.tell())
    shows(page, table.welcomes[-1])
    shot(page, "replay-live-desktop")
    # Nobody can say yet how it was dealt.
    page.get_by_role("button", name="Check this game").click()
    expect(page.locator("#check-verdict")).to_contain_text("How the running game was dealt can be checked when it is over")
    expect(page.locator("#check-verdict")).to_have_attribute("data-result", "open")
    page.get_by_role("button", name="Done").click()

    # Who comes late into the room sees the game so far, and then what it has become meanwhile.
    page.goto(f"{base}room/{table.code}")
    shows(page, table.welcomes[-1], ROOM)
    page.get_by_role("button", name="The game so far").click()
    page.wait_for_function("() => document.querySelectorAll('#board [data-side=won]').length === 0")
    shot(page, "so-far-desktop")
    run(table.attempt())
    run(table.tell())
    expect(page.locator(".toast", has_text="as it stands now")).to_be_visible(timeout=15_000)
    shows(page, table.welcomes[-1], ROOM)
    page.get_by_role("button", name="The game so far").click()
    page.get_by_role("button", name="Back to now").click()
    shows(page, table.welcomes[-1], ROOM)

    # Who plays is to remember the cards.
    player = table.welcomes[-1]["room"]["seats"][0]["player"]
    seated = browser.new_context(**DESKTOP).new_page()
    seated.goto(base)
    seated.evaluate("player => localStorage.setItem('flipside.player', JSON.stringify(player))",
                    {"id": player, "name": "Ann", "token": table.tokens[0]})
    seated.goto(f"{base}room/{table.code}")
    expect(seated.locator(".player.you")).to_be_visible()
    expect(seated.get_by_role("link", name="Replay")).to_be_hidden()
    expect(seated.get_by_role("button", name="The game so far")).to_be_hidden()
    seated.goto(f"{base}replay/{table.code}")
    expect(seated.locator("#replay-refused")).to_be_visible()
    shot(seated, "replay-refused-desktop")
    while run(table.attempt()):
        pass
    seated.get_by_role("link", name="To the room").click()
    seated.get_by_role("link", name="Replay").click()
    expect(seated.locator("#replay")).to_be_visible()
    # Not of the next one, either, which begins while they look.
    run(table.begin("again"))
    expect(seated.locator("#replay-refused")).to_be_visible()


def play(browser, base, server):
    faults = []
    page = browser.new_context(**DESKTOP).new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: message.type == "error" and faults.append(message.text))
    over = run(Table().open(server, **OPTIONS))
    run(over.play())
    finished(page, base, over)
    checked(page, base, over)
    accessible(browser, base, over)
    if SHOTS:
        for name, view in (("phone", PHONE), ("small", SMALL), ("dark", DESKTOP | dict(color_scheme="dark"))):
            other = browser.new_context(**view).new_page()
            other.goto(f"{base}replay/{over.code}?v={over.welcomes[6]['version']}")
            shot(other, f"replay-{name}")
            other.get_by_role("button", name="Check this game").click()
            shot(other, f"check-{name}")
    live(browser, page, base, run(Table().open(server, **OPTIONS)))
    assert not faults, faults
    print(len(over.welcomes), "welcomes")


with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
    hub = Hub(sys.argv[1], folder, "--web", sys.argv[2])
    server = hub.start()
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    try:
        play(browser, f"http://localhost:{hub.port}/", server)
    finally:
        browser.close()
        hub.kill()

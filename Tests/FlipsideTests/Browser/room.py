"""A room's page in Chromium: chat and reactions, the host's mute and ban, a seat taken along, fingers faster than people's,
the words of an end, sound, keys, and axe on all of it, light and dark: room.py BINARY WEB. SHOTS=FOLDER keeps screenshots."""

import os, pathlib, re, signal, sys, tempfile

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Clients"))
from flipside import Hub

SHOTS = os.environ.get("SHOTS")
DESKTOP = dict(viewport=dict(width=1280, height=800), color_scheme="light")
PHONE = dict(viewport=dict(width=390, height=844), device_scale_factor=2, is_mobile=True, has_touch=True)
OPEN = """async ([name, game, options]) => {
  const { register, openRoom } = await import('/identity.js');
  const room = await openRoom(await register(name), { game, options, visibility: 'public' });
  return room.code;
}"""
SIDES = "[...document.querySelectorAll('[data-cell]')].map(c => c.dataset.side + c.querySelector('.front').textContent)"
# Every change of the board is looked at: how many cards show a face or are about to, and whether one that is down does.
WATCH = """() => {
  window.most = 0;
  window.leaks = 0;
  const board = document.querySelector('#board');
  new MutationObserver(() => {
    const cards = [...board.children];
    const up = cards.filter(c => c.dataset.side === 'up').length;
    const lifted = cards.filter(c => c.dataset.side === 'down' && c.dataset.asked === 'true');
    window.most = Math.max(window.most, up + lifted.length);
    window.leaks += lifted.filter(c => c.querySelector('.front').textContent !== '').length;
  }).observe(board, { subtree: true, attributes: true, childList: true });
}"""
# What a script moves, and no style sheet: cards that are shuffled.
MOVING = "document.getAnimations().some(a => a.constructor === Animation && a.effect.target.matches('.card'))"
# Two pointers at once, a pair of cards in each task, as fast as the machine can.
HAMMER = """async (times) => {
  const cards = [...document.querySelectorAll('[data-cell]')];
  const any = () => cards[Math.floor(Math.random() * cards.length)];
  for (let n = 0; n < times; n++) {
    for (const card of [any(), any()]) card.click();
    await new Promise((go) => setTimeout(go, n % 5));
  }
}"""


class Table:
    """Pages of one room, and what went wrong in them."""

    def __init__(self, browser, base):
        self.browser, self.base, self.faults = browser, base, []

    def page(self, view, **context):
        page = self.browser.new_context(**view | context).new_page()
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        return page

    def open(self, page, name, game, **options):
        page.goto(self.base)
        code = page.evaluate(OPEN, [name, game, options])
        page.goto(f"{self.base}room/{code}")
        expect(page.locator("#sit")).to_be_visible()
        page.locator("#sit").press("Enter")
        # The button is gone, the keyboard is not lost: it has what one does next.
        expect(page.locator("#start:focus, #invite:focus")).to_have_count(1)
        return page.url

    def join(self, page, url, name):
        page.goto(url)
        page.locator("#name-form [name=name]").fill(name)
        page.locator("#name-form [name=name]").press("Enter")
        expect(page.locator("#sit")).to_be_focused()
        page.locator("#sit").click()
        expect(page.locator(".player.you")).to_have_count(1)


def shot(page, name):
    if SHOTS:
        page.screenshot(path=pathlib.Path(SHOTS) / f"room-{name}.png", animations="disabled")


def clean(page, where):
    """axe finds nothing, in light nor in dark."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = Axe().run(page).response["violations"]
        faults = [(one["id"], node["html"][:160], node.get("failureSummary")) for one in found for node in one["nodes"]]
        assert not faults, (where, scheme, faults)
        shot(page, f"{where}-{scheme}")


def talk(table):
    ann, ben = table.page(DESKTOP), table.page(PHONE)
    url = table.open(ann, "Ann", "memory", preset="custom", columns=4, rows=4, turnTime=60, reveal=200)
    table.join(ben, url, "Ben")
    clean(ann, "waiting")
    clean(ben, "waiting-phone")
    say(ann, "Hello, Ben!")
    expect(ben.locator("#chat-count")).to_have_text("1")
    expect(ben.get_by_role("button", name="Chat, 1 new")).to_be_visible()
    say(ben, "<b>Hello</b>, Ann!")
    expect(ben.locator("#chat-count")).to_be_hidden()
    expect(ann.locator(".chat-line").last).to_contain_text("<b>Hello</b>, Ann!")
    assert ben.locator(".chat-line").count() == 2
    ben.get_by_role("button", name="React with 🎉").click()
    expect(ann.locator(".reaction")).to_have_text("🎉")
    clean(ann, "chat")
    clean(ben, "chat-phone")
    # For herself alone; nobody is told.
    ann.get_by_role("button", name="Hide what Ben says, for me alone").click()
    expect(ann.locator(".chat-line")).to_have_count(1)
    ann.get_by_role("button", name="Show what Ben says again").click()
    expect(ann.locator(".chat-line")).to_have_count(2)
    ann.locator("#seats").click()
    clean(ann, "host")
    ann.get_by_role("button", name="Mute: Ben").click()
    expect(ben.locator("#toasts")).to_contain_text("The host has muted you")
    clean(ben, "muted-phone")
    expect(ben.locator("#chat-form")).to_be_hidden()
    expect(ann.get_by_role("button", name="Unmute: Ben")).to_be_focused()
    ann.get_by_role("button", name="Unmute: Ben").click()
    expect(ben.locator("#chat-form")).to_be_visible()
    ann.get_by_role("button", name="Ban: Ben").click()
    expect(ann.locator("#ask-dialog")).to_be_visible()
    clean(ann, "ask")
    ann.locator("#ask-dialog").get_by_role("button", name="Cancel").click()
    expect(ben.locator("#barred")).to_be_hidden()
    ann.get_by_role("button", name="Ban: Ben").click()
    ann.evaluate("window.line = document.querySelector('.chat-line:last-child')")
    ann.locator("#ask-dialog .yes").click()
    expect(ben.locator("#barred")).to_contain_text("The host has banned you")
    # He has no seat any more; what he said is not read out anew for that.
    ann.wait_for_function("() => !document.querySelector('.chat-line:last-child [data-seat]')")
    assert ann.evaluate("window.line.isConnected")
    expect(ben.locator("#sit")).to_be_hidden()
    ann.get_by_role("button", name="Lift the ban: Ben").click()
    ben.locator("#chat-close").click()
    ben.locator("#sit").click()
    ann.keyboard.press("Escape")
    return ann, ben, url


def say(page, words):
    if page.locator("#chat").is_hidden():
        page.locator("#chat-open").click()
    expect(page.locator("#chat-form input")).to_be_focused()
    page.keyboard.insert_text(words)
    page.keyboard.press("Enter")
    expect(page.locator(".chat-line").last).to_contain_text(words)


def share(table, ann, url):
    """The link by code, and the seat along to another device."""
    ann.locator("#share").click()
    expect(ann.locator("#share-code svg")).to_be_visible()
    ann.get_by_role("button", name="Copy link").click()
    expect(ann.locator("#share-said")).to_contain_text(re.compile("copied|Send this link"))
    ann.locator("#take-show").click()
    expect(ann.locator("#take-code svg")).to_be_visible()
    expect(ann.locator("#share-dialog")).to_contain_text("Whoever scans this code plays as you")
    clean(ann, "share")
    ann.keyboard.press("Escape")
    expect(ann.locator("#take-code svg")).to_have_count(0)
    token = ann.evaluate("JSON.parse(localStorage['flipside.player']).token")
    asked = []
    phone = table.page(PHONE)
    phone.on("request", lambda request: asked.append(request.url))
    phone.goto(f"{url}#seat={token}")
    expect(phone.locator(".player.you .name")).to_have_text("Ann")
    assert phone.url == url and not any(token in one for one in asked), (phone.url, asked)
    assert phone.evaluate("JSON.parse(localStorage['flipside.player']).token") == token
    phone.reload()
    expect(phone.locator(".player.you .name")).to_have_text("Ann")
    # A browser that is somebody else asks; a link that is nobody's changes nothing.
    other = table.page(DESKTOP)
    table.open(other, "Olga", "memory")
    other.goto(f"{url}#seat={token}")
    other.reload()
    other.goto(f"{url}#seat={'A' * 43}")
    other.locator("#ask-dialog .yes").click()
    expect(other.locator("#toasts")).to_contain_text("does not know whose seat")
    assert other.evaluate("JSON.parse(localStorage['flipside.player']).name") == "Olga"
    other.context.close()
    return phone


def hammer(table, ann, phone, ben):
    """Both pages of one player and a rival, faster than anyone's fingers."""
    ann.emulate_media(reduced_motion="no-preference")
    ann.locator("#start").click()
    pages = (ann, phone, ben)
    for page in pages:
        expect(page.locator("[data-cell]")).to_have_count(16)
        page.evaluate(WATCH)
    # Shuffled cards are seen to move, where motion is wanted.
    ann.get_by_role("button", name="Shuffle").click()
    ann.wait_for_function(f"() => {MOVING}")
    expect(ben.locator("#announcer")).to_contain_text("Ann shuffled the cards")
    assert not ben.evaluate(MOVING)
    expect(ann.get_by_role("button", name="Shuffle")).to_have_attribute("aria-disabled", "true")
    clean(ann, "play")
    clean(ben, "play-phone")
    for page in pages:
        page.evaluate(f"window.hammered = ({HAMMER})(150)")
    for page in pages:
        page.evaluate("window.hammered")
        most, leaks = page.evaluate("[window.most, window.leaks]")
        assert most <= 2 and leaks == 0, (most, leaks)
    # Once nothing is under way, all pages show what one shows that has just come.
    fresh = table.page(DESKTOP)
    fresh.goto(ann.url)
    agree = lambda: len({str(page.evaluate(SIDES)) for page in (*pages, fresh)}) == 1
    for _ in range(50):
        if agree():
            break
        ann.wait_for_timeout(100)
    assert agree(), [page.evaluate(SIDES) for page in (*pages, fresh)]
    assert ann.locator('[data-asked="true"]').count() == 0
    assert ann.locator(".player.you .name").inner_text() == phone.locator(".player.you .name").inner_text() == "Ann"
    fresh.context.close()


def finish(ann, ben):
    """To the end, by whoever knows all cards."""
    known, gains = {}, 0
    for _ in range(300):
        if ann.locator("#end").is_visible():
            break
        cards = ann.evaluate(SIDES)
        gains += ann.locator(".player .change").count()
        known |= {n: card[2:] for n, card in enumerate(cards) if card.startswith("up")}
        mover = next((page for page in (ann, ben) if page.locator("#room").get_attribute("data-mine") == "true"), None)
        down = [n for n, card in enumerate(cards) if card.startswith("down")]
        if mover is None or not down:
            ann.wait_for_timeout(20)
            continue
        up = [n for n, card in enumerate(cards) if card.startswith("up")]
        twins = [n for n in down for other in (up or down) if n != other and known.get(n, 1) == known.get(other, 2)]
        cell = (twins or [n for n in down if n not in known] or down)[0]
        mover.locator(f'[data-cell="{cell}"]').dispatch_event("click")
        ann.wait_for_timeout(30)
    expect(ann.locator("#end")).to_be_visible()
    expect(ben.locator("#end")).to_be_visible()
    assert gains > 0, "no score was seen to change"
    clean(ann, "end")
    clean(ben, "end-phone")


def resign(table):
    black, white = table.page(DESKTOP), table.page(PHONE, service_workers="block")
    # The line swallows it once: the page does not wait for ever.
    swallowed = []
    white.route("**/ending.js", lambda route: swallowed.append(route))
    url = table.open(black, "Blanche", "reversi")
    table.join(white, url, "Wanda")
    black.locator("#start").click()
    expect(white.locator(".square").first).to_be_visible()
    expect(black.locator('[data-legal="true"]')).to_have_count(4)
    clean(black, "reversi")
    black.get_by_role("button", name="Resign").click()
    black.locator("#ask-dialog .yes").click()
    expect(black.locator("#end-detail")).to_have_text("You resigned.")
    expect(white.locator("#end-detail")).to_have_text("Blanche resigned.", timeout=30_000)
    expect(white.locator("#end-title")).to_have_text("You win!")
    swallowed.pop().abort()
    black.locator("#end-close").click()
    black.locator("#seats").click()
    black.get_by_role("button", name="Close the room").click()
    black.locator("#ask-dialog .yes").click()
    expect(white.locator("#say")).to_have_text("This room is closed.")


def keys_and_sound(table):
    page = table.page(DESKTOP)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    table.open(page, "Kim", "memory", preset="custom", columns=4, rows=4, rule="hard", reveal=10000)
    sound = page.locator("#sound")
    expect(sound).to_have_attribute("aria-pressed", "true")
    sound.click()
    page.reload()
    expect(sound).to_have_attribute("aria-pressed", "false")
    asked.clear()
    page.locator("#start").click()
    expect(page.locator('[data-cell="0"]')).to_be_focused()
    page.keyboard.press("?")
    expect(page.locator("#keys-dialog")).to_be_visible()
    clean(page, "keys")
    page.keyboard.press("Escape")
    # From card to card by arrows; what is drawn anew keeps the focus.
    expect(page.locator('[data-cell="0"]')).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator('[data-cell="5"]')).to_have_attribute("data-side", "up")
    expect(page.locator('[data-cell="5"]')).to_be_focused()
    expect(page.locator("#bonus")).to_have_attribute("data-runs", "true")
    expect(page.locator("#bonus .points")).to_have_text("+0", timeout=8_000)
    page.keyboard.press("c")
    expect(page.locator("#chat-form input")).to_be_focused()
    page.keyboard.type("mc?")
    expect(page.locator("#chat-form input")).to_have_value("mc?")
    page.keyboard.press("Escape")
    expect(page.locator("#chat")).to_be_hidden()
    assert not any(url.endswith("/sound.js") for url in asked), "sound is loaded though it is off"
    with page.expect_response("**/sound.js"):
        page.keyboard.press("m")
    expect(sound).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(sound).to_have_attribute("aria-pressed", "true")
    page.locator("#keys").click()
    page.locator("#keys-on").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    expect(page.locator("#chat")).to_be_hidden()
    expect(page.locator("#trip")).to_contain_text(re.compile(r"\d+ ms"))
    late = table.page(PHONE)
    late.goto(page.url)
    late.locator("#name-form [name=name]").fill("Lea")
    late.keyboard.press("Enter")
    expect(late.locator("#sit")).to_be_focused()
    late.keyboard.press("Enter")
    expect(late.locator('[data-cell="0"]')).to_be_focused()
    return page


def on_demand(table, hub):
    """What a first view does without: where it cannot be had the page says so and goes on, and once it has come while
    nothing else was to be done, it needs no hub."""
    # The worker would have kept all files.
    page = table.page(PHONE, service_workers="block")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.route("**/chat-panel.js", lambda route: route.abort())
    table.open(page, "Nora", "memory")
    late = ("chat-panel.js", "chat.css", "room-host.js", "room-share.js", "ending.js", "settings.css")
    assert not [url for url in asked if url.rsplit("/", 1)[-1] in late], asked
    page.locator("#chat-open").click()
    expect(page.locator("#toasts")).to_contain_text("A part of this page did not arrive")
    expect(page.locator("#chat")).to_be_hidden()
    page.unroute("**/chat-panel.js")
    page.locator("#chat-open").click()
    expect(page.locator("#chat-form input")).to_be_focused()
    page.locator("#chat-close").click()
    page.reload()
    come = "late => late.every(name => performance.getEntriesByType('resource').some(one => one.name.endsWith(name)))"
    page.wait_for_function(come, arg=list(late))
    # All that it names has come too.
    page.wait_for_load_state("networkidle")
    hub.kill()
    expect(page.locator("#line")).to_be_visible()
    for opener, opened in (("#chat-open", "#chat"), ("#change", "#change-dialog"), ("#seats", "#seats-dialog"),
                           ("#settings", "#settings-dialog")):
        page.locator(opener).click()
        expect(page.locator(opened)).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator(opened)).to_be_hidden()
    hub.start()
    page.context.close()


with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
    hub = Hub(sys.argv[1], folder, "--web", sys.argv[2])
    hub.start()
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    try:
        table = Table(browser, f"http://localhost:{hub.port}/")
        ann, ben, url = talk(table)
        phone = share(table, ann, url)
        hammer(table, ann, phone, ben)
        finish(ann, ben)
        resign(table)
        on_demand(table, hub)
        page = keys_and_sound(table)
        hub.process.send_signal(signal.SIGTERM)
        expect(page.locator("#line")).to_have_text("The hub restarts. You lose nothing.")
        hub.process.wait(30)
        hub.start()
        expect(page.locator("#line")).to_be_hidden(timeout=20_000)
        assert not table.faults, table.faults
        print(browser.version, "all held")
    finally:
        browser.close()
        hub.kill()

"""What happens meanwhile takes nothing out of anyone's hands, in Chromium: interruptions.py BINARY WEB."""

import json, pathlib, shutil, sys, tempfile

from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Clients"))
from flipside import Hub
from tabs import PlaywrightTab, join_room, open_room

COMPLAIN = """async () => { const { toasts } = await import('/views/toasts.js')
  toasts(document.querySelector('#toasts'))('That did not work.', 'bad') }"""
# Whether it is what a finger on the middle of it would meet: nothing lies over it.
ON_TOP = """toast => { toast.parentElement.style.pointerEvents = 'auto'
  const { left, top, width, height } = toast.getBoundingClientRect()
  return document.elementFromPoint(left + width / 2, top + height / 2) === toast }"""


# Storage as it is where cookies are blocked.
NOTHING_KEPT = """Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError') } })"""


class Table:
    """Pages of one hub, and what went wrong in them."""

    def __init__(self, browser, base):
        self.browser, self.base, self.faults = browser, base, []

    def page(self, *scripts, **context):
        view = dict(viewport=dict(width=1280, height=800), reduced_motion="reduce")
        page = self.browser.new_context(**view | context).new_page()
        for script in scripts:
            page.add_init_script(script)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        return page


def seats_dialog(table):
    """Who comes and goes does not move the keyboard nor what is being chosen; what goes wrong is told in the dialog."""
    host, guest = table.page(), table.page()
    join_room(PlaywrightTab(guest), open_room(PlaywrightTab(host), table.base, "Hanna"), "Gus")
    host.locator("#seats").click()
    level = host.get_by_label("Level of the computer on seat 3")
    level.select_option("perfect")
    level.focus()
    guest.locator("#leave").click()
    expect(host.get_by_label("Level of the computer on seat 2")).to_be_visible()
    expect(level).to_be_focused()
    expect(level).to_have_value("perfect")
    third = host.locator("#seats-list li").nth(2)
    third.get_by_role("button", name="Add a computer").click()
    expect(third.get_by_role("button", name="Change")).to_be_focused()
    expect(level).to_have_value("perfect")
    third.get_by_role("button", name="Free").click()
    expect(third.get_by_role("button", name="Add a computer")).to_be_focused()
    # Nothing outside of a modal dialog is read out; and it lies behind.
    host.evaluate(COMPLAIN)
    toast = host.locator("#seats-dialog [role=alert] .toast")
    expect(toast).to_have_text("That did not work.")
    assert toast.evaluate(ON_TOP)
    host.locator("#close-room").click()
    expect(host.locator("#ask-dialog > [role=alert]")).to_have_count(1)
    # Told once.
    expect(host.locator("#ask-dialog .toast")).to_have_attribute("aria-hidden", "true")
    host.keyboard.press("Escape")
    expect(host.locator("#seats-dialog > [role=alert]")).to_have_count(1)
    host.keyboard.press("Escape")
    expect(host.locator("body > [role=alert]")).to_have_count(1)
    host.context.close()
    guest.context.close()


def change_dialog(table, server):
    """A room may have options that the form cannot say: what its host does not touch stays as it is."""
    page = table.page()
    token, player = server.register("Opal")
    asked = dict(pairs=7, seats=5, turnTime=45, rule="hard", reveal=300)
    code = server.open_room(token, **asked)
    page.goto(f"{table.base}room/{code}#seat={token}")
    page.locator("#sit").click()
    page.locator("#change").click()
    page.get_by_role("button", name="Use this").click()
    page.locator("#change").click()
    page.locator("#change-dialog summary").click()
    page.locator("#change-dialog [name=theme]").select_option("ocean")
    page.get_by_role("button", name="Use this").click()
    expect(page.locator("#facts")).to_contain_text("Ocean")
    changes = [json.loads(line) for line in server.log(code) if b"options-changed" in line]
    assert [change["options"] for change in changes] == [asked | dict(theme="ocean")], changes
    page.context.close()


def leaderboard(table):
    """A board that is looked at stays chosen, though the newest results have left it behind."""
    page = table.page()
    played = []
    page.route("**/api/leaderboard*", lambda route: route.fulfill(json=dict(results=[
        dict(player="p", name="Pia", game="memory", mode=mode, score=9, turns=20, time=60_000, at=1_700_000_000_000)
        for mode in played])))
    played.append("easy-3x3")
    page.goto(table.base + "#leaderboard")
    mode = page.locator("#leaderboard-form [name=mode]")
    expect(mode.locator("option")).to_have_count(5)
    mode.select_option("easy-3x3")
    played[:] = ["medium-3x5"]
    page.get_by_label("Newest").check()
    expect(mode.locator("option")).to_have_count(6)
    expect(mode).to_have_value("easy-3x3")
    page.locator("#leaderboard-form [name=game]").select_option("reversi")
    expect(mode.locator("option", has_text="3 × 3")).to_have_count(0)
    page.context.close()


def upgrade(table, hub, web):
    """A hub that comes back with other files offers them to the pages that are open, but to nobody who is playing."""
    waiting, playing = table.page(), table.page()
    open_room(PlaywrightTab(waiting), table.base, "Walt")
    playing.goto(table.base)
    playing.get_by_role("button", name="Alone").click()
    playing.locator("#name-dialog").get_by_role("button", name="Play", exact=True).click()
    playing.wait_for_url("**/room/*")
    expect(playing.locator("#board [data-cell]")).to_have_count(16)
    with playing.expect_response("**/files.json"):
        restart(hub)
    for page in (waiting, playing):
        page.evaluate("window.isOld = true")
        expect(page.get_by_text("Connected again.")).to_be_visible(timeout=20_000)
        expect(page.get_by_role("button", name="Load it")).to_have_count(0)
    (web / "later.js").write_text("// New.")
    with playing.expect_response("**/files.json"):
        restart(hub)
    waiting.get_by_role("button", name="Load it").click(timeout=20_000)
    waiting.wait_for_function("() => !window.isOld")
    expect(waiting.locator(".player.you .name")).to_have_text("Walt")
    expect(playing.locator("#line")).to_be_hidden()
    expect(playing.get_by_role("button", name="Load it")).to_have_count(0)
    playing.locator("#seats").click()
    playing.locator("#close-room").click()
    playing.locator("#ask-dialog .yes").click()
    expect(playing.get_by_role("button", name="Load it")).to_be_visible()
    assert playing.evaluate("window.isOld")
    for page in (waiting, playing):
        page.context.close()


def restart(hub):
    hub.kill()
    hub.start()


def small_dialogs(table):
    """On the smallest phones a dialog is no wider than it is, where nothing can be copied or a name is one long word."""
    page = table.page("navigator.clipboard.writeText = () => Promise.reject(); document.execCommand = () => false")
    page.set_viewport_size(dict(width=320, height=568))
    page.goto(table.base)
    page.locator("#quick").click()
    name, other = page.locator("#name-dialog [name=name]"), page.locator("#name-other")
    assert other.bounding_box()["y"] < name.bounding_box()["y"] + name.bounding_box()["height"]
    name.fill("W" * 24)
    page.locator("#name-dialog .primary").click()
    page.wait_for_url("**/room/*")
    page.locator("#share").click()
    page.locator("#share-copy").click()
    expect(page.locator("#share-said")).to_contain_text(page.url)
    is_wide = "() => [...document.querySelectorAll('dialog[open]')].some(dialog => dialog.scrollWidth > dialog.clientWidth)"
    assert not page.evaluate(is_wide)
    page.keyboard.press("Escape")
    page.locator("#settings").click()
    page.locator("#give-up").click()
    assert not page.evaluate(is_wide)
    page.context.close()


def nothing_kept(table):
    """Who plays in a browser that keeps nothing stays who they are from page to page, and takes part in the draw."""
    page, other = table.page(NOTHING_KEPT), table.page(NOTHING_KEPT)
    tab = PlaywrightTab(page)
    open_room(tab, table.base, "Nora")
    assert "#" not in page.url and page.evaluate("(() => { try { localStorage } catch { return true } })()"), page.url
    page.reload()
    expect(page.locator(".player.you .name")).to_have_text("Nora")
    page.locator("#start").click()
    expect(page.locator("#room")).to_have_attribute("data-status", "running")
    page.locator("#board [data-cell]").first.click()
    expect(page.locator("#board [data-side=up]")).to_have_count(1)
    expect(page.locator(".toast")).to_have_count(0)
    # What is chosen lasts as long.
    page.locator("#settings").click()
    page.get_by_label("Dark").check()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-colours", "dark")
    expect(page.locator(".player.you .name")).to_have_text("Nora")
    # Seated before the page of the room is there.
    other.goto(table.base)
    other.get_by_role("button", name="Alone").click()
    other.locator("#name-dialog").get_by_role("button", name="Play", exact=True).click()
    other.wait_for_url("**/room/*")
    other.locator("#board [data-cell]").first.click()
    expect(other.locator("#board [data-side=up]")).to_have_count(1)
    expect(other.locator(".toast")).to_have_count(0)
    page.context.close()
    other.context.close()


def late_parts(table):
    """A part of the page that cannot come while the hub is away comes when it is back, once for two presses; one that is
    lost for as long as the page is open, as some browsers have it, comes with the page that is offered."""
    page = table.page(service_workers="block")
    page.route("**/{icon.svg,pages/*.js}", lambda route: route.abort() if is_away else route.continue_())
    page.route("**/chat-panel.js", lambda route: route.abort() if is_away else held.append(route))
    page.route("**/room-share.js", lambda route: route.abort())
    is_away, held = False, []
    open_room(PlaywrightTab(page), table.base, "Lara")
    is_away = True
    page.locator("#chat-open").click()
    expect(page.locator(".toast", has_text="The hub cannot be reached")).to_be_visible()
    is_away = False
    for _ in range(2):
        page.locator("#chat-open").click()
    while not held:
        page.wait_for_timeout(20)
    held[0].continue_()
    expect(page.locator("#chat")).to_be_visible()
    page.locator("#share").click()
    anew = page.get_by_role("button", name="Load the page again")
    expect(anew).to_be_visible()
    page.unroute("**/room-share.js")
    anew.click()
    page.locator("#share").click()
    expect(page.locator("#share-dialog")).to_be_visible()
    page.context.close()


with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
    web = pathlib.Path(folder, "web")
    shutil.copytree(sys.argv[2], web)
    hub = Hub(sys.argv[1], folder + "/data", "--web", str(web))
    server = hub.start()
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    try:
        table = Table(browser, f"http://localhost:{hub.port}/")
        seats_dialog(table)
        change_dialog(table, server)
        nothing_kept(table)
        leaderboard(table)
        small_dialogs(table)
        late_parts(table)
        upgrade(table, hub, web)
        assert not table.faults, table.faults
        print(browser.version, "nothing is lost")
    finally:
        browser.close()
        hub.kill()

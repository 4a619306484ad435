"""Takes screenshots of every page and state, on a phone, a tablet and a desktop, light and dark: screenshots.py BINARY WEB
FOLDER."""

import pathlib, sys, tempfile

from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Clients"))
from accessibility import AT_REST
from flipside import Hub
from tabs import IS_OVER, PlaywrightTab, join_room, open_room, play, way

FOLDER = pathlib.Path(sys.argv[3])
SIZES = {"phone": dict(viewport=dict(width=390, height=844), device_scale_factor=2, is_mobile=True, has_touch=True),
         "tablet": dict(viewport=dict(width=768, height=1024), has_touch=True),
         "desktop": dict(viewport=dict(width=1440, height=900))}
# Pages whose layout on a tablet differs from both phone and desktop.
ON_TABLETS = {"home", "name", "waiting", "waiting-guest", "memory", "end", "reversi", "replay", "leaderboard", "how-to-play"}
# Pages with their own address; {code} is a room whose game has ended.
ADDRESSES = {"how-to-play": "#how-to-play", "replay": "replay/{code}", "leaderboard": "#leaderboard"}


class Camera:
    def __init__(self, page, name):
        self.page, self.name = page, name

    def take(self, state):
        if self.name.startswith("tablet") and state not in ON_TABLETS:
            return
        # Animations are shown in their final state.
        self.page.wait_for_function(AT_REST)
        self.page.screenshot(path=FOLDER / f"{state}-{self.name}.png", full_page=True, animations="disabled")


def rooms(browser, hub, base, name, view):
    """A room of each game, from start to end."""
    ann, ben = (PlaywrightTab(browser.new_context(**view).new_page()) for _ in range(2))
    camera = Camera(ann.page, name)
    ann.go(base)
    ann.until_shown(way("friends"))
    camera.take("home")
    dialogs(ann, camera, [], **{"set-up": way("set-up")})
    url = open_room(ann, base, f"Ann {name}"[:24], "classic")
    Camera(ben.page, name).page.goto(url)
    ben.until_shown("#name-form")
    Camera(ben.page, name).take("name")
    join_room(ben, url, f"Ben {name}"[:24])
    camera.take("waiting")
    Camera(ben.page, name).take("waiting-guest")
    dialogs(ann, camera, ["seats", "settings"], share="#invite", change=".chip[data-names=theme]", levels=".chair button")
    you(ann, camera)
    ann.press("#start")
    ann.until("document.querySelectorAll('[data-target]').length === 16")
    camera.take("memory-start")

    def interrupt(flips):
        if flips == 9:
            camera.take("memory")
            dialogs(ann, camera, ["leave"])
        if flips == 12:
            hub.kill()
            ann.until("!document.querySelector('#line').hidden")
            camera.take("line-lost")
            hub.start()
            ann.until("document.querySelector('#line').hidden")
    play([ann, ben], [ann, ben], interrupt, is_steady=False)
    camera.take("end")
    Camera(ben.page, name).take("end-other")
    # Leaving a room removes it from the lists.
    alone(PlaywrightTab(ben.page.context.new_page()), base)
    reversi(ann, camera, base, lambda: wall(ben, Camera(ben.page, name), base))
    for state, address in ADDRESSES.items():
        ann.go("about:blank")
        if ann.page.goto(base + address.format(code=url.rsplit("/", 1)[1])).ok:
            camera.take(state)
    ann.go(base + "room/nowhere")
    ann.until_shown("#lost")
    camera.take("no-such-room")
    ann.go(base)
    ann.until("navigator.serviceWorker.controller !== null")
    ann.page.context.set_offline(True)
    ann.until("!document.querySelector('#line').hidden")
    camera.take("offline")
    for tab in (ann, ben):
        tab.page.context.close()


def alone(tab, base):
    """A game that continues while other pages are shown."""
    tab.go(base)
    tab.press(way("friends"))
    tab.press("#start")
    tab.until("document.querySelector('#room').dataset.mine === 'true'")
    tab.click('[data-side="down"]')
    tab.until("document.querySelector('[data-side=up]') !== null")


def wall(tab, camera, base):
    tab.go(base + "#wall")
    tab.until("document.querySelectorAll('.tile').length >= 2")
    camera.take("wall")


def reversi(tab, camera, base, interrupt):
    tab.go(base)
    tab.until_shown(way("friends"))
    tab.press(way("friends", "reversi"))
    tab.press(".chair button")
    tab.press("#levels button")
    tab.press("#start")
    mine = "document.querySelector('#room').dataset.mine === 'true'"
    for moves in range(64):
        tab.until(f"({mine}) || {IS_OVER}")
        if moves == 10:
            camera.take("reversi")
            interrupt()
        if tab.see(IS_OVER):
            break
        placed = tab.see("document.querySelectorAll('.reversi-square:not([data-disc=\"\"])').length")
        tab.click('[data-legal="true"]')
        tab.until(f"document.querySelectorAll('.reversi-square:not([data-disc=\"\"])').length > {placed}")
    camera.take("reversi-end")


def you(tab, camera):
    """The dialog "You", with a code for another device and a recovery code."""
    tab.press("#settings")
    tab.press("#settings-dialog [data-you]")
    tab.until_shown("#devices li")
    camera.take("dialog-you")
    tab.press("#devices-take .show-code")
    tab.until_shown("#devices-take svg")
    tab.press("#recovery-make")
    tab.until_shown("#recovery-code")
    camera.take("dialog-you-codes")
    for _ in range(2):
        tab.page.keyboard.press("Escape")


def dialogs(tab, camera, names, **others):
    """Dialogs by the names of their buttons; `others` by what opens them."""
    for name, opener in ({name: f"#{name}" for name in names} | others).items():
        tab.press(opener)
        tab.until_shown(f"#{name}-dialog")
        camera.take(f"dialog-{name}")
        tab.page.keyboard.press("Escape")
        expect(tab.page.locator(f"#{name}-dialog")).to_be_hidden()


FOLDER.mkdir(parents=True, exist_ok=True)
with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
    hub = Hub(sys.argv[1], folder, "--web", sys.argv[2], "--think-time", "0")
    hub.start()
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    try:
        for size, view in SIZES.items():
            for scheme in "light", "dark":
                rooms(browser, hub, f"http://localhost:{hub.port}/", f"{size}-{scheme}", view | dict(color_scheme=scheme))
        print(len(list(FOLDER.glob("*.png"))), "pictures in", FOLDER)
    finally:
        browser.close()
        hub.kill()

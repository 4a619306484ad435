"""Visitors of a hub: their browser contexts, their identities, and the rooms they sit down in."""

import json, re, secrets

from playwright.sync_api import expect

from flipside import new_token
from protocol_player import Player, loop

DESKTOP = dict(viewport=dict(width=1280, height=800))
PHONE = dict(viewport=dict(width=390, height=844), device_scale_factor=2, is_mobile=True, has_touch=True)
SMALL = dict(viewport=dict(width=320, height=568), device_scale_factor=2, is_mobile=True, has_touch=True)
# Sets a browser's player before its first page of an origin. Later pages keep what has become of it.
KNOWN = """if (location.origin === %s && localStorage.getItem('tests.known') === null) {
  localStorage.setItem('tests.known', '')
  localStorage.setItem('flipside.player', %s) }"""
# The token that a page stores; null if it can store nothing.
KEPT = """(() => { try { return JSON.parse(localStorage.getItem('flipside.player'))?.token } catch { return null } })()"""
# Loading parts in idle time takes as much processor time as the first view, and tests do not wait for it.
BUSY = "window.requestIdleCallback = () => 0"
# In software, blurring the page under a dialog takes as much processor time as all else that a dialog needs.
SHARP = """(() => { const sheet = new CSSStyleSheet()
  sheet.replaceSync('dialog::backdrop { backdrop-filter: none !important }')
  document.adoptedStyleSheets = [sheet] })()"""
# Console messages about lines and files that tests take away; errors of scripts differ.
TAKEN_AWAY = "Failed to load resource", "WebSocket connection to"


def module(path):
    """A promise of one of the page's own modules, for a script: the loaded one, not a second copy of the file."""
    return f"import(document.querySelector('[type=module]').src.replace('page.js', '{path}'))"


class Visitors:
    """Pages of one hub, and what goes wrong in them. Nothing moves, nothing loads without being requested, and no service
    worker runs unless a test says so: `reduced_motion="no-preference"`, `idle=True`, `service_workers="allow"`."""

    def __init__(self, browser, hub, port=None):
        """For `hub`, through another `port` if there is a line in between."""
        self.browser, self.server = browser, hub.server
        self.origin = re.sub(r"//.*", f"//localhost:{port or hub.port}", hub.server.base)
        self.faults, self.players, self.joined = [], {}, []
        # Beginnings of console messages that are not faults.
        self.tolerated = TAKEN_AWAY

    def new(self, name=None, view=DESKTOP, idle=False, **options):
        """A page of a new browser, or of one with a stored name, which others may share; it shows nothing yet."""
        defaults = dict(color_scheme="light", locale="en-GB", reduced_motion="reduce", service_workers="block",
                        base_url=self.origin, ignore_https_errors=True)
        context = self.browser.new_context(**defaults | view | options)
        if name:
            # Passing a storage state to the context would cost an extra page.
            context.add_init_script(KNOWN % (json.dumps(self.origin), json.dumps(json.dumps(self.known(name)))))
        context.add_init_script(SHARP)
        if not idle:
            context.add_init_script(BUSY)
        return self.watch(context.new_page())

    def watch(self, page):
        """Records what goes wrong in `page`."""
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda message: message.type == "error" and not message.text.startswith(self.tolerated)
                and self.faults.append(message.text))
        return page

    def known(self, name):
        """The player with this name, as browsers store it; registered on first use."""
        if name not in self.players:
            token = new_token()
            answer = self.server.http("POST", "/api/players", body=dict(name=name, token=token))
            self.players[name] = json.loads(answer) | dict(token=token)
        return self.players[name]

    def open_room(self, name, game="memory", **options):
        """The path of a room of this player's."""
        return "/room/" + self.server.open_room(self.known(name)["token"], game, **options)

    def open_quick_room(self, name, game="memory", **options):
        """The path of a room of this player's that "Play" finds."""
        body = dict(game=game, options=options, visibility="seeking")
        return "/room/" + json.loads(self.server.http("POST", "/api/rooms", self.known(name)["token"], body))["code"]

    def host(self, name="Ann", game="memory", view=DESKTOP, context={}, **options):
        """The page of a player with a seat in a room of their own."""
        page = self.new(name, view, **context)
        return sit(page, self.open_room(name, game, **options))

    def guest(self, host, name="Ben", view=DESKTOP, **context):
        """The page of a player who has taken a seat in a host's room."""
        return sit(self.new(name, view, **context), host.url)

    def leave_names(self):
        """Gives up all names, and connections without pages, for later tests on the same hub."""
        tokens = {player["token"]: name for name, player in self.players.items()}
        for page in (page for context in self.browser.contexts for page in context.pages if page.url.startswith(self.origin)):
            tokens.setdefault(page.evaluate(KEPT))
        tokens.pop(None, None)
        taken = []
        for token, name in tokens.items():
            if not self.leave_name(token) and name:
                # A deleted player has no name. One who was signed out keeps it, if there is a recovery code.
                trial = new_token()
                status, answer = self.server.ask("POST", "/api/players", body=dict(name=name, token=trial))
                if status == 200:
                    self.leave_name(trial)
                else:
                    taken.append((name, answer))
        for player in self.joined:
            # A close would be answered only once the player has read all messages before it.
            loop.call_soon_threadsafe(player.page.socket.transport.abort)
        assert not taken, f"these names stay taken, so this test needs a hub of its own: {taken}"

    def leave_name(self, token):
        """Gives up the name of the player with this token; false if there is none."""
        return self.server.ask("PUT", "/api/players/me/name", token, dict(name=secrets.token_hex(8)))[0] == 200

    def path(self, page):
        """Where a page is, without `#` and `?` and what follows."""
        return re.sub(r"[?#].*", "", page.url.removeprefix(self.origin))

    def join(self, url, name):
        """A player without a page who has taken a seat in a room."""
        player = Player(self.server, code(url), self.known(name)["token"])
        self.joined.append(player)
        player.do("sit")
        return player

    def spectator(self, host, view=DESKTOP, **context):
        """The page of a spectator without a name."""
        page = self.new(view=view, **context)
        page.goto(host.url)
        expect(page.locator(".player").first).to_be_visible()
        return page


def sit(page, url):
    """Opens a room and takes a seat: the player who has just opened it gets one at once."""
    page.goto(url)
    way = page.locator("#join:visible, #sit:visible, .player.you").first
    way.wait_for()
    if page.locator(".player.you").count() == 0:
        way.click()
    expect(page.locator(".player.you")).to_have_count(1)
    return page


def stop_clock(page):
    """Stops the page's installed clock: time passes only when the test says so."""
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)


def add_computer(host, seat=1, level=None):
    """Lets the host put a computer on an empty chair; by default of the weakest level."""
    host.locator(f".chair[data-seat='{seat}'] button").click()
    host.locator(f"#levels [value='{level}']" if level else "#levels button").first.click()
    expect(host.locator(f".player[data-seat='{seat}']")).to_be_visible()


def start(host, *others):
    """Starts the game; all pages show its board."""
    host.locator("#start").click()
    for page in (host, *others):
        expect(page.locator("#board [data-target]").first).to_be_visible()


def code(url):
    """The code of the room at an address."""
    return url.split("/")[-1].split("?")[0]

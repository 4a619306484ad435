"""Visitors of a hub: a context each in a browser that they share, who they are, and the rooms they sit down in."""

import json, re, secrets

from playwright.sync_api import expect

from flipside import new_token
from protocol_player import Player, wait_for

DESKTOP = dict(viewport=dict(width=1280, height=800))
PHONE = dict(viewport=dict(width=390, height=844), device_scale_factor=2, is_mobile=True, has_touch=True)
SMALL = dict(viewport=dict(width=320, height=568), device_scale_factor=2, is_mobile=True, has_touch=True)
# Who a browser is, before its first page of an origin: another page of it keeps what has become of that.
KNOWN = """if (location.origin === %s && localStorage.getItem('tests.known') === null) {
  localStorage.setItem('tests.known', '')
  localStorage.setItem('flipside.player', %s) }"""
# The token that a page keeps; null where it may keep nothing.
KEPT = """(() => { try { return JSON.parse(localStorage.getItem('flipside.player'))?.token } catch { return null } })()"""
# What a page brings when it has nothing else to do takes as much of a processor as its first view: nobody waits for it.
BUSY = "window.requestIdleCallback = () => 0"
# What a console says of lines and files that tests take away; scripts have other errors.
TAKEN_AWAY = "Failed to load resource", "WebSocket connection to"


def module(path):
    """A promise of one of the page's own modules, in a script: what the page itself has, not that file once more."""
    return f"import(document.querySelector('[type=module]').src.replace('page.js', '{path}'))"


class Visitors:
    """Pages of one hub, and what goes wrong in them. Nothing moves, nothing comes that nobody has asked for, and no service
    worker is at work unless a test says so: `reduced_motion="no-preference"`, `idle=True`, `service_workers="allow"`."""

    def __init__(self, browser, hub, port=None):
        """Of a `hub`, which they reach by another `port` if a line is between them."""
        self.browser, self.server = browser, hub.server
        self.origin = re.sub(r"//.*", f"//localhost:{port or hub.port}", hub.server.base)
        self.faults, self.players, self.joined = [], {}, []
        # Beginnings of messages of the console that are no faults.
        self.tolerated = TAKEN_AWAY

    def new(self, name=None, view=DESKTOP, idle=False, **options):
        """A page of a browser that has never been here, or of one that keeps a name, as others may; it shows nothing yet."""
        defaults = dict(color_scheme="light", locale="en-GB", reduced_motion="reduce", service_workers="block",
                        base_url=self.origin, ignore_https_errors=True)
        context = self.browser.new_context(**defaults | view | options)
        if name:
            # A state that is given to the context would cost a page of its own.
            context.add_init_script(KNOWN % (json.dumps(self.origin), json.dumps(json.dumps(self.known(name)))))
        if not idle:
            context.add_init_script(BUSY)
        return self.watch(context.new_page())

    def watch(self, page):
        """Takes note of what goes wrong in `page`."""
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda message: message.type == "error" and not message.text.startswith(self.tolerated)
                and self.faults.append(message.text))
        return page

    def known(self, name):
        """The player of this name, as browsers keep it; registered when it is first asked for."""
        if name not in self.players:
            token = new_token()
            answer = self.server.http("POST", "/api/players", body=dict(name=name, token=token))
            self.players[name] = json.loads(answer) | dict(token=token)
        return self.players[name]

    def open_room(self, name, game="memory", **options):
        """The path of a room of somebody's."""
        return "/room/" + self.server.open_room(self.known(name)["token"], game, **options)

    def open_quick_room(self, name, game="memory", **options):
        """The path of a room of somebody's that Play finds."""
        body = dict(game=game, options=options, visibility="seeking")
        return "/room/" + json.loads(self.server.http("POST", "/api/rooms", self.known(name)["token"], body))["code"]

    def host(self, name="Ann", game="memory", view=DESKTOP, context={}, **options):
        """The page of somebody who sits in a room of their own."""
        page = self.new(name, view, **context)
        return sit(page, self.open_room(name, game, **options))

    def guest(self, host, name="Ben", view=DESKTOP, **context):
        """The page of somebody who has sat down in a host's room."""
        return sit(self.new(name, view, **context), host.url)

    def leave_names(self):
        """Gives up all names and connections without pages, for who comes to the same hub later."""
        tokens = {player["token"] for player in self.players.values()}
        for page in (page for context in self.browser.contexts for page in context.pages if page.url.startswith(self.origin)):
            tokens.add(page.evaluate(KEPT))
        for token in tokens - {None}:
            # Who was signed out or forgotten has none any more.
            self.server.ask("PUT", "/api/players/me/name", token, dict(name=secrets.token_hex(8)))
        for player in self.joined:
            wait_for(player.page.socket.close())

    def path(self, page):
        """Where a page is, without what stands behind `#` or `?`."""
        return re.sub(r"[?#].*", "", page.url.removeprefix(self.origin))

    def join(self, url, name):
        """Somebody without a page who has sat down in a room."""
        player = Player(self.server, code(url), self.known(name)["token"])
        self.joined.append(player)
        player.do("sit")
        return player

    def spectator(self, host, view=DESKTOP, **context):
        """The page of somebody without a name who looks on."""
        page = self.new(view=view, **context)
        page.goto(host.url)
        expect(page.locator(".player").first).to_be_visible()
        return page


def sit(page, url):
    """Goes to a room and sits down there: who has just opened it sits at once."""
    page.goto(url)
    way = page.locator("#join:visible, #sit:visible, .player.you").first
    way.wait_for()
    if page.locator(".player.you").count() == 0:
        way.click()
    expect(page.locator(".player.you")).to_have_count(1)
    return page


def stop_clock(page):
    """Time passes in a page, whose clock is installed, only when a test says so."""
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)


def add_computer(host, seat=1, level=None):
    """Has the host put a computer on an empty chair; of the weakest level, if none is said."""
    host.locator(f".chair[data-seat='{seat}'] button").click()
    host.locator(f"#levels [value='{level}']" if level else "#levels button").first.click()
    expect(host.locator(f".player[data-seat='{seat}']")).to_be_visible()


def start(host, *others):
    """Starts the game; all see its board."""
    host.locator("#start").click()
    for page in (host, *others):
        expect(page.locator("#board [data-cell]").first).to_be_visible()


def code(url):
    """The code of the room at an address."""
    return url.split("/")[-1].split("?")[0]

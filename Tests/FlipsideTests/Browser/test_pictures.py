"""What is drawn of the games: the pixels of boards in Chromium, Firefox and WebKit."""

import json

import pytest

from pictures import pictures
from protocol_player import wait_for
from tabs import PlaywrightTab, webkit
from visitors import DESKTOP, Visitors, code

ENGINES = "chromium", "firefox", "webkit"
# Where cards of Memory are seen, by the board's element.
LIVE, REPLAY = "#board", "#replay-board"
COUNT = "document.querySelectorAll('%s [data-side=%s]').length === %d"


@pytest.fixture(scope="module")
def visitors(make_module_hub):
    hub = make_module_hub("--think-time", "0")
    hub.start()
    return Visitors(None, hub)


@pytest.fixture(scope="module", params=[f"{engine}{still}" for engine in ENGINES for still in ("", "-still")])
def tab(request, visitors):
    """A page of the hub, in which things move unless it says that they are to be still."""
    engine, _, still = request.param.partition("-")
    settings = json.dumps(json.dumps(dict(still=bool(still), language="en")))
    if engine == "webkit":
        with webkit(request.getfixturevalue("display")) as tab:
            tab.go(visitors.origin + "/icon.svg")
            tab.see(f"localStorage.setItem('flipside.settings', {settings})")
            yield tab
    else:
        context = request.getfixturevalue(engine).new_context(**DESKTOP, reduced_motion="no-preference")
        tab = PlaywrightTab(context.new_page())
        tab.go(visitors.origin + "/icon.svg")
        tab.see(f"localStorage.setItem('flipside.settings', {settings})")
        yield tab
        context.close()


class Memory:
    """A game of four pairs around a gap, which Ann and Ben play without pages."""

    def __init__(self, visitors, reveal):
        self.url = visitors.origin + visitors.open_room(
            "Ann", preset="custom", columns=3, rows=3, theme="animals", seats=2, turnTime=0, reveal=reveal)
        self.players = [visitors.join(self.url, name) for name in ("Ann", "Ben")]
        self.players[0].do("start")
        self.faces, self.won = {}, []

    def flip(self, cell):
        """Turns a card up for whoever's turn it is, once it may be turned."""
        while True:
            for player in self.players:
                answer = wait_for(player.page.command("flip", cell=cell))
                if answer["type"] == "ok":
                    self.faces |= {event["cell"]: event["face"] for _, event in player.page.events if event["type"] == "show-card"}
                    return
                assert answer["code"] in ("not-your-turn", "wait-for-reveal"), answer

    def win(self):
        """Plays until a pair is won; its cells."""
        cells = [cell for cell in range(9) if cell != 4 and cell not in self.won]
        while True:
            fresh = [cell for cell in cells if cell not in self.faces]
            pairs = ([a, b] for a in cells for b in cells if a < b and a in self.faces and self.faces[a] == self.faces.get(b))
            pair = next(pairs, None)
            first = pair[0] if pair else fresh[0]
            self.flip(first)
            twin = next((cell for cell in cells if cell != first and self.faces.get(cell) == self.faces[first]), None)
            second = twin if twin is not None else [cell for cell in fresh if cell != first][0]
            self.flip(second)
            if self.faces[first] == self.faces[second]:
                self.won += [first, second]
                return


@pytest.fixture(scope="module")
def cards(tab, visitors):
    """Pictures of cards of Memory, by where they are and by their state, as these come to be while the page looks on."""
    found = {}

    def keep(where, side, count, name=None):
        while True:
            tab.until(COUNT % (where, side, count))
            taken = pictures(tab, f"{where} [data-side={side}]")
            if tab.see(COUNT % (where, side, count)):
                found[where, name or side] = taken
                return

    game = Memory(visitors, reveal=10_000)
    tab.go(game.url)
    keep(LIVE, "down", 8)
    keep(LIVE, "gap", 1)
    game.flip(0)
    keep(LIVE, "up", 1)
    version = json.loads(visitors.server.log(code(game.url))[-1])["v"]
    tab.go(f"{game.url.replace('/room/', '/replay/')}?v={version - 1}")
    tab.until(COUNT % (REPLAY, "down", 8))
    tab.press("#replay-forward")
    keep(REPLAY, "up", 1)
    game = Memory(visitors, reveal=200)
    tab.go(game.url)
    game.win()
    keep(LIVE, "won", 2)
    return found


def test_a_face_that_is_up_covers_its_card(cards):
    faces = {place: [face.part(0.15, 0.15, 0.85, 0.85).covered for face in faces]
             for place, faces in cards.items() if place[1] in ("up", "won")}
    assert all(covered > 0.04 for shares in faces.values() for covered in shares), faces

"""What is drawn: pixels of boards in Chromium, Firefox and WebKit, in light and dark, in colours that a system forces on
pages, and in greyscale. Each test compares things that must look different."""

import contextlib, itertools, json, os

import pytest

from pictures import all_pictures, contrast, pictures
from protocol_player import wait_for
from tabs import PlaywrightTab, webkit
from visitors import DESKTOP, Visitors, code

FORCED = {"browser.display.document_color_use": 2}
# Browsers darken pages if the system is dark.
FORCED_DARK = dict(start=dict(args=["--blink-settings=forceDarkModeEnabled=true"]), context=dict(color_scheme="dark"))
# Kinds of browsers, each with its start options, its context, and the page's settings. The first of an engine also shows
# everything that moves by itself; some run only with `scripts/test --long`.
LOOKS = {
    "chromium": dict(),
    "chromium-still": dict(settings=dict(still=True), is_long=True),
    "chromium-dark": dict(context=dict(color_scheme="dark")),
    "chromium-forced-colours": dict(context=dict(color_scheme="dark", forced_colors="active")),
    "chromium-forced-dark": FORCED_DARK | dict(is_long=True),
    "firefox": dict(),
    "firefox-still": dict(settings=dict(still=True), is_long=True),
    "firefox-dark": dict(settings=dict(colours="dark"), is_long=True),
    "firefox-forced-colours": dict(start=FORCED, is_long=True),
    "webkit": dict(),
    "webkit-still": dict(settings=dict(still=True), is_long=True),
    "webkit-dark": dict(settings=dict(colours="dark"), is_long=True),
}
IS_LONG = bool(os.environ.get("FLIPSIDE_LONG_TESTS"))
# Those that also look at the other pages with boards.
VISITING = ("chromium", "chromium-still", "firefox", "firefox-still", "webkit", "webkit-still") if IS_LONG else ("firefox",)
LIVE, REPLAY, TILE = "#board", "#replay-board", ".tile [data-matched=stay]"
MINIATURE, DEMONSTRATION = ".game-card .memory-board", ".demonstration .memory-board"
WCAG = 3
# How to start another browser of an engine: with options, or with preferences.
STARTS = dict(chromium="start_chromium", firefox="launch_firefox")


@pytest.fixture(scope="module")
def visitors(make_module_hub):
    hub = make_module_hub("--think-time", "0")
    hub.start()
    return Visitors(None, hub)


@contextlib.contextmanager
def page_of(request, visitors, wanted, look="chromium"):
    """A page of the hub that looks as `wanted`, in the engine whose name begins that of its `look`. Things move unless it is
    a still one."""
    engine = look.partition("-")[0]
    with contextlib.ExitStack() as stack:
        if engine == "webkit":
            tab = stack.enter_context(webkit(request.getfixturevalue("display")))
        else:
            browser = (
                request.getfixturevalue(STARTS[engine])(**wanted["start"]) if "start" in wanted else request.getfixturevalue(engine))
            context = browser.new_context(**DESKTOP, **dict(reduced_motion="no-preference", color_scheme="light") | wanted.get("context", {}))
            stack.callback(browser.close if "start" in wanted else context.close)
            tab = PlaywrightTab(context.new_page())
        choose(tab, visitors, language="en", **wanted.get("settings", {}))
        yield tab


def choose(tab, visitors, **settings):
    """Opens the hub, where the page stores settings."""
    tab.go(visitors.origin + "/icon.svg")
    tab.see(f"localStorage.setItem('flipside.settings', {json.dumps(json.dumps(settings))})")


class Game:
    """A game that Ann and Ben play without pages."""

    def __init__(self, visitors, game="memory", **options):
        self.url = visitors.origin + visitors.open_room("Ann", game, turnTime=0, **options)
        self.players = [visitors.join(self.url, name) for name in ("Ann", "Ben")]
        self.server = visitors.server
        self.players[0].do("start")

    def move(self, command, **fields):
        """A move of the player whose turn it is, as soon as it is possible."""
        while True:
            for player in self.players:
                answer = wait_for(player.page.command(command, **fields))
                if answer["type"] == "ok":
                    return
                assert answer["code"] in ("not-your-turn", "wait-for-reveal"), answer

    def replay(self, of=None):
        """The replay's address, at the current position or right after the last event of a type."""
        events = [json.loads(line) for line in self.server.log(code(self.url))]
        version = [event["v"] for event in events if of in (None, event["type"])][-1]
        return f"{self.url.replace('/room/', '/replay/')}?v={version}"


class Memory(Game):
    """Pairs around a gap: four, or so many that not all are found at once."""

    def __init__(self, visitors, side=3, **options):
        super().__init__(visitors, preset="custom", columns=side, rows=side, theme="animals", seats=2, reveal=200, **options)
        self.faces, self.down = {}, [cell for cell in range(side * side) if cell != side * side // 2]

    def flip(self, cell):
        self.move("flip", cell=cell)
        for player in self.players:
            self.faces |= {event["cell"]: event["face"] for _, event in player.page.events if event["type"] == "show-card"}

    def turn_two(self, look=lambda: None):
        """Turns two cards up, a pair if one is known; calls `look` while the first is up. Returns whether they are a pair."""
        fresh = [cell for cell in self.down if cell not in self.faces]
        twins = [pair for pair in itertools.combinations(self.down, 2) if len({self.faces.get(cell, cell) for cell in pair}) == 1]
        first = twins[0][0] if twins else fresh.pop(0)
        self.flip(first)
        look()
        twin = [cell for cell in self.down if cell != first and self.faces.get(cell) == self.faces[first]]
        second = (twin + fresh)[0]
        self.flip(second)
        if self.faces[first] != self.faces[second]:
            return False
        self.down = [cell for cell in self.down if cell not in (first, second)]
        return True

    def find_a_pair(self, look=lambda: None):
        while not self.turn_two(look):
            pass


class Gallery:
    """Pictures of what pages show, by place and name."""

    def __init__(self, tab):
        self.tab, self.taken = tab, {}

    def __getitem__(self, place):
        return self.taken[place]

    def all(self, *names):
        """Pictures of all places with any of these names."""
        return {place: pictures for place, pictures in self.taken.items() if place[1] in names}

    def keep(self, where, **what):
        """Takes, by name, all elements of `where` that match a selector, once there are some and nothing else is there while
        they are taken; given a number, once there are that many."""
        wanted = {name: one if isinstance(one, tuple) else (one, None) for name, one in what.items()}
        selectors = [f"{where} {selector}" for selector, _ in wanted.values()]
        shown = " && ".join(f"document.querySelectorAll({selector!r}).length {'> 0' if count is None else f'=== {count}'}"
                            for selector, (_, count) in zip(selectors, wanted.values()))
        while True:
            self.tab.until(shown)
            taken = all_pictures(self.tab, where, selectors)
            if self.tab.see(shown):
                self.taken |= {(where, name): pictures for name, pictures in zip(wanted, taken)}
                return


@pytest.fixture(scope="module")
def scenes(visitors):
    """Finished games, each with the positions in its replay that show something, and what."""
    missed = Memory(visitors, side=5)
    while missed.turn_two():
        pass
    gone, stays = Memory(visitors, matched="vanish"), Memory(visitors, matched="stay")
    for game in gone, stays:
        game.find_a_pair()
    stays.flip(stays.down[0])
    drops, places = Game(visitors, "connect-four"), Game(visitors, "reversi")
    for column in (3, 3, 4):
        drops.move("drop", column=column)
    # For black, which takes one of white's.
    places.move("place", cell=19)
    lines = Game(visitors, "dots-and-boxes", size=3, seats=2)
    # A box for each of the two.
    for line in (0, 2, 6, 11, 7, 9, 4, 10, 5, 3):
        lines.move("draw", line=line)
    return [
        (missed.replay(of="show-card"), dict(miss=("[data-side=up]", 2))),
        (gone.replay(), dict(vanished=("[data-side=won]", 2))),
        (stays.replay(of="show-card"), dict(
            up=("[data-side=up]", 1), won=("[data-side=won]", 2), down=("[data-side=down]", 5), gap=("[data-side=gap]", 1))),
        (drops.replay(of="drop-disc"), dict(
            last_drop=("[data-last=true]", 1), drop_before=("[data-last=false][data-seat='0']", 1),
            second_seat="[data-seat='1']",
            hole=(".connect-four-hole:not([data-seat])", 39))),
        (places.replay(of="place-disc"), dict(
            last_place=("[data-last=true][data-disc=black]", 1), black=("[data-last=false][data-disc=black]", 3),
            white=("[data-disc=white]", 1), empty=("[data-disc='']", 59))),
        (lines.replay(of="draw-line"), dict(
            last_line=(".dots-and-boxes-line[data-last=true]", 1),
            line_before=(".dots-and-boxes-line[data-seat='1'][data-last=false][data-lies=true]", 2),
            open_line=(".dots-and-boxes-line:not([data-seat])[data-lies=true]", 1),
            box=(".dots-and-boxes-box[data-seat='0']", 2), other_box=(".dots-and-boxes-box[data-seat='1']", 1),
            no_box=(".dots-and-boxes-box:not([data-seat])", 1))),
    ]


def watch(gallery, visitors):
    """A game as it is played."""
    game = Memory(visitors, matched="stay")
    gallery.tab.go(game.url)
    gallery.keep(LIVE, down=("[data-side=down]", 8), gap=("[data-side=gap]", 1))
    game.find_a_pair(lambda: gallery.keep(LIVE, up=("[data-side=up]", 1)))
    gallery.keep(LIVE, won=("[data-side=won]", 2))
    # For the wall.
    game.flip(game.down[0])


def visit_pages(gallery, visitors, moves):
    tab = gallery.tab
    tab.go(visitors.origin + "/#wall")
    gallery.keep(TILE, up="[data-side=up]", won="[data-side=won]", down="[data-side=down]")
    tab.go(visitors.origin + "/")
    if moves:
        # While it runs, a pair must be left to find.
        tab.until(f"document.querySelectorAll('{MINIATURE} [data-side=won]').length === 6")
    gallery.keep(MINIATURE, won=("[data-side=won]", 8))
    tab.go(visitors.origin + "/#how-to-play")
    gallery.keep(DEMONSTRATION, won=("[data-side=won]", 2))


def by_one_worker(engine):
    """Assigns all tests of one engine to one worker, which starts it once."""
    return pytest.mark.xdist_group(f"pictures-{engine}")


def marked(look):
    engine = look.partition("-")[0]
    return pytest.param(look, marks=[by_one_worker(engine)] + [pytest.mark.seconds(60)] * (engine == "firefox"))


@pytest.fixture(scope="module", params=[
    marked(look) for look in LOOKS if IS_LONG or not LOOKS[look].get("is_long")])
def drawn(request, visitors, scenes):
    """Pictures of boards: in replays, and for the first look of an engine during a game too."""
    look = request.param
    with page_of(request, visitors, LOOKS[look], look) as tab:
        gallery = Gallery(tab)
        for url, what in scenes:
            tab.go(url)
            gallery.keep(REPLAY, **what)
        if "-" not in look or look.endswith("still"):
            watch(gallery, visitors)
        if look in VISITING:
            visit_pages(gallery, visitors, "-" not in look)
        yield gallery


def test_a_face_that_is_up_covers_its_card(drawn):
    faces = {place: [face.part(0.15, 0.15, 0.85, 0.85).covered for face in faces]
             for place, faces in drawn.all("up", "miss", "won").items()}
    assert all(covered > 0.04 for shares in faces.values() for covered in shares), faces


def test_a_card_looks_different_down_up_won_and_absent(drawn):
    for where in {where for where, name in drawn.taken if name == "gap"}:
        sides = {name: drawn[where, name][0] for name in ("down", "up", "won", "gap")}
        alike = {(where, one, other): shares for one, other in itertools.combinations(sides, 2)
                 if min(shares := [sides[one].unlike(sides[other]), sides[one].grey.unlike(sides[other].grey)]) < 0.05}
        assert not alike


def test_a_pair_that_vanishes_leaves_what_a_gap_shows(drawn):
    [gap] = drawn[REPLAY, "gap"]
    assert [card.covered < 0.01 and card.unlike(gap) < 0.1 for card in drawn[REPLAY, "vanished"]] == [True, True]


def test_discs_of_reversi_stand_out_from_one_another_and_from_the_board(drawn):
    looks = {name: drawn[REPLAY, name][-1].part(0.25, 0.25, 0.75, 0.75) for name in ("black", "white", "empty")}
    ratios = {pair: contrast(*(looks[name] for name in pair)) for pair in itertools.combinations(looks, 2)}
    assert all(ratio >= WCAG for ratio in ratios.values()), ratios


def test_discs_of_connect_four_stand_out_from_one_another_and_from_the_board(drawn):
    looks = {name: drawn[REPLAY, name][0].part(0.2, 0.2, 0.8, 0.8) for name in ("drop_before", "second_seat", "hole")}
    looks["board"] = drawn[REPLAY, "hole"][0].part(0, 0, 0.08, 0.08)
    pairs = [pair for pair in itertools.combinations(looks, 2) if pair != ("hole", "board")]
    ratios = {pair: contrast(*(looks[name] for name in pair)) for pair in pairs}
    assert all(ratio >= WCAG for ratio in ratios.values()), ratios


def test_lines_of_dots_and_boxes_stand_out_from_open_ones_and_boxes_from_one_another(drawn):
    line, none = (drawn[REPLAY, name][0].part(0.3, 0.44, 0.7, 0.56) for name in ("line_before", "open_line"))
    assert contrast(line, none) >= WCAG, contrast(line, none)
    # It is seen where a line can be drawn.
    paper = drawn[REPLAY, "open_line"][0].part(0.3, 0.05, 0.7, 0.17)
    assert contrast(none, paper) > 1.1, contrast(none, paper)
    boxes = [drawn[REPLAY, name][0].part(0.2, 0.2, 0.8, 0.8) for name in ("box", "other_box", "no_box")]
    assert all(one.grey.unlike(other.grey) > 0.05 for one, other in itertools.combinations(boxes, 2))


@pytest.mark.parametrize("last, other", [("last_place", "black"), ("last_drop", "drop_before"), ("up", "down"),
                                         ("last_line", "line_before")])
def test_the_last_move_is_seen(drawn, last, other):
    one, another = drawn[REPLAY, last][0], drawn[REPLAY, other][0]
    assert one.grey.unlike(another.grey) > 0.02, (one.unlike(another), one.grey.unlike(another.grey))


def differ(shapes, least):
    """Any two of these shapes differ by at least this much, even in the same colours."""
    return all(one.unlike(other) > least for one, other in itertools.combinations(shapes, 2))


def test_eight_seats_have_eight_marks(request, visitors):
    url = visitors.origin + visitors.open_room("Ann", seats=8)
    host = visitors.join(url, "Ann")
    for seat in range(1, 8):
        host.do("bot", seat=seat, level="easy")
    with page_of(request, visitors, dict(context=dict(device_scale_factor=2))) as tab:
        tab.go(url)
        tab.until("document.querySelectorAll('#players .seat-mark').length === 8")
        marks = [mark.part(0.12, 0.12, 0.88, 0.88).shape for mark in pictures(tab, "#players .seat-mark", scale=2)]
    assert len(marks) == 8 and differ(marks, 0.08)


def test_cards_won_by_two_players_have_two_marks_and_those_of_one_the_same(request, visitors):
    with page_of(request, visitors, dict(settings=dict(still=True))) as tab:
        tab.go(visitors.origin)
        tab.until(f"document.querySelectorAll('{MINIATURE} [data-side=won]').length === 8")
        by = [[card.part(0.68, 0.02, 0.98, 0.3).shape for card in pictures(tab, f"{MINIATURE} [data-side=won][data-seat='{seat}']")]
              for seat in (0, 1)]
    assert differ([by[0][0], by[1][0]], 0.08)
    assert all(one.unlike(marks[0]) < 0.05 for marks in by for one in marks)


def test_a_chosen_light_mode_stays_if_a_browser_darkens_pages(request, visitors):
    with page_of(request, visitors, FORCED_DARK) as tab:
        for chosen, is_light in (dict(colours="light"), True), ({}, False):
            choose(tab, visitors, **chosen)
            tab.go(visitors.origin)
            tab.until("document.querySelector('.game-card')")
            [ground] = pictures(tab, "#home .hero")
            assert (ground.luminance > 0.5) == is_light, ground.luminance


WITHOUT_EMOJI = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>/usr/share/fonts/truetype/dejavu</dir><cachedir>%s</cachedir></fontconfig>"""


def unlike(one, other):
    """How different two cards' faces are at best. Cards start in the middle of a pixel, so one is moved by a pixel."""
    left, top, right, bottom = 0.15, 0.25, 0.8, 0.85
    face, (width, height) = one.part(left, top, right, bottom).shape, other.image.size
    return min(
        face.unlike(other.part(left + x / width, top + y / height, right + x / width, bottom + y / height).shape)
        for x in (-1, 0, 1) for y in (-1, 0, 1))


def test_faces_that_no_font_has_are_told_apart(request, visitors, tmp_path):
    fonts = tmp_path / "fonts.conf"
    fonts.write_text(WITHOUT_EMOJI % tmp_path)
    game, shown = Memory(visitors, side=5), {}
    while len(shown) < 2:
        before = set(game.down)
        if game.turn_two():
            cells = ", ".join(f"[data-target='{cell}']" for cell in before - set(game.down))
            shown["won"] = game.replay(), f":is({cells})[data-side=won]"
        else:
            shown["up"] = game.replay(of="show-card"), "[data-side=up]"
    with page_of(request, visitors, dict(start=dict(env=os.environ | {"FONTCONFIG_FILE": str(fonts)}))) as tab:
        gallery = Gallery(tab)
        for side, (url, cards) in shown.items():
            tab.go(url)
            gallery.keep(REPLAY, **{side: (cards, 2)})
    same, other = (unlike(*gallery[REPLAY, side]) for side in ("won", "up"))
    assert 3 * same < other, (same, other)


@pytest.mark.parametrize("engine", [marked("chromium"), marked("firefox")])
def test_characters_that_no_font_has_are_recognised_by_their_boxes(request, visitors, engine):
    """Firefox writes the character's code into the box, so no two are alike."""
    missing, there = ["\U0007a4c2", "\U00093ef8", "\u1c8f", "\u2fe0"], ["🦊", "🐙", "♞", "A", "□", "■"]
    with page_of(request, visitors, {}, engine) as tab:
        tab.go(visitors.origin)
        found = tab.page.evaluate("""async signs => { const { standIn } = await import('/games/memory/stand-ins.js')
          return signs.filter(sign => standIn(sign, '', document) !== null) }""", missing + there)
    assert found == missing


# result-share.test.js shows what the page does with noise. This shows that Firefox returns it.
@by_one_worker("firefox")
@pytest.mark.long
@pytest.mark.parametrize("guards, hands_out", [(True, False), (False, True)])
def test_a_browser_that_returns_noise_shares_no_picture(request, visitors, guards, hands_out):
    with page_of(request, visitors, dict(start={"privacy.resistFingerprinting": True}) if guards else {}, "firefox") as tab:
        tab.go(visitors.origin)
        drawn = tab.page.evaluate("""async () => { const { resultPicture } = await import('/views/result-picture.js')
          return (await resultPicture({ game: 'Memory', title: '', lines: [] }, null)) !== null }""")
    assert drawn == hands_out

"""How a game and a room end, and what the page says about it."""

import pytest
from playwright.sync_api import expect

from accessibility import SIZES, expect_accessible
from layout import CUT, resize
from protocol_player import Player, wait_for
from tabs import PlaywrightTab, play
from visitors import DESKTOP, PHONE, code, start

pytestmark = pytest.mark.shares_hub

# After this long, in ms, a page counts a load as lost.
LONGEST_LOAD = 10_000
# How often a score visibly changed.
GAINS = """() => { window.gains = 0; new MutationObserver(() => { gains += document.querySelectorAll('.player .change').length })
  .observe(document.querySelector('#players'), {subtree: true, childList: true, characterData: true}) }"""
# How long the last move stays in view, in ms; without motion that is all.
BEAT = 800
# Which of these cells are covered.
COVERED = """cells => cells.filter(cell => {
  const { x, y, width, height } = document.querySelector(`[data-target="${cell}"]`).getBoundingClientRect()
  const top = document.elementFromPoint(x + width / 2, y + height / 2)
  return top?.closest('[data-target]')?.dataset.target !== String(cell) })"""
BOARD = "JSON.stringify(document.querySelector('#board').getBoundingClientRect())"
# How much moves on the board as the game ends, and as its end appears.
MOVES = """() => { window.moves = {}
  const count = name => window.moves[name] ??= document.querySelector('#board').getAnimations({subtree: true})
    .filter(({ playState }) => playState === 'running').length
  const look = () => { if (document.querySelector('#room').dataset.status === 'ended') count('ended')
    if (!document.querySelector('#end').hidden) count('shown') }
  new MutationObserver(look).observe(document.querySelector('#room'), {subtree: true, attributeFilter: ['data-status', 'hidden']}) }"""
# Everything read aloud.
LISTEN = """() => { window.heard = []
  new MutationObserver(changes => changes.forEach(({ addedNodes }) => heard.push(...[...addedNodes].map(node => node.textContent))))
    .observe(document.querySelector('#announcer'), {childList: true}) }"""


class LastMoves:
    """A game that Ann and Ben play to its end by messages, with Ann's page watching."""

    def __init__(self, visitors, game, view=DESKTOP, **context):
        options = {"memory": dict(preset="custom", columns=2, rows=3), "dots-and-boxes": dict(size=3, seats=2)}.get(game, {})
        self.page = visitors.new("Ann", view, **context)
        self.page.clock.install()
        self.page.goto(visitors.open_room("Ann", game, **options))
        expect(self.page.locator(".player.you")).to_have_count(1)
        self.game, room = game, code(self.page.url)
        self.players = [Player(visitors.server, room, visitors.known("Ann")["token"])]
        if game != "memory":
            self.players.append(visitors.join(self.page.url, "Ben"))
        start(self.page)
        wait_for(self.players[0].page.until(lambda message: message["type"] == "turn"))

    def play(self):
        """Plays, and returns the cells of the last move."""
        if self.game == "memory":
            self.players[0].play_alone()
            return list(range(6))
        if self.game == "reversi":
            # The shortest game: black takes all discs.
            for move, square in enumerate("e6 f4 e3 f6 g5 d6 e7 f5 c5".split()):
                self.players[move % 2].do("place", cell=(int(square[1]) - 1) * 8 + "abcdefgh".index(square[0]))
            return list(range(64))
        if self.game == "dots-and-boxes":
            for move in "a0 b2 a6 b11 a7 a9 b4 a10 a5 b3 b8 a1".split():
                self.players["ab".index(move[0])].do("draw", line=int(move[1:]))
            return list(range(12))
        for move, column in enumerate([2, 2, 3, 3, 4, 4, 5]):
            self.players[move % 2].do("drop", column=column)
        return [37, 38, 39, 40]


@pytest.mark.parametrize("game, view", [
    ("memory", DESKTOP), ("reversi", DESKTOP), ("connect-four", DESKTOP), ("connect-four", PHONE),
    ("dots-and-boxes", PHONE)], ids=["memory", "reversi", "connect-four", "phone", "dots-and-boxes"])
def test_the_last_move_is_visible_before_the_end_and_beside_it(visitors, game, view):
    last = LastMoves(visitors, game, view)
    page = last.page
    page.clock.pause_at(page.evaluate("Date.now()") + 1_000)
    cells = last.play()
    expect(page.locator("#room")).to_have_attribute("data-status", "ended")
    board = page.evaluate(BOARD)
    expect(page.locator("#end")).to_be_hidden()
    assert page.evaluate(COVERED, cells) == []
    page.clock.run_for(BEAT)
    expect(page.locator("#end")).to_be_visible()
    assert page.evaluate(COVERED, cells) == []
    if view is DESKTOP:
        assert page.evaluate(BOARD) == board, "the board moves"
    page.keyboard.press("Escape")
    expect(page.locator("#end")).to_be_hidden()
    assert page.evaluate(COVERED, cells) == []


@pytest.mark.parametrize("game", ["memory", "reversi", pytest.param("connect-four", marks=pytest.mark.long)])
def test_the_end_waits_until_the_last_move_is_at_rest(visitors, game):
    last = LastMoves(visitors, game, reduced_motion="no-preference")
    last.page.evaluate(MOVES)
    last.play()
    expect(last.page.locator("#end")).to_be_visible()
    moves = last.page.evaluate("moves")
    assert moves["ended"] > 0 and moves["shown"] == 0, moves


class TestTheEndOfAGameWithAnother:
    @pytest.fixture
    def last(self, visitors):
        last = LastMoves(visitors, "connect-four")
        last.page.evaluate(LISTEN)
        last.play()
        expect(last.page.locator("#end")).to_be_visible()
        return last

    def test_is_announced_once(self, last):
        expect(last.page.locator("#end")).to_be_focused()
        # On focus, a screen reader hears what the panel is; the winner and the places have been announced.
        assert last.page.locator(":focus").get_attribute("aria-label") == "Results"
        heard = last.page.evaluate("heard")
        assert [said for said in heard if "won" in said] == ["You won the game. 1. You. 2. Ben."], heard

    def test_covers_nothing_at_any_size(self, last):
        for size in SIZES + ((1024, 600), (768, 1024), (844, 390), (568, 320), (1920, 1080)):
            resize(last.page, size)
            last.page.locator("#end").scroll_into_view_if_needed()
            assert last.page.evaluate(COVERED, [37, 38, 39, 40]) == [], size
        expect_accessible(last.page, SIZES)

    def test_closed_leaves_a_rematch_and_the_way_back(self, last):
        page = last.page
        page.keyboard.press("Escape")
        expect(page.locator("#results")).to_be_focused()
        expect_accessible(page, SIZES)
        page.locator("#actions").get_by_role("button", name="Rematch").click()
        expect(page.locator("#proposal-words")).to_have_text("You asked for a rematch.")
        page.locator("#results").click()
        expect(page.locator("#end-title")).to_be_focused()

    def test_closed_says_why_there_is_no_rematch(self, last):
        wait_for(last.players[1].page.socket.close())
        expect(last.page.locator("#end-rematch")).to_have_text("Ben isn’t here right now.")
        last.page.keyboard.press("Escape")
        last.page.locator("#play-again").press("Enter")
        expect(last.page.locator("#toasts")).to_contain_text("Ben isn’t here right now.")


def test_scores_visibly_change_and_all_see_the_end(visitors):
    ann = visitors.host("Maximiliane Wolkenstein", preset="custom", columns=2, rows=3, turnTime=60, reveal=200)
    ben = visitors.guest(ann, "Ben", PHONE)
    start(ann, ben)
    ann.evaluate(GAINS)
    tabs = [PlaywrightTab(page) for page in (ann, ben)]
    play(tabs, tabs)
    assert ann.evaluate("window.gains") > 0, "no score was seen to change"
    for page in (ann, ben):
        expect(page.locator("#end")).to_be_visible()
        expect_accessible(page)
    resize(ann, (320, 568))
    assert not ann.evaluate(CUT, ".player :is(.name, .tag), #end :is(.name, .detail)")


def test_resigning_loses_even_if_the_other_page_lacks_the_texts(visitors):
    black = visitors.host("Blanche", "reversi")
    white = visitors.new("Wanda", PHONE)
    # The line swallows it once: the page does not wait for ever.
    swallowed = []
    white.route("**/ending.js", lambda route: swallowed.append(route))
    white.clock.install()
    white.goto(black.url)
    white.locator("#join").click()
    start(black)
    expect(white.locator(".reversi-square").first).to_be_visible()
    expect(black.locator('[data-legal="true"]')).to_have_count(4)
    expect_accessible(black)
    black.get_by_role("button", name="Resign").click()
    black.locator("#ask-dialog .yes").click()
    expect(black.locator("#end-detail")).to_have_text("You resigned.")
    expect(white.locator("#room")).to_have_attribute("data-status", "ended")
    white.clock.fast_forward(LONGEST_LOAD)
    expect(white.locator("#end-detail")).to_have_text("Blanche resigned.")
    expect(white.locator("#end-title")).to_have_text("You win!")
    swallowed.pop().abort()


def test_a_room_that_its_host_closes_is_closed_for_all(visitors):
    ann = visitors.host("Ann")
    ben = visitors.spectator(ann, PHONE)
    ann.locator("#seats").click()
    ann.get_by_role("button", name="Close room").click()
    ann.locator("#ask-dialog .yes").click()
    expect(ben.locator("#say")).to_have_text("This room is closed.")

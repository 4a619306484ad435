"""Proposals to restart and for a rematch: everyone is told, and those who are asked answer."""

import re

import pytest
from playwright.sync_api import expect

from accessibility import SIZES, expect_accessible
from visitors import DESKTOP, PHONE, add_computer, sit, start

pytestmark = pytest.mark.shares_hub

# The position and size of the board.
BOARD = "() => document.fonts.ready.then(() => JSON.stringify(document.querySelector('#board').getBoundingClientRect()))"
# What the bar covers of the board and the players.
COVERED = """() => { const at = one => document.querySelector(one).getBoundingClientRect(), bar = at('#proposal')
  // Players who have no room scroll.
  return ['#board', '#players'].filter(one => { const { left, right, top, ...box } = at(one)
    const bottom = one === '#players' ? Math.min(box.bottom, at('#room .table').bottom) : box.bottom
    return left < bar.right && bar.left < right && top < bar.bottom && bar.top < bottom }) }"""
# The board learns a new size one frame later.
LAID = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
# The sizes where the bar has the least space, and the most.
ROOMS = (568, 320), (667, 375), (844, 390), (320, 568), (480, 480), (1024, 600), (1280, 800)
# Everything read aloud and shown in toasts, even if it is gone.
LISTEN = """() => { for (const [name, id] of [['heard', '#announcer'], ['told', '#toasts']]) {
  window[name] = []
  new MutationObserver(changes => changes.forEach(({addedNodes}) => addedNodes.forEach(
    node => window[name].push(node.textContent)))).observe(document.querySelector(id), {childList: true}) } }"""


@pytest.fixture
def table(visitors):
    """The pages of Ann and Ben at a game of Reversi, and of a spectator."""
    ann = visitors.host("Ann", "reversi")
    ben = visitors.guest(ann, "Ben", PHONE)
    start(ann, ben)
    pages = ann, ben, visitors.spectator(ann)
    for page in pages:
        # The message takes a line, which moves the board on a phone.
        expect(page.locator("#watching")).to_contain_text("1 person is watching")
        page.evaluate(LISTEN)
    return pages


def resign(pages):
    """Ann resigns, and all see the end."""
    pages[0].get_by_role("button", name="Resign").click()
    pages[0].locator("#ask-dialog .yes").click()
    for page in pages:
        expect(page.locator("#end")).to_be_visible()


def words(page, said):
    expect(page.locator("#proposal-words")).to_have_text(said)


def told(page, said):
    page.wait_for_function("said => told.some(one => one.includes(said))", arg=said)


class TestARestart:
    def test_is_announced_to_all_and_answered_by_those_asked(self, table):
        ann, ben, watcher = table
        before = [page.evaluate(BOARD) for page in table]
        ann.get_by_role("button", name="Start over").click()
        words(ann, "You asked to start over.")
        expect(ann.locator("#proposal-waits")).to_have_text("Waiting for Ben")
        for page in (ben, watcher):
            words(page, "Ann wants to start over.")
        expect(ben.locator("#proposal-left")).to_have_text(re.compile(r"^\d+ s$"))
        expect(watcher.locator("#proposal button:visible")).to_have_count(0)
        expect(ben.locator("#proposal button:visible")).to_have_text(["Agree", "No"])
        expect(ann.locator("#proposal button:visible")).to_have_text(["Withdraw"])
        assert [page.evaluate(BOARD) for page in table] == before, "the board moves"
        ben.get_by_role("button", name="Agree").click()
        for page in table:
            expect(page.locator("#proposal")).to_be_hidden()
            told(page, "Everyone agreed. The game starts over.")
        for page in (ben, watcher):
            heard = page.evaluate("heard")
            assert heard.count("Ann wants to start over.") == 1, heard

        # It can be withdrawn.
        ben.get_by_role("button", name="Start over").click()
        ben.get_by_role("button", name="Withdraw").click()
        for page in (ann, watcher):
            told(page, "Ben withdrew it.")
            expect(page.locator("#proposal")).to_be_hidden()

        # Latecomers see it.
        ann.get_by_role("button", name="Start over").click()
        watcher.reload()
        words(watcher, "Ann wants to start over.")
        watcher.evaluate(LISTEN)
        # A refused one names the player who refused, and has to wait before it can be repeated.
        expect(ben.locator("#proposal-no")).to_be_visible()
        ben.locator("#proposal-no").focus()
        ben.keyboard.press("Enter")
        for page in (ann, watcher):
            told(page, "Ben wants to keep playing.")
        told(ben, "The game continues.")
        expect(ben.locator("#proposal")).to_be_hidden()
        ann.get_by_role("button", name="Start over").click()
        told(ann, "You just asked. Ask again in ")

        # The replay shows it.
        watcher.goto(ann.url.replace("/room/", "/replay/"))
        for said in ("Ann wants to start over.", "Ben said no.", "Declined."):
            expect(watcher.locator("#replay-events")).to_contain_text(said)

    @pytest.mark.parametrize("asks", [True, False])
    def test_covers_nothing_and_is_accessible(self, visitors, asks):
        path = visitors.open_room("Ann", "reversi")
        page = sit(visitors.new("Ann" if asks else "Ben", DESKTOP if asks else PHONE), path)
        other = visitors.join(path, "Ben" if asks else "Ann")
        if asks:
            start(page)
            page.get_by_role("button", name="Start over").click()
        else:
            other.do("start")
            expect(page.locator("#board [data-target]").first).to_be_visible()
            other.do("propose", what="restart")
        expect(page.locator("#proposal")).to_be_visible()
        for width, height in ROOMS:
            page.set_viewport_size(dict(width=width, height=height))
            page.wait_for_function(LAID)
            assert not page.evaluate(COVERED), (width, height, page.evaluate(COVERED))
        expect(page.locator("#proposal")).to_be_visible()
        expect_accessible(page, SIZES)

    def test_that_is_agreed_to_by_a_held_key_makes_no_move(self, visitors):
        ann = visitors.host("Ann", "reversi")
        ben = visitors.join(ann.url, "Ben")
        start(ann)
        ben.do("propose", what="restart")
        ann.evaluate("() => { window.moves = 0; document.querySelector('#board').addEventListener('click', () => moves++) }")
        expect(ann.locator("#proposal-yes")).to_be_visible()
        ann.locator("#proposal-yes").focus()
        ann.keyboard.down("Enter")
        expect(ann.locator("#board :focus")).to_have_count(1)
        ann.keyboard.down("Enter")
        ann.keyboard.up("Enter")
        assert ann.evaluate("moves") == 0
        ann.keyboard.press("Enter")
        assert ann.evaluate("moves") == 1

    def test_with_a_computer_asks_once_there_is_something_to_lose(self, visitors):
        ann = visitors.host("Ann", "connect-four")
        add_computer(ann)
        start(ann)
        ann.locator("[data-target='35']").click()
        expect(ann.locator("#room")).to_have_attribute("data-mine", "true")
        ann.get_by_role("button", name="Start over").click()
        expect(ann.locator("#ask-title")).to_have_text("Start over? This game will be lost.")
        ann.locator("#ask-dialog .yes").click()
        # The new game has no moves yet, so restarting it again asks no one.
        expect(ann.locator("#board [data-seat]")).to_have_count(0)
        ann.get_by_role("button", name="Start over").dblclick()
        expect(ann.locator("#ask-dialog")).to_be_hidden()


class TestTheEnd:
    def test_is_the_same_panel_for_everyone(self, table):
        resign(table)
        ann, ben, watcher = table
        for page in table:
            expect(page.locator("#places li")).to_have_count(2)
            expect(page.locator("#end .onwards :is(a, button)")).to_have_text(["Replay", "Share", "Home"])
            expect(page.locator("#end-series")).to_have_text("Series: Ben 1 : 0 Ann")
        for page in (ann, ben):
            expect(page.get_by_role("button", name="Rematch")).to_be_visible()
            expect_accessible(page, SIZES)
        expect(watcher.locator("#again")).to_be_hidden()

        # It is shared as a text on the clipboard and a picture.
        ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
        with ann.expect_download() as saved:
            ann.get_by_role("button", name="Share").click()
        assert saved.value.suggested_filename == "flipside-reversi.png"
        assert saved.value.path().read_bytes().startswith(b"\x89PNG")
        said = ann.evaluate("navigator.clipboard.readText()")
        bens, anns = ["⚫⚪", "⚪⚫"][ann.locator(".player.you[data-disc=black]").count()]
        assert said.startswith(f"Flipside · Reversi\nBen wins!\n🥇 {bens} Ben 2\n🥈 {anns} Ann 2\n"), said
        assert "🟩🟩🟩⚪⚫🟩🟩🟩" in said and said.endswith(ann.url.replace("/room/", "/replay/")), said
        told(ann, "Result copied, picture saved.")

        ben.close()
        expect(ann.locator("#end-rematch")).to_have_text("Ben isn’t here right now.")
        expect(ann.get_by_role("button", name="Rematch")).to_have_attribute("aria-disabled", "true")
        expect(watcher.locator("#end-rematch")).to_have_text("")

    def test_lets_any_player_propose_a_rematch_which_others_join_or_refuse(self, table):
        resign(table)
        ann, ben, watcher = table
        ben.get_by_role("button", name="Rematch").click()
        expect(ben.get_by_role("button", name="Withdraw")).to_be_visible()
        for page in (ann, watcher):
            expect(page.locator("#end-rematch")).to_contain_text("Ready for a rematch: Ben.")
        # One page for each proposal: on a slow machine it would expire before a second look.
        expect_accessible(ben, SIZES)
        ann.get_by_role("button", name="Rematch").click()
        for page in table:
            expect(page.locator("#end")).to_be_hidden()
            expect(page.locator("#room")).to_have_attribute("data-status", "running")
        # From now on the wins are next to the winner's name.
        expect(watcher.locator(".player .name[data-wins]")).to_have_attribute("data-wins", "1")

        # With the end closed, the proposal appears above the board.
        resign(table)
        ann.locator("#end-close").click()
        ben.get_by_role("button", name="Rematch").click()
        words(ann, "Ben wants a rematch.")
        ann.get_by_role("button", name="Agree").click()
        for page in table:
            expect(page.locator("#end")).to_be_hidden()

        # Everyone is notified of a no.
        resign(table)
        ben.get_by_role("button", name="Rematch").click()
        expect(ann.locator("#end-rematch")).to_contain_text("Ready for a rematch: Ben.")
        expect_accessible(ann, SIZES)
        ann.get_by_role("button", name="No", exact=True).click()
        for page in table:
            told(page, "Not enough players for a rematch.")
            expect(page.locator("#end-rematch")).to_have_text("")

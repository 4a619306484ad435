"""A tap that does nothing is explained: at the card, and once for people who cannot see it."""

import json

import pytest
from playwright.sync_api import expect

from accessibility import expect_accessible
from tabs import PlaywrightTab, play
from visitors import PHONE, SMALL, start

pytestmark = pytest.mark.shares_hub

BOARD = dict(preset="custom", columns=4, rows=4, reveal=10_000, turnTime=0)
# All announcements to screen readers.
LISTEN = """() => { window.said = []; new MutationObserver(changes => said.push(...changes.flatMap(
  ({addedNodes}) => [...addedNodes].map(node => node.textContent)))).observe(
  document.querySelector('#announcer'), {childList: true}) }"""
# Commands of a kind that the page sends.
SENT = """type => { const send = WebSocket.prototype.send; window.sent = 0
  WebSocket.prototype.send = function (words) { if (JSON.parse(words).type === type) sent++; return send.call(this, words) } }"""
# Where a bubble is, where it points, and at which cell.
PLACE = """cell => {
  const box = one => document.querySelector(one).getBoundingClientRect(), bubble = box('#bubble'), at = box(`[data-target="${cell}"]`)
  const tail = parseFloat(document.querySelector('#bubble').style.getPropertyValue('--tail'))
  return { isInside: bubble.left >= 0 && bubble.right <= innerWidth && bubble.top >= 0 && bubble.bottom <= innerHeight,
    covers: bubble.top < at.bottom && bubble.bottom > at.top, gap: Math.max(at.top - bubble.bottom, bubble.top - at.bottom),
    aside: Math.abs((bubble.left + bubble.right) / 2 + tail - (at.left + at.right) / 2) } }"""
AT = "selector => JSON.stringify([...document.querySelectorAll(selector)].map(one => one.getBoundingClientRect()))"


def tap(page, cell):
    # Like a finger, even on something disabled.
    page.locator(f'[data-target="{cell}"]').dispatch_event("click")


def expect_told(page, cell, words, times=1):
    expect(page.locator("#bubble")).to_be_visible()
    expect(page.locator("#bubble")).to_have_text(words)
    place = page.evaluate(PLACE, cell)
    assert place["isInside"] and not place["covers"] and place["gap"] < 20 and place["aside"] < 2, place
    assert page.evaluate("words => said.filter(one => one === words).length", words) == times, page.evaluate("said")


def turn(page, cell):
    card = page.locator(f'[data-target="{cell}"]')
    card.click()
    expect(card).not_to_have_attribute("data-side", "down")
    return card.get_attribute("data-side")


def listen(page, command):
    page.evaluate(LISTEN)
    page.evaluate(SENT, command)


@pytest.fixture
def ann(visitors):
    return visitors.host("Ann", view=SMALL, **BOARD)


@pytest.fixture
def ben(visitors, ann):
    ben = visitors.guest(ann, "Ben")
    start(ann, ben)
    return ben


@pytest.fixture
def rival(visitors, ann):
    """Plays without a page."""
    rival = visitors.join(ann.url, "Ben")
    start(ann)
    return rival


def test_in_memory_each_reason_appears_at_its_card_and_disappears_and_nothing_moves(ann, ben):
    for page in (ann, ben):
        listen(page, "flip")
    before = [page.evaluate(AT, "#board, .player, .actions") for page in (ann, ben)]
    tap(ben, 15)
    expect_told(ben, 15, "It’s Ann’s turn.")
    cells = iter(range(16))
    first = next(cells)
    turn(ann, first)
    for _ in range(3):
        tap(ann, first)
    expect_told(ann, first, "Already face up.")
    flips = 1
    # Until two cards differ, she keeps finding pairs.
    while flips % 2 or ann.locator("[data-side=up]").count() < 2:
        turn(ann, next(cells))
        flips += 1
    tap(ann, 15)
    expect_told(ann, 15, "Wait for the cards to flip back.")
    assert [page.evaluate(AT, "#board, .player, .actions") for page in (ann, ben)] == before
    for page, count in (ann, flips), (ben, 0):
        assert page.evaluate("sent") == count
        expect_accessible(page)
        expect(page.locator("#bubble")).to_be_hidden()
        expect(page.locator(".toast")).to_have_count(0)


def test_a_found_pair_and_a_finished_game_say_so(visitors):
    ann = visitors.host("Ann", preset="custom", columns=2, rows=3, reveal=200, seats=1)
    start(ann)
    ann.evaluate(LISTEN)

    def once(flips):
        won = ann.locator("[data-side=won]")
        if won.count() == 2 and not ann.evaluate("said.some(one => one.endsWith('matched.'))"):
            cell = int(won.first.get_attribute("data-target"))
            tap(ann, cell)
            expect_told(ann, cell, "Already matched.")

    play([PlaywrightTab(ann)], [PlaywrightTab(ann)], once)
    ann.locator("#end-close").click()
    tap(ann, 0)
    expect_told(ann, 0, "The game is over.")


def test_a_spectator_is_told_so(visitors, ann, rival):
    watcher = visitors.spectator(ann, PHONE)
    expect(watcher.locator("[data-target]")).to_have_count(16)
    listen(watcher, "flip")
    tap(watcher, 5)
    expect_told(watcher, 5, "You’re watching this game.")
    assert watcher.evaluate("sent") == 0


@pytest.mark.shares_hub(False)
def test_a_lost_line_and_a_pending_move_are_named(ann, rival, hub):
    listen(ann, "flip")
    # All in one task: no answer can arrive in between.
    ann.evaluate("""() => { for (const cell of [4, 4, 5, 6]) document.querySelector(`[data-target="${cell}"]`).click() }""")
    # Two cards: one already requested, and one too many.
    expect_told(ann, 6, "Sending your move…", times=2)
    assert ann.evaluate("sent") == 2
    hub.kill()
    expect(ann.locator("#line")).to_be_visible()
    tap(ann, 9)
    expect_told(ann, 9, "Connection lost. Reconnecting…")


def test_the_hubs_reasons_appear_there_too(visitors, ann, rival):
    late = visitors.new("Ann")

    def connect(line):
        # This page does not learn of a card that another page of hers turns.
        line.connect_to_server().on_message(lambda words: json.loads(words)["type"] == "show-card" or line.send(words))

    late.route_web_socket("**/ws/rooms/*", connect)
    late.goto(ann.url)
    expect(late.locator("[data-target]")).to_have_count(16)
    listen(late, "flip")
    turn(ann, 7)
    late.locator('[data-target="7"]').click()
    expect_told(late, 7, "Already face up.")
    assert late.evaluate("sent") == 1
    expect(late.locator(".toast")).to_have_count(0)


def test_a_reason_appears_even_if_its_card_is_gone(visitors):
    late, flips, lines = visitors.new("Ann"), [], []

    def connect(line):
        lines.append(line.connect_to_server())
        line.on_message(lambda words: flips.append(words) if json.loads(words)["type"] == "flip" else lines[-1].send(words))

    late.route_web_socket("**/ws/rooms/*", connect)
    late.goto(visitors.open_room("Ann", **BOARD, seats=1))
    ann = visitors.join(late.url, "Ann")
    ann.do("start")
    late.locator('[data-target="15"]').click()
    for command, fields in ("leave", {}), ("sit", {}), ("options", dict(options=dict(columns=2, rows=3))):
        ann.do(command, **fields)
    ann.do("propose", what="rematch")
    expect(late.locator("[data-target]")).to_have_count(6)
    lines[-1].send(flips.pop())
    expect(late.locator(".toast")).to_have_count(1)


def test_in_reversi_each_square_says_why_no_disc_can_be_placed_there(visitors):
    ann = visitors.host("Ann", "reversi", PHONE, turnTime=0)
    ben = visitors.guest(ann, "Ben")
    start(ann, ben)
    for page in (ann, ben):
        listen(page, "place")
    for cell, words in (0, "A disc there wouldn’t flip any."), (27, "There’s already a disc here."):
        tap(ann, cell)
        expect_told(ann, cell, words)
    tap(ben, 19)
    expect_told(ben, 19, "It’s Ann’s turn.")
    assert [page.evaluate("sent") for page in (ann, ben)] == [0, 0]


def test_in_connect_four_a_full_column_says_so(visitors):
    ann = visitors.host("Ann", "connect-four", SMALL, turnTime=0)
    ben = visitors.join(ann.url, "Ben")
    start(ann)
    for count in range(6):
        if count % 2:
            ben.do("drop", column=0)
        else:
            expect(ann.locator("#room")).to_have_attribute("data-mine", "true")
            ann.locator('[data-target="0"]').click()
        expect(ann.locator("[data-target][data-seat]")).to_have_count(count + 1)
    expect(ann.locator("#room")).to_have_attribute("data-mine", "true")
    listen(ann, "drop")
    tap(ann, 0)
    expect_told(ann, 0, "This column is full.")
    assert ann.evaluate("sent") == 0


def test_a_disabled_button_says_why(ann, rival):
    listen(ann, "shuffle")
    turn(ann, 7)
    ann.get_by_role("button", name="Shuffle").dispatch_event("click")
    expect(ann.locator("#bubble")).to_have_text("Shuffle while no card is up.")
    assert ann.evaluate("sent") == 0

"""A race in Memory: everyone turns cards at once."""

import re

import pytest
from playwright.sync_api import expect

from accessibility import expect_accessible
from tabs import PlaywrightTab, choose
from visitors import DESKTOP, PHONE, SMALL, start

pytestmark = pytest.mark.shares_hub

# A first card stays up longer than a test takes, and two that differ longer than a busy machine takes to look.
RACE = dict(preset="custom", columns=2, rows=3, theme="animals", order="free", turnTime=60, reveal=1_500)
# All announcements to screen readers.
LISTEN = """() => { window.said = []; new MutationObserver(changes => said.push(...changes.flatMap(
  ({addedNodes}) => [...addedNodes].map(node => node.textContent)))).observe(
  document.querySelector('#announcer'), {childList: true}) }"""
# The colour of what stands around an open card, and whether it has a mark.
RING = """cell => { const front = document.querySelector(`[data-target="${cell}"] .memory-front`)
  return [getComputedStyle(front).boxShadow, getComputedStyle(front, '::after').clipPath] }"""


def card(page, cell):
    return page.locator(f'#board [data-target="{cell}"]')


def expect_up(pages, cell, seat):
    for page in pages:
        expect(card(page, cell)).to_have_attribute("data-side", "up")
        expect(card(page, cell)).to_have_attribute("data-seat", str(seat))


def turn(page, cell):
    """Turns a card once its player may."""
    expect(card(page, cell)).to_have_attribute("aria-disabled", "false")
    card(page, cell).click()
    expect(card(page, cell)).not_to_have_attribute("data-side", "down")


def face(page, cell):
    return card(page, cell).locator(".memory-front").text_content()


def find_mate(page, cell, cells):
    """Turns the other cards one by one until one makes a pair with the one on `cell`."""
    for other in cells:
        turn(page, other)
        # Not by its state: the pair follows the card in a message of its own.
        if face(page, other) == face(page, cell):
            expect(card(page, cell)).to_have_attribute("data-side", "won")
            return other


@pytest.fixture
def pages(visitors):
    ann = visitors.host("Ann", **RACE)
    ben = visitors.guest(ann, "Ben", PHONE)
    start(ann, ben)
    return ann, ben


def test_each_page_shows_the_cards_of_all_and_whose_they_are(visitors):
    ann = visitors.host("Ann", **RACE | dict(columns=4, rows=4))
    ben = visitors.guest(ann, "Ben", PHONE)
    start(ann, ben)
    for page in ann, ben:
        expect(page.locator("#say")).to_have_text("Everyone’s turn")
    turn(ann, 0)
    expect_up((ann, ben), 0, 0)
    expect(ann.locator("#say")).to_have_text("Find the match")
    expect(ben.locator("#say")).to_have_text("Everyone’s turn")
    expect(card(ann, 0)).to_have_attribute("aria-label", re.compile("^Card 1, .+, yours, row 1, column 1$"))
    expect(card(ben, 0)).to_have_attribute("aria-label", re.compile("^Card 1, .+, Ann’s, row 1, column 1$"))
    # The time of the own card runs, and beside its player everywhere.
    for page, runs in (ann, "true"), (ben, "false"):
        expect(page.locator("#clock")).to_have_attribute("data-runs", runs)
    # A card of Ben's that makes a pair with Ann's is no use here, and then both turn another.
    for cell in range(0, 16, 2):
        if cell:
            turn(ann, cell)
        turn(ben, cell + 1)
        if face(ben, cell) != face(ben, cell + 1):
            break
        expect(card(ann, cell)).to_have_attribute("data-side", "won")
    expect_up((ann, ben), cell, 0)
    expect_up((ann, ben), cell + 1, 1)
    rings = [ann.evaluate(RING, one) for one in (cell, cell + 1)]
    assert rings[0][0] != rings[1][0] and rings[0][1] != rings[1][1], rings
    for page in ann, ben:
        expect_accessible(page, [(1280, 800), (390, 844)])


def test_a_card_makes_a_pair_with_one_of_another_player(pages):
    ann, ben = pages
    turn(ann, 0)
    ann.evaluate(LISTEN)
    found = find_mate(ben, 0, range(1, 6))
    for page in pages:
        for cell in (0, found):
            expect(card(page, cell)).to_have_attribute("data-side", "won")
            expect(card(page, cell)).to_have_attribute("data-seat", "1")
    expect(ann.locator("#say")).to_have_text("Everyone’s turn")
    said = ann.evaluate("said")
    assert any(one.startswith("Ben found a pair. It includes your card.") for one in said), said
    # Ann hears of no card that Ben has turned up.
    assert not any("flipped" in one or "flip back" in one for one in said), said


def test_the_focus_stays_while_others_turn_cards(pages):
    ann, ben = pages
    card(ann, 5).focus()
    for cell in range(3):
        turn(ben, cell)
        expect(card(ann, cell)).not_to_have_attribute("data-side", "down")
    expect(card(ann, 5)).to_be_focused()
    ann.keyboard.press("Enter")
    expect(card(ann, 5)).not_to_have_attribute("data-side", "down")
    expect(card(ann, 5)).to_be_focused()


def test_a_player_waits_for_two_cards_to_turn_back_while_the_other_plays(visitors):
    ann = visitors.host("Ann", **RACE | dict(columns=4, rows=4, reveal=10_000))
    ben = visitors.guest(ann, "Ben", SMALL)
    start(ann, ben)
    # Pairs that she happens to find do not count.
    for cell in range(0, 16, 2):
        turn(ann, cell)
        turn(ann, cell + 1)
        if face(ann, cell) != face(ann, cell + 1):
            break
    expect(ann.locator("#say")).to_have_text("No match…")
    card(ann, 15).dispatch_event("click")
    expect(ann.locator("#bubble")).to_have_text("Wait for the cards to flip back.")
    # Like a finger, even on something disabled.
    ann.get_by_role("button", name="Shuffle").dispatch_event("click")
    expect(ann.locator("#bubble")).to_have_text("Shuffle while no card is up.")
    turn(ben, 15)
    for page in (ann, ben):
        expect(card(page, 15)).to_have_attribute("data-seat", re.compile("[01]"))


def test_an_open_card_says_its_owners_new_name_until_they_leave(visitors):
    ann = visitors.host("Ann", **RACE)
    ben = visitors.join(ann.url, "Ben")
    start(ann)
    ben.do("flip", cell=0)
    expect(card(ann, 0)).to_have_attribute("aria-label", re.compile(", Ben’s, "))
    visitors.server.ask("PUT", "/api/players/me/name", visitors.known("Ben")["token"], dict(name="Benno"))
    expect(card(ann, 0)).to_have_attribute("aria-label", re.compile(", Benno’s, "))
    ben.do("leave")
    expect(card(ann, 0)).to_have_attribute("data-side", "down")
    expect(card(ann, 0)).not_to_have_attribute("data-seat", re.compile("."))
    expect(ann.locator("#say")).to_have_text("Your turn")


def test_the_host_chooses_a_race_in_the_waiting_room(visitors):
    ann = visitors.host("Ann", turnRule="alternate", turnTime=0)
    ben = visitors.guest(ann, "Ben")
    chip = ann.locator(".chip[data-names~=order]")
    expect(chip).to_contain_text("One after another · Next player’s turn")
    choose(PlaywrightTab(ann), "order", "free")
    expect(chip).to_contain_text("Race: all at once · 5 s (multiplayer)")
    expect(ann.locator(".chip[data-names~=turnTime]")).to_have_count(0)
    choose(PlaywrightTab(ann), "secondTime", "10")
    expect(chip).to_contain_text("Race: all at once · 10 s")
    expect(ben.locator(".chip", has_text="Race: all at once · 10 s")).to_have_count(1)
    expect_accessible(ann)
    choose(PlaywrightTab(ann), "order", "turns")
    expect(chip).to_contain_text("One after another · Go again")
    expect(ann.locator(".toast")).to_have_count(0)


def test_a_race_can_be_replayed_and_checked(visitors):
    path = visitors.open_room("Ann", **RACE | dict(seats=1, reveal=200))
    ann = visitors.join(path, "Ann")
    ann.do("start")
    ann.play_alone()
    page = visitors.new(view=DESKTOP)
    page.goto(path.replace("/room/", "/replay/"))
    page.locator("#replay-check").click()
    expect(page.locator("#check-verdict")).to_have_text("Everything checks out.")

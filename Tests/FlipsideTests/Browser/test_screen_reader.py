"""What a screen reader gets of a game: announcements, and text to read."""

import re

import pytest
from playwright.sync_api import expect

from accessibility import expect_accessible
from visitors import DESKTOP, PHONE, start

pytestmark = pytest.mark.shares_hub

# Everything put into the live region, in order.
LISTEN = """() => { window.said = []
  new MutationObserver(changes => { for (const { addedNodes } of changes) for (const { textContent } of addedNodes) said.push(textContent) })
    .observe(document.querySelector('#announcer'), { childList: true }) }"""


def turn_cards(page, until):
    """Turns cards two by two until a condition holds; the second completes a pair as soon as both cards are known."""
    faces = {}
    while not page.evaluate(until):
        down = [int(card.get_attribute("data-target")) for card in page.locator("[data-side=down]").all()]
        known = [cell for cell in down if cell in faces]
        pair = next(((one, other) for one in known for other in known if one < other and faces[one] == faces[other]), None)
        for cell in pair or [cell for cell in down if cell not in faces][:2]:
            # The announcement stays, while the card may be down again before anyone looks.
            count = page.evaluate("said.length")
            page.locator(f"#board [data-target='{cell}']").click()
            page.wait_for_function("count => said.slice(count).some(words => words.startsWith('You flipped'))", arg=count)
            faces[cell] = page.evaluate("count => said.slice(count).find(words => words.startsWith('You flipped'))", count)[-3:]
        expect(page.locator("#board [data-side=up]")).to_have_count(0)
    return faces


@pytest.fixture
def alone(visitors):
    page = visitors.host("Ann", seats=1, preset="custom", columns=2, rows=3, reveal=200)
    page.evaluate(LISTEN)
    start(page)
    return page


def test_score_and_pairs_are_announced_after_a_pair_and_no_turns_to_a_player_alone(alone):
    turn_cards(alone, "said.some(words => words.includes('a pair'))")
    found = alone.evaluate("said")
    assert any(re.search(r"You: 1 point\. 2 pairs left\.$", words) for words in found), found
    turn_cards(alone, "document.querySelector('#room').dataset.status === 'ended'")
    alone.wait_for_function("() => said.some(words => words.includes('over'))")
    found = alone.evaluate("said")
    assert re.search(r"over\. 3 points\.$", found[-1]), found
    assert not any("turn." in words and "Your" in words for words in found), found


def test_the_number_of_pairs_left_can_be_read_at_any_time(alone):
    expect(alone.locator("#remaining")).to_have_text("3 pairs left")


@pytest.mark.parametrize("view", [PHONE, DESKTOP], ids=["phone", "desk"])
def test_the_list_of_players_says_who_has_how_many_points_and_whose_turn_it_is(visitors, view):
    ann = visitors.host("Ann", view=view, seats=2)
    visitors.join(ann.url, "Ben")
    expect(ann.locator(".player")).to_have_count(2)
    expect(ann.locator("#players .read")).to_have_text(["Ann, you, host", "Ben"])
    start(ann)
    ann.wait_for_function("() => document.querySelector('.player.turn')")
    # The player whom the hub lets begin.
    is_mine = ann.locator(".player.you.turn").count() == 1
    lines = [f"Ann, you, 0 points{', your turn' if is_mine else ''}", f"Ben, 0 points{'' if is_mine else ', to move'}"]
    expect(ann.locator("#players .read")).to_have_text(lines)
    # A player's entry has nothing else to read, and nothing twice.
    assert ann.locator("#players").aria_snapshot() == "\n".join(["- list:", *(f"  - listitem: {line}" for line in lines)])
    expect_accessible(ann)


def test_colours_of_discs_are_read(visitors):
    ann = visitors.host("Ann", game="reversi")
    visitors.join(ann.url, "Ben")
    start(ann)
    words = ann.locator("#players .read").all_text_contents()
    assert sorted(word for line in words for word in line.split(", ") if word in ("black", "white")) == ["black", "white"], words


@pytest.mark.parametrize("game", ["go-fish", "goofspiel"])
def test_the_colour_of_a_seat_is_not_read(visitors, game):
    ann = visitors.host("Ann", game=game)
    visitors.join(ann.url, "Ben")
    start(ann)
    lines = [re.sub(", (your turn|to move)$", "", line) for line in ann.locator("#players .read").all_text_contents()]
    assert lines == ["Ann, you, 0 points", "Ben, 0 points"]

"""Games with secrets: what each page shows of hands and sealed bids, and what reaches it at all."""

import json, re

import pytest
from playwright.sync_api import expect

from accounts import second
from tabs import PlaywrightTab, choose, give_name, join_room, way
from visitors import PHONE, code, start

pytestmark = pytest.mark.shares_hub

# Only a hand names suits. What the table says of cards are ranks.
CARD = re.compile("(?:10|[2-9AJQK])[♠♥♦♣]")
RANKS = "A 2 3 4 5 6 7 8 9 10 J Q K".split()
# Everything in a page's document, in words and in attributes. Suits are drawn as text, which takes another character.
DOCUMENT = "() => (document.documentElement.outerHTML + document.body.textContent).replaceAll('\\uFE0E', '')"
# The cards that are drawn in a place.
DRAWN = """place => JSON.stringify([...document.querySelectorAll(place + ' .go-fish-card')].filter(card => card.checkVisibility())
  .map(card => card.querySelector('.go-fish-corner').textContent.replace('\\uFE0E', '')))"""
HAND = ".go-fish-hand"
# The hands of Goofspiel, and the bids of Ann and Ben in each round.
CARDS = [1, 2, 3, 4]
BIDS = [(3, 2), (1, 4), (4, 1), (2, 3)]
# What players of Goofspiel have left and have bid, as drawn beside their names and in the viewer's own hand.
TABLE = """() => ({
  own: [...document.querySelectorAll('.goofspiel-card')].filter(card => card.checkVisibility()).map(card => card.dataset.state),
  players: [...document.querySelectorAll('#board .goofspiel-player, #replay-board .goofspiel-player')].map(player => ({
    slot: [...player.querySelector('.goofspiel-slot').children].map(card => card.querySelector('.goofspiel-corner')?.textContent ?? 'back'),
    left: [...player.querySelectorAll('.goofspiel-value')].map(value => value.dataset.state),
  }))})"""


class Seat:
    """A player's page, with every message that the hub has sent it."""

    def __init__(self, visitors, **context):
        self.page, self.heard = visitors.new(**context), []
        self.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: self.heard.append(frame)))

    def hear(self, kind):
        """The messages of a kind, in order."""
        return [message for message in map(json.loads, self.heard) if message["type"] == kind]


@pytest.fixture
def sit_down(visitors):
    """Opens a room in the page with these choices; returns those at the table in the order of seats."""
    def sit_down(game, *names, **choices):
        seats = [Seat(visitors, view=PHONE if number == 1 else {}) for number in range(len(names))]
        host = PlaywrightTab(seats[0].page)
        host.go("/")
        host.press(way("friends", game))
        give_name(host, names[0])
        for name, value in choices.items():
            choose(host, name, value)
        for seat, name in zip(seats[1:], names[1:]):
            join_room(PlaywrightTab(seat.page), host.url, name)
        return seats

    return sit_down


def watch(visitors, url):
    """A spectator at a room."""
    spectator = Seat(visitors)
    spectator.page.goto(url)
    expect(spectator.page.locator(".player").first).to_be_visible()
    return spectator


def hand(page, place=HAND):
    """The cards that are drawn in a place."""
    return json.loads(page.evaluate(DRAWN, place))


def expect_hand(page, cards, place=HAND):
    page.wait_for_function(f"([place, cards]) => ({DRAWN})(place) === cards", arg=[place, compact(cards)])


def expect_hand_other_than(page, cards):
    page.wait_for_function(f"([place, cards]) => ({DRAWN})(place) !== cards", arg=[HAND, compact(cards)])


def compact(cards):
    """As a page writes JSON."""
    return json.dumps(cards, ensure_ascii=False, separators=(",", ":"))


def mentioned(page):
    """The cards that are anywhere in a page's document, shown or hidden."""
    return set(CARD.findall(page.evaluate(DOCUMENT)))


def expect_only_own(seats, spectator):
    """All pages know their own cards, and no others."""
    hands = [hand(seat.page) for seat in seats]
    assert len(set(sum(hands, []))) == len(sum(hands, [])), hands
    for seat, cards in zip(seats, hands):
        assert mentioned(seat.page) == set(cards), (seat.page.url, cards)
    assert mentioned(spectator.page) == set()


def expect_heard_only_own(seats, spectator):
    """No message has brought a page cards of others."""
    for number, seat in enumerate(seats + [spectator]):
        hands = [message for message in map(json.loads, seat.heard) if CARD.search(json.dumps(message, ensure_ascii=False))]
        assert all(message["type"] == "hand" and message["seat"] == number for message in hands), hands
        assert hands or seat is spectator


def rank(card):
    return card[:-1]


def of_rank(cards, wanted):
    return [card for card in cards if rank(card) == wanted]


def ask(page, other, wanted):
    """The two presses of a question."""
    card = page.locator(f"{HAND} [data-target='{RANKS.index(wanted)}']")
    card.click()
    expect(card).to_have_attribute("aria-pressed", "true")
    page.locator(f".go-fish-player[data-seat='{other}'][aria-disabled='false']").click()


def play_a_question(seats, mover, wants_gift):
    """A question by the seat `mover`, with cards as the answer or none, if one can be answered so. Returns whether it was
    answered with cards, and whose turn follows."""
    page, hands = seats[mover].page, [hand(seat.page) for seat in seats]
    expect(page.locator("#room")).to_have_attribute("data-mine", "true")
    questions = [(other, wanted) for other in range(len(seats)) if other != mover for wanted in map(rank, hands[mover])]
    answers = [(bool(of_rank(hands[other], wanted)) == wants_gift, other, wanted) for other, wanted in questions]
    _, other, wanted = max(answers, key=lambda answer: answer[0])
    given = of_rank(hands[other], wanted)
    ask(page, other, wanted)
    expect_hand_other_than(page, hands[mover])
    after = hand(page)
    if given:
        has_book = len(of_rank(hands[mover] + given, wanted)) == 4
        assert set(after) == {card for card in hands[mover] + given if not has_book or rank(card) != wanted}
        expect_hand(seats[other].page, [card for card in hands[other] if card not in given])
    else:
        assert not (set(after) - set(hands[mover])) & set(sum(hands, [])), "the card drawn was in a hand"
        # The other cards of its rank left the hand with it if it has made a book.
        assert len(after) in (len(hands[mover]) + 1, len(hands[mover]) - 3)
    return bool(given), int(page.locator(".player.turn").get_attribute("data-seat"))


@pytest.mark.seconds(15)
def test_a_hand_of_go_fish_is_its_players_alone(visitors, server, sit_down):
    seats = sit_down("go-fish", "Ann", "Ben", "Cleo", turnTime="0")
    ann, ben, cleo = (seat.page for seat in seats)
    spectator = watch(visitors, ann.url)
    start(ann, ben, cleo)
    for page in (ann, ben, cleo):
        expect(page.locator(f"{HAND} .go-fish-card").first).to_be_visible()
    dealt = [hand(seat.page) for seat in seats]
    expect_only_own(seats, spectator)
    expect(spectator.page.locator(".go-fish-own")).to_be_hidden()
    phone = second(visitors, ben, "Ben")
    expect_hand(phone, dealt[1])

    mover, answers = 0, set()
    while len(answers) < 2:
        is_gift, mover = play_a_question(seats, mover, wants_gift=True not in answers)
        answers.add(is_gift)
        expect_only_own(seats, spectator)
    held = hand(ben)
    expect_hand(phone, held)
    ben.reload()
    expect_hand(ben, held)
    expect_only_own(seats, spectator)
    expect_heard_only_own(seats, spectator)

    for page in (ann, ben):
        page.get_by_role("button", name="Resign").click()
        page.locator("#ask-dialog .yes").click()
    expect(cleo.locator("#end")).to_be_visible()
    replay = spectator.page
    replay.goto(f"/replay/{code(ann.url)}?v={first(server, ann.url, 'cards-asked') - 1}")
    for number, cards in enumerate(dealt):
        expect_hand(replay, cards, f"#replay-board .go-fish-player[data-seat='{number}']")
    expect_checked(replay)


def first(server, url, kind):
    """The version of a room's first event of this kind."""
    return next(event["v"] for event in map(json.loads, server.log(code(url))) if event["type"] == kind)


def expect_checked(replay):
    replay.get_by_role("button", name="Check this game").click()
    expect(replay.locator("#check-verdict")).to_have_text("Everything checks out.")
    expect(replay.locator('#check-findings [data-result="fails"]')).to_have_count(0)


def bid(page, card):
    page.locator(f"#board .goofspiel-card[data-target='{card - 1}']").click()


def expect_table(page, *players, own=()):
    """The page draws these players, each with what lies in the slot and with the cards left, and this hand of its own."""
    left = lambda cards: ["open" if card in cards else "gone" for card in CARDS]
    wanted = dict(own=list(own), players=[dict(slot=slot, left=left(cards)) for slot, cards in players])
    page.wait_for_function(f"wanted => JSON.stringify(({TABLE})()) === JSON.stringify(wanted)", arg=wanted)


def without(cards, used):
    return [card for card in cards if card not in used]


def own(cards, bid=None):
    """The states of a hand of these cards, and of a bid that is one of them."""
    return ["bid" if card == bid else "held" if card in cards else "used" for card in CARDS]


@pytest.mark.seconds(15)
def test_a_bid_of_goofspiel_is_sealed_until_all_have_bid(visitors, server, sit_down):
    seats = sit_down("goofspiel", "Ann", "Ben", turnTime="0", cards=str(len(CARDS)))
    ann, ben = (seat.page for seat in seats)
    spectator = watch(visitors, ann.url)
    start(ann, ben)
    phone = second(visitors, ann, "Ann")
    slots, anns, bens = [[], []], CARDS, CARDS
    for anns_bid, bens_bid in BIDS:
        bid(ann, anns_bid)
        # For all others the card is as much in the hand as before.
        sealed = (["back"], anns), (slots[1], bens)
        opened = ([str(anns_bid)], without(anns, [anns_bid])), sealed[1]
        shown = [(ann, opened, own(anns, anns_bid)), (phone, opened, own(anns, anns_bid)), (ben, sealed, own(bens)),
                 (spectator.page, sealed, ())]
        for page, players, cards in shown:
            expect_table(page, *players, own=cards)
        for page, players, cards in shown if len(anns) == 3 else ():
            page.reload()
            expect_table(page, *players, own=cards)
        bid(ben, bens_bid)
        slots, anns, bens = [[str(anns_bid)], [str(bens_bid)]], without(anns, [anns_bid]), without(bens, [bens_bid])
        for page, cards in ((ann, own(anns)), (phone, own(anns)), (ben, own(bens)), (spectator.page, ())):
            expect_table(page, *zip(slots, [anns, bens]), own=cards)
    for page in (ann, phone, ben, spectator.page):
        expect(page.locator("#end")).to_be_visible()
    expect_heard_no_bids(seats, spectator)

    replay = spectator.page
    replay.goto(f"/replay/{code(ann.url)}?v={first(server, ann.url, 'bid-sealed')}")
    anns_bid = BIDS[0][0]
    expect_table(replay, ([str(anns_bid)], without(CARDS, [anns_bid])), ([], CARDS))
    expect_checked(replay)


def expect_heard_no_bids(seats, spectator):
    """Messages have brought each page the seals of bids, and its own hand only."""
    for number, seat in enumerate(seats + [spectator]):
        assert {message["seat"] for message in seat.hear("hand")} == ({number} if seat in seats else set())
        sealed = seat.hear("bid-sealed")
        assert sealed and all(message.keys() - {"more"} == {"v", "t", "type", "seat", "seal"} for message in sealed), sealed

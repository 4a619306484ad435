"""A quick game never waits in vain: it offers a computer in the meantime, and a newcomer as the next partner."""

import json

import pytest
from playwright.sync_api import expect

from accessibility import SIZES, expect_accessible
from tabs import way
from visitors import PHONE, add_computer, code, start, stop_clock

# For this long only the wait is shown, plus a margin, in ms.
LONG = 11_000
NOBODY = "No one yet. Play the computer while you wait?"
# Commands of these kinds that the page sends, in order.
SENT = """types => { const send = WebSocket.prototype.send; window.sent = []
  WebSocket.prototype.send = function (words) { const { type } = JSON.parse(words)
    if (types.includes(type)) sent.push(type); return send.call(this, words) } }"""


def seek(visitors, name, game, view=PHONE, listed=None):
    """The page of a player who asks for a quick game; if `listed`, only after the list has such a room."""
    page = visitors.new(name, view)
    page.clock.install()
    page.goto("/")
    if listed:
        expect(page.locator("#rooms .state")).to_contain_text(listed)
    page.locator(way("quick", game)).click()
    page.wait_for_url("**/room/*")
    return page


def play_meanwhile(page):
    """Finds no one, and plays against the computer."""
    expect(page.locator(".player.you")).to_have_count(1)
    page.clock.fast_forward(LONG)
    page.get_by_role("button", name="Play the computer").click()
    expect(page.locator("#room")).to_have_attribute("data-status", "running")


def resign(page):
    page.get_by_role("button", name="Resign").click()
    page.locator("#ask-dialog .yes").click()
    expect(page.locator("#end")).to_be_visible()


def test_a_computer_is_offered_after_a_while_and_may_be_ignored(visitors):
    tom = seek(visitors, "Tom", "memory")
    expect(tom.locator(".player.you")).to_have_count(1)
    expect(tom.locator("#offer")).to_be_hidden()
    tom.clock.fast_forward(LONG)
    expect(tom.locator("#offer-words")).to_have_text(NOBODY)
    # Screen readers announce it once.
    expect(tom.locator("#announcer p", has_text=NOBODY)).to_have_count(1)
    expect(tom.locator("#offer [role=status]")).to_have_count(0)
    expect_accessible(tom, SIZES)
    mia = seek(visitors, "Mia", "memory", listed="1 seat free")
    assert code(mia.url) == code(tom.url)
    expect(tom.locator("#offer-words")).not_to_have_text(NOBODY)
    expect(tom.locator(".player")).to_have_count(2)


def test_the_offered_computer_has_the_chosen_level(visitors, server):
    tom = visitors.new("Tom", PHONE)
    tom.clock.install()
    tom.goto("/")
    tom.evaluate("""localStorage["flipside.choices"] = JSON.stringify({ reversi: { level: "5" } })""")
    tom.reload()
    tom.locator(way("quick", "reversi")).click()
    play_meanwhile(tom)
    events = [json.loads(line) for line in server.log(code(tom.url))]
    assert [event["bot"] for event in events if "bot" in event] == ["5"], events


@pytest.mark.parametrize("game", [pytest.param("memory", marks=pytest.mark.long), "reversi"])
def test_a_newcomer_is_offered_as_the_next_partner_and_told_so(visitors, game):
    tom = seek(visitors, "Tom", game)
    play_meanwhile(tom)
    mia = seek(visitors, "Mia", game, listed="playing")
    assert code(mia.url) == code(tom.url)
    expect(mia.locator("#watching")).to_contain_text("Tom is finishing a game against the computer")
    expect(tom.locator("#offer-words")).to_have_text("Mia is here. Play together next?")
    expect_accessible(tom, SIZES)
    tom.get_by_role("button", name="Play together next").click()
    expect(tom.locator("#offer-words")).to_have_text("You’re playing Mia next")


def test_they_play_together_once_the_game_against_the_computer_is_over(visitors):
    tom = seek(visitors, "Tom", "reversi")
    play_meanwhile(tom)
    mia = seek(visitors, "Mia", "reversi", listed="playing")
    tom.get_by_role("button", name="Play together next").click()
    resign(tom)
    # She gets the computer's seat without a press.
    expect(mia.locator(".player.you")).to_have_count(1)
    tom.locator("#again").click()
    for page in tom, mia:
        expect(page.locator("#room")).to_have_attribute("data-status", "running")
        expect(page.locator(".player .name")).to_have_text(["Tom", "Mia"])
    assert "quick" not in mia.url
    # A player who leaves then has left.
    resign(mia)
    mia.evaluate(SENT, ["sit"])
    mia.locator("#leave").click()
    expect(mia.locator("#sit")).to_be_visible()
    assert mia.evaluate("sent") == []


def test_a_room_for_friends_gets_no_offer_and_keeps_its_chairs(visitors):
    page = visitors.new("Ann", PHONE)
    page.clock.install()
    page.goto("/")
    page.locator(way("friends", "reversi")).click()
    expect(page.locator(".player.you")).to_have_count(1)
    # And no one else finds it.
    mia = seek(visitors, "Mia", "reversi")
    expect(mia.locator(".player.you")).to_have_count(1)
    assert code(mia.url) != code(page.url)
    page.clock.fast_forward(LONG)
    expect(page.locator("#offer")).to_be_hidden()
    expect(page.locator(".player")).to_have_count(1)


def test_a_visitor_who_arrives_before_the_press_does_not_have_to_play_at_once(visitors):
    tom, held, hub = visitors.new("Tom", PHONE), [], []

    def connect(line):
        hub.append(line)
        line.connect_to_server().on_message(lambda words: (
            held.append(words) if f'"player":"{visitors.known("Mia")["id"]}"' in words else line.send(words)))

    tom.clock.install()
    tom.route_web_socket("**/ws/rooms/*", connect)
    tom.goto(visitors.open_quick_room("Tom", "reversi") + "?quick")
    expect(tom.locator(".player.you")).to_have_count(1)
    stop_clock(tom)
    assert "quick" not in tom.url
    tom.clock.fast_forward(LONG)
    expect(tom.locator("#offer")).to_be_visible()
    visitors.join(tom.url, "Mia")
    tom.evaluate(SENT, ["bot", "start"])
    tom.evaluate("() => { const button = document.querySelector('#offer-take'); button.click(); button.click() }")
    expect(tom.locator("#toasts .toast")).to_have_count(1)
    assert tom.evaluate("sent") == ["bot"]
    while held:
        hub[-1].send(held.pop(0))
    expect(tom.locator(".player")).to_have_count(2)
    # They start a moment later.
    expect(tom.locator("#offer-words")).to_contain_text("starts in")
    expect(tom.locator("#room")).to_have_attribute("data-status", "waiting")


def offered(page, absent):
    """Accepts the offer of a computer, once a player has been away for long."""
    expect(page.locator(".player", has_text=absent).locator(".tag")).to_contain_text("offline")
    page.clock.fast_forward(LONG)
    expect(page.locator("#offer-words")).to_have_text(NOBODY)
    page.get_by_role("button", name="Play the computer").click()
    expect(page.locator("#room")).to_have_attribute("data-status", "running")
    expect(page.locator(".player.you")).to_have_count(1)
    expect(page.locator(".player .name")).to_contain_text([""] * 2)


def test_a_player_whose_partner_has_left_is_offered_a_computer_in_that_seat(visitors):
    tom = seek(visitors, "Tom", "reversi")
    # Nothing starts while both are there.
    expect(tom.locator(".player.you")).to_have_count(1)
    stop_clock(tom)
    mia = seek(visitors, "Mia", "reversi", listed="1 seat free")
    expect(tom.locator("#say")).to_have_text("Everyone here? Start!")
    room = tom.url
    mia.close()
    expect(tom.locator("#say")).to_have_text("Invite your friends")
    offered(tom, "Mia")
    assert tom.url == room
    expect(tom.locator(".player", has_text="Mia")).to_have_count(0)


def test_a_player_whose_host_has_left_is_offered_one_in_a_new_room(visitors, server):
    tom = seek(visitors, "Tom", "reversi")
    # Nothing starts while both are there.
    expect(tom.locator(".player.you")).to_have_count(1)
    stop_clock(tom)
    mia = seek(visitors, "Mia", "reversi", listed="1 seat free")
    room = tom.url
    tom.close()
    offered(mia, "Tom")
    assert mia.url != room
    left = [json.loads(line)["player"] for line in server.log(code(room)) if b"seat-freed" in line]
    assert left == [visitors.known("Mia")["id"]]
    # Others find it.
    assert json.loads(server.http("GET", "/api/rooms/" + code(mia.url)))["visibility"] == "seeking"


def test_a_spectator_of_a_game_against_a_computer_may_play_one_too(visitors):
    ann = seek(visitors, "Ann", "reversi")
    add_computer(ann)
    start(ann)
    ben = seek(visitors, "Ben", "reversi", listed="playing")
    assert code(ben.url) == code(ann.url)
    ben.clock.fast_forward(LONG)
    expect(ben.locator("#offer-words")).to_have_text("This game is still going. Play the computer while you wait?")
    expect_accessible(ben, SIZES)
    ben.locator("#offer-take").click()
    ben.wait_for_url(lambda url: code(url) != code(ann.url))
    expect(ben.locator(".player.you")).to_have_count(1)
    expect(ben.locator("#room")).to_have_attribute("data-status", "running")

"""The page in Firefox, and in WebKit, the engine of Safari."""

import json

import pytest

from tabs import PlaywrightTab, join_room, play, watch_replay, webkit
from visitors import Visitors, start

# Firefox contexts cannot emulate phones.
NARROW = dict(viewport=dict(width=390, height=844))
# WebKit's driver does not report errors of the page, so they are collected from here on.
FAULTS = "(window.faults ??= (addEventListener('error', e => faults.push(e.message)), []), faults)"
KNOWN = "localStorage.setItem('flipside.player', %s)"
HAND = "JSON.stringify([...document.querySelectorAll('.go-fish-hand .go-fish-card')].map(card => card.textContent))"
BIDS = "[...document.querySelectorAll('.goofspiel-slot')].map(slot => slot.querySelector('.goofspiel-corner')?.textContent).join()"


@pytest.mark.seconds(20)
def test_two_players_and_a_spectator_in_firefox(make_visitors, firefox):
    visitors = make_visitors(firefox)
    ann = visitors.host("Ann", preset="custom", columns=2, rows=3, reveal=200)
    ben, watcher = PlaywrightTab(visitors.new(view=NARROW)), PlaywrightTab(visitors.spectator(ann))
    join_room(ben, ann.url, "Ben")
    start(ann)
    ann = PlaywrightTab(ann)
    _, seen = play([ann, ben], [ann, ben, watcher])
    watch_replay(watcher, ann.url, seen)


@pytest.mark.seconds(20)
def test_a_player_and_a_spectator_in_webkit(hub, display):
    visitors = Visitors(None, hub)
    url = visitors.origin + visitors.open_room("Ann", preset="custom", columns=2, rows=3, reveal=200)
    with webkit(display) as ann, webkit(display, 390, 844) as ben:
        ann.go(visitors.origin)
        ann.see(KNOWN % json.dumps(json.dumps(visitors.known("Ann"))))
        ann.go(url)
        ann.see(FAULTS)
        ben.go(url)
        ben.see(FAULTS)
        ann.press("#start")
        _, seen = play([ann], [ann, ben])
        assert ann.see("faults") == ben.see("faults") == [], (ann.see("faults"), ben.see("faults"))
        join_room(ben, url, "Ben")
        ben.until("document.querySelectorAll('.player').length === 2")
        watch_replay(ben, url, seen)


@pytest.fixture(params=["firefox", "webkit"])
def tab(request, hub, make_visitors):
    """A page of Ann's, and visitors of the same hub."""
    if request.param == "firefox":
        visitors = make_visitors(request.getfixturevalue("firefox"))
        yield PlaywrightTab(visitors.new("Ann")), visitors
        return
    visitors = Visitors(None, hub)
    with webkit(request.getfixturevalue("display")) as tab:
        tab.go(visitors.origin)
        tab.see(KNOWN % json.dumps(json.dumps(visitors.known("Ann"))))
        yield tab, visitors
        assert tab.see(FAULTS) == []


def open_table(tab, visitors, game, others, **options):
    """Starts a game of Ann's against players without a page; returns them, and the room's address."""
    url = visitors.origin + visitors.open_room("Ann", game, turnTime=0, **options)
    tab.go(url)
    tab.see(FAULTS)
    tab.until_shown(".player.you")
    players = [visitors.join(url, name) for name in others]
    tab.press("#start")
    return players, url


def reload(tab, url):
    assert tab.see(FAULTS) == []
    tab.go(url)
    tab.see(FAULTS)


@pytest.mark.seconds(20)
def test_a_hand_and_a_sealed_bid_are_drawn_also_after_a_reload(tab):
    tab, visitors = tab
    _, url = open_table(tab, visitors, "go-fish", ["Ben", "Cleo"])
    tab.until(f"{HAND} !== '[]'")
    dealt = tab.see(HAND)
    reload(tab, url)
    tab.until(f"{HAND} === {json.dumps(dealt)}")
    # Two presses ask for cards: these come from the other player or from the pond.
    tab.press(".go-fish-rank[aria-disabled=false]")
    tab.until_shown(".go-fish-rank[aria-pressed=true]")
    tab.press(".go-fish-player[aria-disabled=false]")
    tab.until(f"{HAND} !== {json.dumps(dealt)}")

    (ben,), url = open_table(tab, visitors, "goofspiel", ["Ben"], cards=4)
    tab.press(".goofspiel-card[data-target='2'][aria-disabled=false]")
    tab.until_shown(".goofspiel-card[data-target='2'][data-state=bid]")
    reload(tab, url)
    tab.until_shown(".goofspiel-card[data-target='2'][data-state=bid]")
    tab.until(f"{BIDS} === '3,'")
    ben.do("bid", card=2)
    tab.until(f"{BIDS} === '3,2'")
    tab.until_shown(".goofspiel-card[data-target='2'][data-state=used]")

"""The page in Firefox, and in WebKit, the engine of Safari."""

import json

import pytest

from tabs import PlaywrightTab, join_room, play, watch_replay, webkit
from visitors import Visitors, start

# Firefox contexts cannot emulate phones.
NARROW = dict(viewport=dict(width=390, height=844))
# WebKit's driver does not report errors of the page, so they are collected from here on.
FAULTS = "window.faults ??= (addEventListener('error', e => faults.push(e.message)), []), faults"


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
        ann.see(f"localStorage.setItem('flipside.player', {json.dumps(json.dumps(visitors.known('Ann')))})")
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

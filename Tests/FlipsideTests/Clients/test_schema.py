"""The protocol's schema finds what is wrong, and leaves the options of other games to them."""

import pytest

from protocol_schema import CHECKER

SEED, NONCE = "0" * 64, "0" * 32


@pytest.mark.parametrize("message", [
    {"type": "pong", "n": 1, "now": 1, "seed": "00"},
    {"type": "pong", "n": 1},
    {"type": "pong", "n": "1", "now": 1},
    {"type": "tell-all"},
    {"v": 1, "t": 1, "type": "room-closed", "reveal": {"seed": SEED, "nonces": {"0": NONCE}}},
    {"v": 1, "t": 1, "type": "room-closed", "reveal": {"seed": SEED, "nonces": [{"seat": 0}]}},
    {"v": 1, "t": 1, "type": "show-card", "cell": 0, "seat": 0, "face": ""},
], ids=["field-too-many", "field-too-few", "wrong-type", "unknown", "nonces-by-seat", "no-nonce", "empty-face"])
def test_a_violation_is_found(message):
    assert CHECKER.violation("hub", message)


@pytest.mark.parametrize("game, options, is_right", [
    ("memory", {"columns": 8, "theme": "birds"}, True), ("memory", {"columns": 9}, False), ("memory", {"seats": 9}, False),
    ("memory", {"size": 3}, False), ("reversi", {"seats": 2, "turnTime": 0}, True), ("reversi", {"columns": 8}, False),
    ("dots-and-boxes", {"size": 6}, True), ("dots-and-boxes", {"size": 7}, False), ("go-fish", {"books": "threes"}, False),
    ("goofspiel", {"cards": 13}, True), ("go-fish", {"cards": 13}, False),
    ("tic-tac-toe", {"columns": 40, "theme": 7, "misere": True, "seats": 8}, True),
    ("tic-tac-toe", {"seats": 9}, False), ("tic-tac-toe", {"turnTime": 1}, False), ("tic-tac-toe", {"size": [3]}, False),
])
def test_options_are_those_of_the_game(game, options, is_right):
    opened = {"v": 1, "t": 1, "type": "room-opened", "game": game, "options": options, "visibility": "public", "host": "a"}
    assert (CHECKER.violation("hub", opened) is None) == is_right
    asked = {"game": game, "options": options | {"turnTime": options.get("turnTime")}}
    assert (CHECKER.violation("http.open", asked) is None) == is_right
    # Null is for requests only.
    opened["options"] = {"seats": None}
    assert CHECKER.violation("hub", opened)

"""The protocol's schema finds what is wrong."""

import pytest

from protocol_schema import Checker

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
    assert Checker().violation("hub", message)

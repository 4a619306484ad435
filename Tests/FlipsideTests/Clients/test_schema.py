"""The protocol's schema finds what is wrong, and fits the examples in the reference."""

import json, re

import pytest

from protocol_schema import Checker, SCHEMA

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


def test_the_first_session_of_the_reference_fits():
    session = (SCHEMA.parents[1] / "Protocol.md").read_text().split("## A first session")[1].split("\n## ")[0]
    lines = re.findall(r"^    ([<>] )?(\{.*)$", session, re.MULTILINE)
    # Two answers of HTTP precede the messages; dots cut a list short.
    sides = ["http.player", "http.room"] + [{"> ": "client", "< ": "hub"}[mark] for mark, _ in lines[2:]]
    checker = Checker()
    found = [checker.violation(side, json.loads(text.replace(",...,", ","))) for side, (_, text) in zip(sides, lines)]
    assert len(lines) > 20 and found == [None] * len(lines)

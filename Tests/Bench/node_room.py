"""A room with a player at the first node of a cluster."""
import json
import random
import time

from websocket import connect, messages, say

CARDS = {"columns": 6, "rows": 8}


class NodeRoom:
    """`is_away`: whether another node is its home, and the first relays to it."""

    def __init__(self, cluster, is_away=False):
        node = cluster.nodes[0]
        token = node.register()
        code = node.open_room(token, seats=1, reveal=200, theme="numbers", **CARDS)
        self.path = f"/ws/rooms/{code}"
        # The node that the first visitor reaches stays the room's home for as long as anyone is there.
        self.line = first = connect(cluster.nodes[1 if is_away else 0].port, self.path)
        self.heard, self.number, self.events = messages(first), 0, 0
        self.do("hello", "welcome")
        self.line = connect(node.port, self.path)
        self.heard = messages(self.line)
        self.do("hello", "welcome", token=token)
        first.close()
        self.do("sit", "ok", id="sit")
        self.do("start", "turn", id="start")
        # For each flip, ms until the player has its answer.
        self.times = []
        self.left = list(range(CARDS["columns"] * CARDS["rows"]))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.line.close()

    def do(self, kind, answer, **fields):
        """Sends it and reads up to the answer."""
        say(self.line, json.dumps({"type": kind, **fields}))
        return self.wait(answer)

    def wait(self, kind):
        while True:
            message = json.loads(next(self.heard))
            if message["type"] == "error" and kind != "error":
                raise SystemExit(f"The hub refused: {message}")
            self.events += "t" in message
            if message["type"] == "match":
                self.left = [cell for cell in self.left if cell not in message["cells"]]
            if message["type"] == kind:
                return message

    def refusal(self):
        """ms from a command that its home refuses to its answer: there and back, without the log."""
        self.number += 1
        began = time.monotonic()
        self.do("flip", "error", id=f"no{self.number}", cell=999)
        return (time.monotonic() - began) * 1e3

    def play(self, flips):
        """Plays an even number of flips, one at a time; returns how many events they caused."""
        before = self.events
        for _ in range(0, flips, 2):
            for cell in random.sample(self.left, 2):
                self.number += 1
                began = time.monotonic()
                self.do("flip", "ok", id=f"f{self.number}", cell=cell)
                self.times.append((time.monotonic() - began) * 1e3)
                time.sleep(0.1)
            # Matching cards are gone before the answer; others turn down a little later.
            if cell in self.left:
                self.wait("turn")
        return self.events - before

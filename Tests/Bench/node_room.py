"""A room in which one plays by the first node of a cluster."""
import json
import random
import time

from websocket import connect, messages, say

CARDS = {"columns": 6, "rows": 8}
TRIES = 10


class NodeRoom:
    """`is_away`: whether another node judges it; nil: any may."""

    def __init__(self, cluster, is_away=None):
        self.node = cluster.nodes[0]
        token = self.node.register()
        for _ in range(64):
            if self.enter(token, is_away):
                return
        raise SystemExit("No room is where it is to be judged.")

    def enter(self, token, is_away):
        """A new room; whether it is judged where it is to be."""
        code = self.node.open_room(token, seats=1, reveal=200, theme="numbers", **CARDS)
        self.path = f"/ws/rooms/{code}"
        self.line = connect(self.node.port, self.path)
        self.heard, self.number, self.events = messages(self.line), 0, 0
        self.do("hello", "welcome", token=token)
        self.do("sit", "ok", id="sit")
        self.do("start", "turn", id="start")
        # What another node judges has to be sent to it.
        before = self.node.metric("node_link_sent_messages_total")
        for _ in range(TRIES):
            self.refusal()
        self.is_away = self.node.metric("node_link_sent_messages_total") - before >= TRIES
        if is_away is None or is_away == self.is_away:
            self.left = list(range(CARDS["columns"] * CARDS["rows"]))
            return True
        self.line.close()
        return False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.line.close()

    def do(self, kind, answer, **fields):
        """Says it and reads up to the answer."""
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
        """ms from a command that its home refuses to its answer: it goes there and back, and not to the log."""
        self.number += 1
        began = time.monotonic()
        self.do("flip", "error", id=f"no{self.number}", cell=999)
        return (time.monotonic() - began) * 1e3

    def play(self, flips):
        """How many events that leads to. An even number, one at a time."""
        before = self.events
        for _ in range(0, flips, 2):
            for cell in random.sample(self.left, 2):
                self.number += 1
                self.do("flip", "ok", id=f"f{self.number}", cell=cell)
                time.sleep(0.1)
            # Those that match have gone before the answer; others are turned down by and by.
            if cell in self.left:
                self.wait("turn")
        return self.events - before

"""One player and thousands of spectators: the hub's processor time a delivery, and how long the player waits."""
import json
import random
import statistics
import tempfile
import time

from floor import BUILT, PORT, PinnedHub, Process, build_both, ended, loaded, started
from hub import table
from websocket import connect, messages, say

CARDS = {"columns": 6, "rows": 8}
# After two flips the cards turn back: three messages for everyone.
SHOWN = 1.5


def add_options(group):
    group.add_argument("--audiences", type=int, nargs="+", default=[1_000, 5_000], help="who watch (1000 5000)")
    group.add_argument("--audience-flips", type=int, default=40, help="of each round, one at a time (40)")
    group.add_argument("--audience-rounds", type=int, default=3, help="of which medians are shown (3)")


def run(options):
    build_both()
    rows = [["who watch", "bare C µs a delivery", "the hub", "x", "player's ok p50 ms", "p99 ms"]]
    for count in options.audiences:
        bare, whole, times = [], [], []
        for _ in range(options.audience_rounds):
            bare.append(floor(count + 1, options.audience_flips))
            with Audience(count) as audience:
                before = audience.hub.processor_seconds()
                times += audience.play(options.audience_flips)
                spent = audience.hub.processor_seconds() - before
                whole.append(spent / audience.deliveries(options.audience_flips) * 1e6)
        low, high = statistics.median(bare), statistics.median(whole)
        times.sort()
        rows.append([count, f"{low:.2f}", f"{high:.2f}", f"{high / low:.2f}", f"{times[len(times) // 2]:.2f}",
                     f"{times[len(times) * 99 // 100]:.2f}"])
    table(*rows)


def floor(members, flips):
    with tempfile.TemporaryDirectory() as folder:
        with Process(BUILT / "floor", "flips", PORT, members, f"{folder}/log.sqlite", port=PORT) as bare:
            return loaded(bare, "flips", PORT, 1, members, 5, flips / 5) / SHOWN / members


class Audience:
    """A hub with a room of one player and `count` spectators."""

    def __init__(self, count, **more):
        self.hub = PinnedHub("--members-per-room", "100000", **more)
        self.members = count + 1
        token = self.hub.register()
        room = f"/ws/rooms/{self.hub.open_room(token, seats=1, reveal=200, theme='numbers', **CARDS)}"
        self.line = connect(self.hub.port, room)
        self.heard = messages(self.line)
        self.do("hello", "welcome", token=token)
        self.do("sit", "ok", id="sit")
        self.watchers = started("watch", self.hub.port, room, count)
        self.do("start", "turn", id="start")
        self.left = list(range(CARDS["columns"] * CARDS["rows"]))
        # Presence is sent once a second.
        time.sleep(2)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        ended(self.watchers)
        self.line.close()
        self.hub.__exit__()

    def deliveries(self, flips):
        return flips * SHOWN * self.members

    def do(self, kind, answer, **fields):
        """Sends it and reads up to the answer."""
        say(self.line, json.dumps({"type": kind, **fields}))
        self.wait(answer)

    def wait(self, kind):
        while True:
            message = json.loads(next(self.heard))
            if message["type"] == "error":
                raise SystemExit(f"The hub refused: {message}")
            if message["type"] == "match":
                self.left = [cell for cell in self.left if cell not in message["cells"]]
            if message["type"] == kind:
                return

    def play(self, count):
        """So many flips, an even number, with time for all to see them; ms to the answer of each."""
        times = []
        for number in range(0, count, 2):
            for cell in random.sample(self.left, 2):
                began = time.monotonic()
                self.do("flip", "ok", id=f"f{cell}.{began}", cell=cell)
                times.append((time.monotonic() - began) * 1e3)
                time.sleep(0.15)
            # Matching cards are gone before the answer.
            if cell in self.left:
                self.wait("hide-card")
            time.sleep(0.15)
        return times

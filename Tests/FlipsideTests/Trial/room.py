"""A room of the trial: everything that any of its clients received, and who moves when."""

import asyncio, hashlib, json, time

from boards import Table

# How long a player thinks, in s: about a move, and before the second card.
THINKING, SECOND_CARD = (1.0, 3.5), (0.3, 1.0)
# In s. Every move is made long before this, and no connection is cut for so long: a turn runs out only if an outage of the
# room was taken from its time.
TURN_TIME = 14


class Room:
    def __init__(self, code, game, trial):
        self.code, self.game, self.trial, self.chance = code, game, trial, trial.chance
        # By version: the SHA-256 of the event's bytes, and the room's head after it.
        self.digests, self.heads = [b""], [hashlib.sha256(f"room/{code}".encode()).digest()]
        # The bytes of the newest events.
        self.recent = {}
        self.table = Table(game, self.fault)
        # The sum of the table's extensions at the last look, in ms.
        self.extended_before = 0
        self.players, self.watcher = [], None
        # Heads that a client received before the events: (version, head in hex, by which message).
        self.claims = []
        self.news_at, self.stood_still = time.monotonic(), 0.0
        # No one moves from now on; no one reconnects from now on.
        self.stops = self.is_over = False

    def fault(self, what):
        self.trial.fault(f"room {self.code} at version {self.version}: {what}")

    @property
    def version(self):
        return len(self.digests) - 1

    @property
    def clients(self):
        return [*self.players, self.watcher]

    def take(self, raw, by):
        """An event that a client received; returns its version."""
        version = int(raw[5 : raw.index(b",")])
        known = self.recent.get(version)
        if known is not None and known == raw:
            return version
        digest = hashlib.sha256(raw).digest()
        if version <= self.version:
            if self.digests[version] != digest:
                self.fault(f"{by} was sent another event {version}: {raw[:300]}; before: {(known or b'')[:300]}")
        elif version == self.version + 1:
            self.learn(version, raw, digest)
        else:
            self.fault(f"{by} was sent event {version}, and no one the one before")
        return version

    def learn(self, version, raw, digest):
        event = json.loads(raw)
        is_promise = event["type"] in ("room-opened", "game-ended")
        sealed = bytes.fromhex(event["commitment"]) if is_promise and "commitment" in event else b""
        self.digests.append(digest)
        self.heads.append(hashlib.sha256(self.heads[-1] + digest + sealed).digest())
        self.recent[version] = raw
        self.recent.pop(version - 64, None)
        now = time.monotonic()
        self.stood_still = max(self.stood_still, now - self.news_at)
        self.news_at = now
        self.table.apply(event)

    def claim(self, version, head, by):
        """A greeting names this head. Heads ahead of all received events are checked at the end."""
        if version > self.version:
            self.claims.append((version, head, by))
        elif self.heads[version].hex() != head:
            self.fault(f"{by} was told head {head} of version {version}, not {self.heads[version].hex()}")

    def compare(self, welcome, by):
        """Compares a welcome with the state after the events."""
        if welcome["version"] == self.version:
            for difference in self.table.differs(welcome["room"], welcome["view"]):
                self.fault(f"{by} was welcomed with {difference}")

    # Stillness

    def watch_anew(self):
        """Starts to measure how long nothing comes."""
        self.news_at, self.stood_still = time.monotonic(), 0.0
        self.extended_before = self.table.extended

    @property
    def given_back(self):
        """How much the clock was set back since then, in s."""
        return (self.table.extended - self.extended_before) / 1000

    # Playing

    async def play(self):
        """Lets the two players make all of their moves, game after game."""
        await asyncio.sleep(self.chance.uniform(0, THINKING[1]))
        while not self.stops:
            mover, command = self.next_command()
            if mover is None or mover.waiting:
                await asyncio.sleep(0.1)
                continue
            mover.say(**command)
            second = self.game == "memory" and self.table.board and not self.table.board.up
            await asyncio.sleep(self.chance.uniform(*(SECOND_CARD if second else THINKING)))

    def next_command(self):
        """The player who must act, and how; none if all wait for the hub."""
        table = self.table
        if table.status == "running":
            command = table.board.move(table.turn, self.chance) if table.turn is not None else None
            return (self.players[table.turn], command) if command else (None, None)
        if table.status == "waiting":
            for seat in (0, 1):
                if seat not in table.seated:
                    return self.players[seat], {"type": "sit", "seat": seat}
            return self.players[0], {"type": "start"}
        if table.proposal is None:
            return self.players[0], {"type": "propose", "what": "rematch"}
        if 1 in table.proposal["asked"]:
            return self.players[1], {"type": "answer", "agrees": True, "to": table.proposal["v"]}
        return None, None

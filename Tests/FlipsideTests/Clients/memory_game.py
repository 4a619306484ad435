"""A game of Memory over the protocol, with all of its messages, and how to deal its deck again."""

import hashlib, json, random

from table import Table


def words(seed):
    for block in range(2**32):
        digest = hashlib.sha256(seed + block.to_bytes(4, "big")).digest()
        yield from (int.from_bytes(digest[i : i + 4], "big") for i in range(0, 32, 4))


def shuffle(items, stream):
    for i in range(len(items) - 1, 0, -1):
        bound = i + 1
        while (word := next(stream)) >= 2**32 // bound * bound:
            pass
        j = word % bound
        items[i], items[j] = items[j], items[i]


def deal(server_seed, faces, pairs):
    """The deck as dealt, cell by cell, on a board without a gap."""
    stream = words(hashlib.sha256(b"flipside/deck/1" + server_seed).digest())
    faces = list(dict.fromkeys(faces))
    shuffle(faces, stream)
    deck = [face for face in faces[:pairs] for _ in range(2)]
    shuffle(deck, stream)
    return deck


def chained(code, log):
    """The head of a room with these lines."""
    head = hashlib.sha256(f"room/{code}".encode()).digest()
    for line in log:
        event = json.loads(line)
        sealed = bytes.fromhex(event["commitment"]) if "commitment" in event else b""
        head = hashlib.sha256(head + hashlib.sha256(line).digest() + sealed).digest()
    return head


class Game(Table):
    """A complete game of two, with all messages checked against the schema. Keeps `log` (lines), `events`, `known` (the face
    that each cell showed), `start` and `end` (events), `seen` (by each page: line and event)."""

    @classmethod
    async def played(cls, server, servers=()):
        game = await cls.begin(server, is_strict=True, servers=servers, columns=4, rows=3, theme="numbers", reveal=200)
        await game.play()
        for page in game.pages:
            if not any(event["type"] == "game-ended" for _, event in page.events):
                await page.until(lambda m: m["type"] == "game-ended")
        game.log = server.log(game.code)
        game.events = [json.loads(line) for line in game.log]
        game.seen = [page.events for page in [game.watcher, *game.pages]]
        return game

    async def play(self):
        watcher = self.watcher
        self.start = await watcher.until(lambda m: m["type"] == "game-started")
        turn = await watcher.until(lambda m: m["type"] == "turn")
        known, won = {}, set()
        while turn["type"] != "game-ended":
            mover = self.pages[turn["seat"]]
            down = [cell for cell in range(12) if cell not in won]
            pair = next(([a, b] for a in down for b in down if a < b and known.get(a, a) == known.get(b, b)), None)
            first = pair[0] if pair else random.choice([cell for cell in down if cell not in known])
            for attempt in range(2):
                twin = next((c for c in down if c != first and known.get(c) == known.get(first, first)), None)
                rest = [cell for cell in down if cell != first and cell not in known] or [c for c in down if c != first]
                cell = first if attempt == 0 else twin if twin is not None else random.choice(rest)
                await mover.done("flip", cell=cell)
                shown = await watcher.until(lambda m: m["type"] == "show-card")
                assert shown["cell"] == cell
                known[cell] = shown["face"]
            after = await watcher.until(lambda m: m["type"] in ("match", "hide-card"))
            if after["type"] == "match":
                won |= set(after["cells"])
            turn = await watcher.until(lambda m: m["type"] in ("turn", "game-ended"))
        self.known, self.end = known, turn

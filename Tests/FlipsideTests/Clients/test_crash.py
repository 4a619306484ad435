"""Kills the hub with -9 again and again under load: nothing that anyone saw may be lost, and no turn loses time."""

import asyncio, json, time

import pytest
from websockets.exceptions import WebSocketException

from flipside import Page
from table import Table

# With `scripts/test --long` 50 kills, of hubs that run side by side; otherwise 20.
HUBS, KILLS, ROOMS = 5, 10, 6


class Room:
    """Two players who flip at random; remembers everything that either saw."""

    def __init__(self, table, chance):
        self.code, self.tokens, self.chance, self.seen = table.code, table.tokens, chance, {}

    async def play(self, server):
        try:
            pages = [await Page.join(server, self.code, token, **self.after()) for token in self.tokens]
        except (WebSocketException, OSError):
            # The hub died before they were in.
            return
        for page in pages:
            assert not page.welcome.get("diverged"), "the log lost something"
        await asyncio.gather(*(self.follow(page) for page in pages))

    def after(self):
        return {"after": max(self.seen)} if self.seen else {}

    async def follow(self, page):
        pending = asyncio.create_task(self.flip(page))
        try:
            while True:
                message = await page.next()
                if "v" not in message or "t" not in message:
                    continue
                raw = page.events[-1][0]
                assert self.seen.setdefault(message["v"], raw) == raw, "an event changed"
                if message["type"] == "game-ended":
                    await page.send("propose", what="rematch")
        except AssertionError:
            raise
        except Exception:
            # The hub is dead.
            pass
        finally:
            pending.cancel()

    async def flip(self, page):
        while True:
            await page.send("flip", cell=self.chance.randrange(96))
            # A pace, not a wait: two players in each room keep it busy.
            await asyncio.sleep(0.002)


@pytest.mark.seconds(25)
@pytest.mark.parametrize("number", [0, 1, *(pytest.param(number, marks=pytest.mark.long) for number in range(2, HUBS))])
async def test_nothing_is_lost(hub, chance, number):
    server = hub.server
    tables = [await Table.begin(server, columns=8, rows=12, theme="numbers", reveal=200, turnTime=60) for _ in range(ROOMS)]
    for table in tables:
        for page in [table.watcher, *table.pages]:
            await page.socket.close()
    rooms = [Room(table, chance) for table in tables]
    for kill in range(KILLS):
        players = asyncio.gather(*(room.play(server) for room in rooms))
        # Random times of death and downtimes are the point of this test.
        await asyncio.sleep(chance.uniform(0.1, 0.6))
        hub.kill()
        killed = time.time() * 1000
        await players
        await asyncio.sleep(chance.uniform(0, 0.4))
        down = time.time() * 1000 - killed
        server = hub.start()
        for room in rooms:
            log = server.log(room.code)
            for version, raw in room.seen.items():
                assert log[version - 1] == raw, f"kill {kill}: version {version} of {room.code} is not in the log"
        await check_time(server, rooms, killed, down)
    assert all(room.seen for room in rooms)


async def check_time(server, rooms, killed, down):
    """Each clock that ran when the hub was killed was extended by at least the downtime; a pending reveal still ends."""
    for room in rooms:
        page = await Page.join(server, room.code)
        view = page.welcome["view"]
        if "revealUntil" in view or "deadline" in view:
            events = map(json.loads, server.log(room.code))
            made_up = next((e for e in events if e["type"] == "clock-extended" and e["t"] >= killed), None)
            made_up = made_up or await page.until(lambda m: m["type"] == "clock-extended")
            assert made_up["ms"] >= down, f"down for {down} ms, made up for {made_up['ms']}"
        if "revealUntil" in view and not any(event["type"] == "hide-card" for _, event in page.events):
            await page.until(lambda m: m["type"] == "hide-card")
        await page.socket.close()

"""Rooms of a cluster in play, no matter what happens to its nodes, and what their players saw."""

import asyncio, time

from websockets.exceptions import ConnectionClosed, WebSocketException

from cluster import PATIENCE
from flipside import Page
from table import Table

ROOMS = 6


class Player:
    """A player who flips at random, on one node for as long as it lives, and remembers everything seen."""

    def __init__(self, code, token, nodes, chance):
        self.code, self.token, self.nodes, self.chance = code, token, nodes, chance
        self.seen, self.connects, self.ended = {}, 0, False
        # The close codes of its connections; None: closed without one.
        self.closed = []

    async def play(self):
        while not self.ended:
            node = self.nodes[0]
            try:
                after = {"after": max(self.seen)} if self.seen else {}
                page = await Page.join(node.server, self.code, self.token, **after)
            except (WebSocketException, OSError, AssertionError):
                # This node serves no one. Try another.
                self.nodes = self.nodes[1:] + self.nodes[:1]
                await asyncio.sleep(0.1)
                continue
            self.connects += 1
            assert not page.welcome.get("diverged"), "the log lost something"
            flips = asyncio.create_task(self.flip(page))
            try:
                await self.follow(page)
            except ConnectionClosed as closed:
                self.closed.append(closed.rcvd and closed.rcvd.code)
                self.nodes = self.nodes[1:] + self.nodes[:1]
            except OSError:
                self.closed.append(None)
                self.nodes = self.nodes[1:] + self.nodes[:1]
            finally:
                flips.cancel()
                await page.socket.close()

    async def follow(self, page):
        while not self.ended:
            try:
                message = await asyncio.wait_for(page.next(), 0.5)
            except TimeoutError:
                continue
            if "v" not in message or "t" not in message:
                continue
            raw = page.events.pop()[0]
            assert self.seen.setdefault(message["v"], raw) == raw, "an event changed"
            if message["type"] == "proposed":
                await page.send("answer", agrees=True, to=message["v"])

    async def flip(self, page):
        while True:
            await page.send("flip", cell=self.chance.randrange(12))
            # After the end of a game; repeated, since a node or the database may be away at the time.
            if self.chance.randrange(25) == 0:
                await page.send("propose", what="rematch")
            await asyncio.sleep(0.02)


class Rooms:
    """Rooms in play, each with its players on different nodes."""

    @classmethod
    async def begin(cls, cluster, chance, count=ROOMS):
        rooms = cls()
        rooms.cluster, rooms.players = cluster, []
        for number in range(count):
            table = await Table.begin(cluster[number % 3].server, columns=4, rows=3, theme="numbers", reveal=200, turnTime=60)
            for page in [table.watcher, *table.pages]:
                await page.socket.close()
            for index, token in enumerate([*table.tokens, None]):
                nodes = [cluster[(number + index + step) % 3] for step in range(3)]
                rooms.players.append(Player(table.code, token, nodes, chance))
        rooms.task = asyncio.gather(*(player.play() for player in rooms.players))
        return rooms

    def versions(self):
        return [max(player.seen, default=0) for player in self.players]

    async def go_on(self):
        """Waits until everyone has seen something new."""
        before = self.versions()
        end = time.monotonic() + PATIENCE
        while not all(now > then for now, then in zip(self.versions(), before)):
            if self.task.done():
                self.task.result()
            late = [(p.code, p.token is None, then) for p, now, then in zip(self.players, self.versions(), before) if now <= then]
            assert time.monotonic() < end, f"these see nothing new: {late}"
            await asyncio.sleep(0.05)

    @staticmethod
    def are_closed_for_restarts_alone(players):
        """Their rooms may have moved to other nodes; nothing else happened to them."""
        assert all(code == 1012 for player in players for code in player.closed), [player.closed for player in players]

    async def end(self):
        """Stops all; everything they saw must be in the log of every node."""
        for player in self.players:
            player.ended = True
        await self.task
        for player in self.players:
            for node in self.cluster:
                if node.process.poll() is None:
                    log = node.server.log(player.code)
                    for version, raw in player.seen.items():
                        assert log[version - 1] == raw, f"version {version} of {player.code} at {node.name}"

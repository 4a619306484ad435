"""Three nodes whose database fails over to an asynchronous replica that has lost the last seconds."""

import asyncio, hashlib, json, signal

import pytest
from websockets.exceptions import ConnectionClosed, ConnectionClosedError, InvalidStatus

from database import ReplicatedDatabase
from flipside import Page, until
from table import Table

pytestmark = [pytest.mark.seconds(90), pytest.mark.xdist_group("cluster")]

ROOMS = 4


@pytest.fixture
def replicated():
    database = ReplicatedDatabase()
    yield database
    database.remove()


@pytest.fixture
def cluster_log(replicated):
    return replicated


class Guest:
    """A client in a room, which keeps what it received since the last `welcome`, and returns when the room's home moves."""

    def __init__(self, page, code, node, token=None):
        self.page, self.code, self.node, self.token = page, code, node, token
        self.diverged, self.refusals, self.returns = 0, [], 0
        self.welcome(page.welcome)
        self.task = asyncio.create_task(self.read())

    @classmethod
    async def join(cls, node, code, token=None):
        return cls(await Page.join(node.server, code, token), code, node, token)

    def welcome(self, message):
        self.start = self.version = message["version"]
        self.head = bytes.fromhex(message["head"])
        self.you, self.events = message["you"], []

    async def read(self):
        while True:
            try:
                async for raw in self.page.socket:
                    self.take(raw, json.loads(raw))
                return
            except ConnectionClosedError as closed:
                if closed.rcvd is None or closed.rcvd.code != 1012:
                    raise
            await self.come_back()

    def take(self, raw, message):
        if message["type"] == "welcome":
            self.diverged += bool(message.get("diverged"))
            self.welcome(message)
        elif "v" in message and "t" in message:
            sealed = bytes.fromhex(message.get("commitment", ""))
            self.head = hashlib.sha256(self.head + hashlib.sha256(raw.encode()).digest() + sealed).digest()
            self.version = message["v"]
            self.events.append(raw.encode())
        elif message["type"] == "error" and message.get("id") is None:
            self.refusals.append(message["code"])

    async def come_back(self):
        """With everything it has seen, however long it takes until a node serves the room."""
        while True:
            try:
                self.page = await Page.join(
                    self.node.server, self.code, self.token, after=self.version, head=self.head.hex())
                break
            except (OSError, ConnectionClosed, InvalidStatus):
                await asyncio.sleep(0.1)
        self.returns += 1
        self.you = self.page.welcome["you"]
        if self.page.welcome["type"] == "welcome":
            self.take("", self.page.welcome)

    async def flip(self, chance):
        try:
            await self.page.send("flip", cell=chance.randrange(16))
        except ConnectionClosed:
            # It tries again.
            pass

    def holds(self, log):
        """Whether this is exactly what it was sent."""
        return self.version == len(log) and self.events == log[self.start:]

    async def leave(self):
        await self.page.socket.close()
        await self.task


class Rooms:
    def __init__(self, chance):
        self.chance, self.guests, self.players = chance, [], []

    async def begin(self, nodes):
        for number in range(ROOMS):
            servers = [nodes[(number + step) % len(nodes)] for step in range(3)]
            table = await Table.begin(
                servers[0].server, servers=[node.server for node in servers], columns=4, rows=4, theme="numbers", reveal=200)
            for page in [table.watcher, *table.pages]:
                await page.socket.close()
            self.players += [await Guest.join(node, table.code, token) for node, token in zip(servers[1:], table.tokens)]
        self.guests += self.players
        self.codes = sorted({guest.code for guest in self.guests})

    async def watch(self, node):
        self.guests += [await Guest.join(node, code) for code in self.codes]

    async def go_on(self, events=3):
        """Waits until everyone has seen so many more events."""
        before = [(guest, guest.version, guest.diverged) for guest in self.guests]
        for _ in range(1_200):
            if all(guest.version >= version + events for guest, version, _ in before):
                return
            for player in self.players:
                await player.flip(self.chance)
            await asyncio.sleep(0.05)
        late = [(guest.code, guest.node.name, version, guest.version) for guest, version, _ in before]
        raise AssertionError(f"these see nothing new: {late}")

    def are_right(self):
        logs = {code: self.guests[0].node.server.log(code) for code in self.codes}
        return all(guest.holds(logs[guest.code]) for guest in self.guests)


async def test_all_recover_from_a_failover_that_has_lost_the_last_seconds(cluster, replicated, run, chance):
    a, b, c = cluster
    rooms = Rooms(chance)
    await rooms.begin([a, b])
    replicated.hold_back()
    # What will be lost: a node's row, moves that all have seen, and a player.
    c.kill(signal.SIGTERM)
    c.start()
    await rooms.watch(c)
    await rooms.go_on()
    token, _ = a.server.register("Late")
    late = await Guest.join(a, rooms.codes[0], token)
    assert late.you["player"]
    seen = [guest.version for guest in rooms.guests]

    replicated.fail_over()
    await until("news of what is lost", lambda: all(guest.diverged for guest in rooms.guests))
    assert all(guest.start < version for guest, version in zip(rooms.guests, seen))
    await rooms.go_on()
    await until("everyone to have what the log has", rooms.are_right)
    assert [guest.diverged for guest in rooms.guests] == [1] * len(rooms.guests)
    # The third one joins again.
    await until("the same list of nodes", lambda: all(node.server.metric("nodes") == 3 for node in cluster))
    cluster.wait_linked()
    await until("green lights", lambda: all(node.is_ready() for node in cluster))
    for node in cluster:
        page = await Page.join(node.server, rooms.codes[0], token)
        assert not page.welcome["you"].get("player")
        await page.socket.close()
    def watches():
        # A returning client is told so before the greeting.
        return (late.returns or late.refusals == ["unknown-token"]) and not late.you.get("player")

    await until("the lost player to watch, or to be sent away", lambda: watches() or late.task.done())
    # If the hub could not find out for a while who that is, the client that returns later watches too.
    if not watches():
        assert late.page.socket.close_code == 1013, late.task.exception()
        late = await Guest.join(a, rooms.codes[0], token)
        assert not late.you.get("player")
    for guest in [late, *rooms.guests]:
        assert not guest.task.done(), f"{guest.node.name} has closed a connection\n{guest.node.logged()}"
        await guest.leave()
    verdict = run("verify", "--log", cluster.address)
    assert verdict.returncode == 0, verdict

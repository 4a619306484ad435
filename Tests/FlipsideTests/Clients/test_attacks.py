"""What happens to attackers: who is cut off and with which words, what others notice (nothing), and how much memory it takes.
The attacks are those that scripts/bench measures; timeouts of real seconds are in the tests of the transport."""

import asyncio, collections, importlib.util, json, pathlib, select, socket, struct, time, typing

import pytest

from flipside import Page, left_of, until
from test_hostile_memory import resident

pytestmark = pytest.mark.xdist_group("attacks")
EACH = 10
KIB = 1 << 10
# For each one a message as received, one inflated, and twice what may wait before the hub stops reading.
ALLOWED = EACH * (64 + 64 + 2 * 256) * KIB

# `TransportOptions.refusalLimit`.
TOLD = 64


def attackers():
    path = pathlib.Path(__file__).parents[2] / "Bench/attackers.py"
    spec = importlib.util.spec_from_file_location("attackers", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ATTACKERS = attackers()
NAMES = [attack.name for attack in ATTACKERS.all_attacks("")]
LAST = ATTACKERS.frame(9, b"last")


class Outcome(typing.NamedTuple):
    """The outcome for each connection."""

    # How often it sends its piece.
    times: int
    status: int
    # The code of the close frame; None: it stays, and its last ping is answered.
    closed: int | None
    # The limits that it hits, besides those of messages a second, which a slow machine may not reach.
    limits: set = set()
    # What else it receives, and how often; None: more than once.
    hears: dict = {}


OUTCOMES = {
    "slowloris: heads that never end": Outcome(100, 431, None, {"head-size"}),
    "pings": Outcome(22, 101, None, hears={"pong": 2_200}),
    "pings, pongs unread": Outcome(22, 101, None),
    "fragments of one byte": Outcome(4, 101, None),
    "hello": Outcome(10, 101, 1008, {"hellos-per-second", "refusals-per-second"}, {"welcome": None, "too-fast": None}),
    "bombs": Outcome(1, 101, 1009, {"message-size"}),
    "JSON of 4,000 values": Outcome(20, 101, None, {"values"}, {"bad-json": 20}),
    "commands unread": Outcome(20, 101, 1008, {"messages-per-second", "refusals-per-second"}, {"too-fast": None}),
}


class Attacker:
    """One connection, which sends as fast as the hub allows."""

    def __init__(self, port, attack, times):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.setblocking(False)
        self.rest, self.reads = memoryview(attack.first + attack.piece * times + LAST), attack.reads
        self.status = self.closed = None
        self.unread, self.heard, self.is_over = b"", collections.Counter(), False

    def push(self):
        """Sends what the hub takes, and reads what it sends."""
        self.rest = left_of(self.rest, self.socket)
        # Having sent everything, it reads in any case.
        self.reads = self.reads or not self.rest
        if self.reads:
            self.hear()

    def hear(self):
        try:
            while piece := self.socket.recv(1 << 16):
                self.unread += piece
            self.is_over = True
        except BlockingIOError:
            pass
        except OSError:
            self.is_over = True
        if self.status is None and b"\r\n\r\n" in self.unread:
            head, _, self.unread = self.unread.partition(b"\r\n\r\n")
            self.status = int(head.split(b" ", 2)[1])
        while self.status == 101 and len(self.unread) >= 4:
            size, start = self.unread[1], 2
            if size == 126:
                size, start = struct.unpack(">H", self.unread[2:4])[0], 4
            if len(self.unread) < start + size:
                break
            self.take(self.unread[0] & 15, self.unread[start:start + size])
            self.unread = self.unread[start + size:]

    def take(self, opcode, payload):
        if opcode == 8:
            self.closed, self.is_over = struct.unpack(">H", payload[:2])[0], True
        elif opcode == 10:
            self.heard["pong"] += payload != b"last"
            self.is_over = self.is_over or payload == b"last"
        elif opcode == 1:
            message = json.loads(payload)
            self.heard[message.get("code", message["type"])] += 1


def attack(hub, attack, times):
    """All at once, until each has sent everything and received the result; also returns the hub's peak memory."""
    clients, most = [Attacker(hub.port, attack, times) for _ in range(EACH)], 0
    deadline = time.monotonic() + 120
    try:
        while open := [client for client in clients if not client.is_over]:
            assert time.monotonic() < deadline, "not over"
            select.select([client.socket for client in open if client.reads],
                          [client.socket for client in open if client.rest], [], 0.01)
            for client in open:
                client.push()
            most = max(most, resident(hub))
        return clients, most
    finally:
        for client in clients:
            client.socket.close()


def touch(hub, attack):
    """Connects and disconnects many times; counts the answers by their first byte."""
    answers, most = collections.Counter(), 0
    for _ in range(10 * EACH):
        with socket.create_connection(("127.0.0.1", hub.port), timeout=60) as client:
            client.sendall(attack.first)
            # A reset, with the answer unread.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            answers[client.recv(1)] += 1
        most = max(most, resident(hub))
    return answers, most


class Others:
    """Two in a room of their own, who keep playing."""

    @classmethod
    async def join(cls, server):
        others = cls()
        token, _ = server.register("Ann")
        others.code = server.open_room(token)
        others.player, others.watcher = await Page.join(server, others.code, token), await Page.join(server, others.code)
        return others

    async def play_beside(self, attack, *arguments):
        """The attack's result; they play until it is over, and a little in any case."""
        under_way, steps = asyncio.create_task(asyncio.to_thread(attack, *arguments)), 0
        while not under_way.done() or steps < 4:
            version = (await self.player.done("leave" if steps % 2 else "sit"))["v"]
            await self.watcher.until(lambda message: message.get("v", 0) >= version)
            await asyncio.sleep(0.02)
            steps += 1
        return await under_way

    async def go(self):
        for page in (self.player, self.watcher):
            await page.socket.close()


def limits_hit(server):
    lines = server.http("GET", "/metrics").decode().splitlines()
    rows = [line.split('"')[1::2] + line.rsplit(" ", 1)[1:] for line in lines if line.startswith("flipside_limits_total{")]
    return collections.Counter({name: int(count) for name, count in rows if count != "0"})


@pytest.fixture(scope="module")
def hub(make_module_hub):
    # Fewer messages than a slow machine reads from each of them.
    hub = make_module_hub("--messages-per-second", "100")
    hub.start()
    return hub


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith("handshakes")])
async def test_attackers_are_cut_off_and_no_one_else_notices(hub, name):
    server, wanted = hub.server, OUTCOMES[name]
    others = await Others.join(server)
    wicked = next(one for one in ATTACKERS.all_attacks(others.code) if one.name == name)
    limits, before = limits_hit(server), resident(hub)
    clients, most = await others.play_beside(attack, hub, wicked, wanted.times)
    assert {(client.status, client.closed) for client in clients} == {(wanted.status, wanted.closed)}
    for word, count in wanted.hears.items():
        assert all(client.heard[word] == count if count else client.heard[word] > 1 for client in clients), (word, clients[0].heard)
    hit = set(limits_hit(server) - limits)
    assert wanted.limits <= hit <= wanted.limits | {"bytes-per-second", "messages-per-second"}
    assert most < before + ALLOWED, (before, most)
    await others.go()


@pytest.mark.parametrize("is_tls", [False, True])
async def test_clients_that_come_and_go_leave_nothing(make_hub, certificate, is_tls):
    hub = make_hub(certificate=certificate if is_tls else None)
    server = hub.start()
    others = await Others.join(server)
    wicked = next(one for one in ATTACKERS.all_attacks(others.code) if one.is_once and one.tls == is_tls)
    before = resident(hub)
    answers, most = await others.play_beside(touch, hub, wicked)
    assert answers == {b"\x16" if is_tls else b"H": 10 * EACH}
    assert most < before + ALLOWED, (before, most)
    # Those connections, and the one that asks.
    await until("all of them gone", lambda: server.metric("connections") == 3)
    assert not limits_hit(server)
    await others.go()


def crowd(hub, admitted):
    """Enough to fill the hub, and then more than it refuses with a reason; counts the answers to those by their first
    line."""
    clients = [socket.create_connection(("127.0.0.1", hub.port), timeout=60) for _ in range(admitted + TOLD + 10)]
    try:
        return collections.Counter(map(asked, clients[admitted:]))
    finally:
        for client in clients:
            client.close()


def asked(client):
    try:
        client.sendall(b"GET /api/rooms HTTP/1.1\r\nHost: x\r\n\r\n")
        return client.recv(1 << 16).split(b"\r\n")[0]
    except OSError:
        return b""


async def test_past_the_limit_some_connections_are_refused_with_a_reason_and_the_rest_cut(make_hub):
    server = (hub := make_hub("--connections", "10")).start()
    others = await Others.join(server)
    # The last one may still be closing.
    await until("who asked for the room gone", lambda: server.metric("connections") == 3)
    answers = await others.play_beside(crowd, hub, 10 - 2)
    assert answers == {b"HTTP/1.1 503 Service Unavailable": TOLD, b"": 10}
    await until("a place", lambda: server.ask("GET", "/readyz")[0] == 200)
    assert set(limits_hit(server)) == {"connections"}
    await others.go()


def test_each_measured_attack_has_an_outcome():
    assert {name for name in NAMES if not name.startswith("handshakes")} == set(OUTCOMES)

"""A hub's memory stays within its limits while hundreds of clients try to fill it, and a room keeps playing."""

import asyncio, base64, json, os, pathlib, resource, socket, struct

import pytest

from flipside import Page, left_of

EACH = 200
KIB = 1 << 10
# What a connection of each kind may cost by the hub's own limits, and as much again for the allocator.
ALLOWED = 2 * EACH * (16 * KIB + 64 * KIB + 64 * KIB + 4 * 256 * KIB)


def resident(hub):
    status = pathlib.Path(f"/proc/{hub.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) * KIB


def frame(opcode, payload, final=True):
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + struct.pack(">H", size)
    return bytes([(0x80 if final else 0) | opcode]) + length + bytes(4) + payload


class Hostile:
    """A client that sends for as long as the hub lets it, and never reads."""

    def __init__(self, port, code, first, piece, times):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 * KIB)
        if code:
            self.socket.sendall(
                f"GET /ws/rooms/{code} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Protocol: flipside.v1\r\n\r\n".encode())
        self.socket.setblocking(False)
        self.rest = memoryview(first + piece * times)

    def push(self):
        """Sends what the hub takes."""
        self.rest = left_of(self.rest, self.socket)


def crowd(port, code, played):
    hello = frame(1, json.dumps({"type": "hello"}).encode())
    kinds = [
        # Half a request head, for ever.
        (None, b"GET / HTTP/1.1\r\nHost: x\r\n", b"X-Filler: " + b"a" * 100 + b"\r\n", 140),
        # One message in fragments, just under its limit, without an end.
        (code, frame(1, b"a", final=False), frame(0, b"a" * 1000, final=False), 64),
        # Pings whose pongs no one reads, and hellos, whose answers are longer than the requests.
        (code, hello, frame(9, b"p" * 120), 20_000),
        (code, b"", hello, 400),
        # Only noise after the upgrade.
        (code, b"", os.urandom(1000), 100),
        # Spectators of the running game, who read nothing of it.
        (played, hello, b"", 0),
    ]
    return [Hostile(port, *kind) for kind in kinds for _ in range(EACH)]


async def play(server, code, token):
    """A game in the middle of all that: a player alone turns every card until it is over."""
    page = await Page.join(server, code, token)
    for type in ("sit", "start"):
        assert (await page.command(type))["type"] == "ok"
    faces = {}
    for first in range(6):
        for second in range(first + 1, 6):
            for cell in (first, second):
                answer = await page.command("flip", cell=cell)
                if answer["type"] == "error" and answer["code"] == "not-running":
                    return
                if answer["type"] == "error" and answer["code"] == "wait-for-reveal":
                    await page.until(lambda message: message["type"] == "turn")
    await page.command("leave")


def push(hub, clients, is_over):
    """Lets all of them send until the game is over, but a few rounds at least; returns the hub's peak memory."""
    peak = 0
    for turn in range(2_000):
        for client in clients:
            client.push()
        peak = max(peak, resident(hub))
        if turn >= 20 and is_over():
            break
    return peak


@pytest.fixture
def many_files():
    """Raises the limit to as many sockets as this takes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8_192, hard), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.seconds(15)
async def test_memory_stays_within_its_limits(many_files, hub, server):
    token, _ = server.register("Ada")
    codes = [server.open_room(token, theme="numbers", columns=2, rows=3, reveal=200) for _ in range(2)]
    await play(server, codes[0], token)
    before = resident(hub)
    code = server.open_room(token, theme="numbers", columns=2, rows=3, reveal=200)
    clients = crowd(hub.port, codes[1], code)
    try:
        game = asyncio.create_task(play(server, code, token))
        peak = await asyncio.to_thread(push, hub, clients, game.done)
        await game
    finally:
        for client in clients:
            client.socket.close()
    assert server.http("GET", "/healthz")
    assert peak < before + ALLOWED, (before, peak)

"""A hub's memory falls back after a peak, and data sent to many exists once."""

import asyncio, socket

import pytest

from flipside import until
from test_hostile_memory import many_files, resident  # noqa: F401 — a fixture

MIB = 1 << 20
# The free memory that the hub keeps (`HeapTrim.keptBytes`), and half as much again for what it has learned since.
ALLOWED = 24 * MIB
# More than the system takes for each of them: the rest waits in the hub.
DOWNLOADS = b"GET /icons/preview.png HTTP/1.1\r\nHost: x\r\n\r\n" * 100
# Everything except the end of a message, which the hub keeps until that comes.
UNFINISHED = (
    b"GET /ws/lobby HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Protocol: flipside.v1\r\n\r\n" + bytes([1, 0xFE, 0xFA, 0, 0, 0, 0, 0]) + b"a" * 64_000
)


@pytest.fixture(scope="module")
def served(web):
    return web


def unread(port, said):
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", int(port)))
    client.sendall(said)
    return client


@pytest.mark.seconds(15)
async def test_memory_falls_back_after_a_peak(many_files, hub, server):
    server.http("GET", "/")
    before, after = resident(hub), []
    for _ in range(2):
        clients = [await asyncio.to_thread(unread, hub.port, UNFINISHED) for _ in range(800)]
        try:
            # Much more than may stay.
            await until("a peak", lambda: resident(hub) > before + ALLOWED + 8 * MIB)
        finally:
            for client in clients:
                client.close()
        await until("memory given back", lambda: resident(hub) < before + ALLOWED)
        after.append(resident(hub))
    assert max(after) < before + ALLOWED, (before, after)


async def test_a_file_that_many_download_without_reading_is_in_memory_once(many_files, hub, server):
    server.http("GET", "/")
    before = resident(hub)
    clients = [await asyncio.to_thread(unread, hub.port, DOWNLOADS) for _ in range(200)]
    # Each loop has answered all of them by the time it answers this.
    for _ in range(4):
        assert server.http("GET", "/readyz")
    most = resident(hub)
    for client in clients:
        client.close()
    assert most < before + ALLOWED, (before, most)

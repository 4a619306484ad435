"""A hub's memory falls back after a peak: clients that ask for much, read nothing of it, and go."""

import asyncio, socket

import pytest

from flipside import until
from test_hostile_memory import many_files, resident  # noqa: F401 — a fixture

MIB = 1 << 20
# More than the system takes for each of them: the rest waits in the hub.
CLIENTS, ASKED = 200, b"GET /icons/preview.png HTTP/1.1\r\nHost: x\r\n\r\n" * 100
# What the hub keeps of free memory (`HeapTrim.keptBytes`), and half of that for what it has learned meanwhile.
ALLOWED = 24 * MIB


@pytest.fixture(scope="module")
def served(web):
    return web


def unread(port):
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", int(port)))
    client.sendall(ASKED)
    return client


@pytest.mark.seconds(15)
async def test_memory_falls_back_after_unread_downloads(many_files, hub, server):
    server.http("GET", "/")
    before, after = resident(hub), []
    for _ in range(2):
        clients = [await asyncio.to_thread(unread, hub.port) for _ in range(CLIENTS)]
        try:
            # The copies that wait for them: much more than may stay.
            await until("a peak", lambda: resident(hub) > before + ALLOWED + 8 * MIB)
        finally:
            for client in clients:
                client.close()
        await until("memory given back", lambda: resident(hub) < before + ALLOWED)
        after.append(resident(hub))
    assert max(after) < before + ALLOWED, (before, after)

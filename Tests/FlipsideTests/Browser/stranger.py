"""A proxy between a page and a hub that sometimes answers itself: with any status, and a page of its own."""

import asyncio, contextlib, threading

from relay import Relay

PAGE = b"<!doctype html><title>A proxy</title><h1>The proxy's own page</h1>"


class Stranger(Relay):
    """Passes everything on, or answers all requests with `status`."""

    def __init__(self, target):
        self.status, self.open = None, set()
        super().__init__(target)

    def answer(self, status):
        """From now on the proxy answers, or for None the hub. Returns once all open connections are cut."""
        self.status = status
        done = threading.Event()

        def cut():
            for writer in list(self.open):
                writer.transport.abort()
            done.set()

        self.loop.call_soon_threadsafe(cut)
        done.wait()

    async def connect(self, reader, writer):
        self.open.add(writer)
        if self.status:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                await reader.readuntil(b"\r\n\r\n")
                writer.write(b"HTTP/1.1 %d By a proxy\r\nContent-Type: text/html\r\nContent-Length: %d\r\n"
                             b"Connection: close\r\n\r\n" % (self.status, len(PAGE)) + PAGE)
                await writer.drain()
            self.end([writer])
        else:
            await super().connect(reader, writer)
        self.open.discard(writer)

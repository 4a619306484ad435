"""A proxy between a page and a hub that answers by itself for a while: with any status, and a page of its own."""

import asyncio, contextlib, threading

PAGE = b"<!doctype html><title>A proxy</title><h1>The proxy's own page</h1>"


class Stranger:
    """Relays to `target`, a hub's port, in a thread of its own; or answers all that is asked with `status`."""

    def __init__(self, target):
        self.target, self.status, self.port = target, None, 0
        self.open = set()
        self.loop = asyncio.new_event_loop()
        ready = threading.Event()
        threading.Thread(target=lambda: self.loop.run_until_complete(self.serve(ready)), daemon=True).start()
        ready.wait()

    def answer(self, status):
        """From now on the proxy answers; None: the hub does. What is open is cut, once that is done."""
        self.status = status
        done = threading.Event()

        def cut():
            for writer in list(self.open):
                writer.transport.abort()
            done.set()

        self.loop.call_soon_threadsafe(cut)
        done.wait()

    async def serve(self, ready):
        server = await asyncio.start_server(self.connect, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await server.serve_forever()

    async def connect(self, reader, writer):
        self.open.add(writer)
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            if self.status:
                await reader.readuntil(b"\r\n\r\n")
                writer.write(b"HTTP/1.1 %d By a proxy\r\nContent-Type: text/html\r\nContent-Length: %d\r\n"
                             b"Connection: close\r\n\r\n" % (self.status, len(PAGE)) + PAGE)
                await writer.drain()
                writer.close()
                await writer.wait_closed()
            else:
                hub_reader, hub_writer = await asyncio.open_connection("127.0.0.1", self.target)
                await asyncio.gather(relay(reader, hub_writer), relay(hub_reader, writer))
        writer.transport.abort()
        self.open.discard(writer)


async def relay(reader, writer):
    with contextlib.suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.transport.abort()

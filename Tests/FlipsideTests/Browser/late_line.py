"""A line between a page and the hub on which everything takes its time: Chromium's own slow lines let what goes over a
WebSocket pass at once."""

import asyncio, contextlib, threading


class LateLine:
    """A proxy to a hub's port, in a thread of its own: `trip` seconds there and back, and as long again to connect."""

    def __init__(self, target, trip):
        self.target, self.trip, self.port = target, trip, 0
        ready = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self.serve(ready)), daemon=True).start()
        ready.wait()

    async def serve(self, ready):
        server = await asyncio.start_server(self.connect, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await server.serve_forever()

    async def connect(self, reader, writer):
        hub_reader, hub_writer = await asyncio.open_connection("127.0.0.1", self.target)
        await asyncio.gather(self.relay(reader, hub_writer, self.trip), self.relay(hub_reader, writer, 0))

    async def relay(self, reader, writer, first):
        """What comes is given on half a trip later; not before `first` seconds of the connection have passed."""
        loop, pieces = asyncio.get_running_loop(), asyncio.Queue()
        give = asyncio.create_task(self.give(pieces, writer))
        earliest = loop.time() + first
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                pieces.put_nowait((max(loop.time(), earliest) + self.trip / 2, data))
        pieces.put_nowait(None)
        await give

    async def give(self, pieces, writer):
        with contextlib.suppress(OSError):
            while piece := await pieces.get():
                at, data = piece
                await asyncio.sleep(at - asyncio.get_running_loop().time())
                writer.write(data)
                await writer.drain()
        writer.close()

"""A proxy between a page and the hub, for subclasses to make worse."""

import asyncio, contextlib, threading


class Relay:
    """Passes on everything to and from a hub's port, in a thread of its own; when one end closes, it closes the other."""

    def __init__(self, target):
        self.target, self.port = target, 0
        self.loop = asyncio.new_event_loop()
        ready = threading.Event()
        threading.Thread(target=lambda: self.loop.run_until_complete(self.serve(ready)), daemon=True).start()
        ready.wait()

    async def serve(self, ready):
        server = await asyncio.start_server(self.connect, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await server.serve_forever()

    async def connect(self, reader, writer):
        ends = [writer]
        with contextlib.suppress(OSError):
            hub_reader, hub_writer = await asyncio.open_connection("127.0.0.1", self.target)
            ends.append(hub_writer)
            ways = [asyncio.create_task(self.relay(reader, hub_writer, 0)),
                    asyncio.create_task(self.relay(hub_reader, writer, 1))]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            self.end(ends)
            await asyncio.wait(ways)
        self.end(ends)

    def end(self, ends):
        for end in ends:
            end.close()

    async def relay(self, reader, writer, way):
        """One direction, until it ends; `way`: 0 to the hub, 1 from it."""
        with contextlib.suppress(OSError):
            while (data := await reader.read(65_536)) and self.passes(data):
                await self.give(writer, data)

    def passes(self, data):
        """Whether to pass it on; if not, the connection ends."""
        return True

    async def give(self, writer, data):
        writer.write(data)
        await writer.drain()

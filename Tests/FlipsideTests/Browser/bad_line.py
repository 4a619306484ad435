"""A line between a page and the hub that can be cut at random, or swallow all that it is given."""

import asyncio, contextlib, threading

# Of so many pieces that pass, one breaks its connection.
ONE_IN = 10


class BadLine:
    """A proxy to a hub's port, in a thread of its own. `mode`: pass, drop (at random), swallow (says nothing more)."""

    def __init__(self, target, chance):
        self.target, self.mode, self.dropped, self.port = target, "pass", 0, 0
        self.chance = chance
        ready = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self.serve(ready)), daemon=True).start()
        ready.wait()

    async def serve(self, ready):
        server = await asyncio.start_server(self.connect, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await server.serve_forever()

    async def connect(self, reader, writer):
        with contextlib.suppress(OSError):
            hub_reader, hub_writer = await asyncio.open_connection("127.0.0.1", self.target)
            ends = writer, hub_writer
            await asyncio.gather(self.relay(reader, hub_writer, ends), self.relay(hub_reader, writer, ends))
        writer.transport.abort()

    async def relay(self, reader, writer, ends):
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                if self.mode == "swallow":
                    continue
                if self.mode == "drop" and self.chance.randrange(ONE_IN) == 0:
                    self.dropped += 1
                    break
                writer.write(data)
                await writer.drain()
        for end in ends:
            end.transport.abort()

"""The way from nodes to another one, with all that is said on it."""

import asyncio, contextlib, threading


class RecordedLink:
    """Passes on what nodes say to the node that listens at `target`; `said` is each connection's two ways, unmasked."""

    def __init__(self, target):
        self.target, self.port, self.ways = target, 0, []
        self.loop, ready = asyncio.new_event_loop(), threading.Event()
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
            node_reader, node_writer = await asyncio.open_connection("127.0.0.1", self.target)
            ends.append(node_writer)
            ways = [asyncio.create_task(self.relay(*way)) for way in ((reader, node_writer), (node_reader, writer))]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for end in ends:
                end.close()
            await asyncio.wait(ways)
        for end in ends:
            end.close()

    async def relay(self, reader, writer):
        said = bytearray()
        self.ways.append(said)
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                said += data
                writer.write(data)
                await writer.drain()

    @property
    def said(self):
        """The bytes themselves, and the payload of each frame after the upgrade."""
        return b"".join(part for said in list(self.ways) for part in (bytes(said), *payloads(bytes(said))))


def payloads(said):
    """Of all whole frames, unmasked (RFC 6455 section 5.2)."""
    upgrade = said.lower().find(b"upgrade: websocket")
    if upgrade < 0:
        return
    at = said.find(b"\r\n\r\n", upgrade) + 4
    while at + 2 <= len(said):
        is_masked, size = said[at + 1] >> 7, said[at + 1] & 127
        at += 2
        if size > 125:
            width = 2 if size == 126 else 8
            size, at = int.from_bytes(said[at : at + width], "big"), at + width
        mask, at = (said[at : at + 4], at + 4) if is_masked else (bytes(4), at)
        if at + size <= len(said):
            long = mask * (size // 4 + 1)
            yield (int.from_bytes(said[at : at + size], "big") ^ int.from_bytes(long[:size], "big")).to_bytes(size, "big")
        at += size

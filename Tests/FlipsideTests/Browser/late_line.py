"""A line between a page and the hub with delays: Chromium's own throttling does not slow down WebSockets."""

import asyncio, contextlib

from relay import Relay


class LateLine(Relay):
    """`trip` seconds there and back, and as long again to connect."""

    def __init__(self, target, trip):
        self.trip = trip
        super().__init__(target)

    async def relay(self, reader, writer, way):
        """Passes each piece on half a trip later, and to the hub not before the first trip is over."""
        loop, pieces = asyncio.get_running_loop(), asyncio.Queue()
        giving = asyncio.create_task(self.give_late(pieces, writer))
        earliest = loop.time() + (self.trip if way == 0 else 0)
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                pieces.put_nowait((max(loop.time(), earliest) + self.trip / 2, data))
        pieces.put_nowait(None)
        await giving

    async def give_late(self, pieces, writer):
        with contextlib.suppress(OSError):
            while piece := await pieces.get():
                at, data = piece
                await asyncio.sleep(at - asyncio.get_running_loop().time())
                await self.give(writer, data)

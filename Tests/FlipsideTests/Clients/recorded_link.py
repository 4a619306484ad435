"""The connections from nodes to another one, with all their traffic."""

import contextlib

from relay import Relay


class RecordedLink(Relay):
    """Passes traffic on to the node that listens at `target`; `said` has both directions of each connection, unmasked."""

    def __init__(self, target):
        self.ways = []
        super().__init__(target)

    async def relay(self, reader, writer, way):
        said = bytearray()
        self.ways.append(said)
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                said += data
                await self.give(writer, data)

    @property
    def said(self):
        """The bytes themselves, and the payload of each frame after the upgrade."""
        return b"".join(part for said in list(self.ways) for part in (bytes(said), *payloads(bytes(said))))


def payloads(said):
    """The payloads of all complete frames, unmasked (RFC 6455 section 5.2)."""
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

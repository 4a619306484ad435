"""A line between a page and the hub that can be cut at random, or swallow everything."""

from relay import Relay

# One in this many pieces breaks its connection.
ONE_IN = 10


class BadLine(Relay):
    """`mode`: pass, drop (at random), swallow (passes nothing)."""

    def __init__(self, target, chance):
        self.mode, self.dropped, self.chance = "pass", 0, chance
        super().__init__(target)

    def passes(self, data):
        drops = self.mode == "drop" and self.chance.randrange(ONE_IN) == 0
        self.dropped += drops
        return not drops

    async def give(self, writer, data):
        if self.mode != "swallow":
            await super().give(writer, data)

    def end(self, ends):
        for end in ends:
            end.transport.abort()

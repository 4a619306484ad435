"""What tests share that take the log away from a hub in play: a room that plays for as long as it can."""

import json

from table import Table


class InterruptedTable(Table):
    """A game whose log is taken away. Remembers what was acknowledged."""

    @classmethod
    async def begin(cls, server):
        table = await super().begin(server, columns=4, rows=4, theme="numbers", reveal=200, turnTime=60)
        table.known, table.won, table.acknowledged = {}, set(), 0
        table.turn = await table.watcher.until(lambda m: m["type"] == "turn")
        return table

    async def flip(self):
        """One flip for the player whose turn it is; returns the answer."""
        down = [cell for cell in range(16) if cell not in self.won | set(self.up())]
        face = self.known[self.up()[0]] if self.up() else None
        unknown = [cell for cell in down if cell not in self.known]
        cell = next((c for c in down if face and self.known.get(c) == face), (unknown or down)[0])
        answer = await self.pages[self.turn["seat"]].command("flip", cell=cell)
        if answer["type"] == "ok":
            self.acknowledged = answer["v"]
            await self.watch(answer["v"])
        return answer

    def up(self):
        """Cells turned up in this turn: one, or none."""
        flips = [e["cell"] for _, e in self.watcher.events if e["type"] == "show-card" and e["v"] > self.turn["v"]]
        return flips if len(flips) == 1 else []

    async def watch(self, version):
        """Follows until the flip at `version` is seen and, if it was a turn's second, the turn is over."""
        second = bool(self.up())
        while second or not self.watcher.events or self.watcher.events[-1][1]["v"] < version:
            message = await self.watcher.next()
            if message["type"] == "show-card":
                self.known[message["cell"]] = message["face"]
            self.won |= set(message["cells"]) if message["type"] == "match" else set()
            if message["type"] in ("turn", "game-ended"):
                self.turn = message
                return

    async def check(self):
        """Everything seen or acknowledged is in the log, unchanged and without gaps."""
        log = self.server.log(self.code)
        assert [json.loads(line)["v"] for line in log] == list(range(1, len(log) + 1)), "versions have a gap"
        assert self.acknowledged <= len(log), "something acknowledged is not in the log"
        for page in [self.watcher, *self.pages]:
            versions = [event["v"] for _, event in page.events]
            assert versions == list(range(versions[0], versions[0] + len(versions))), "a page has a gap"
            assert all(log[event["v"] - 1] == raw for raw, event in page.events), "a page saw something else"

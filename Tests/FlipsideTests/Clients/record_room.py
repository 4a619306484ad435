"""Plays games of Memory with nonces and a shuffle, and writes the room to a file for the page's tests: every line of its log,
and the welcomes of spectators along the way. record_room.py BASE_URL FILE"""

import asyncio, hashlib, json, os, sys

from flipside import Page, Server

OPTIONS = dict(seats=3, preset="memorize", theme="garden", reveal=200, turnTime=30, rule="hard")
# How often in a game a spectator's welcome is recorded.
TOLD_LIMIT = 16


class Nonces:
    """A player's part in the draws: it commits to one nonce at a time."""

    def __init__(self):
        self.nonce = os.urandom(16)

    def promise(self):
        return hashlib.sha256(self.nonce).hexdigest()

    def ready(self):
        """Opens the nonce and commits to the next."""
        opened, self.nonce = self.nonce, os.urandom(16)
        return dict(nonce=opened.hex(), commitment=self.promise())


class Table:
    """A room with two players who put nonces into the draw, and the welcomes of its spectators."""

    async def open(self, server, **options):
        self.server, self.tokens = server, [server.register(name)[0] for name in ("Ann", "Ben")]
        self.code = server.open_room(self.tokens[0], **options)
        self.pages = [await Page.join(server, self.code, token) for token in self.tokens]
        self.nonces, self.welcomes, self.known, self.won = [Nonces(), Nonces()], [], {}, set()
        self.watcher = await Page.join(server, self.code)
        for page, nonce in zip(self.pages, self.nonces):
            await self.done(page, "sit", commitment=nonce.promise())
        return self

    async def done(self, page, type, **fields):
        answer = await page.command(type, **fields)
        assert answer["type"] == "ok", answer
        return answer

    async def seen(self, *types):
        return await self.watcher.until(lambda message: message["type"] in types)

    async def tell(self):
        """Records the welcome of a spectator who comes now."""
        page = await Page.join(self.server, self.code)
        await page.socket.close()
        self.welcomes.append({name: page.welcome[name] for name in ("version", "head", "room", "view")})

    async def begin(self):
        if self.welcomes:
            proposed = await self.done(self.pages[0], "propose", what="rematch")
            await self.tell()
            await self.done(self.pages[1], "answer", agrees=True, to=proposed["v"])
        else:
            await self.done(self.pages[0], "start")
        dealing = await self.seen("dealing")
        await self.tell()
        for seat in dealing["awaited"]:
            await self.done(self.pages[seat], "ready", **self.nonces[seat].ready())
        board = (await self.seen("game-started"))["board"]
        self.cells = [cell for cell in range(board["columns"] * board["rows"]) if cell != board.get("gap")]
        self.known, self.won, self.turn, self.has_shuffled = {}, set(), await self.seen("turn"), False

    async def attempt(self):
        """Two cards of the player to move; returns the outcome, and whether the game continues."""
        mover = self.pages[self.turn["seat"]]
        if len(self.won) == 4 and not self.has_shuffled:
            await self.shuffle(mover)
        down = [cell for cell in self.cells if cell not in self.won]
        pairs = ((a, b) for a in down for b in down if a < b and a in self.known and self.known[a] == self.known.get(b))
        fresh = [cell for cell in down if cell not in self.known]
        first = (fresh + down)[0]
        for cell in next(pairs, (first, next(c for c in fresh[1:] + down[::-1] if c != first))):
            await self.done(mover, "flip", cell=cell)
            self.known[cell] = (await self.seen("show-card"))["face"]
        if len(self.welcomes) < TOLD_LIMIT:
            await self.tell()
        after = await self.seen("match", "hide-card")
        self.won |= set(after["cells"]) if after["type"] == "match" else set()
        self.turn = await self.seen("turn", "game-ended")
        return self.turn["type"] == "turn"

    async def shuffle(self, mover):
        self.has_shuffled = True
        await self.done(mover, "shuffle")
        places = dict((await self.seen("cards-shuffled"))["moves"])
        self.known = {places.get(cell, cell): face for cell, face in self.known.items()}

    async def play(self):
        await self.begin()
        while await self.attempt():
            pass
        await self.tell()


async def main():
    table = await Table().open(Server(sys.argv[1]), **OPTIONS)
    await table.play()
    await table.play()
    await table.done(table.pages[0], "close")
    await table.tell()
    lines = [line.decode() for line in table.server.log(table.code)]
    rows = lambda items: ",\n".join(json.dumps(item, ensure_ascii=False, separators=(",", ":")) for item in items)
    with open(sys.argv[2], "w") as file:
        parts = f'"lines": [\n{rows(lines)}\n],\n"welcomes": [\n{rows(table.welcomes)}\n]'
        file.write(f'{{\n"code": "{table.code}",\n{parts}\n}}\n')
    print(len(lines), "events,", len(table.welcomes), "welcomes")


if __name__ == "__main__":
    asyncio.run(asyncio.wait_for(main(), 60))

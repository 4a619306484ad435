"""Kills the hub with -9 again and again under load: crash.py BINARY ROUNDS [SEED]. Nothing that anyone saw may be lost."""

import asyncio, json, random, sys, tempfile, time

from flipside import Hub, Page

ROUNDS = int(sys.argv[2])
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(2**32)
ROOMS = 6
chance = random.Random(SEED)
print("seed", SEED, flush=True)


class Room:
    """Two players who flip at random; remembers everything that either saw."""

    def __init__(self, code, tokens):
        self.code, self.tokens, self.seen = code, tokens, {}

    async def play(self, server):
        pages = [await Page.join(server, self.code, token, **self.after()) for token in self.tokens]
        for page in pages:
            assert not page.welcome.get("diverged"), "the log lost something"
        await asyncio.gather(*(self.follow(page) for page in pages))

    def after(self):
        return {"after": max(self.seen)} if self.seen else {}

    async def follow(self, page):
        pending = asyncio.create_task(self.flip(page))
        try:
            while True:
                message = await page.next()
                if "v" not in message or "t" not in message:
                    continue
                raw = page.events[-1][0]
                assert self.seen.setdefault(message["v"], raw) == raw, "an event changed"
                if message["type"] == "game-ended":
                    await page.send("again")
        except Exception as error:
            if isinstance(error, AssertionError):
                raise
        finally:
            pending.cancel()

    async def flip(self, page):
        while True:
            await page.send("flip", cell=chance.randrange(96))
            await asyncio.sleep(0.002)


async def main():
    with tempfile.TemporaryDirectory() as folder:
        hub = Hub(sys.argv[1], folder)
        server = hub.start()
        rooms = []
        for _ in range(ROOMS):
            tokens = [server.register("Crasher")[0] for _ in range(2)]
            code = server.open_room(tokens[0], columns=8, rows=12, theme="numbers", reveal=200, turnTime=60)
            pages = [await Page.join(server, code, token) for token in tokens]
            for page in pages:
                await page.command("sit")
            await pages[0].command("start")
            for page in pages:
                await page.socket.close()
            rooms.append(Room(code, tokens))
        lost = 0
        for number in range(ROUNDS):
            players = asyncio.gather(*(room.play(server) for room in rooms))
            await asyncio.sleep(chance.uniform(0.1, 0.6))
            hub.kill()
            killed = time.time() * 1000
            await players
            await asyncio.sleep(chance.uniform(0, 0.4))
            down = time.time() * 1000 - killed
            server = hub.start()
            for room in rooms:
                log = server.log(room.code)
                for version, raw in room.seen.items():
                    assert log[version - 1] == raw, f"round {number}: version {version} of {room.code} is not in the log"
                lost += len(log) - max(room.seen, default=0)
            await check_time(server, rooms, killed, down)
        print(json.dumps({"rounds": ROUNDS, "events": sum(max(room.seen) for room in rooms), "not heard of": lost}))
        hub.kill()


async def check_time(server, rooms, killed, down):
    """Whatever clock ran when the hub was killed was moved on by at least the time that it was down; a reveal under way fires."""
    for room in rooms:
        page = await Page.join(server, room.code)
        view = page.welcome["view"]
        if "revealUntil" in view or "deadline" in view:
            events = map(json.loads, server.log(room.code))
            made_up = next((e for e in events if e["type"] == "clock-extended" and e["t"] >= killed), None)
            made_up = made_up or await page.until(lambda m: m["type"] == "clock-extended")
            assert made_up["ms"] >= down, f"down for {down} ms, made up for {made_up['ms']}"
        if "revealUntil" in view and not any(event["type"] == "hide-card" for _, event in page.events):
            await page.until(lambda m: m["type"] == "hide-card")
        await page.socket.close()


asyncio.run(main())

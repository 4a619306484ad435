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
        self.code, self.tokens, self.seen, self.deadline, self.is_over = code, tokens, {}, None, False

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
                if message["type"] in ("turn", "clock-extended"):
                    self.deadline = message.get("deadline", self.deadline)
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
            left = {room.code: room.deadline - killed for room in rooms if room.deadline}
            await asyncio.sleep(chance.uniform(0, 0.4))
            server = hub.start()
            for room in rooms:
                log = server.log(room.code)
                for version, raw in room.seen.items():
                    assert log[version - 1] == raw, f"round {number}: version {version} of {room.code} is not in the log"
                lost += len(log) - max(room.seen, default=0)
            await check_time(server, rooms, left)
        print(json.dumps({"rounds": ROUNDS, "events": sum(max(room.seen) for room in rooms), "not heard of": lost}))
        hub.kill()


async def check_time(server, rooms, left):
    """The time that a turn still had, it still has: no shorter by the downtime. And a reveal under way fires."""
    for room in rooms:
        page = await Page.join(server, room.code)
        started = time.time() * 1000
        view = page.welcome["view"]
        if "revealUntil" in view:
            await page.until(lambda m: m["type"] == "hide-card")
        elif "deadline" in view and room.code in left:
            deadline = view["deadline"]
            if deadline == room.deadline:
                # Nothing has happened since the kill: what is made up for comes as an event.
                deadline = (await page.until(lambda m: m["type"] == "clock-extended"))["deadline"]
            assert deadline - started >= left[room.code] - 250, "a turn lost time by the downtime"
        await page.socket.close()


asyncio.run(main())

"""Plays two games of Memory with nonces and a shuffle, and writes the room down as the page's
tests read it: every line of its log, and what a spectator was told on the way. record_room.py BASE_URL FILE"""

import asyncio, hashlib, json, os, sys

from flipside import Page, Server

SERVER = Server(sys.argv[1])
OPTIONS = dict(seats=3, preset="memorize", theme="garden", reveal=200, turnTime=30, rule="hard")


class Nonces:
    """A player's part in the draws: one nonce at a time is promised."""

    def __init__(self):
        self.nonce = os.urandom(16)

    def promise(self):
        return hashlib.sha256(self.nonce).hexdigest()

    def ready(self):
        """Opens the nonce and promises the next."""
        opened, self.nonce = self.nonce, os.urandom(16)
        return dict(nonce=opened.hex(), commitment=self.promise())


async def told(code):
    """What a spectator is told who comes now."""
    page = await Page.join(SERVER, code)
    await page.socket.close()
    return {name: page.welcome[name] for name in ("version", "head", "room", "view")}


async def play(code, watcher, pages, nonces, command, welcomes):
    """One game, from `command` to its end."""
    seats = dict(enumerate(pages))
    assert (await pages[0].command(command))["type"] == "ok"
    dealing = await watcher.until(lambda m: m["type"] == "dealing")
    welcomes.append(await told(code))
    for seat in dealing["awaited"]:
        assert (await pages[seat].command("ready", **nonces[seat].ready()))["type"] == "ok"
    start = await watcher.until(lambda m: m["type"] == "game-started")
    turn, known, won, has_shuffled = await watcher.until(lambda m: m["type"] == "turn"), {}, set(), False
    cells = [c for c in range(start["board"]["columns"] * start["board"]["rows"]) if c != start["board"].get("gap")]
    while True:
        mover = seats[turn["seat"]]
        if len(won) == 4 and turn["seat"] == 1 and not has_shuffled:
            has_shuffled, places = True, None
            assert (await mover.command("shuffle"))["type"] == "ok"
            places = dict((await watcher.until(lambda m: m["type"] == "cards-shuffled"))["moves"])
            known = {places.get(cell, cell): face for cell, face in known.items()}
        down = [cell for cell in cells if cell not in won]
        # Every other turn somebody who has seen all; so that some pairs are missed, too.
        pair = next(((a, b) for a in down for b in down if a < b and a in known and known[a] == known.get(b)), None)
        fresh = [cell for cell in down if cell not in known]
        first, second = pair or ((fresh + down)[0], next(c for c in fresh[1:] + down[::-1] if c != (fresh + down)[0]))
        for cell in (first, second):
            assert (await mover.command("flip", cell=cell))["type"] == "ok"
            known[cell] = (await watcher.until(lambda m: m["type"] == "show-card"))["face"]
        if len(welcomes) < 16:
            welcomes.append(await told(code))
        after = await watcher.until(lambda m: m["type"] in ("match", "hide-card"))
        won |= set(after["cells"]) if after["type"] == "match" else set()
        turn = await watcher.until(lambda m: m["type"] in ("turn", "game-ended"))
        if turn["type"] == "game-ended":
            return welcomes.append(await told(code))


async def main():
    tokens = [SERVER.register(name)[0] for name in ("Ann", "Ben")]
    code = SERVER.open_room(tokens[0], **OPTIONS)
    pages, nonces = [await Page.join(SERVER, code, token) for token in tokens], [Nonces(), Nonces()]
    watcher, welcomes = await Page.join(SERVER, code), []
    for page, nonce in zip(pages, nonces):
        assert (await page.command("sit", commitment=nonce.promise()))["type"] == "ok"
    await play(code, watcher, pages, nonces, "start", welcomes)
    await play(code, watcher, pages, nonces, "again", welcomes)
    assert (await pages[0].command("close"))["type"] == "ok"
    welcomes.append(await told(code))
    lines = [line.decode() for line in SERVER.log(code)]
    with open(sys.argv[2], "w") as file:
        rows = lambda items: ",\n".join(json.dumps(item, ensure_ascii=False, separators=(",", ":")) for item in items)
        file.write(f'{{\n"code": "{code}",\n"lines": [\n{rows(lines)}\n],\n"welcomes": [\n{rows(welcomes)}\n]\n}}\n')
    print(len(lines), "events,", len(welcomes), "welcomes")


asyncio.run(asyncio.wait_for(main(), 60))

"""Eight players of each room send their flips at once, game after game: race.py BASE_URL ROOMS GAMES. Every turn has one winner."""

import asyncio, json, sys

from flipside import Page, Server

SERVER, ROOMS, GAMES, SEATS = Server(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), 8


async def play(tokens):
    code = SERVER.open_room(tokens[0], columns=2, rows=3, theme="numbers", reveal=200, turnTime=0)
    pages = [await Page.join(SERVER, code, token) for token in tokens]
    for page in pages:
        assert (await page.command("sit"))["type"] == "ok"
    readers = [asyncio.create_task(read(page, pages)) for page in pages]
    await pages[0].send("start")
    await asyncio.gather(*readers)
    check(code, pages)


async def read(page, pages):
    """Follows one page; whenever cards may be turned, this player sends both flips, whoever's turn it is."""
    known, won, games = {}, set(), 0
    while True:
        message = await page.next()
        match message["type"]:
            case "game-started":
                known, won = {}, set()
            case "show-card":
                known[message["cell"]] = message["face"]
            case "match":
                won |= set(message["cells"])
            case "turn":
                for cell in plan(known, won):
                    await page.send("flip", cell=cell)
            case "game-ended":
                games += 1
                if games == GAMES:
                    return
                if page is pages[0]:
                    await page.send("again")


def plan(known, won):
    down = [cell for cell in range(6) if cell not in won]
    pair = next(([a, b] for a in down for b in down if a < b and a in known and known.get(a) == known.get(b)), None)
    if pair:
        return pair
    unknown = [cell for cell in down if cell not in known]
    return (unknown + [cell for cell in down if cell in known])[:2]


def check(code, pages):
    log = SERVER.log(code)
    turn, flips = None, 0
    for index, line in enumerate(log):
        event = json.loads(line)
        assert event["v"] == index + 1
        if event["type"] == "turn":
            turn = event["seat"]
        if event["type"] == "show-card":
            assert event["seat"] == turn, f"{event} in the turn of seat {turn}"
            flips += 1
    for page in pages:
        versions = [event["v"] for _, event in page.events]
        assert versions == list(range(versions[0], versions[0] + len(versions))), "a client missed an event"
        assert all(log[event["v"] - 1] == raw for raw, event in page.events), "a client saw something else"
    assert flips >= GAMES * 6


async def main():
    players = [[SERVER.register("Racer")[0] for _ in range(SEATS)] for _ in range(ROOMS)]
    await asyncio.gather(*(play(tokens) for tokens in players))
    print(json.dumps({"games": ROOMS * GAMES}))


asyncio.run(main())

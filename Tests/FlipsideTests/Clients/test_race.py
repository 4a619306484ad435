"""Eight players in each room send their flips at once, game after game."""

import asyncio, json

import pytest

from flipside import Page, finish

ROOMS, GAMES, SEATS = 10, 15, 8


class Race:
    """A room in which everyone flips whenever anyone may."""

    async def run(self, server):
        tokens = [server.register("Racer")[0] for _ in range(SEATS)]
        code = server.open_room(tokens[0], columns=2, rows=3, theme="numbers", reveal=200, turnTime=0)
        self.pages = [await Page.join(server, code, token) for token in tokens]
        for page in self.pages:
            await page.done("sit")
        readers = [asyncio.create_task(self.read(page)) for page in self.pages]
        await self.pages[0].send("start")
        await asyncio.gather(*readers)
        self.log = server.log(code)
        self.events = [json.loads(line) for line in self.log]
        return self

    async def read(self, page):
        """Follows one page; whenever cards may be turned, this player sends both flips, even out of turn."""
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
                    await page.send("propose", what="rematch")


def plan(known, won):
    down = [cell for cell in range(6) if cell not in won]
    pair = next(([a, b] for a in down for b in down if a < b and a in known and known.get(a) == known.get(b)), None)
    if pair:
        return pair
    unknown = [cell for cell in down if cell not in known]
    return (unknown + [cell for cell in down if cell in known])[:2]


@pytest.fixture(scope="module")
def races(make_module_hub):
    server = make_module_hub().start()

    async def run():
        return await asyncio.gather(*(Race().run(server) for _ in range(ROOMS)))

    return finish(run(), 240)


pytestmark = [pytest.mark.seconds(20), pytest.mark.xdist_group("race")]


def test_each_turn_has_one_winner(races):
    for race in races:
        turn, flips = None, 0
        for event in race.events:
            if event["type"] == "turn":
                turn = event["seat"]
            if event["type"] == "show-card":
                assert event["seat"] == turn, f"{event} in the turn of seat {turn}"
                flips += 1
        assert flips >= GAMES * 6


def test_all_see_the_same(races):
    for race in races:
        assert [event["v"] for event in race.events] == list(range(1, len(race.log) + 1))
        for page in race.pages:
            versions = [event["v"] for _, event in page.events]
            assert versions == list(range(versions[0], versions[0] + len(versions))), "a client missed an event"
            assert all(race.log[event["v"] - 1] == raw for raw, event in page.events), "a client saw something else"

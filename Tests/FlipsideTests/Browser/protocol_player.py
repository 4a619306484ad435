"""Players without a page, alongside Playwright: its loop runs in the tests' thread, theirs in another."""

import asyncio, threading

from flipside import Page

loop = asyncio.new_event_loop()
threading.Thread(target=loop.run_forever, daemon=True).start()


def wait_for(coroutine):
    """The coroutine's result; it runs in the players' thread."""
    return asyncio.run_coroutine_threadsafe(coroutine, loop).result(60)


class Player:
    """A connection to a room, by messages."""

    def __init__(self, server, code, token=None):
        self.code, self.page = code, wait_for(Page.join(server, code, token))

    def do(self, command, **fields):
        answer = wait_for(self.page.command(command, **fields))
        assert answer["type"] == "ok", answer

    def play_alone(self):
        """Plays a game of Memory from its start to its end, alone."""
        wait_for(play_alone(self.page))


async def play_alone(page):
    board = next(event["board"] for _, event in page.events if event["type"] == "game-started")
    down, known = set(range(board["columns"] * board["rows"])) - {board.get("gap")}, {}
    while down:
        twins = ([a, b] for a in down for b in down if a < b and a in known and known[a] == known.get(b))
        for cell in next(twins, None) or sorted(down, key=lambda cell: cell in known)[:2]:
            answer = await page.command("flip", cell=cell)
            assert answer["type"] == "ok", answer
            known[cell] = next(event["face"] for _, event in reversed(page.events) if event["type"] == "show-card")
        last = lambda: next((one for _, one in reversed(page.events) if one["type"] in ("match", "hide-card", "show-card")))
        event = last() if last()["type"] == "match" else await page.until(lambda one: one["type"] in ("match", "hide-card"))
        down -= set(event["cells"]) if event["type"] == "match" else set()

"""A room in play."""

import itertools

from flipside import Page


class Table:
    """A room in play: its players, in the order of seats, and a spectator."""

    @classmethod
    async def begin(cls, server, players=2, is_strict=False, servers=(), **options):
        """`servers`: the servers of the spectator and then each player, if not all use `server`."""
        places = itertools.cycle(servers or [server])
        table = cls()
        table.server = server
        table.tokens = [server.register("Player")[0] for _ in range(players)]
        table.code = server.open_room(table.tokens[0], **options)
        table.watcher = await Page.join(next(places), table.code, is_strict=is_strict)
        table.pages = [await Page.join(next(places), table.code, token, is_strict=is_strict) for token in table.tokens]
        for page in table.pages:
            await page.done("sit")
        await table.pages[0].done("start")
        return table

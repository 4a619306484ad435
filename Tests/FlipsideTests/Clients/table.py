"""A room in play."""

import itertools

from flipside import Page


class Table:
    """A room in play: its players, who sit in their order, and who watches."""

    @classmethod
    async def begin(cls, server, players=2, is_strict=False, servers=(), **options):
        """`servers`: where who watches and then each player comes in, if not all at `server`."""
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

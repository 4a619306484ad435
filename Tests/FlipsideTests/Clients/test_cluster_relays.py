"""Members of a room whose sockets are at other nodes than its home: they are served as if they were there, and nothing is
sent twice."""

import asyncio, base64, hashlib

import pytest

from cluster import Cluster
from flipside import Page, until
from memory_game import Game
from recorded_link import RecordedLink
from table import Table

pytestmark = [pytest.mark.seconds(30), pytest.mark.xdist_group("cluster")]

# Moves of whole games: seat, command, fields. The last one ends the game.
WHOLE = {
    "connect-four": [(ply % 2, "drop", {"column": ply % 2}) for ply in range(7)],
    "reversi": [(ply % 2, "place", {"cell": ord(move[0]) - ord("a") + 8 * (int(move[1]) - 1)})
                for ply, move in enumerate("e6 f4 e3 f6 g5 d6 e7 f5 c5".split())],
}


def relayed(cluster):
    return sum(node.server.metric("node_relayed_connections") for node in cluster)


def members(cluster):
    return sum(node.server.metric("members") for node in cluster)


async def home(cluster, code):
    """The node that is this room's home, and relays no one to it."""
    for node in cluster:
        before = node.server.metric("node_relayed_connections")
        page = await Page.join(node.server, code)
        is_home = node.server.metric("node_relayed_connections") == before
        await page.socket.close()
        await until("it to be gone", lambda: node.server.metric("node_relayed_connections") == before)
        if is_home:
            return node


async def whole_game(servers, game):
    """A complete game with each connection at the next node."""
    table = await Table.begin(servers[0], servers=servers, game=game)
    start = await table.watcher.until(lambda message: message["type"] == "game-started")
    for seat, command, fields in WHOLE[game]:
        mover = seat if start["first"] == 0 else 1 - seat
        await table.pages[mover].done(command, **fields)
    for page in [table.watcher, *table.pages]:
        if all(event["type"] != "game-ended" for _, event in page.events):
            await page.until(lambda message: message["type"] == "game-ended")
    return table


async def test_whole_games_of_all_kinds_are_played_by_members_two_thirds_of_whom_are_relayed(cluster, run):
    servers = [node.server for node in cluster]
    orders = [servers[first:] + servers[:first] for first in range(3)]
    memory = asyncio.gather(*(Game.played(order[0], order) for order in orders))
    others = asyncio.gather(*(whole_game(order, game) for order in orders for game in WHOLE))
    tables = [*await memory, *await others]
    # Each room has three members, one at each node, and its home is one of these.
    assert (relayed(cluster), members(cluster)) == (2 * len(tables), 3 * len(tables))
    for table in tables:
        logs = [server.log(table.code) for server in servers]
        assert logs[0] == logs[1] == logs[2]
        for page in [table.watcher, *table.pages]:
            versions = [event["v"] for _, event in page.events]
            assert versions == list(range(versions[0], len(logs[0]) + 1))
            assert [raw for raw, _ in page.events] == logs[0][versions[0] - 1:]
            await page.socket.close()
    await until("the last member to leave", lambda: (relayed(cluster), members(cluster)) == (0, 0))
    verdict = run("verify", "--log", cluster.address)
    assert verdict.returncode == 0, verdict


async def test_a_broadcast_crosses_each_link_once_however_many_watch(cluster):
    token, _ = cluster[0].server.register("Host")
    code = cluster[0].server.open_room(token)
    at_home = await home(cluster, code)
    host = await Page.join(at_home.server, code, token)
    watchers = [await Page.join(node.server, code) for node in cluster for _ in range(20)]
    for page in [host, *watchers]:
        # They learn of presence once a second; the host has no seat.
        if page.welcome["presence"]["spectators"] != len(watchers) + 1:
            await page.until(lambda message: message.get("spectators") == len(watchers) + 1)

    def sent(name):
        return {node.name: node.server.metric(f"node_link_sent_{name}_total") for node in cluster}

    before = sent("broadcasts")
    for number in range(5):
        await host.done("visibility", visibility="public" if number % 2 else "unlisted")
    for page in watchers:
        for _ in range(5):
            await page.until(lambda message: message["type"] == "visibility-changed")
    after = sent("broadcasts")
    assert {name: after[name] - before[name] for name in after} == {
        node.name: 5 * 2 if node is at_home else 0 for node in cluster}
    for page in [host, *watchers]:
        await page.socket.close()


def digest(token):
    """What the home gets of a token: the hash of its bytes, in hex."""
    return hashlib.sha256(base64.urlsafe_b64decode(token + "=")).hexdigest().encode()


async def test_no_token_crosses_a_link(binary, served, cluster_log, tmp_path):
    cluster = Cluster(binary, served, cluster_log, tmp_path, 2)
    links = [RecordedLink(node.link_port) for node in cluster]
    for node, link in zip(cluster, links):
        node.announced_port = link.port
    try:
        cluster.start()
        tables = [await Table.begin(cluster[number % 2].server, servers=[cluster[0].server, cluster[1].server])
                  for number in range(4)]
        said = b"".join(link.said for link in links)
        hashes = 0
        for table in tables:
            # Of two players at two nodes, one is relayed.
            hashes += sum(digest(token) in said for token in table.tokens)
            for token in table.tokens:
                assert token.encode() not in said
        assert hashes == len(tables)
    finally:
        cluster.end()

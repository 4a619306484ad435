"""Three nodes on one PostgreSQL: any serves any room, and any may go."""

import asyncio, json, os, re, signal, time

import pytest
from websockets.exceptions import WebSocketException

from cluster import PATIENCE, wait_until
from flipside import Page
from memory_game import Game
from ports import free_ports
from table import Table

pytestmark = [pytest.mark.seconds(90), pytest.mark.xdist_group("cluster")]

ROOMS = 6


@pytest.fixture
def verified(run, cluster):
    """Holds the whole log to its chains, commitments and decks at the end."""
    yield
    verdict = run("verify", "--log", cluster.address)
    assert verdict.returncode == 0, verdict


class Player:
    """Somebody at a table who flips at random, at one node as long as that lives, and remembers all that was seen."""

    def __init__(self, code, token, nodes, chance):
        self.code, self.token, self.nodes, self.chance = code, token, nodes, chance
        self.seen, self.connects, self.ended = {}, 0, False

    async def play(self):
        while not self.ended:
            node = self.nodes[0]
            try:
                after = {"after": max(self.seen)} if self.seen else {}
                page = await Page.join(node.server, self.code, self.token, **after)
            except (WebSocketException, OSError, AssertionError):
                # This node serves nobody: another does.
                self.nodes = self.nodes[1:] + self.nodes[:1]
                await asyncio.sleep(0.1)
                continue
            self.connects += 1
            assert not page.welcome.get("diverged"), "the log lost something"
            flips = asyncio.create_task(self.flip(page))
            try:
                await self.follow(page)
            except (WebSocketException, OSError):
                self.nodes = self.nodes[1:] + self.nodes[:1]
            finally:
                flips.cancel()
                await page.socket.close()

    async def follow(self, page):
        while not self.ended:
            try:
                message = await asyncio.wait_for(page.next(), 0.5)
            except TimeoutError:
                continue
            if "v" not in message or "t" not in message:
                continue
            raw = page.events.pop()[0]
            assert self.seen.setdefault(message["v"], raw) == raw, "an event changed"
            if message["type"] == "proposed":
                await page.send("answer", agrees=True, to=message["v"])

    async def flip(self, page):
        while True:
            await page.send("flip", cell=self.chance.randrange(12))
            # Once a game is over; said again, since a node or the database may be away just then.
            if self.chance.randrange(25) == 0:
                await page.send("propose", what="rematch")
            await asyncio.sleep(0.02)


class Rooms:
    """Rooms in play, each with its players on different nodes."""

    @classmethod
    async def begin(cls, cluster, chance, count=ROOMS):
        rooms = cls()
        rooms.cluster, rooms.players = cluster, []
        for number in range(count):
            table = await Table.begin(cluster[number % 3].server, columns=4, rows=3, theme="numbers", reveal=200, turnTime=60)
            for page in [table.watcher, *table.pages]:
                await page.socket.close()
            for index, token in enumerate([*table.tokens, None]):
                nodes = [cluster[(number + index + step) % 3] for step in range(3)]
                rooms.players.append(Player(table.code, token, nodes, chance))
        rooms.task = asyncio.gather(*(player.play() for player in rooms.players))
        return rooms

    def versions(self):
        return [max(player.seen, default=0) for player in self.players]

    async def go_on(self):
        """Until everybody has seen more than now."""
        before = self.versions()
        end = time.monotonic() + PATIENCE
        while not all(now > then for now, then in zip(self.versions(), before)):
            if self.task.done():
                self.task.result()
            late = [(p.code, p.token is None, then) for p, now, then in zip(self.players, self.versions(), before) if now <= then]
            assert time.monotonic() < end, f"these see nothing new: {late}"
            await asyncio.sleep(0.05)

    async def end(self):
        """All stop; what anybody saw is in the log, as every node tells it."""
        for player in self.players:
            player.ended = True
        await self.task
        for player in self.players:
            for node in self.cluster:
                if node.process.poll() is None:
                    log = node.server.log(player.code)
                    for version, raw in player.seen.items():
                        assert log[version - 1] == raw, f"version {version} of {player.code} at {node.name}"


async def test_whole_games_are_played_over_three_nodes(cluster, verified):
    servers = [node.server for node in cluster]
    games = await asyncio.gather(*(Game.played(server, servers[n:] + servers[:n]) for n, server in enumerate(servers * 2)))
    for game in games:
        for server in servers:
            assert server.log(game.code) == game.log
        for seen in game.seen:
            assert all(game.log[event["v"] - 1] == raw for raw, event in seen)
        assert all(event["type"] != "clock-extended" for event in game.events)


async def test_all_nodes_show_the_same_lists(cluster):
    tables = [await Table.begin(node.server, columns=4, rows=3, theme="numbers") for node in cluster]
    codes = {table.code for table in tables}
    def listed(node):
        return {room["code"] for room in json.loads(node.server.http("GET", "/api/rooms"))["rooms"]}
    wait_until("rooms in all lists", lambda: all(listed(node) >= codes for node in cluster))
    lobbies = [await Page.enter_lobby(node.server) for node in cluster]
    for lobby in lobbies:
        assert {room["code"] for room in lobby.welcome["rooms"]} >= codes
    # Names are everybody's.
    token, _ = cluster[0].server.register("Somebody")
    wait_until("the name at other nodes", lambda: all(
        node.server.ask("POST", "/api/rooms", token, {"game": "memory", "options": {}})[0] == 200 for node in cluster))


async def test_lists_go_on_whichever_node_dies(cluster):
    """One of them keeps the lists, and each in turn is killed."""
    tables = []
    for node in cluster:
        node.kill()
        living = [other for other in cluster if other is not node]
        tables.append(await Table.begin(living[0].server, columns=4, rows=3, theme="numbers"))
        code = tables[-1].code
        wait_until("the room in all lists", lambda: all(
            code in {room["code"] for room in json.loads(other.server.http("GET", "/api/rooms"))["rooms"]}
            for other in living), lambda: living[0].logged() + living[1].logged())
        node.start()
        for page in [tables[-1].watcher, *tables[-1].pages]:
            await page.socket.close()


async def test_a_node_that_is_killed_is_noticed_by_its_own_clients_alone(cluster, verified, chance):
    killed = chance.randrange(3)
    rooms = await Rooms.begin(cluster, chance)
    await rooms.go_on()
    homeless = [player for player in rooms.players if player.nodes[0] is cluster[killed]]
    others = [player for player in rooms.players if player not in homeless]
    cluster[killed].kill()
    # What came before may still be read.
    await asyncio.to_thread(
        wait_until, "who was there elsewhere", lambda: all(player.connects == 2 for player in homeless))
    await rooms.go_on()
    assert all(player.connects == 1 for player in others), "somebody at another node had to connect again"
    cluster[killed].start()
    await rooms.go_on()
    await rooms.end()


async def test_a_node_that_is_stopped_hands_its_rooms_on(cluster, verified, chance):
    rooms = await Rooms.begin(cluster, chance)
    await rooms.go_on()
    others = [player for player in rooms.players if player.nodes[0] is not cluster[1]]
    cluster[1].kill(signal.SIGTERM)
    assert cluster[1].process.returncode == 0
    await rooms.go_on()
    assert all(player.connects == 1 for player in others), "somebody at another node had to connect again"
    await rooms.end()
    # No time was lost by it: what it took to hand a room on counts against nobody.
    for code in {player.code for player in rooms.players}:
        types = [event["type"] for event in map(json.loads, cluster[0].server.log(code))]
        assert "turn-expired" not in types, types


async def test_a_node_that_stood_still_ends_when_others_have_taken_it_for_lost(cluster, verified, chance):
    rooms = await Rooms.begin(cluster, chance)
    await rooms.go_on()
    cluster[2].pause()
    await asyncio.to_thread(
        wait_until, "its loss", lambda: any("others serve its rooms" in node.logged() for node in [cluster[0], cluster[1]]))
    cluster[2].go_on()
    assert cluster[2].wait_end() != 0
    assert "lost" in cluster[2].logged()
    await rooms.go_on()
    cluster[2].start()
    await rooms.go_on()
    await rooms.end()


async def test_play_stops_while_the_database_is_away(cluster, verified, chance, database):
    rooms = await Rooms.begin(cluster, chance)
    await rooms.go_on()
    database.stop()
    wait_until("503", lambda: all(not node.is_ready() for node in cluster))
    await asyncio.sleep(2)
    database.start()
    for node in cluster:
        node.wait_ready()
    await rooms.go_on()
    assert all(player.connects == 1 for player in rooms.players)
    await rooms.end()


async def test_a_wrong_key_is_said_and_nothing_is_lost(cluster, verified, tmp_path, chance):
    rooms = await Rooms.begin(cluster, chance)
    (tmp_path / "other.key").write_bytes(os.urandom(32))
    (port,) = free_ports(1)
    stranger = cluster.node("z", port, tmp_path / "other.key")
    cluster.nodes.append(stranger)
    stranger.start(wait=False)
    wait_until("a line", lambda: "key" in stranger.logged() and any("key" in node.logged() for node in cluster.nodes[:3]))
    wait_until("a reason", lambda: "is not linked to" in stranger.logged(), stranger.logged)
    counted = [node.server.metric('node_link_faults_total{reason="wrong-key"}') for node in cluster]
    assert sum(counted) > 0, counted
    # It serves nothing: no room is out of anybody's reach.
    assert not stranger.is_ready()
    await rooms.go_on()
    assert all(player.connects == 1 for player in rooms.players)
    stranger.kill()
    await rooms.end()


def test_two_of_one_name_wait_for_each_other(cluster):
    (port,) = free_ports(1)
    twin = cluster.node("a", port)
    cluster.nodes.append(twin)
    twin.start(wait=False)
    wait_until("a line", lambda: "is there" in twin.logged() or "waits" in twin.logged(), twin.logged)
    assert not twin.is_ready() and cluster[0].is_ready()
    cluster[0].kill(signal.SIGTERM)
    twin.wait_ready()


def test_whoever_runs_it_reaches_it_by_the_log(cluster, run):
    token, _ = cluster[0].server.register("Ada")
    name = json.loads(cluster[0].server.http("GET", "/api/players/me", token))["name"]
    table = run("top", "--once", "--interval", "0.2", "--log", cluster.address)
    assert table.returncode == 0 and "rooms" in table.stdout, table
    # Each node says once a second what it has.
    def shown(node):
        said = run("top", "--once", "--interval", "0.1", "--log", cluster.address).stdout
        return re.search(f"^{node.name} +now .* 2 of 2 ", said, re.M)
    wait_until("a row of each node", lambda: all(shown(node) for node in cluster))
    moved = run("move", "--from", cluster.address, "--to", "sqlite:" + str(cluster.folder / "elsewhere"))
    assert moved.returncode == 1 and "runs on" in moved.stderr, moved
    forgotten = run("forget", name, "--log", cluster.address)
    assert forgotten.returncode == 0 and "Nobody bears the name" in forgotten.stdout, forgotten
    for node in cluster:
        wait_until("the token is nobody's", lambda: node.server.ask("GET", "/api/players/me", token)[0] == 401)
    # Nobody is asked who does not run here.
    for node in cluster:
        node.kill(signal.SIGTERM)
    wait_until("none runs", lambda: "No hub of this machine runs" in run("top", "--once", "--log", cluster.address).stderr)

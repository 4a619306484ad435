"""Three nodes on one PostgreSQL: any of them serves any room, and any of them may fail."""

import asyncio, json, os, re, signal

import pytest

from cluster import wait_until
from cluster_rooms import Rooms
from flipside import Page, Server, until
from memory_game import Game
from ports import free_ports
from table import Table

pytestmark = [pytest.mark.seconds(90), pytest.mark.xdist_group("cluster")]


@pytest.fixture
def verified(run, cluster):
    """Checks the whole log at the end: its chains, commitments and decks."""
    yield
    verdict = run("verify", "--log", cluster.address)
    assert verdict.returncode == 0, verdict


async def test_whole_games_are_played_over_three_nodes(cluster, verified):
    servers = [node.server for node in cluster]
    games = await asyncio.gather(*(Game.played(server, servers[n:] + servers[:n]) for n, server in enumerate(servers * 2)))
    for game in games:
        for server in servers:
            assert server.log(game.code) == game.log
        for seen in game.seen:
            assert all(game.log[event["v"] - 1] == raw for raw, event in seen)
        assert all(event["type"] != "clock-extended" for event in game.events)


def test_nodes_that_begin_a_log_together_agree_on_its_id(cluster):
    named = {node.server.log_id() for node in cluster}
    assert len(named) == 1 and None not in named, named


async def test_a_room_lives_where_its_first_visitor_connects_and_requests_claim_none(cluster):
    token, _ = cluster[0].server.register("Host")
    codes = [cluster[0].server.open_room(token) for _ in cluster]
    for node in cluster:
        for code in codes:
            assert node.server.ask("GET", f"/api/rooms/{code}")[0] == 200
            node.server.log(code)
    for node, code in zip(cluster, codes):
        pages = [await Page.join(node.server, code), await Page.join(cluster[0].server, code, token)]
        relayed = 1 if node is not cluster[0] else 0
        assert [other.server.metric("node_relayed_connections") for other in cluster] == [relayed, 0, 0]
        for page in pages:
            await page.socket.close()
        await until("the last member to leave", lambda: all(other.server.metric("members") == 0 for other in cluster))


async def test_a_node_that_joins_moves_no_room(cluster):
    given_up = lambda: sum(node.server.metric("node_rooms_given_up_total") for node in cluster[:2])
    before = given_up()
    cluster[2].kill(signal.SIGTERM)
    tables = [await Table.begin(cluster[number % 2].server, columns=4, rows=3, theme="numbers") for number in range(6)]
    pages = [page for table in tables for page in [table.watcher, *table.pages]]
    cluster[2].start()
    wait_until("it in all lists of nodes", lambda: all(node.server.metric("nodes") == 3 for node in cluster))
    for page in [page for table in tables for page in table.pages]:
        await page.done("say", text="still here")
    assert all(page.socket.close_code is None for page in pages)
    assert given_up() == before
    for page in pages:
        await page.socket.close()


async def test_all_nodes_show_the_same_lists(cluster):
    tables = [await Table.begin(node.server, columns=4, rows=3, theme="numbers") for node in cluster]
    codes = {table.code for table in tables}
    def listed(node):
        return {room["code"] for room in json.loads(node.server.http("GET", "/api/rooms"))["rooms"]}
    wait_until("rooms in all lists", lambda: all(listed(node) >= codes for node in cluster))
    lobbies = [await Page.enter_lobby(node.server) for node in cluster]
    for lobby in lobbies:
        assert {room["code"] for room in lobby.welcome["rooms"]} >= codes
    # Names are valid on every node.
    token, _ = cluster[0].server.register("Somebody")
    wait_until("the name at other nodes", lambda: all(
        node.server.ask("POST", "/api/rooms", token, {"game": "memory", "options": {}})[0] == 200 for node in cluster))


async def test_lists_of_all_nodes_count_members_of_a_room_until_its_node_is_killed(cluster):
    tables = [await Table.begin(node.server, columns=4, rows=3, theme="numbers") for node in cluster]
    def counts(node):
        rooms = json.loads(node.server.http("GET", "/api/rooms"))["rooms"]
        return {room["code"]: (room["present"], room["spectators"]) for room in rooms if room.get("hostName")}
    for node in cluster:
        wait_until("who is there, in all lists", lambda: all(
            counts(node).get(table.code) == (2, 1) for table in tables), lambda: f"{counts(node)}")
    lobby = await Page.enter_lobby(cluster[1].server)
    assert all(room["present"] == 2 for room in lobby.welcome["rooms"] if room["code"] == tables[0].code)
    await tables[1].watcher.socket.close()
    wait_until("that one has left", lambda: all(counts(node)[tables[1].code] == (2, 0) for node in cluster))
    cluster[0].kill()
    wait_until("lists without the room", lambda: all(tables[0].code not in counts(node) for node in cluster[1:]))
    # Members of a room that had its home there must return.
    kept = {table.code for table in tables[1:] if table.watcher.socket.close_code is None}
    assert all(kept <= counts(node).keys() for node in cluster[1:])
    cluster[0].start()
    for table in tables[1:]:
        for page in [table.watcher, *table.pages]:
            await page.socket.close()


async def test_lists_stay_current_whichever_node_dies(cluster):
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


async def test_a_killed_node_costs_its_clients_and_members_of_its_rooms_one_reconnect(cluster, verified, chance):
    killed = chance.randrange(3)
    rooms = await Rooms.begin(cluster, chance)
    await rooms.go_on()
    homeless = [player for player in rooms.players if player.nodes[0] is cluster[killed]]
    others = [player for player in rooms.players if player not in homeless]
    cluster[killed].kill()
    # Earlier messages may still be read.
    await until("who was there elsewhere", lambda: all(player.connects >= 2 for player in homeless))
    await rooms.go_on()
    rooms.are_closed_for_restarts_alone(others)
    cluster[killed].start()
    await rooms.go_on()
    await rooms.end()
    rooms.are_closed_for_restarts_alone(others)


async def test_a_node_that_shuts_down_releases_its_rooms(cluster, verified, chance):
    rooms = await Rooms.begin(cluster, chance)
    await rooms.go_on()
    cluster[1].kill(signal.SIGTERM)
    assert cluster[1].process.returncode == 0
    await rooms.go_on()
    await rooms.end()
    rooms.are_closed_for_restarts_alone(rooms.players)
    # The time until another node had the room counts against no one.
    for code in {player.code for player in rooms.players}:
        types = [event["type"] for event in map(json.loads, cluster[0].server.log(code))]
        assert "turn-expired" not in types, types


async def test_a_stopped_node_exits_once_others_have_declared_it_lost(cluster, verified, chance):
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


async def test_no_one_notices_that_the_database_ends_idle_sessions(cluster, verified, database):
    """As a pooler or an administrator does; each node has one session that writes, and others."""
    table = await Table.begin(cluster[0].server, columns=4, rows=3, theme="numbers")
    ended = 0
    for _ in range(5):
        ended += int(database.sql(
            "SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity WHERE application_name = 'flipside' "
            f"AND datname = '{database.name(cluster.address)}'"))
        await table.pages[0].done("say", text="still here")
        token, _ = cluster[1].server.register("Somebody")
        cluster[1].server.open_room(token)
        assert all(node.is_ready() for node in cluster)
    assert ended >= 3 * 5, "these were not all"
    for node in cluster:
        assert node.server.metric("log_failures_total") == 0, node.logged()
    assert b"outage" not in b"".join(cluster[0].server.log(table.code))


def test_a_token_in_a_lease_opens_only_its_own_nodes_port_for_operators(cluster, verified, database):
    notes = database.sql("SELECT convert_from(note, 'UTF8') FROM flipside.leases", database.name(cluster.address))
    doors = {note["node"]: note["operator"] for note in map(json.loads, notes.splitlines())}
    assert set(doors) == {"a", "b", "c"} and len({door["token"] for door in doors.values()}) == 3
    def forgets(port, token):
        try:
            return Server(f"http://127.0.0.1:{port}", None).ask("DELETE", "/api/players/nobody", token)
        except OSError as error:
            return error.__class__.__name__, ""
    for node in cluster:
        own = doors[node.name]["token"]
        status, said = forgets(doors[node.name]["port"], own)
        assert (status, json.loads(said)["code"]) == (404, "no-such-player"), said
        for other in cluster:
            # The answer reveals no more than without a token.
            for port in other.port, other.link_port:
                assert forgets(port, own) == forgets(port, None), (node.name, other.name, port)
            if other is not node:
                assert forgets(doors[other.name]["port"], own)[0] == 401, (node.name, other.name)
            assert other.server.refusal("GET", "/api/players/me", own) == (401, "unknown-token")


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


async def test_a_wrong_key_is_reported_and_nothing_is_lost(cluster, verified, tmp_path, chance):
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
    # It serves nothing, but every room is still reachable.
    assert not stranger.is_ready()
    await rooms.go_on()
    assert all(player.connects == 1 for player in rooms.players)
    stranger.kill()
    await rooms.end()


def test_of_two_nodes_with_one_name_the_second_waits(cluster):
    (port,) = free_ports(1)
    twin = cluster.node("a", port)
    cluster.nodes.append(twin)
    twin.start(wait=False)
    wait_until("a line", lambda: "is running" in twin.logged() or "waits" in twin.logged(), twin.logged)
    assert not twin.is_ready() and cluster[0].is_ready()
    cluster[0].kill(signal.SIGTERM)
    twin.wait_ready()


def test_the_operator_reaches_it_through_the_log(cluster, run):
    token, _ = cluster[0].server.register("Ada")
    name = json.loads(cluster[0].server.http("GET", "/api/players/me", token))["name"]
    table = run("top", "--once", "--interval", "0.2", "--log", cluster.address)
    assert table.returncode == 0 and "rooms" in table.stdout, table
    # Each node reports its figures once a second.
    def shown(node):
        said = run("top", "--once", "--interval", "0.1", "--log", cluster.address).stdout
        return re.search(f"^{node.name} +now .* 2 of 2 ", said, re.M)
    wait_until("a row of each node", lambda: all(shown(node) for node in cluster))
    moved = run("move", "--from", cluster.address, "--to", "sqlite:" + str(cluster.folder / "elsewhere"))
    assert moved.returncode == 1 and "runs on" in moved.stderr, moved
    forgotten = run("forget", name, "--log", cluster.address)
    assert forgotten.returncode == 0 and "No player has the name" in forgotten.stdout, forgotten
    for node in cluster:
        wait_until("the token to be refused", lambda: node.server.ask("GET", "/api/players/me", token)[0] == 401)
    # A node that does not run here is not asked.
    for node in cluster:
        node.kill(signal.SIGTERM)
    wait_until("none runs", lambda: "No hub of this machine runs" in run("top", "--once", "--log", cluster.address).stderr)

"""Nodes on PostgreSQL: appends and pgbench, what a link adds to a flip, processor time by nodes, spectators at each."""
import concurrent.futures
import contextlib
import json
import statistics
import subprocess
import time

import appends
from flips import load
from floor import build, started
from hub import PROGRAM, table
from idle import allow_many
from instructions import CountedHub
from node_hubs import Cluster, Server
from node_room import NodeRoom

PARTS = ["appends", "latency", "processor", "audience"]
# For nodes that are fifty times slower.
COUNTED = "instructions"
# Rooms for each node.
KINDS = [(1, "spread"), (2, "spread"), (3, "spread"), (2, "together"), (3, "together")]
NAMES = {"spread": "each connection to the next node", "together": "a room's to one node, its home"}
# Rooms that play at home, and as many relayed ones, at the same time.
ROOMS = 8


def add_options(group):
    group.add_argument("--nodes-parts", nargs="+", choices=[*PARTS, COUNTED], default=PARTS,
                       help=f"what of it (all but {COUNTED})")
    group.add_argument("--nodes-rounds", type=int, default=5, help="all in turn, of which medians are shown (5)")
    group.add_argument("--nodes-seconds", type=int, default=4, help="of each measurement (4)")
    group.add_argument("--nodes-batches", type=int, nargs="+", default=[1, 20, 512], help="commits (1 20 512)")
    group.add_argument("--nodes-rooms", type=int, default=200, help="of four, for each node: processor (200)")
    group.add_argument("--nodes-counted-rooms", type=int, default=20, help="of four, for each node: instructions (20)")
    group.add_argument("--nodes-audience", type=int, default=10_000, help="who watch one room (10000)")


def run(options):
    allow_many()
    build("load", "-lssl", "-lcrypto")
    with Server() as server:
        if "appends" in options.nodes_parts:
            appends.run(server, options.nodes_batches, options.nodes_seconds, options.nodes_rounds)
        if "latency" in options.nodes_parts:
            latency(server, options.nodes_seconds, options.nodes_rounds)
        if "processor" in options.nodes_parts:
            processor(server, options.nodes_rooms, options.nodes_seconds, options.nodes_rounds)
        if "audience" in options.nodes_parts:
            audience(server, options.nodes_audience, options.nodes_rounds)
        if COUNTED in options.nodes_parts:
            instructions(server, options.nodes_counted_rooms, options.nodes_seconds)


def bench(cluster, *words):
    """`flipside bench` on the running cluster."""
    return subprocess.Popen([PROGRAM, "bench", cluster.url, *map(str, words), "--json", "-"], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def found(load):
    """Its results, in ms: each flip's time to each member."""
    output, errors = load.communicate()
    if load.returncode:
        raise SystemExit(f"The load failed: {errors.splitlines()[-1]}")
    return json.loads(output)["milliseconds"]["flipToMember"]


def latency(server, seconds, rounds):
    """Flips whose player is at the room's home, and others whose player is relayed to it, at the same time."""
    flips, trips = {"home": [], "away": []}, {"home": [], "away": []}
    places = {"home": False, "away": True}
    with Cluster(server, 3) as cluster, NodeRoom(cluster, True) as away, NodeRoom(cluster, False) as home, \
            concurrent.futures.ThreadPoolExecutor(2 * ROOMS) as pool:
        for _ in range(rounds):
            # New rooms each time: a game ends if it goes too long without a pair.
            rooms = [(place, NodeRoom(cluster, is_away)) for _ in range(ROOMS) for place, is_away in places.items()]
            end = time.monotonic() + seconds
            playing = [pool.submit(play, room, end) for _, room in rooms]
            while time.monotonic() < end:
                for place, room in ("home", home), ("away", away):
                    trips[place].append(room.refusal())
                    time.sleep(0.005)
            for done, (place, room) in zip(playing, rooms):
                done.result()
                flips[place] += room.times
                room.line.close()
    at_home, elsewhere = ({"p50": quantile(flips[place], 0.5), "p99": quantile(flips[place], 0.99)} for place in flips)
    near, far = ({"p50": quantile(trips[place], 0.5), "p99": quantile(trips[place], 0.99)} for place in trips)
    rows = [["three nodes", "p50 ms", "p99 ms"]]

    def add(name, one):
        rows.append([name, *(f"{one[part]:.2f}" for part in ("p50", "p99"))])
        return one

    add("flip, its player at the room's home", at_home)
    add("flip, its player relayed", elsewhere)
    add("what that adds", difference(elsewhere, at_home))
    add("a refusal, from the room's home", near)
    add("a refusal, from another node", far)
    trip = add("what that adds: a link's round trip", difference(far, near))
    rows.append(["flip of a relayed player, of one at home and that round trip",
                 *(f"{elsewhere[part] / (at_home[part] + trip['p50']):.2f}" for part in ("p50", "p99"))])
    table(*rows)


def play(room, end):
    while time.monotonic() < end:
        room.play(2)


def difference(one, other):
    return {part: one[part] - other[part] for part in one}


def quantile(times, part):
    return sorted(times)[int(len(times) * part)]


def processor(server, rooms, seconds, rounds):
    """The same number of rooms for each node, however many nodes: the processor time of all nodes for a flip."""
    costs, database = {kind: [] for kind in KINDS}, {kind: [] for kind in KINDS}
    with contextlib.ExitStack() as stack:
        clusters = {count: stack.enter_context(Cluster(server, count)) for count in (1, 2, 3)}
        for _ in range(rounds):
            for kind in KINDS:
                count, place = kind
                before, began = server.processor_seconds(), time.monotonic()
                _, flips, cost = load(clusters[count], rooms * count, "2", seconds, "--place", place)
                if not flips:
                    raise SystemExit("The load failed.")
                costs[kind].append(cost)
                database[kind].append((server.processor_seconds() - before) / (time.monotonic() - began))
    whole = statistics.median(costs[1, "spread"])
    rows = [[f"{rooms} rooms of four a node, 2 flips a second each", "nodes", "nodes' µs a flip", "x",
             "PostgreSQL's processor"]]
    for count, place in KINDS:
        cost = statistics.median(costs[count, place])
        rows.append([NAMES[place] if count > 1 else "one", count, f"{cost:.0f}", f"{cost / whole:.2f}",
                     f"{statistics.median(database[count, place]):.0%}"])
    table(*rows)


def instructions(server, rooms, seconds):
    """The same in instructions: the flips share what nodes do by themselves each second."""
    costs = {}
    for kind in KINDS:
        count, place = kind
        with Cluster(server, count, kind=CountedHub) as cluster:
            _, flips, costs[kind] = load(cluster, rooms * count, "2", seconds, "--place", place, spent=cluster.instructions)
        if not flips:
            raise SystemExit("The load failed.")
    rows = [[f"{rooms} rooms of four a node, 2 flips a second each", "nodes", "nodes' instructions a flip", "x"]]
    for (count, place), cost in costs.items():
        rows.append([NAMES[place] if count > 1 else "one", count, f"{cost:,.0f}", f"{cost / costs[KINDS[0]]:.2f}"])
    table(*rows)


def audience(server, count, rounds):
    """One plays, and the spectators are spread evenly over all nodes."""
    rows = [[f"{count} who watch one room", "events shown", "broadcasts on each link", "p50 ms", "p99 ms", "x"]]
    low = None
    for nodes in (1, 3):
        with Cluster(server, nodes) as cluster:
            events, sent = counted(cluster, count)
            times = [found(bench(cluster, "--rooms", 1, "--members", 1, "--spectators", count, "--flips", 2,
                                 "--seconds", 5)) for _ in range(rounds)]
        p50, p99 = (statistics.median(one[part] for one in times) for part in ("p50", "p99"))
        low = low or p50
        rows.append(["by one node" if nodes == 1 else f"by {nodes} nodes", events,
                     ", ".join(map(str, sent)) or "-", f"{p50:.1f}", f"{p99:.1f}", f"{p50 / low:.2f}"])
    table(*rows)


def counted(cluster, count):
    """How many events a room had, and how many broadcasts each link from its home took for them."""
    with NodeRoom(cluster) as room:
        watchers = [started("watch", node.port, room.path, count // len(cluster.nodes)) for node in cluster.nodes]
        # Presence is sent once a second.
        time.sleep(3)
        before = [node.metric("node_link_sent_broadcasts_total") for node in cluster.nodes]
        events = room.play(20)
        time.sleep(0.5)
        after = [node.metric("node_link_sent_broadcasts_total") for node in cluster.nodes]
        for watcher in watchers:
            watcher.communicate("\n")
            if watcher.returncode:
                raise SystemExit("Somebody who watches was cut.")
    # All of a room's events come from its home, which tells each other node.
    sent = sum(after) - sum(before)
    others = len(cluster.nodes) - 1
    if sent % max(1, others):
        raise SystemExit(f"{sent:.0f} broadcasts went over {others} links, which are not as many on each.")
    return events, [int(sent) // others] * others if others else []

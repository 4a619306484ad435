"""What happens to the cluster: each function starts a fault, lets it last, and returns when it is over and all nodes run
again."""

import asyncio, signal

from databases import in_thread
from network import cut_both_ways

# In seconds. Noticing a cut takes 3; after 3 more, one of the two nodes would leave.
CUT = 1, 5.5


async def end_and_start(node, seconds):
    """Waits until a node that others have declared lost exits by itself, and restarts it; returns whether it has exited."""
    status = await node.wait_end(seconds)
    if status is not None:
        node.start()
    return status is not None


async def kill(trial, episode, chance):
    """kill -9 of a node"""
    node = chance.choice(trial.nodes)
    episode.strikes(node)
    node.kill()
    await asyncio.sleep(chance.uniform(2, 8))
    node.start()


async def stop(trial, episode, chance):
    """a node is stopped for 20 s"""
    node = chance.choice(trial.nodes)
    episode.strikes(node)
    node.is_to_end = True
    node.signal(signal.SIGSTOP)
    await asyncio.sleep(20)
    node.signal(signal.SIGCONT)
    if not await end_and_start(node, 20):
        trial.fault(f"node {node.name} was stopped for 20 s and continues")


async def cut(trial, episode, chance):
    """the way between two nodes"""
    one, other = chance.sample(trial.nodes, 2)
    cut_both_ways(one.place, other.place)
    episode.says(f"{one.name}-{other.name}")
    await asyncio.sleep(chance.uniform(*CUT))
    one.place.mend()
    other.place.mend()


async def half_cut(trial, episode, chance):
    """the way from a node to another"""
    one, other = chance.sample(trial.nodes, 2)
    one.place.cut(other.place)
    episode.says(f"{one.name}>{other.name}")
    await asyncio.sleep(chance.uniform(*CUT))
    one.place.mend()


async def no_database(trial, episode, chance):
    """the database, for a node"""
    node = chance.choice(trial.nodes)
    episode.strikes(node)
    node.is_to_end = True
    for server in trial.databases.servers:
        cut_both_ways(node.place, server.place)
    seconds = chance.uniform(2, 12)
    episode.says(f"{seconds:.0f} s")
    await asyncio.sleep(seconds)
    node.place.mend()
    for server in trial.databases.servers:
        server.place.mend()
    # Whether the node counts as lost is for the others to decide. A short cut may go unnoticed.
    if not await end_and_start(node, 12):
        node.is_to_end = False


async def no_database_at_all(trial, episode, chance):
    """the database, for all nodes"""
    episode.strikes_all()
    places = [node.place for node in trial.nodes]
    for server in trial.databases.servers:
        for place in places:
            cut_both_ways(place, server.place)
    seconds = chance.uniform(1, 16)
    episode.says(f"{seconds:.0f} s")
    await asyncio.sleep(seconds)
    for place in [*places, *(server.place for server in trial.databases.servers)]:
        place.mend()


async def drain(trial, episode, chance):
    """SIGTERM to a node"""
    node = chance.choice(trial.nodes)
    episode.strikes(node)
    node.is_to_end = True
    node.signal(signal.SIGTERM)
    status = await node.wait_end(40)
    if status != 0:
        trial.fault(f"node {node.name} was to stop, and ended with {status}")
        if node.runs:
            node.kill()
    await asyncio.sleep(chance.uniform(0, 4))
    node.start()


async def restart_database(trial, episode, chance):
    """PostgreSQL is restarted"""
    episode.strikes_all()
    await in_thread(trial.databases.primary.control, "-m", "fast", "restart")
    await in_thread(trial.databases.wait_synchronous)


async def crash_database(trial, episode, chance):
    """PostgreSQL crashes"""
    episode.strikes_all()
    trial.databases.primary.kill_one()
    await asyncio.sleep(2)
    await in_thread(trial.databases.wait_synchronous)


async def no_replica(trial, episode, chance):
    """the synchronous replica is away: no commit ends until it is back"""
    episode.strikes_all()
    databases = trial.databases
    await in_thread(databases.replica.control, "-m", "immediate", "stop")
    seconds = chance.uniform(2, 20)
    episode.says(f"{seconds:.0f} s")
    await asyncio.sleep(seconds)
    await in_thread(databases.replica.control, "start")
    await in_thread(databases.wait_synchronous)


async def fail_over(trial, episode, chance):
    """its replica takes over"""
    episode.strikes_all()
    databases = trial.databases
    await in_thread(databases.primary.control, "-m", "immediate", "stop")
    await asyncio.sleep(chance.uniform(0, 1.5))
    await in_thread(databases.promote)
    await asyncio.sleep(chance.uniform(1, 4))
    await in_thread(databases.follow)


FAULTS = {
    "kill": kill, "stop": stop, "cut": cut, "half-cut": half_cut, "no-database": no_database,
    "no-database-at-all": no_database_at_all, "drain": drain, "restart-database": restart_database,
    "crash-database": crash_database, "no-replica": no_replica, "fail-over": fail_over,
}

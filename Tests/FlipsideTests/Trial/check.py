"""The end: whether all clients have reached one state, and the log has everything that any of them saw, once, byte for
byte."""

import asyncio, hashlib, os, subprocess, time

from databases import PROGRAMS

LINES = """COPY (SELECT convert_from(s.name, 'UTF8'), r.version, encode(r.shown, 'hex'), encode(r.hash, 'hex')
FROM flipside.records r JOIN flipside.streams s ON s.id = r.stream
WHERE s.name LIKE 'room/%'::bytea ORDER BY r.stream, r.version, r.position) TO STDOUT"""


async def settle(trial, seconds=30):
    """No one moves now: waits until all have seen everything, and every command is answered."""
    end = time.monotonic() + seconds
    quiet_since, before = time.monotonic(), None
    while time.monotonic() < end:
        versions = [room.version for room in trial.rooms]
        if versions != before:
            quiet_since, before = time.monotonic(), versions
        even = all(client.version == room.version for room in trial.rooms for client in room.clients)
        answered = not any(client.waiting for room in trial.rooms for client in room.clients)
        if even and answered and time.monotonic() - quiet_since > 2:
            return
        await asyncio.sleep(0.1)
    for room in trial.rooms:
        for client in room.clients:
            if client.version != room.version or client.waiting:
                room.fault(f"{client} ends at version {client.version} with {len(client.waiting)} commands unanswered")


async def compare_states(trial):
    """Every client asks for the whole room again: all must get the same."""
    clients = [client for room in trial.rooms for client in room.clients]
    for client in clients:
        client.final, client.is_fresh = None, True
        await client.hello()
    end = time.monotonic() + 30
    while any(client.final is None for client in clients) and time.monotonic() < end:
        await asyncio.sleep(0.1)
    for room in trial.rooms:
        shown = ("version", "head", "room", "view")
        states = [client.final and {key: client.final[key] for key in shown} for client in room.clients]
        if None in states or any(state != states[0] for state in states):
            room.fault(f"its clients end in different states: {states}")
        elif states[0]["version"] != room.version:
            room.fault(f"its clients end at {states[0]['version']}")


def compare_log(trial):
    """Returns how many events of the log were compared, and how many of each client's."""
    server = trial.databases.primary
    command = [PROGRAMS / "psql", "-h", server.place.address, "-U", "flipside", "-d", "postgres", "-qc", LINES]
    rooms = {f"room/{room.code}": room for room in trial.rooms}
    in_log = {name: 0 for name in rooms}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as reading:
        for line in reading.stdout:
            name, version, shown, head = line.rstrip("\n").split("\t")
            room, version = rooms.get(name), int(version)
            if room is None:
                continue
            # It came when all had left.
            if version > room.version:
                continue
            in_log[name] += 1
            if version != in_log[name]:
                room.fault(f"version {version} is the {in_log[name]}. record of the log")
            elif hashlib.sha256(bytes.fromhex(shown)).digest() != room.digests[version]:
                room.fault(f"the log has another event {version}: {bytes.fromhex(shown)[:300]}")
            elif bytes.fromhex(head) != room.heads[version]:
                room.fault(f"the log has another head of {version}")
    if reading.returncode != 0:
        trial.fault("the log cannot be read")
    for name, room in rooms.items():
        if in_log[name] < room.version:
            room.fault(f"the log has {in_log[name]} events, clients have seen {room.version}")
        for version, head, by in room.claims:
            if version > room.version or room.heads[version].hex() != head:
                room.fault(f"{by} was told head {head} of {version}")
    return sum(in_log.values()), sum(client.compared for room in trial.rooms for client in room.clients)


def verify(trial):
    """Lets the program itself check all chains, commitments and decks."""
    done = subprocess.run(
        [os.environ["FLIPSIDE_BINARY"], "verify", "--log", trial.databases.address], capture_output=True, text=True,
        timeout=600)
    if done.returncode != 0:
        trial.fault(f"flipside verify: {done.stdout[-600:]} {done.stderr[-600:]}")
    return (done.stdout.strip().splitlines() or [""])[-1]

"""Silent connections: the hub's processor time for their pings, and how these are spread in time."""
import collections
import select
import time

from hub import Hub, table
from idle import allow_many
from websocket import connect

PING, PONG = b"\x89\x00", b"\x8a\x80\0\0\0\0"


def add_options(group):
    group.add_argument("--pings-connections", type=int, default=10_000, help="how many (10000)")
    group.add_argument("--pings-seconds", type=int, default=60, help="how long they are watched (60)")


def run(options):
    allow_many()
    with Hub("--loops", "1") as hub:
        lines = {}
        for _ in range(options.pings_connections):
            line = connect(hub.port, "/echo")
            lines[line.fileno()] = line
        poll = select.epoll()
        for number in lines:
            poll.register(number, select.EPOLLIN)
        rows = [["seconds", "pings", "most in 100 ms", "hub's processor", "µs a ping"]]
        for part in range(3):
            rows.append(watch(hub, lines, poll, options.pings_seconds / 3, part))
        table(*rows)


def watch(hub, lines, poll, seconds, part):
    came = collections.Counter()
    before, began = hub.processor_seconds(), time.monotonic()
    while (passed := time.monotonic() - began) < seconds:
        for number, _ in poll.poll(0.1):
            if lines[number].recv(64) != PING:
                raise SystemExit("The hub sent something else than a ping.")
            lines[number].sendall(PONG)
            came[int(passed * 10)] += 1
    spent, pings = hub.processor_seconds() - before, sum(came.values())
    return [f"{part * seconds:.0f} to {(part + 1) * seconds:.0f}", pings, max(came.values(), default=0),
            f"{spent / seconds:.2%}", f"{spent / pings * 1e6:.1f}" if pings else "-"]

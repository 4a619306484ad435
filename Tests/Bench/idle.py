"""Silent connections: the hub's memory for each."""
import resource
import select
import time

from hub import Hub, table
from websocket import connect, say, trusting

# One-time allocations come with the first ones.
FIRST = 200


def add_options(group):
    group.add_argument("--idle-connections", type=int, default=5_000, help="how many (5000); with TLS a fifth of them")


def run(options):
    count = options.idle_connections
    allow_many()
    table(["idle connections", "hub's bytes each"],
          ["an echo's", measure(count)],
          ["watching a room", measure(count, in_room=True)],
          ["an echo's, over TLS", measure(max(1, count // 5), tls=True)])


def allow_many():
    """Raises the limit of descriptors to its maximum."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def measure(count, in_room=False, tls=False):
    with Hub("--members-per-room", "100000", tls=tls) as hub:
        context = trusting(hub.certificate) if tls else None
        path = f"/ws/rooms/{hub.open_room()}" if in_room else "/echo"
        lines = []

        def add(number):
            for _ in range(number):
                lines.append(connect(hub.port, path, context))
                if in_room:
                    say(lines[-1], '{"type":"hello"}')
            for line in lines[-number:] if in_room else []:
                read(line)

        add(FIRST)
        settle(lines if in_room else [])
        before = hub.resident_bytes()
        add(count)
        settle(lines if in_room else [])
        each = (hub.resident_bytes() - before) / count
        for line in lines:
            line.close()
        return f"{each:.0f}"


def read(line):
    if not line.recv(65_536):
        raise SystemExit("The hub closed a connection.")


def settle(lines):
    """Reads what still comes (presence, once a second) until nothing has come for a moment."""
    poll = select.poll()
    by_number = {line.fileno(): line for line in lines}
    for number in by_number:
        poll.register(number, select.POLLIN)
    end = time.monotonic() + 20
    while time.monotonic() < end:
        ready = poll.poll(1_500)
        if not ready:
            return
        for number, _ in ready:
            read(by_number[number])

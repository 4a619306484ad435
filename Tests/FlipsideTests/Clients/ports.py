"""Ports for servers about to start."""

import pathlib, random, socket

FIRST, LAST = map(int, pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split())
# The system gives ports from FIRST to LAST to other servers and to connections, also while the server of one is away.
PORTS = [*range(10_000, FIRST), *range(LAST + 1, 65_536)] or list(range(10_000, 65_536))


def free_ports(count):
    """Unused ports on 127.0.0.1, if possible outside the range from which the system chooses."""
    found = []
    for port in random.SystemRandom().sample(PORTS, len(PORTS)):
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        found.append(port)
        if len(found) == count:
            return found
    raise AssertionError("too few ports are free")

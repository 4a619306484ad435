"""Ports for servers about to start."""

import pathlib, random, socket

# The system chooses ports from here on for other servers and for connections.
SYSTEM = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])


def free_ports(count):
    """Unused ports on 127.0.0.1, which the system gives to no one else, also while their server is away."""
    found = []
    for port in random.SystemRandom().sample(range(10_000, SYSTEM), SYSTEM - 10_000):
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        found.append(port)
        if len(found) == count:
            return found
    raise AssertionError("all ports are in use")

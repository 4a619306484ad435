"""Ports for what is about to be started."""

import socket


def free_ports(count):
    """Ports on which nobody listens, on 127.0.0.1."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports

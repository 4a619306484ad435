"""Nodes of a cluster as processes, on one PostgreSQL."""

import os, re, signal, subprocess, time

from flipside import Hub
from ports import free_ports

# When to give up waiting, in s, on a busy machine.
PATIENCE = 60


class Node(Hub):
    """One node: started, killed and restarted under its name, on the same ports."""

    def __init__(self, binary, database, name, port, key, *arguments, log):
        super().__init__(binary, None, *arguments, log=log)
        self.database, self.name, self.link_port, self.key = database, name, port, key
        # The address for other nodes.
        self.announced_port = port

    def command(self):
        return [self.binary, "serve", "--listen", f"127.0.0.1:{self.port}", "--log", self.database, "--node", self.name,
                "--node-listen", f"127.0.0.1:{self.link_port}", "--node-url", f"http://127.0.0.1:{self.announced_port}",
                "--cluster-key", str(self.key), "--log-level", "notice", *self.arguments]

    def start(self, wait=True):
        server = super().start()
        if wait:
            self.wait_ready()
        return server

    def is_ready(self):
        return self.server.ask("GET", "/readyz")[0] == 200

    def wait_ready(self):
        wait_until(f"{self.name} serves", self.is_ready, self.logged)

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def wait_end(self):
        """The status with which it exited by itself."""
        status = self.process.wait(PATIENCE)
        self.process.stdout.close()
        return status


def wait_until(what, wanted, logged=lambda: ""):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if wanted():
            return
        time.sleep(0.05)
    raise AssertionError(f"never came: {what}\n{logged()}")


class Cluster:
    """Nodes a, b, c ... of one log."""

    def __init__(self, binary, served, database, folder, count=3, *arguments):
        self.binary, self.address, self.folder = binary, database.new(), folder
        self.served, self.arguments = served, arguments
        self.key = folder / "cluster.key"
        self.key.write_bytes(os.urandom(32))
        self.key.chmod(0o600)
        self.nodes = [self.node("abcdefgh"[number], port) for number, port in enumerate(free_ports(count))]

    def node(self, name, port, key=None, *arguments):
        return Node(self.binary, self.address, name, port, key or self.key, "--web", str(self.served), *self.arguments,
                    *arguments, log=self.folder / f"{name}-{port}.log")

    def start(self):
        for node in self.nodes:
            Hub.start(node)
        for node in self.nodes:
            node.wait_ready()
        self.wait_linked()
        return self

    def wait_linked(self, nodes=None):
        """Waits until each of these nodes, and no others, is linked with each other one."""
        nodes = nodes or self.nodes
        wait_until(
            "links", lambda: all(node.server.metric("node_links") == len(nodes) - 1 for node in nodes),
            logged=lambda: "\n".join(node.logged() for node in nodes))

    def __getitem__(self, index):
        return self.nodes[index]

    def __iter__(self):
        return iter(self.nodes)

    def end(self):
        for node in self.nodes:
            if node.process and node.process.poll() is None:
                node.go_on()
            node.end()

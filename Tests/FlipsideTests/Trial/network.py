"""Networks for nodes and databases, joined by a bridge that passes no packet where a connection is cut."""

import subprocess

# The address of the balancer and all clients.
HERE = "10.77.0.1"
# An unused address: packets sent there are lost.
NOWHERE = "02:00:de:ad:00:01"


def run(*command, timeout=60):
    """What a command prints; if it fails, an error with its output."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=timeout)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout.strip()


def prepare():
    """Makes the bridge, in the namespaces that this process was started in."""
    run("mount", "-t", "tmpfs", "trial", "/run")
    run("ip", "link", "set", "lo", "up")
    run("ip", "link", "add", "bridge", "type", "bridge")
    run("ip", "address", "add", f"{HERE}/24", "dev", "bridge")
    run("ip", "link", "set", "bridge", "up")


class Place:
    """A network namespace with one address on the bridge."""

    def __init__(self, name, address):
        self.name, self.address, self.cut_from = name, address, set()
        run("ip", "netns", "add", name)
        run("ip", "link", "add", f"to-{name}", "type", "veth", "peer", "name", "eth0", "netns", name)
        run("ip", "link", "set", f"to-{name}", "master", "bridge", "up")
        run("ip", "-n", name, "link", "set", "lo", "up")
        run("ip", "-n", name, "address", "add", f"{address}/24", "dev", "eth0")
        run("ip", "-n", name, "link", "set", "eth0", "up")

    def command(self, *command):
        """The command to run it in here."""
        return ["ip", "netns", "exec", self.name, *map(str, command)]

    def cut(self, other):
        """Packets from here no longer reach `other`; neither end is notified."""
        self.cut_from.add(other)
        run("ip", "-n", self.name, "neighbour", "replace", other.address, "lladdr", NOWHERE, "nud", "permanent", "dev", "eth0")

    def mend(self):
        for other in self.cut_from:
            run("ip", "-n", self.name, "neighbour", "delete", other.address, "dev", "eth0")
        self.cut_from = set()


def cut_both_ways(one, other):
    one.cut(other)
    other.cut(one)

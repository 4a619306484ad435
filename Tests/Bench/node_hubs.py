"""Nodes of a cluster to measure, and the PostgreSQL server with their log."""
import os
import pathlib
import sys
import tempfile
import time

from hub import ROOT, Hub

sys.path.append(str(ROOT / "Tests" / "FlipsideTests" / "Clients"))
import database
from ports import free_ports


class Server(database.Database):
    """With PostgreSQL's default settings: each commit is on disk before it is answered."""

    def __init__(self):
        super().__init__(is_synced=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()

    def processor_seconds(self):
        """Of all its processes, including those that have ended."""
        postmaster = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        ticks = 0
        for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                # After the name: the state, the parent; then, from the 14th of all on, the times.
                fields = path.read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(path.parent.name) == postmaster:
                ticks += sum(map(int, fields[11:15]))
            elif int(fields[1]) == postmaster:
                ticks += sum(map(int, fields[11:13]))
        return ticks / os.sysconf("SC_CLK_TCK")


class Cluster:
    """Nodes a, b, c on a database of their own; `options` are further ones of `serve`, `kind` is the class of each node."""

    def __init__(self, server, count, *options, kind=Hub):
        self.folder = tempfile.TemporaryDirectory(prefix="flipside-bench-")
        key = pathlib.Path(self.folder.name) / "cluster.key"
        key.write_bytes(os.urandom(32))
        key.chmod(0o600)
        address = server.new()
        self.nodes = []
        for name, port in zip("abcdefgh", free_ports(count)):
            self.nodes.append(kind(
                "--node", name, "--node-listen", f"127.0.0.1:{port}", "--node-url", f"http://127.0.0.1:{port}",
                "--cluster-key", str(key), "--members-per-room", "100000", *options, log=address))
        self.url = ",".join(node.url for node in self.nodes)
        end = time.monotonic() + 30
        while any(node.metric("node_links") < count - 1 or node.metric("nodes") < count for node in self.nodes):
            if time.monotonic() > end:
                raise SystemExit("The nodes to be measured did not find each other.")
            time.sleep(0.1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for node in self.nodes:
            node.__exit__()
        self.folder.cleanup()

    def processor_seconds(self):
        return sum(node.processor_seconds() for node in self.nodes)

    def instructions(self):
        """Of nodes that count them."""
        return sum(node.instructions() for node in self.nodes)

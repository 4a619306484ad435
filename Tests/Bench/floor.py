"""The hub and the floor, a bare loop in C and SQLite: processor time of echoes, handshakes and durable flips."""
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile

from flips import load
from hub import ROOT, Hub, table

HERE = pathlib.Path(__file__).parent
BUILT = ROOT / ".build" / "bench"
PORT = 19_400
# Debian's package of Node's ws.
NODE_WS = pathlib.Path("/usr/share/nodejs/ws")
NODE_ECHO = """
const { WebSocketServer } = require(process.argv[2]);
const server = new WebSocketServer({ port: +process.argv[1], host: "127.0.0.1", perMessageDeflate: false });
server.on("listening", () => console.log("ready"));
server.on("connection", (it) => {
    it.on("message", (message, isBinary) => it.send(message, { binary: isBinary }));
    it.on("error", () => {});
});
"""
# Name, connections, messages in flight (0: handshakes), bytes of each.
ECHOES = [
    ("echo 64 B", 100, 1, 64),
    ("the same, 16 under way", 100, 16, 64),
    ("echo 16 KiB", 50, 1, 16_384),
    ("handshake", 1, 0, 0),
]


def add_options(group):
    group.add_argument("--floor-seconds", type=float, default=2, help="of each measurement (2)")
    group.add_argument("--floor-rounds", type=int, default=5, help="all in turn, of which medians are shown (5)")
    group.add_argument("--floor-parts", nargs="+", choices=("echoes", "flips"), default=["echoes", "flips"],
                       help="which to measure (both)")
    group.add_argument("--floor-rooms", type=int, nargs="+", default=[1_000], help="of four, that flip (1000)")
    group.add_argument("--floor-rate", type=int, nargs="+", default=[2], help="flips a second and room (2)")


def build(name, *flags):
    """Builds a program, or a library, from the C files here."""
    BUILT.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cc", "-O2", "-o", BUILT / name, HERE / f"{name.removesuffix('.so')}.c", *flags], check=True)


def build_both():
    build("floor", "-lssl", "-lcrypto", "-lsqlite3")
    build("load", "-lssl", "-lcrypto")


def run(options):
    build_both()
    if "echoes" in options.floor_parts:
        for tls in (False, True):
            echoes(options, tls)
    if "flips" in options.floor_parts:
        flips(options)


class Process:
    """A server on a processor of its own, so that only its work is measured."""

    def __init__(self, *arguments, port):
        self.port, self.path = port, "/"
        self.process = subprocess.Popen(
            ["taskset", "-c", "0", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        # It says that it listens.
        if not self.process.stdout.readline():
            raise SystemExit(f"{arguments[0]} did not start.")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    processor_seconds = Hub.processor_seconds


class PinnedHub(Hub):
    """A hub with one loop, on the same processor as the others."""

    path = "/echo"

    def __init__(self, *options, **more):
        super().__init__("--loops", "1", *options, **more)
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            os.sched_setaffinity(int(task), {0})


def started(*words):
    """`load`, on a processor of its own and, unless it does handshakes, ready."""
    client = subprocess.Popen(
        ["taskset", "-c", str(os.cpu_count() - 1), BUILT / "load", *map(str, words)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    if words[0] != "echo" or words[4] > 0:
        client.stdout.readline()
    return client


def ended(client):
    """The counts of `load`."""
    count, _ = client.communicate("\n")
    if client.returncode:
        raise SystemExit("The load failed.")
    return int(count or 0)


def loaded(server, *words):
    """The server's µs for each thing that `load` counts."""
    client = started(*words)
    before = server.processor_seconds()
    count = ended(client)
    return (server.processor_seconds() - before) / count * 1e6


def echoes(options, tls):
    with tempfile.TemporaryDirectory() as folder:
        if tls:
            subprocess.run([ROOT / "scripts" / "dev-cert", folder], check=True, stdout=subprocess.DEVNULL)
        files = [f"{folder}/cert.pem", f"{folder}/key.pem"] if tls else []
        with Process(BUILT / "floor", "echo", PORT, *files, port=PORT) as floor, PinnedHub(tls=tls) as hub:
            servers = {"bare C": floor, "Flipside": hub}
            if not tls and NODE_WS.exists() and shutil.which("node"):
                servers["Node's ws"] = Process("node", "-e", NODE_ECHO, PORT + 1, NODE_WS, port=PORT + 1)
            rows = [["TLS" if tls else "plain", *(f"{name} µs" for name in servers),
                     *(f"{name} x" for name in servers)]]
            for name, connections, under_way, size in ECHOES:
                costs = {server: [] for server in servers}
                for _ in range(options.floor_rounds):
                    for server, it in servers.items():
                        costs[server].append(loaded(
                            it, "echo", it.port, it.path, connections, under_way, size, options.floor_seconds,
                            *(["tls"] if tls else [])))
                medians = [statistics.median(all) for all in costs.values()]
                rows.append([name, *(f"{cost:.2f}" for cost in medians),
                             *(f"{cost / medians[0]:.2f}" for cost in medians)])
            table(*rows)
            if "Node's ws" in servers:
                servers["Node's ws"].__exit__()


def flips(options):
    """The same flips: the hub's processor time for one, and that of the bare sends and rows."""
    rows = [["µs a durable flip", "sends and rows alone", "gathered", "the hub", "x", "x gathered"]]
    for rate in options.floor_rate:
        for rooms in options.floor_rooms:
            seconds, costs = options.floor_seconds + 3, []
            for _ in range(options.floor_rounds):
                costs.append((floor_cost(rooms, rate, seconds), floor_cost(rooms, rate, seconds, "gather"),
                              hub_cost(rooms, rate, seconds)))
            bare, gathered, hub = map(statistics.median, zip(*costs))
            rows.append([f"{rooms} rooms of four, {rate} flips a second each", f"{bare:.1f}", f"{gathered:.1f}",
                         f"{hub:.1f}", f"{hub / bare:.2f}", f"{hub / gathered:.2f}"])
    table(*rows)


def hub_cost(rooms, rate, seconds):
    with Hub() as hub:
        return load(hub, rooms, rate, int(seconds))[2]


def floor_cost(rooms, rate, seconds, *words):
    with tempfile.TemporaryDirectory() as folder:
        with Process(BUILT / "floor", "flips", PORT, 4, f"{folder}/log.sqlite", *words, port=PORT) as floor:
            return loaded(floor, "flips", PORT, rooms, 4, rate, seconds)

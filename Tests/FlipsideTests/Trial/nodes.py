"""Three nodes of a hub, and the balancer in front of them."""

import asyncio, os, re, signal, subprocess, time, urllib.request

from network import HERE, Place

PORT = 8080

# How the balancer chooses a node: one for all of a room, by its code, or the next one for each connection.
BALANCES = {"path": "hash path,word(-1,/)", "roundrobin": "roundrobin"}

BALANCER = """
global
    maxconn 6000
    log stdout format raw local0 notice
    stats socket {folder}/balancer.socket
defaults
    mode http
    log global
    timeout connect 1s
    timeout check 200ms
    timeout client 90s
    timeout server 90s
    timeout tunnel 90s
    retries 3
    option redispatch 1
frontend web
    bind {here}:{port}
    http-request del-header Forwarded
    http-request set-header X-Forwarded-For %[src]
    http-response set-header X-Served-By %s
    default_backend nodes
backend nodes
    balance {balance}
    hash-type consistent
    retry-on conn-failure 503
    http-request disable-l7-retry unless METH_GET
    option httpchk GET /readyz
    default-server check inter 500ms fall 8 rise 2 on-marked-down shutdown-sessions
    default-server observe layer4 error-limit 3 on-error mark-down
"""


class Node:
    """One node: started, killed and restarted under its name."""

    def __init__(self, number, folder, database, served):
        self.name = "abc"[number]
        self.place = Place(f"node-{self.name}", f"10.77.0.{11 + number}")
        self.log = folder / f"node-{self.name}.log"
        self.process, self.is_to_end = None, False
        here = self.place.address
        self.command = self.place.command(
            os.environ["FLIPSIDE_BINARY"], "serve", "--listen", f"{here}:{PORT}", "--log", database, "--web", served,
            "--node", self.name, "--node-listen", f"{here}:7070", "--node-url", f"http://{here}:7070",
            "--cluster-key", folder / "cluster.key", "--trusted-proxy", HERE, "--log-level", "info",
            "--connections-per-address", "9000", "--registrations-per-minute", "100000", "--failures-per-minute", "100000")

    def start(self):
        self.is_to_end = False
        with self.log.open("a") as log:
            log.write(f"--- started {time.strftime('%H:%M:%S')}\n")
            log.flush()
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)

    @property
    def runs(self):
        return self.process.poll() is None

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        self.is_to_end = True
        self.signal(signal.SIGKILL)
        self.process.wait(10)

    def ask(self, path):
        try:
            with urllib.request.urlopen(f"http://{self.place.address}:{PORT}{path}", timeout=2) as answer:
                return answer.read().decode()
        except OSError:
            return None

    def metric(self, name):
        """-1 if it does not answer, or is not ready."""
        metrics = self.ask("/readyz") is not None and self.ask("/metrics") or ""
        found = re.search(rf"^flipside_{name} (\d+)", metrics, re.MULTILINE)
        return int(found[1]) if found else -1

    def links(self):
        """How many others it is linked with; -1 if it does not answer."""
        return self.metric("node_links")

    async def wait_end(self, seconds):
        """The status it exits with by itself; None if it does not."""
        end = time.monotonic() + seconds
        while self.runs and time.monotonic() < end:
            await asyncio.sleep(0.05)
        return self.process.poll()


class Balancer:
    """HAProxy; knows which nodes it has marked down, and since when."""

    def __init__(self, folder, nodes, balance):
        self.folder, self.nodes, self.balance = folder, nodes, BALANCES[balance]
        self.down, self.process = {}, None
        # The times of its messages that a node is down.
        self.noticed = []

    async def start(self):
        lines = [f"    server {node.name} {node.place.address}:{PORT}\n" for node in self.nodes]
        settings = self.folder / "haproxy.cfg"
        settings.write_text(
            BALANCER.format(folder=self.folder, here=HERE, port=PORT, balance=self.balance) + "".join(lines))
        log = (self.folder / "haproxy.log").open("a")
        self.process = await asyncio.create_subprocess_exec(
            "haproxy", "-db", "-f", settings, stdout=asyncio.subprocess.PIPE, stderr=log)
        self.reading = asyncio.create_task(self.read(log))

    async def read(self, log):
        while line := (await self.process.stdout.readline()).decode():
            log.write(f"{time.strftime('%H:%M:%S')} {line}")
            log.flush()
            if found := re.search(r"Server nodes/(\w+) is (DOWN|UP)", line):
                if found[2] == "DOWN":
                    self.down[found[1]] = time.monotonic()
                    self.noticed.append((time.monotonic(), found[1]))
                else:
                    self.down.pop(found[1], None)

    def noticed_since(self, moment):
        return [(at, name) for at, name in self.noticed if at >= moment]

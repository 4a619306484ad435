"""A hub to measure: a process of its own on a temporary folder."""
import glob
import json
import os
import pathlib
import re
import secrets
import subprocess
import tempfile
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / ".build" / "release" / "flipside"


class Hub:
    """`with Hub() as hub:`; `options` are further ones of `serve`. Messages may come at any rate, unless it keeps its usual
    limits. `log`: the address of another log than its own."""

    def __init__(self, *options, tls=False, is_limited=False, environment=None, log=None):
        self.folder = tempfile.TemporaryDirectory(prefix="flipside-bench-")
        self.certificate = os.path.join(self.folder.name, "cert.pem")
        arguments = ["serve", "--listen", "127.0.0.1:0", "--log", log or f"sqlite:{self.folder.name}/data", "--web",
                     str(ROOT / "web"), "--log-level", "error", "--connections", "60000", "--echo", "/echo", *options]
        if not is_limited:
            arguments += ["--messages-per-second", "1000000", "--commands-per-second", "1000000"]
        if tls:
            subprocess.run([ROOT / "scripts" / "dev-cert", self.folder.name], check=True, stdout=subprocess.DEVNULL)
            arguments += ["--tls-cert", self.certificate, "--tls-key", os.path.join(self.folder.name, "key.pem")]
        self.command, self.environment = [PROGRAM, *arguments], {**os.environ, **(environment or {})}
        self.scheme = "https" if tls else "http"
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True, env=self.environment)
        line = self.process.stdout.readline()
        found = re.search(r":(\d+)$", line.strip())
        if not found:
            raise SystemExit("The hub to be measured did not start.")
        self.port = int(found[1])
        self.url = f"{self.scheme}://localhost:{self.port}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        self.folder.cleanup()

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def processor_seconds(self):
        """Of all its threads, to the nanosecond."""
        total = 0
        for path in glob.glob(f"/proc/{self.process.pid}/task/*/schedstat"):
            with open(path) as file:
                total += int(file.read().split()[0])
        return total / 1e9

    def resident_bytes(self):
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    def quantile(self, histogram, part):
        """A quantile of one of the hub's histograms, in seconds, like Prometheus' `histogram_quantile`."""
        text = self.metrics()
        below = [(float(bound), int(count)) for bound, count in
                 re.findall(rf'^{histogram}_bucket{{le="([^"]+)"}} (\d+)$', text, re.MULTILINE)]
        wanted, last_bound, last_count = part * below[-1][1], 0, 0
        for bound, count in below:
            if count >= wanted:
                break
            last_bound, last_count = bound, count
        if bound == float("inf") or count == last_count:
            return last_bound
        return last_bound + (bound - last_bound) * (wanted - last_count) / (count - last_count)

    def metrics(self):
        """Only for hubs without TLS, here and below."""
        with urllib.request.urlopen(self.url + "/metrics") as answer:
            return answer.read().decode()

    def metric(self, name):
        return float(re.search(rf"^flipside_{name} (\S+)$", self.metrics(), re.MULTILINE)[1])

    def ask(self, method, path, body, token=None):
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), method=method)
        request.add_header("Content-Type", "application/json")
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def register(self):
        """The token of a new player."""
        token = secrets.token_urlsafe(32)
        self.ask("POST", "/api/players", {"name": f"Bench {secrets.token_hex(6)}", "token": token})
        return token

    def open_room(self, token=None, **options):
        """The code of a new room, by the given player or a new one."""
        room = {"game": "memory", "visibility": "unlisted", "options": options}
        return self.ask("POST", "/api/rooms", room, token or self.register())["code"]


def table(*rows):
    """Prints rows of columns; the first row has their names."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(cell) for cell in column) for column in zip(*rows)]
    for row in rows:
        print("  ".join([row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:])]))
    print(flush=True)

"""Takes the disk away from a hub in play, and gives it back: full_disk.py BINARY WEB full|limit.

full   A file system of a few MiB is filled up. It is mounted in a namespace of its own, which this script makes first;
       status 77 where the system allows no such thing.
limit  The system refuses to write past the start of any file (RLIMIT_FSIZE): to whoever writes, an I/O error.
"""

import asyncio, errno, json, os, pathlib, resource, signal, subprocess, sys, tempfile, time, urllib.error

from flipside import Hub, Page

BINARY, WEB, MODE = *map(os.path.abspath, sys.argv[1:3]), sys.argv[3]
NAMESPACE = ["unshare", "--user", "--map-root-user", "--mount"]
OPEN, SHUT = (resource.RLIM_INFINITY, resource.RLIM_INFINITY), (4_096, resource.RLIM_INFINITY)


class Disk:
    """What the hub writes to."""

    def __init__(self, folder):
        self.ballast = pathlib.Path(folder) / "ballast"
        if MODE == "full":
            subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "flipside-test", folder], check=True)

    def remove(self):
        if MODE == "full":
            subprocess.run(["umount", self.ballast.parent], check=True)

    def fail(self, process):
        if MODE == "limit":
            return resource.prlimit(process.pid, resource.RLIMIT_FSIZE, SHUT)
        with open(self.ballast, "ab", buffering=0) as file:
            try:
                while file.write(bytes(4_096)):
                    pass
            except OSError as error:
                assert error.errno == errno.ENOSPC, error

    def recover(self, process):
        if MODE == "limit":
            return resource.prlimit(process.pid, resource.RLIMIT_FSIZE, OPEN)
        self.ballast.unlink()


class Table:
    """A room in play: two players and who watches. Remembers what was acknowledged."""

    async def begin(self, server):
        self.server, self.known, self.won, self.acknowledged = server, {}, set(), 0
        self.tokens = [server.register("Disk")[0] for _ in range(2)]
        self.code = server.open_room(self.tokens[0], columns=4, rows=4, theme="numbers", reveal=200, turnTime=60)
        self.pages = [await Page.join(server, self.code, token) for token in self.tokens]
        self.watcher = await Page.join(server, self.code)
        for page in self.pages:
            assert (await page.command("sit"))["type"] == "ok"
        assert (await self.pages[0].command("start"))["type"] == "ok"
        self.turn = await self.watcher.until(lambda m: m["type"] == "turn")

    async def flip(self):
        """One flip of whoever's turn it is; the answer."""
        down = [cell for cell in range(16) if cell not in self.won | set(self.up())]
        face = self.known[self.up()[0]] if self.up() else None
        unknown = [cell for cell in down if cell not in self.known]
        cell = next((c for c in down if face and self.known.get(c) == face), (unknown or down)[0])
        answer = await self.pages[self.turn["seat"]].command("flip", cell=cell)
        if answer["type"] == "ok":
            self.acknowledged = answer["v"]
            await self.watch(answer["v"])
        return answer

    def up(self):
        """Cells turned up in this turn: one, or none."""
        flips = [e["cell"] for _, e in self.watcher.events if e["type"] == "show-card" and e["v"] > self.turn["v"]]
        return flips if len(flips) == 1 else []

    async def watch(self, version):
        """Follows until the flip at `version` is seen and, where it was a turn's second, the turn is over."""
        second = bool(self.up())
        while second or not self.watcher.events or self.watcher.events[-1][1]["v"] < version:
            message = await self.watcher.next()
            if message["type"] == "show-card":
                self.known[message["cell"]] = message["face"]
            self.won |= set(message["cells"]) if message["type"] == "match" else set()
            if message["type"] in ("turn", "game-ended"):
                self.turn = message
                return

    async def check(self):
        """All that anyone saw or was told is in the log, as it was seen, without a gap."""
        log = self.server.log(self.code)
        assert [json.loads(line)["v"] for line in log] == list(range(1, len(log) + 1)), "versions have a gap"
        assert self.acknowledged <= len(log), "something acknowledged is not in the log"
        for page in [self.watcher, *self.pages]:
            versions = [event["v"] for _, event in page.events]
            assert versions == list(range(versions[0], versions[0] + len(versions))), "a page has a gap"
            assert all(log[event["v"] - 1] == raw for raw, event in page.events), "a page saw something else"


def status(server, path, method="GET", token=None, body=None):
    """The status of an answer, and its text."""
    try:
        return 200, server.http(method, path, token, body).decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


async def until(what, wanted):
    for _ in range(600):
        if wanted():
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"never came: {what}")


async def refused(table):
    """Play goes on until a flip is refused: what still found room is in the log."""
    for _ in range(100):
        answer = await table.flip()
        if answer["type"] == "error":
            assert answer["code"] == "log-unavailable", answer
            return
    raise AssertionError("the disk was full and nothing was refused")


async def without_disk(server, tables, again=False):
    """What must go on meanwhile, and what must be refused."""
    table = tables[0]
    for other in tables:
        await refused(other)
    await until("a red light", lambda: status(server, "/readyz")[0] == 503)
    await until("a figure of it", lambda: "\nflipside_log_available 0\n" in status(server, "/metrics")[1])
    for path in ("/healthz", "/", "/api/rooms", f"/api/rooms/{table.code}", f"/api/rooms/{table.code}/log"):
        assert status(server, path)[0] == 200, path
    await table.check()
    seen = table.watcher.events[-1][1]["v"]
    late = await Page.join(server, table.code)
    assert late.welcome["type"] == "welcome" and late.welcome["version"] >= seen
    for token in [None, *table.tokens]:
        back = await Page.join(server, table.code, token, after=3)
        assert back.welcome["type"] == "resume" and ("player" in back.welcome["you"]) == bool(token), back.welcome
        await back.until(lambda m: m.get("v", 0) >= seen)
        await back.send("ping", n=1)
        assert (await back.until(lambda m: m["type"] == "pong"))["n"] == 1
    # Long enough for what is derived from the log to have failed at its file, too: a round is a second.
    await asyncio.sleep(0 if again else 1.5)
    for path, body in [("/api/rooms", {"game": "memory"}), ("/api/players", {"name": "New", "token": "A" * 43})]:
        answer = status(server, path, "POST", table.tokens[0], body)
        assert answer[0] == 503 and "log-unavailable" in answer[1], answer
    if not again:
        await without_disk(server, tables, again=True)


async def play(server, disk, hub):
    tables = [Table() for _ in range(3)]
    for table in tables:
        await table.begin(server)
        for _ in range(3):
            assert (await table.flip())["type"] == "ok"
    began = time.time()
    disk.fail(hub.process)
    await without_disk(server, tables)
    disk.recover(hub.process)
    await until("a green light", lambda: status(server, "/readyz")[0] == 200)
    assert "\nflipside_log_available 1\n" in status(server, "/metrics")[1]
    back = time.time()
    for table in tables:
        # The same connections as before, to the end of the game.
        while table.turn["type"] != "game-ended":
            answer = await table.flip()
            assert answer["type"] == "ok", answer
        await table.check()
    extended = [event for _, event in tables[0].watcher.events if event["type"] == "clock-extended"]
    assert 0 < sum(event["ms"] for event in extended) <= (back - began) * 1000, extended
    return tables


async def die_without_disk(disk, hub, tables):
    """Killed while the disk is away: it says why it does not start, and once there is space it does, with everything."""
    disk.fail(hub.process)
    answer = await tables[0].pages[0].command("again")
    for _ in range(100):
        if answer["type"] == "error":
            break
        answer = await tables[0].pages[0].command("options", options={"reveal": 300})
    assert answer["code"] == "log-unavailable", answer
    hub.kill()
    limit = lambda: MODE == "limit" and resource.setrlimit(resource.RLIMIT_FSIZE, SHUT)
    said = subprocess.run(
        [BINARY, "serve", "--listen", "127.0.0.1:0", "--data", hub.folder, "--web", WEB], text=True, capture_output=True, timeout=60,
        preexec_fn=limit)
    assert said.returncode == 1 and "log" in said.stderr and said.stderr.count("\n") == 1, said
    if MODE == "full":
        disk.recover(None)
    server = hub.start()
    for table in tables:
        table.server = server
        await table.check()


async def main():
    with tempfile.TemporaryDirectory() as folder:
        disk = Disk(folder)
        hub = Hub(BINARY, folder + "/data", "--web", WEB)
        try:
            tables = await play(hub.start(), disk, hub)
            await die_without_disk(disk, hub, tables)
            hub.kill(signal.SIGTERM)
            assert hub.process.returncode == 0
            verdict = subprocess.run([BINARY, "verify", "--data", folder + "/data"], text=True, capture_output=True)
            assert verdict.returncode == 0 and "All holds: 3 rooms with 3 proven games" in verdict.stdout, verdict
        finally:
            if hub.process.poll() is None:
                hub.kill()
            disk.remove()


if MODE == "full" and "inside" not in sys.argv:
    if subprocess.run([*NAMESPACE, "true"], capture_output=True).returncode:
        sys.exit(77)
    os.execvp(NAMESPACE[0], [*NAMESPACE, sys.executable, *sys.argv, "inside"])
asyncio.run(asyncio.wait_for(main(), 120))

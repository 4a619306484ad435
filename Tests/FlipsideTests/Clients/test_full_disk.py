"""The disk is full while a hub is in play, and then is not."""

import contextlib, errno, json, pathlib, resource, signal, subprocess, time

import pytest

from flipside import Hub, Page, until
from interrupted_table import InterruptedTable

NAMESPACE = ["unshare", "--user", "--map-root-user", "--mount"]
OPEN, SHUT = (resource.RLIM_INFINITY, resource.RLIM_INFINITY), (4_096, resource.RLIM_INFINITY)
pytestmark = pytest.mark.seconds(10)


class FullDisk:
    """A file system of a few MiB, visible only to what runs on it. The test fills it up."""

    def __init__(self, folder):
        script = 'mount -t tmpfs -o size=6m flipside-test "$0" && echo mounted && exec cat'
        self.holder = subprocess.Popen(
            [*NAMESPACE, "sh", "-c", script, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.holder.stdout.readline() != "mounted\n":
            pytest.skip("this system allows no mounts")
        target = ["--target", str(self.holder.pid), "--user", "--mount", f"--wd={folder}"]
        # Precedes the command that runs on the disk.
        self.entrance = ["nsenter", "--preserve-credentials", *target, "--"]
        self.ballast = pathlib.Path(f"/proc/{self.holder.pid}/root{folder}/ballast")

    def remove(self):
        self.holder.stdin.close()
        self.holder.wait(30)

    def fail(self, hub):
        with open(self.ballast, "ab", buffering=0) as file:
            try:
                while file.write(bytes(4_096)):
                    pass
            except OSError as error:
                assert error.errno == errno.ENOSPC, error

    def recover(self, hub):
        self.ballast.unlink()

    def begin(self):
        """What a process does that starts while the disk is full."""


class LimitedDisk:
    """The system refuses to write past the start of any file (RLIMIT_FSIZE), which the process sees as an I/O error."""

    entrance = []

    def __init__(self, folder):
        pass

    def remove(self):
        pass

    def fail(self, hub):
        resource.prlimit(hub.process.pid, resource.RLIMIT_FSIZE, SHUT)

    def recover(self, hub):
        # A killed one left no limit behind.
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(hub.process.pid, resource.RLIMIT_FSIZE, OPEN)

    def begin(self):
        resource.setrlimit(resource.RLIMIT_FSIZE, SHUT)


class HubOnDisk(Hub):
    def __init__(self, disk, *arguments, **options):
        super().__init__(*arguments, **options)
        self.disk = disk

    def command(self):
        return [*self.disk.entrance, *super().command()]


@pytest.fixture(params=[FullDisk, LimitedDisk], ids=["full", "limited"])
def disk(request, tmp_path):
    (tmp_path / "disk").mkdir()
    disk = request.param(str(tmp_path / "disk"))
    yield disk
    disk.remove()


@pytest.fixture
def hub(disk, binary, served, tmp_path):
    hub = HubOnDisk(disk, binary, str(tmp_path / "disk/data"), "--web", str(served), log=tmp_path / "hub.log")
    hub.start()
    yield hub
    hub.end()
    print(hub.logged())


async def in_play(server):
    tables = [await InterruptedTable.begin(server) for _ in range(3)]
    for table in tables:
        for _ in range(3):
            assert (await table.flip())["type"] == "ok"
    return tables


async def refused(table):
    """Plays until a flip is refused: until then the writes still fit into the log."""
    for _ in range(100):
        answer = await table.flip()
        if answer["type"] == "error":
            assert answer["code"] == "log-unavailable", answer
            return
    raise AssertionError("the disk was full and nothing was refused")


async def is_without_disk(server, tables):
    """What must keep working in the meantime, and what must be refused."""
    table = tables[0]
    for other in tables:
        await refused(other)
    await until("a red light", lambda: server.ask("GET", "/readyz")[0] == 503)
    await until("a figure of it", lambda: server.metric("log_available") == 0)
    for path in ("/healthz", "/", "/api/rooms", f"/api/rooms/{table.code}", f"/api/rooms/{table.code}/log"):
        assert server.ask("GET", path)[0] == 200, path
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
    for path, body in [("/api/rooms", {"game": "memory"}), ("/api/players", {"name": "New", "token": "A" * 43})]:
        assert server.refusal("POST", path, table.tokens[0], body) == (503, "log-unavailable")


def seats_taken(server):
    """In each room of the list."""
    return [room["seats"]["taken"] for room in json.loads(server.http("GET", "/api/rooms"))["rooms"]]


async def test_only_play_stops_and_it_continues_with_the_disk(hub, disk):
    server = hub.server
    tables = await in_play(server)
    began = time.time()
    last = await Page.join(server, server.open_room(tables[0].tokens[0]), tables[0].tokens[0])
    # The read models must fail at their file too: this is in the log, but not yet in the room's row.
    await last.done("sit")
    disk.fail(hub)
    await is_without_disk(server, tables)
    await until("the seat in the list", lambda: 1 in seats_taken(server))
    await is_without_disk(server, tables)
    disk.recover(hub)
    await until("a green light", lambda: server.ask("GET", "/readyz")[0] == 200)
    await until("a figure of it", lambda: server.metric("log_available") == 1)
    back = time.time()
    for table in tables:
        # The same connections as before, to the end of the game.
        while table.turn["type"] != "game-ended":
            assert (await table.flip())["type"] == "ok"
        await table.check()
    extended = [event for _, event in tables[0].watcher.events if event["type"] == "clock-extended"]
    assert 0 < sum(event["ms"] for event in extended) <= (back - began) * 1000, extended
    hub.kill(signal.SIGTERM)
    assert hub.process.returncode == 0
    verdict = subprocess.run([*disk.entrance, hub.binary, "verify", "--data", hub.folder], text=True, capture_output=True)
    assert verdict.returncode == 0 and "All holds: 4 rooms with 3 proven games" in verdict.stdout, verdict


async def test_a_hub_that_died_on_a_full_disk_says_why_it_does_not_start_and_then_has_everything(hub, disk):
    tables = await in_play(hub.server)
    disk.fail(hub)
    await refused(tables[0])
    hub.kill()
    said = subprocess.run(
        hub.command(), text=True, capture_output=True, timeout=60, preexec_fn=disk.begin, env=hub.environment)
    assert said.returncode == 1 and "log" in said.stderr and said.stderr.count("\n") == 1, said
    disk.recover(hub)
    server = hub.start()
    for table in tables:
        table.server = server
        await table.check()

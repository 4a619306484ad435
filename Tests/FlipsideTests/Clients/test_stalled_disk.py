"""The disk stops answering a hub in play, without an error: the hub says so, and exits when told to."""

import os, pathlib, shutil, signal, subprocess

import pytest

from flipside import until
from interrupted_table import InterruptedTable

SOURCE = pathlib.Path(__file__).parent / "stalled_disk.c"
pytestmark = pytest.mark.seconds(10)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    compiler = next(filter(shutil.which, ("cc", "clang")), None)
    if not compiler:
        pytest.skip("there is no C compiler")
    built = tmp_path_factory.mktemp("stalled") / "stalled_disk.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", built, SOURCE, "-ldl"], check=True)
    return built


@pytest.fixture
def stall(tmp_path):
    """While this file exists, the disk stalls."""
    stall = tmp_path / "stall"
    yield stall
    stall.unlink(missing_ok=True)


@pytest.fixture
def hub(make_hub, library, stall):
    hub = make_hub()
    hub.environment = {**os.environ, "LD_PRELOAD": str(library), "FLIPSIDE_TEST_STALL": str(stall)}
    hub.start()
    return hub


async def stalled(hub, stall):
    """Two rooms in play; a flip in the first does not return from the disk. Returns the rooms, and the id of the flip."""
    tables = [await InterruptedTable.begin(hub.server) for _ in range(2)]
    for table in tables:
        assert (await table.flip())["type"] == "ok"
    stall.touch()
    first = tables[0]
    down = next(cell for cell in range(16) if cell not in first.known)
    id = await first.pages[first.turn["seat"]].send("flip", cell=down)
    return tables, id


def is_ready(server, wanted=True):
    return server.ask("GET", "/readyz")[0] == (200 if wanted else 503)


async def test_play_stops_and_continues_with_the_disk(hub, stall):
    server = hub.server
    (first, second), id = await stalled(hub, stall)
    await until("a red light", lambda: is_ready(server, False))
    assert server.metric("log_available") == 0 and server.metric("log_stalls_total") == 1
    await until("a line", lambda: "play stops" in hub.logged() and "The disk has not answered for" in hub.logged())
    answer = await second.flip()
    assert answer["type"] == "error" and answer["code"] == "log-unavailable", answer
    body = {"name": "New", "token": "A" * 43}
    assert server.refusal("POST", "/api/players", first.tokens[0], body) == (503, "log-unavailable")
    stall.unlink()
    await until("a green light", lambda: is_ready(server))
    await until("a figure of it", lambda: server.metric("log_available") == 1)
    # The pending flip is done, and no clock has lost the time.
    player = first.pages[first.turn["seat"]]
    answer = await player.until(lambda m: m.get("id") == id)
    assert answer["type"] == "ok", answer
    for table in (first, second):
        extended = await table.watcher.until(lambda m: m["type"] == "clock-extended")
        assert extended["ms"] >= 2_000, extended
        await table.check()


async def test_a_hub_exits_in_time_and_nothing_seen_is_lost(hub, stall):
    tables, _ = await stalled(hub, stall)
    await until("a red light", lambda: is_ready(hub.server, False))
    hub.process.send_signal(signal.SIGTERM)
    # Its limit for connections is 5 s, and for the disk 3 s.
    assert hub.process.wait(15) == 1
    assert "the disk does not answer" in hub.logged()
    stall.unlink()
    server = hub.start()
    for table in tables:
        table.server = server
        await table.check()

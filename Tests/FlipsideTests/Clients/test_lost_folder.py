"""The data folder is taken away from a hub in play: play stops, and continues with nothing missing when the folder is
back."""

import asyncio, pathlib, shutil, signal

import pytest

from flipside import Page, until
from interrupted_table import InterruptedTable


@pytest.fixture
def data(hub):
    return pathlib.Path(hub.folder)


@pytest.fixture
def verified(run, data):
    def verified():
        verdict = run("verify", "--data", data)
        return verdict.returncode == 0

    return verified


async def in_play(server):
    tables = [await InterruptedTable.begin(server) for _ in range(3)]
    for table in tables:
        for _ in range(3):
            assert (await table.flip())["type"] == "ok"
    return tables


def is_ready(server, wanted=True):
    return server.ask("GET", "/readyz")[0] == (200 if wanted else 503)


async def is_away(hub, tables, path):
    """However often a player tries, nothing is acknowledged or shown; the metrics and the log say that play has stopped, and
    why."""
    seen = [len(table.watcher.events) for table in tables]
    for _ in range(24):
        for table in tables:
            answer = await table.flip()
            assert answer["type"] == "error" and answer["code"] == "log-unavailable", answer
    server = hub.server
    await until("a red light", lambda: is_ready(server, False))
    await until("a figure of it", lambda: server.metric("log_available") == 0)
    for table, count in zip(tables, seen):
        await table.watcher.send("ping", n=1)
        await table.watcher.until(lambda m: m["type"] == "pong")
        assert len(table.watcher.events) == count, table.watcher.events[count:]
        late = await Page.join(server, table.code)
        assert late.welcome["version"] == table.watcher.events[-1][1]["v"], late.welcome
    for path_, body in [("/api/rooms", {"game": "memory"}), ("/api/players", {"name": "New", "token": "A" * 43})]:
        assert server.refusal("POST", path_, tables[0].tokens[0], body) == (503, "log-unavailable")
    await until("a line", lambda: "play stops" in hub.logged() and str(path) in hub.logged())


async def is_back(server, tables):
    await until("a green light", lambda: is_ready(server))
    for table in tables:
        await table.check()
        answer = await table.flip()
        assert answer["type"] == "ok", answer


def is_over(table):
    return table.turn["type"] == "game-ended"


async def flip_on(table):
    """Plays until a flip is refused, or the game is over."""
    while not is_over(table) and (await table.flip())["type"] == "ok":
        pass


@pytest.mark.parametrize("is_replaced", [False, True], ids=["away", "replaced"])
async def test_a_moved_folder_is_used_again_when_it_returns(hub, data, tmp_path, is_replaced):
    tables = await in_play(hub.server)
    data.rename(tmp_path / "aside")
    if is_replaced:
        data.mkdir()
    await is_away(hub, tables, data / "log.sqlite")
    if is_replaced:
        # The notes may just have been due when the folder was moved.
        assert {path.name for path in data.iterdir()} <= {"alive", "log-end"}, "something was made in the new folder"
        shutil.rmtree(data)
    (tmp_path / "aside").rename(data)
    await is_back(hub.server, tables)


@pytest.mark.seconds(15)
async def test_a_pending_flip_is_done_or_not_when_the_folder_is_back(hub, data, tmp_path, verified):
    server, aside, tables = hub.server, tmp_path / "aside", await in_play(hub.server)
    for _ in range(5):
        before = [table.acknowledged for table in tables]
        under_way = [asyncio.create_task(flip_on(table)) for table in tables]
        await until("a flip", lambda: [table.acknowledged for table in tables] > before or all(map(is_over, tables)))
        data.rename(aside)
        await until("a red light", lambda: is_ready(server, False))
        aside.rename(data)
        await until("a green light", lambda: is_ready(server))
        await asyncio.gather(*under_way)
        for table in tables:
            await table.check()
    hub.kill()
    server = hub.start()
    for table in tables:
        table.server = server
        await table.check()
    assert verified()


async def test_a_deleted_folder_is_not_created_again(hub, data, verified):
    tables = await in_play(hub.server)
    shutil.rmtree(data)
    await is_away(hub, tables, data / "log.sqlite")
    hub.kill(signal.SIGTERM)
    assert hub.process.returncode == 0 and not data.exists(), "the hub made something again"
    server = hub.start()
    for table in tables:
        assert server.ask("GET", f"/api/rooms/{table.code}")[0] == 404
    hub.kill(signal.SIGTERM)
    assert verified()


async def test_without_its_journal_the_log_keeps_everything_seen(hub, data, verified):
    tables = await in_play(hub.server)
    (data / "log.sqlite-wal").unlink()
    await is_away(hub, tables, data / "log.sqlite-wal")
    hub.kill()
    server = hub.start()
    for table in tables:
        table.server = server
        await table.check()
    hub.kill(signal.SIGTERM)
    assert verified()

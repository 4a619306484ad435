"""The log is copied during play, as Running.md says, and a hub continues from the copy."""

import asyncio, pathlib, re, shutil, signal, subprocess

import pytest

from flipside import until
from interrupted_table import InterruptedTable


@pytest.fixture
def back_up(root, hub, tmp_path):
    """Copies the log with Running.md's command; returns the copy."""
    def back_up():
        document = (root / "Sources/Hub/Hub.docc/Running.md").read_text()
        command = re.search(r'^sqlite3 data/log.sqlite "[^"]+"$', document, re.M)[0]
        assert pathlib.Path(hub.folder) == tmp_path / "data"
        subprocess.run(command, shell=True, cwd=tmp_path, check=True, timeout=60)
        return tmp_path / "copy.sqlite"

    return back_up


async def flip_on(table, count):
    for _ in range(count):
        if table.turn["type"] == "game-ended":
            return
        assert (await table.flip())["type"] == "ok"


async def test_a_hub_continues_from_a_copy_made_during_play(hub, make_hub, run, back_up, tmp_path):
    tables = [await InterruptedTable.begin(hub.server) for _ in range(3)]
    playing = [asyncio.create_task(flip_on(table, 40)) for table in tables]
    await until("play", lambda: all(table.acknowledged for table in tables))
    copy = await asyncio.to_thread(back_up)
    await asyncio.gather(*playing)
    (tmp_path / "restored").mkdir()
    shutil.move(copy, tmp_path / "restored/log.sqlite")
    verdict = run("verify", "--data", tmp_path / "restored")
    assert verdict.returncode == 0 and "All holds: 3 rooms" in verdict.stdout, verdict
    kept = [run("replay", table.code, "--ndjson", "--data", tmp_path / "restored").stdout.encode().splitlines()
            for table in tables]
    server = make_hub(data=tmp_path / "restored").start()
    for table, lines in zip(tables, kept):
        assert lines and all(raw == lines[e["v"] - 1] for raw, e in table.watcher.events if e["v"] <= len(lines))
        # Records that the hub adds at its start come after them.
        assert server.log(table.code)[:len(lines)] == lines


async def test_a_copy_beside_the_journal_of_a_killed_hub_is_refused(hub, back_up, complaint, tmp_path):
    table = await InterruptedTable.begin(hub.server)
    copy = back_up()
    assert (await table.flip())["type"] == "ok"
    hub.kill()
    data = pathlib.Path(hub.folder)
    assert (data / "log.sqlite-wal").stat().st_size
    shutil.move(copy, data / "log.sqlite")
    said = complaint(data)
    assert "it is a backup or another log" in said and f"{data}/log.sqlite-wal belongs to" in said and "Delete" in said, said
    for name in ("log.sqlite-wal", "log.sqlite-shm"):
        (data / name).unlink()
    hub.start()


async def copy_by_backup(log, copy, restart):
    subprocess.run(["sqlite3", log, f".backup '{copy}'"], check=True, timeout=60)


async def copy_by_cp_while_stopped(log, copy, restart):
    await restart(lambda: shutil.copy(log, copy))


@pytest.mark.parametrize("make_copy", [copy_by_backup, copy_by_cp_while_stopped])
async def test_a_copy_of_the_same_log_beside_its_journal_is_refused(hub, complaint, tmp_path, make_copy):
    """The hub had run on it before, so nothing in the copy shows that it was never written through a journal."""
    data, copy = pathlib.Path(hub.folder), tmp_path / "copy.sqlite"

    async def restart(meanwhile):
        hub.kill(signal.SIGTERM)
        meanwhile()
        hub.start()

    table = await InterruptedTable.begin(hub.server)
    await make_copy(data / "log.sqlite", copy, restart)
    hub.server.register("Later")
    hub.kill()
    before = (data / "log.sqlite-wal").read_bytes()
    assert before
    shutil.move(copy, data / "log.sqlite")
    said = complaint(data)
    assert f"{data}/log.sqlite-wal belongs to the log that was here before. Delete that file" in said, said
    assert (data / "log.sqlite-wal").read_bytes() == before
    for name in ("log.sqlite-wal", "log.sqlite-shm"):
        (data / name).unlink()
    assert hub.start().log(table.code)
    # A hub that was killed on a copy finds its own files.
    token, _ = hub.server.register("Again")
    hub.kill()
    hub.start().http("GET", "/api/players/me", token)


async def test_another_log_beside_the_journal_of_a_killed_hub_is_refused(make_hub, complaint, tmp_path):
    hubs = [make_hub(data=tmp_path / name) for name in ("one", "other")]
    for hub in hubs:
        await InterruptedTable.begin(hub.start())
    hubs[0].kill(signal.SIGTERM)
    hubs[1].kill()
    shutil.copy(tmp_path / "one/log.sqlite", tmp_path / "other/log.sqlite")
    said = complaint(tmp_path / "other")
    assert "log.sqlite-wal belongs to the log that was here before. Delete that file" in said, said

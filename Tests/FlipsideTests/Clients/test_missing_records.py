"""The newest records of a log are removed, or a backup replaces it: its hub and `verify` say how many are missing."""

import contextlib, pathlib, re, shutil, signal, sqlite3

import pytest

from flipside import Page, until
from interrupted_table import InterruptedTable


@pytest.fixture
def data(hub):
    return pathlib.Path(hub.folder)


@pytest.fixture
def log(data):
    return data / "log.sqlite"


@pytest.fixture
def verify(run, data):
    """Whether everything holds, and the output."""
    def verify():
        verdict = run("verify", "--data", data)
        return verdict.returncode == 0, verdict.stdout

    return verify


def position(log):
    with contextlib.closing(sqlite3.connect(log)) as database:
        return database.execute("SELECT max(position) FROM records").fetchone()[0]


def noted(data):
    """The version up to which the log has been noted."""
    return int((data / "log-end").read_text().split()[0])


async def played(server):
    table = await InterruptedTable.begin(server)
    for _ in range(4):
        assert (await table.flip())["type"] == "ok"
    return table


async def test_a_backup_in_place_of_the_log_is_named_and_clients_that_saw_more_are_told(hub, data, log, verify, tmp_path):
    table = await played(hub.server)
    with contextlib.closing(sqlite3.connect(log)) as database:
        database.execute("VACUUM INTO ?", (str(tmp_path / "copy"),))
    for _ in range(4):
        assert (await table.flip())["type"] == "ok"
    seen = table.watcher.events[-1][1]
    hub.kill(signal.SIGTERM)
    before = position(log)
    shutil.move(tmp_path / "copy", log)
    missing = before - position(log)
    assert noted(data) == before and missing >= 4
    holds, said = verify()
    assert not holds and f"lost its newest {missing} records" in said, said
    server = hub.start()
    await until("a line", lambda: f"lost its newest {missing} records" in hub.logged())
    page = await Page.join(server, table.code, table.tokens[0], after=seen["v"], head="0" * 64)
    assert page.welcome["type"] == "welcome" and page.welcome["diverged"], page.welcome
    # A backup may be intended: the hub continues from it.
    assert server.ask("GET", f"/api/rooms/{table.code}")[0] == 200
    await until("a note of the log as it is", lambda: noted(data) != before)
    holds, said = verify()
    assert holds, said


@pytest.mark.parametrize("stream", ["room/%", "account/%"])
async def test_a_streams_missing_newest_records_are_noticed(hub, data, log, verify, stream):
    await played(hub.server)
    hub.kill(signal.SIGTERM)
    assert verify()[0]
    with contextlib.closing(sqlite3.connect(log, isolation_level=None)) as database:
        newest = "SELECT stream, max(version) FROM records JOIN streams ON streams.id = stream WHERE CAST(name AS TEXT) LIKE ?"
        number, version = database.execute(newest, (stream,)).fetchone()
        database.execute("DELETE FROM records WHERE stream = ? AND version = ?", (number, version))
    holds, said = verify()
    missing = re.compile(r"lost its newest 1 records|\b1 of the records up to position")
    assert not holds and missing.search(said), said
    hub.start()
    await until("a line", lambda: missing.search(hub.logged()))


async def test_an_altered_commit_id_is_found(hub, log, verify):
    await played(hub.server)
    hub.kill(signal.SIGTERM)
    with contextlib.closing(sqlite3.connect(log, isolation_level=None)) as database:
        database.execute("UPDATE records SET commit_id = CAST(commit_id || 'x' AS BLOB) WHERE position = 5")
    holds, said = verify()
    assert not holds and "a commit's id" in said, said


async def test_a_missing_log_is_named(hub, data, log):
    await played(hub.server)
    hub.kill(signal.SIGTERM)
    before = position(log)
    log.unlink()
    hub.start()
    await until("a line", lambda: f"lost its newest {before} records" in hub.logged())

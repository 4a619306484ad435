"""The read models are damaged while the hub runs: it rebuilds them from the log, and says so."""

import os, pathlib, signal, sqlite3

import pytest

from flipside import until
from table import Table

PAGE = 4096


@pytest.fixture
def data(hub):
    return pathlib.Path(hub.folder)


@pytest.fixture
def rows(data):
    return data / "read-models.sqlite"


def swell(rows):
    """More rows than SQLite keeps in memory, for rooms that are not in the log."""
    with sqlite3.connect(rows) as database:
        database.executemany(
            "INSERT INTO rooms VALUES (?, 1, 'nobody', 'nobody', ?, 1, 1, NULL, 0, ?, '')",
            ((f"zz{number}", number, os.urandom(1500)) for number in range(6000)))
        database.commit()
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def overwrite(rows):
    """Every page except the first, which says what file it is."""
    with rows.open("r+b") as file:
        file.seek(PAGE)
        file.write(os.urandom(rows.stat().st_size - PAGE))


def events(data, code, kind):
    """A room's events, read without the hub, which would wake the room."""
    with sqlite3.connect(f"file:{data / 'log.sqlite'}?mode=ro", uri=True) as database:
        rows = "SELECT time FROM records JOIN streams ON streams.id = stream WHERE name = ? AND type = ?"
        return [time for time, in database.execute(rows, (f"room/{code}".encode(), kind))]


async def begun(hub, turn_time):
    """A game that its players leave, on a hub that is then restarted: none of its rows are in memory."""
    table = await Table.begin(hub.server, theme="numbers", columns=2, rows=3, turnTime=turn_time)
    for page in [table.watcher, *table.pages]:
        await page.socket.close()
    hub.kill(signal.SIGTERM)
    return table


def is_whole(server):
    return server.metric("read_models_available") == 1


@pytest.mark.seconds(30)
async def test_damaged_rows_are_rebuilt_and_due_rooms_wake(hub, data, rows):
    table = await begun(hub, turn_time=5)
    swell(rows)
    server = hub.start()
    overwrite(rows)
    await until("the loss", lambda: server.ask("GET", "/api/rooms")[0] == 503 or not is_whole(server))
    await until("a room", lambda: server.ask("POST", "/api/rooms", table.tokens[0], {"game": "memory"})[0] == 200)
    await until("whole rows", lambda: is_whole(server))
    assert server.metric("read_model_losses_total") == 1
    for path in ["/api/rooms", "/api/leaderboard", "/api/players/me/games"]:
        assert server.ask("GET", path, table.tokens[0])[0] == 200, path
    assert server.http("GET", "/readyz") == b"ready\n"
    await until("a line", lambda: "given up" in hub.logged() and "read-models.sqlite" in hub.logged())
    await until("the end of a turn", lambda: events(data, table.code, "turn-expired"))
    hub.kill(signal.SIGTERM)
    with sqlite3.connect(rows) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("SELECT count(*) FROM rooms WHERE code LIKE 'zz%'").fetchone() == (0,)


async def test_rows_that_cannot_be_rebuilt_are_reported_and_due_rooms_wake(hub, data, rows):
    table = await begun(hub, turn_time=5)
    swell(rows)
    server = hub.start()
    overwrite(rows)
    # The hub has the file open; something that it cannot remove takes its place.
    rows.unlink()
    rows.mkdir()
    await until("the loss", lambda: server.ask("GET", "/api/rooms")[0] == 503)
    await until("a word of it", lambda: b"read models" in server.http("GET", "/readyz"))
    assert not is_whole(server)
    await until("the end of a turn", lambda: events(data, table.code, "turn-expired"))
    rows.rmdir()
    await until("whole rows", lambda: is_whole(server))
    assert server.ask("POST", "/api/rooms", table.tokens[0], {"game": "memory"})[0] == 200

"""A hub's files are damaged in every way that a disk or a person may: it reports the damage, and the rest keeps working."""

import contextlib, json, os, pathlib, random, re, shutil, signal, sqlite3

import pytest, websockets

from altered_log import alter
from flipside import Page, finish
from table import Table

BOARD = dict(theme="numbers", columns=2, rows=3)


@pytest.fixture(scope="module")
def sound(make_module_hub, tmp_path_factory):
    """The files of a hub that was killed while two rooms were in play, and the facts about these."""
    data = tmp_path_factory.mktemp("sound") / "data"
    hub = make_module_hub(data=data)
    server = hub.start()

    async def begin():
        return [await Table.begin(server, players=1, **BOARD) for _ in range(2)]

    tables = finish(begin(), 60)
    hub.kill()
    return data, [(table.code, table.tokens[0]) for table in tables]


@pytest.fixture
def rooms(sound):
    """Code and token of each room."""
    return sound[1]


@pytest.fixture
def data(sound, tmp_path):
    """A copy of those files, to damage."""
    return shutil.copytree(sound[0], tmp_path / "data")


@pytest.fixture
def log(data):
    return data / "log.sqlite"


async def test_read_models_that_are_not_a_database_are_rebuilt(make_hub, data, rooms):
    (data / "read-models.sqlite").write_bytes(os.urandom(8192))
    server = make_hub(data=data).start()
    for code, token in rooms:
        assert (await Page.join(server, code, token)).welcome["you"]["seat"] == 0


def test_verify_names_an_altered_record(run, data, log):
    alter(log, "seat-taken", b'seat":0', b'seat":1')
    verdict = run("verify", "--data", data)
    assert verdict.returncode == 1 and "record 2" in verdict.stdout + verdict.stderr, verdict


async def test_a_room_with_an_altered_record_does_not_open_and_the_other_keeps_playing(make_hub, data, log, rooms):
    alter(log, "seat-taken", b'seat":0', b'seat":1')
    server = make_hub(data=data).start()
    broken = []
    for code, token in rooms:
        status, text = server.ask("GET", f"/api/rooms/{code}")
        if status == 200:
            await (await Page.join(server, code, token)).done("flip", cell=0)
        else:
            assert (status, json.loads(text)["code"]) == (503, "room-broken"), text
            broken.append(code)
    assert len(broken) == 1, broken


async def test_reading_a_damaged_room_says_so_to_the_reader_and_once_to_the_operator(make_hub, data, log, rooms):
    alter(log, "seat-taken", b'seat":0', b'seat":1')
    hub = make_hub(data=data)
    server = hub.start()
    code = next(code for code, _ in rooms if server.ask("GET", f"/api/rooms/{code}")[0] != 200)
    for _ in range(5):
        for path in (f"/api/rooms/{code}", f"/api/rooms/{code}/log", f"/api/rooms/{code}/log?after=1"):
            assert server.refusal("GET", path) == (503, "room-broken"), path
        with pytest.raises(websockets.exceptions.InvalidStatus) as refused:
            await Page.join(server, code)
        assert json.loads(refused.value.response.body)["code"] == "room-broken"
    hub.kill(signal.SIGTERM)
    lines = [line for line in hub.logged().splitlines() if code in line]
    assert len(lines) == 1 and "room does not open" in lines[0] and "record 2" in lines[0], lines


def test_verify_misses_the_records_that_a_stream_has_lost(run, data, log, rooms):
    code, _ = rooms[1]
    with sqlite3.connect(log) as database:
        rows = "SELECT id FROM streams WHERE name = ?"
        database.execute(f"DELETE FROM records WHERE stream = ({rows})", (f"room/{code}".encode(),))
    verdict = run("verify", "--data", data)
    assert f"room/{code}: record 1" in verdict.stdout and "1 of 9 streams" in verdict.stdout, verdict


def test_verify_and_replay_miss_the_end_of_a_commit(run, data, log, rooms):
    code, _ = rooms[1]
    with sqlite3.connect(log) as database:
        stream = database.execute("SELECT id FROM streams WHERE name = ?", (f"room/{code}".encode(),)).fetchone()[0]
        lacking = "SELECT max(version) FROM records WHERE stream = ?1 AND CAST(shown AS TEXT) LIKE '%\"more\":true%'"
        database.execute(f"DELETE FROM records WHERE stream = ?1 AND version > ({lacking})", (stream,))
    for command in (["verify"], ["replay", code]):
        verdict = run(*command, "--data", data)
        assert verdict.returncode == 1 and "the rest of its commit is missing" in verdict.stdout, verdict


@pytest.mark.parametrize("place", ["the record", "the index"])
def test_verify_finds_a_flipped_bit_in_a_commit_id(run, data, log, place):
    with contextlib.closing(sqlite3.connect(log)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        query = "SELECT commit_id FROM records JOIN streams ON streams.id = stream WHERE CAST(name AS TEXT) LIKE 'room/%'"
        commit = bytes(database.execute(query).fetchone()[0])
    content = bytearray(log.read_bytes())
    # A record has its type before the id of its commit, and its content after it.
    places = [match.start() for match in re.finditer(re.escape(commit), content)]
    is_record = lambda at: content[at + len(commit):].startswith(b'{"v":')
    at = next(at for at in places if is_record(at) == (place == "the record"))
    content[at + len(commit) - 1] ^= 1
    log.write_bytes(content)
    verdict = run("verify", "--data", data)
    assert verdict.returncode == 1 and "index records_by_version" in verdict.stdout, verdict


def test_verify_and_a_start_miss_an_index(run, data, log, complaint):
    with sqlite3.connect(log) as database:
        database.execute("DROP INDEX records_by_version")
    assert "the index records_by_version is missing" in complaint(data)
    verdict = run("verify", "--data", data)
    assert verdict.returncode == 1 and "the index records_by_version is missing" in verdict.stderr, verdict


def test_a_log_that_is_not_a_database_is_named(complaint, data, log):
    log.write_bytes(os.urandom(8192))
    assert "log.sqlite" in complaint(data)


def test_a_truncated_log_is_named(complaint, data, log):
    log.write_bytes(log.read_bytes()[:5000])
    for name in ("log.sqlite-wal", "log.sqlite-shm"):
        (data / name).unlink(missing_ok=True)
    assert "log.sqlite" in complaint(data)


@pytest.mark.parametrize("seed", range(12))
def test_a_hub_on_other_bytes_starts_or_says_why_not(make_hub, run, data, log, seed):
    draw = random.Random(seed)
    with sqlite3.connect(log) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(log.read_bytes())
    for _ in range(8):
        content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
    log.write_bytes(content)
    # It goes through all of it.
    verdict = run("verify", "--data", data)
    assert verdict.returncode in (0, 1) and verdict.stdout + verdict.stderr, verdict
    hub = make_hub(data=data)
    try:
        hub.start().http("GET", "/api/rooms")
        hub.kill(signal.SIGTERM)
    except AssertionError:
        hub.process.wait(20)
    assert hub.process.returncode in (0, 1), hub.process.returncode


@pytest.mark.parametrize("is_file", [True, False])
def test_a_place_where_no_data_can_be_is_named(complaint, tmp_path, is_file):
    (tmp_path / "in-the-way").write_text("a file")
    place = tmp_path / "in-the-way" if is_file else pathlib.Path("/dev/null/data")
    assert ("in-the-way" if is_file else "null") in complaint(place)


def test_verify_of_nothing_fails(run, tmp_path):
    assert run("verify", "--data", tmp_path / "nothing").returncode == 1

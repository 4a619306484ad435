"""Damages a hub's files in every way that a disk or a person may, and looks at what it says: damage.py BINARY WEB."""

import asyncio, json, os, pathlib, shutil, signal, sqlite3, subprocess, sys, tempfile, urllib.error
from random import Random

from flipside import Hub, Page

BINARY, WEB = map(os.path.abspath, sys.argv[1:])


def launch(*arguments):
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=60)


def complaint(folder):
    """What a hub that cannot start on this folder says, with status 1."""
    result = launch("serve", "--listen", "127.0.0.1:0", "--data", str(folder), "--web", WEB)
    assert result.returncode == 1 and not result.stdout, result
    return result.stderr


async def two_rooms(server):
    """A room with an altered past, to be, and one without: their codes."""
    token, _ = server.register("Ada")
    codes = [server.open_room(token, theme="numbers", columns=2, rows=3) for _ in range(2)]
    for code in codes:
        page = await Page.join(server, code, token)
        for type in ("sit", "start"):
            assert (await page.command(type))["type"] == "ok"
    return token, codes


def alter(log, code):
    """Changes one character of a record."""
    with sqlite3.connect(log) as database:
        query = "SELECT position, shown FROM records WHERE CAST(shown AS TEXT) LIKE '%seat-taken%' ORDER BY position"
        for position, shown in database.execute(query).fetchall():
            database.execute("UPDATE records SET shown = ? WHERE position = ?", (bytes(shown).replace(b"seat\":0", b"seat\":1"), position))
            return


async def one_room_is_broken(server, token, codes):
    broken = []
    for code in codes:
        try:
            server.http("GET", f"/api/rooms/{code}")
            page = await Page.join(server, code, token)
            assert (await page.command("flip", cell=0))["type"] == "ok"
        except urllib.error.HTTPError as error:
            problem = json.load(error)
            assert (error.code, problem["code"]) == (503, "room-broken"), problem
            broken.append(code)
    assert len(broken) == 1, broken


def flipped_bytes(folder, sound, seed):
    """A few bytes of the log are others: `verify` goes through all of it, and a hub starts or says why not."""
    data, random = folder / f"flipped-{seed}", Random(seed)
    shutil.copytree(sound, data)
    with sqlite3.connect(data / "log.sqlite") as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    bytes_ = bytearray((data / "log.sqlite").read_bytes())
    for _ in range(8):
        bytes_[random.randrange(len(bytes_))] ^= 1 << random.randrange(8)
    (data / "log.sqlite").write_bytes(bytes_)
    verdict = launch("verify", "--data", str(data))
    assert verdict.returncode in (0, 1) and verdict.stdout + verdict.stderr, (seed, verdict)
    hub = Hub(BINARY, str(data), "--web", WEB)
    try:
        hub.start().http("GET", "/api/rooms")
        hub.kill(signal.SIGTERM)
    except AssertionError:
        hub.process.wait(20)
    assert hub.process.returncode in (0, 1), (seed, hub.process.returncode)


async def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        data, log = folder / "data", folder / "data/log.sqlite"
        hub = Hub(BINARY, str(data), "--web", WEB)
        try:
            token, codes = await two_rooms(hub.start())
            hub.kill()
            sound = folder / "sound"
            shutil.copytree(data, sound)

            # A projections file that is no database is dropped and made anew: nobody notices.
            (data / "projections.sqlite").write_bytes(os.urandom(8192))
            server = hub.start()
            for code in codes:
                assert (await Page.join(server, code, token)).welcome["you"]["seat"] == 0
            hub.kill()

            # A record that was altered: its room does not open, the other plays on, `verify` names the record.
            alter(log, codes[0])
            verdict = launch("verify", "--data", str(data))
            assert verdict.returncode == 1 and "record 2" in verdict.stdout + verdict.stderr, verdict
            server = hub.start()
            await one_room_is_broken(server, token, codes)
            hub.kill()

            # A stream that has lost all its records: `verify` misses the first one.
            with sqlite3.connect(log) as database:
                rows = "SELECT id FROM streams WHERE name = ?"
                database.execute(f"DELETE FROM records WHERE stream = ({rows})", ("room/" + codes[1],))
            verdict = launch("verify", "--data", str(data))
            assert f"room/{codes[1]}: record 1" in verdict.stdout and "2 of 4 streams" in verdict.stdout, verdict

            # A log that is no database, one that is cut, and places where none can be.
            log.write_bytes(os.urandom(8192))
            assert "log.sqlite" in complaint(data)
            shutil.rmtree(data)
            shutil.copytree(sound, data)
            log.write_bytes(log.read_bytes()[:5000])
            for name in ("log.sqlite-wal", "log.sqlite-shm"):
                (data / name).unlink(missing_ok=True)
            assert "log.sqlite" in complaint(data)
            for seed in range(12):
                flipped_bytes(folder, sound, seed)
            (folder / "file").write_text("in the way")
            assert "file" in complaint(folder / "file")
            assert "null" in complaint("/dev/null/data")
            assert launch("verify", "--data", str(folder / "nothing")).returncode == 1
        finally:
            if hub.process and hub.process.poll() is None:
                hub.kill()


asyncio.run(asyncio.wait_for(main(), 120))

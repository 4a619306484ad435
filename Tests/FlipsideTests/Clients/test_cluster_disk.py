"""Three nodes on a PostgreSQL whose disk is full, and then is not."""

import errno, os, subprocess

import pytest

from cluster_rooms import Rooms
from flipside import new_token, until

pytestmark = [pytest.mark.seconds(60), pytest.mark.xdist_group("cluster")]


class SmallDisk:
    """A file system of a few MiB, which holds databases made from now on."""

    def __init__(self, database):
        self.database, self.count = database, 0
        self.folder = database.folder / "small"
        self.folder.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "flipside-test", self.folder], capture_output=True)
        if os.getuid() != 0 or mounted.returncode != 0:
            self.folder.rmdir()
            pytest.skip("this system allows no mounts")
        space = self.folder / "space"
        space.mkdir(mode=0o700)
        os.chown(space, database.user.pw_uid, database.user.pw_gid)
        database.sql(f"CREATE TABLESPACE small LOCATION '{space}'")

    def remove(self):
        for number in range(1, self.count + 1):
            self.database.sql(f"DROP DATABASE small{number} WITH (FORCE)")
        self.database.sql("DROP TABLESPACE small")
        subprocess.run(["umount", self.folder], check=True)
        self.folder.rmdir()

    def new(self):
        self.count += 1
        self.database.sql(f"CREATE DATABASE small{self.count} TABLESPACE small")
        return f"postgresql://flipside@/small{self.count}?host={self.database.folder}"

    def fail(self):
        with open(self.folder / "ballast", "ab", buffering=0) as file:
            try:
                while file.write(bytes(4_096)):
                    pass
            except OSError as error:
                assert error.errno == errno.ENOSPC, error

    def recover(self):
        (self.folder / "ballast").unlink()


@pytest.fixture
def disk(database):
    disk = SmallDisk(database)
    yield disk
    disk.remove()


@pytest.fixture
def cluster_log(disk):
    return disk


async def test_play_stops_while_the_databases_disk_is_full_and_then_continues(cluster, disk, run, chance):
    rooms = await Rooms.begin(cluster, chance)
    await rooms.go_on()
    disk.fail()
    red = set()

    def were_red():
        # Writes that fit into existing pages still succeed, and a node that reconnects to the database is green until it
        # writes. So each of them is asked to write, and they need not all be red at once.
        for node in cluster:
            if node.name not in red:
                body = {"name": f"Ann {os.urandom(4).hex()}", "token": new_token()}
                node.server.ask("POST", "/api/players", body=body)
                red.update([] if node.is_ready() else [node.name])
        return len(red) == 3

    await until("red lights", were_red)
    await until("a line of each", lambda: all("takes no writes" in node.logged() for node in cluster))
    disk.recover()
    await until("green lights", lambda: all(node.is_ready() for node in cluster))
    await rooms.go_on()
    assert all(player.connects == 1 for player in rooms.players)
    await rooms.end()
    verdict = run("verify", "--log", cluster.address)
    assert verdict.returncode == 0, verdict

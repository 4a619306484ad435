"""The table of lost time in Cluster.md, with real nodes and a real database. Times are shorter here, and all are checked
against the test's own clock."""

import asyncio, json, signal, time

import pytest

from database import Database
from flipside import Page
from table import Table

pytestmark = [pytest.mark.long, pytest.mark.seconds(200), pytest.mark.xdist_group("cluster")]

# In s: leases are renewed once a second, or later on a busy machine.
SLACK = 2


@pytest.fixture
def cluster_log():
    database = Database()
    yield database
    database.remove()


class Scene:
    """A game at the third node in the middle of a long turn."""

    @classmethod
    async def begin(cls, cluster, database):
        scene = cls()
        scene.cluster, scene.database, scene.home = cluster, database, cluster[2]
        scene.table = await Table.begin(scene.home.server, columns=2, rows=3, theme="numbers", turnTime=3_600)
        scene.code = scene.table.code
        # By then its lease says that no time is owed.
        await asyncio.sleep(2.5)
        return scene

    async def lose_database(self, seconds, meanwhile=lambda: None):
        """Returns when it went away; it is back by then."""
        began = time.time()
        await asyncio.to_thread(self.database.stop, "immediate")
        await asyncio.sleep(seconds / 2)
        meanwhile()
        await asyncio.sleep(began + seconds - time.time())
        await asyncio.to_thread(self.database.start)
        return began

    async def claim(self, node):
        """Keeps asking until the node is the room's home; returns when that was."""
        while True:
            try:
                await Page.join(node.server, self.code)
                return time.time()
            except (OSError, asyncio.TimeoutError):
                await asyncio.sleep(0.1)

    @property
    def lost(self):
        """The sum, in s."""
        events = map(json.loads, self.cluster[0].server.log(self.code))
        return sum(event["ms"] for event in events if event["type"] == "clock-extended") / 1_000

    def sql(self, statement):
        return self.database.sql(statement, self.database.name(self.cluster.address))


async def away_and_home_dies(scene):
    began = await scene.lose_database(20, meanwhile=scene.home.kill)
    await asyncio.sleep(4)
    return await scene.claim(scene.cluster[0]) - began


async def away_and_asleep(scene):
    for page in [scene.table.watcher, *scene.table.pages]:
        await page.socket.close()
    claim = f"SELECT count(home) FROM flipside.streams WHERE name = 'room/{scene.code}'::bytea"
    while scene.sql(claim) != "0":
        await asyncio.sleep(1)
    began = await scene.lose_database(15)
    ended = time.time()
    await asyncio.sleep(5)
    await scene.claim(scene.cluster[0])
    return ended - began


async def blocked_and_dies(scene):
    began = time.time()
    scene.home.pause()
    await asyncio.sleep(3.9)
    scene.home.kill()
    return await scene.claim(scene.cluster[0]) - began


async def two_losses(scene):
    began = time.time()
    scene.home.kill()
    # The next home cannot write such an event before it dies too.
    scene.sql("CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN PERFORM pg_sleep(60); RETURN NEW; END$$")
    scene.sql("CREATE TRIGGER wait BEFORE INSERT ON flipside.records FOR EACH ROW WHEN (NEW.type = 'clock-extended') "
              "EXECUTE FUNCTION wait()")
    asleep = "FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
    page = asyncio.create_task(scene.claim(scene.cluster[1]))
    while scene.sql(f"SELECT count(*) {asleep}") == "0":
        await asyncio.sleep(0.1)
    scene.cluster[1].kill()
    page.cancel()
    scene.sql(f"SELECT pg_terminate_backend(pid) {asleep}")
    scene.sql("DROP TRIGGER wait ON flipside.records")
    return await scene.claim(scene.cluster[0]) - began


async def nobody_comes(scene):
    began = time.time()
    scene.home.kill()
    await asyncio.sleep(20)
    await scene.claim(scene.cluster[0])
    return int(scene.sql("SELECT time FROM flipside.records WHERE type = 'node-lost'")) / 1_000 - began


async def drained(scene):
    began = time.time()
    await asyncio.to_thread(scene.home.kill, signal.SIGTERM)
    await asyncio.sleep(began + 4 - time.time())
    return await scene.claim(scene.cluster[0]) - began


async def power_cut(scene):
    began = time.time()
    for node in scene.cluster:
        node.kill()
    await scene.lose_database(15)
    await asyncio.to_thread(scene.cluster.start)
    return await scene.claim(scene.cluster[0]) - began


@pytest.mark.parametrize("case", [
    away_and_home_dies, away_and_asleep, blocked_and_dies, two_losses, nobody_comes, drained, power_cut], ids=lambda case: case.__name__)
async def test_as_much_is_lost_as_the_table_says(case, cluster, cluster_log):
    scene = await Scene.begin(cluster, cluster_log)
    before = scene.lost
    expected = await case(scene)
    await asyncio.sleep(1)
    lost = scene.lost - before
    assert abs(lost - expected) <= SLACK, f"{lost:.1f} s were given back, of {expected:.1f} s"

"""A trial of a cluster: games on three nodes while nodes, networks and databases fail. Run by scripts/trial."""

import asyncio, collections, concurrent.futures, json, os, pathlib, random, signal, sys, time, urllib.request

sys.path.insert(1, str(pathlib.Path(__file__).parent.parent / "Clients"))

import network, record
from boards import Memory, Reversi
from check import compare_log, compare_states, settle, verify
from client import RESTART, Client
from databases import Databases, in_thread
from faults import FAULTS
from flipside import Server
from nodes import BALANCES, Balancer, Node, PORT
from room import Room, TURN_TIME

# In s. From the end of a fault until every room continues; the longest time in which a room may have no event.
GOES_ON_WITHIN, STANDS_STILL_AT_MOST = 40, 75


class Trial:
    def __init__(self, folder, minutes, seed, balance):
        self.folder, self.minutes, self.seed, self.balance = folder, minutes, seed, balance
        self.chance = random.Random(f"games {seed}")
        self.url = f"ws://{network.HERE}:{PORT}/ws/rooms/"
        self.rooms, self.nodes, self.episodes, self.faults, self.tasks = [], [], [], [], set()
        self.repeated = 0

    # What others report

    def fault(self, what):
        """Records a violation."""
        if self.episodes:
            self.episodes[-1].violations += 1
        self.faults.append(what)
        if len(self.faults) <= 40:
            self.say(f"VIOLATION {what}")

    def say(self, text):
        print(time.strftime("%H:%M:%S"), text, flush=True)

    def spawn(self, coroutine):
        task = asyncio.get_running_loop().create_task(coroutine)
        self.tasks.add(task)
        task.add_done_callback(self.ended)
        return task

    def ended(self, task):
        self.tasks.discard(task)
        if not task.cancelled() and task.exception():
            self.fault(f"the trial itself: {task.exception()!r} in {task.get_stack()[-1:]}")

    def lost(self, client, code):
        client.lost_in, client.lost_code = self.episodes[-1] if self.episodes else None, code

    def back(self, client, node, lost_at):
        """A client that had lost its line has been greeted again."""
        episode = client.lost_in
        if episode is None:
            return self.fault(f"{client} lost its line ({client.lost_code}) before any fault")
        if node in episode.own:
            # Until the balancer has noticed, it may send returning clients to the dead node.
            noticed = next((at for at, name in self.balancer.noticed_since(episode.began) if name == node), 0)
            episode.backs.append(time.monotonic() - max(lost_at, noticed))
        elif episode.is_everywhere and any(name == node for _, name in self.balancer.noticed_since(episode.began)):
            episode.closed += 1
        elif client.lost_code == RESTART and episode.moves_homes:
            episode.moved.append(time.monotonic() - lost_at)
        else:
            self.fault(f"room {client.room.code}: {client.name} had to leave {node}, which had no fault ({client.lost_code})")

    def answered(self, waited):
        if self.episodes:
            self.episodes[-1].waited = max(self.episodes[-1].waited, waited)

    # The run

    async def run(self):
        await self.begin()
        kinds = random.Random(f"faults {self.seed}")
        wanted = list(FAULTS)
        if only := os.environ.get("TRIAL_FAULTS"):
            wanted = only.split(",")
        try:
            await self.episode("none", lambda *_: asyncio.sleep(10), kinds)
            end, bag = time.monotonic() + self.minutes * 60, []
            while time.monotonic() < end:
                bag = bag or kinds.sample(wanted, len(wanted))
                kind = bag.pop()
                if not await self.episode(kind, FAULTS[kind], kinds):
                    break
            await self.finish()
        finally:
            print(record.table(self.episodes), flush=True)
        return not self.faults

    async def begin(self):
        network.prepare()
        self.databases = Databases(self.folder)
        await in_thread(self.databases.begin)
        (self.folder / "cluster.key").write_bytes(os.urandom(32))
        (self.folder / "cluster.key").chmod(0o600)
        served = self.folder / "page"
        served.mkdir()
        (served / "index.html").write_text("<!doctype html>\n")
        self.nodes = [Node(number, self.folder, self.databases.address, served) for number in range(3)]
        for node in self.nodes:
            node.start()
        self.balancer = Balancer(self.folder, self.nodes, self.balance)
        await self.balancer.start()
        if not await self.until_whole():
            raise SystemExit("trial: the cluster never came together")
        self.say("three nodes serve")
        count = int(os.environ.get("TRIAL_ROOMS", "300"))
        pool = concurrent.futures.ThreadPoolExecutor(8)
        opened = [asyncio.get_running_loop().run_in_executor(pool, self.open_room, number) for number in range(count)]
        self.rooms = [await one for one in opened]
        for room in self.rooms:
            for client in room.clients:
                self.spawn(client.live())
            await asyncio.sleep(0.01)
        await self.wait(lambda: all(client.version for room in self.rooms for client in room.clients), 60)
        for room in self.rooms:
            self.spawn(room.play())
        started = lambda: all(room.table.status == "running" for room in self.rooms)
        if not await self.wait(started, 90):
            raise SystemExit("trial: the games never began")
        self.spawn(self.look_after_nodes())
        relayed = sum([await in_thread(node.metric, "node_relayed_connections") for node in self.nodes])
        self.say(f"{count} rooms play, with {3 * count} clients, {relayed} of them relayed ({self.balance}); seed {self.seed}")

    def open_room(self, number):
        """Opens a room with its players, Memory and Reversi in turn; called on other threads."""
        server = Server(f"http://{network.HERE}:{PORT}")
        tokens = [server.register("Player")[0] for _ in range(2)]
        game, kind = [("memory", Memory), ("reversi", Reversi)][number % 2]
        options = kind.options | {"turnTime": TURN_TIME}
        room = Room(server.open_room(tokens[0], game, **options), game, self)
        room.players = [Client(room, name, token) for name, token in zip(("first", "second"), tokens)]
        room.watcher = Client(room, "watcher")
        return room

    async def wait(self, wanted, seconds):
        end = time.monotonic() + seconds
        while not wanted():
            if time.monotonic() > end:
                return False
            await asyncio.sleep(0.1)
        return True

    async def until_whole(self, seconds=60):
        """Waits until all nodes are linked with each other, and the balancer has all of them."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            links = [await in_thread(node.links) for node in self.nodes]
            if all(count == len(self.nodes) - 1 for count in links) and not self.balancer.down:
                return True
            await asyncio.sleep(0.3)
        self.fault(f"the cluster never came together again: links {links}, down {sorted(self.balancer.down)}")
        return False

    async def episode(self, kind, fault, chance):
        """One fault, until all rooms continue; returns whether they do."""
        episode = record.Episode(kind)
        self.episodes.append(episode)
        for room in self.rooms:
            room.watch_anew()
        await fault(self, episode, chance)
        marks = {room: room.version for room in self.rooms}
        going = lambda room: all(client.version > marks[room] for client in room.clients)
        goes_on = await self.wait(lambda: all(map(going, self.rooms)), GOES_ON_WITHIN)
        for room in self.rooms:
            if not going(room):
                at = ", ".join(f"{client} {client.version}" for client in room.clients)
                room.fault(f"is blocked {GOES_ON_WITHIN} s after {kind}: {at}, status {room.table.status}")
        goes_on = await self.until_whole() and goes_on
        episode.stills = [max(room.stood_still, time.monotonic() - room.news_at) for room in self.rooms]
        episode.given_back = [room.given_back for room in self.rooms if room.given_back]
        if max(episode.stills) > STANDS_STILL_AT_MOST:
            self.fault(f"a room was blocked for {max(episode.stills):.0f} s")
        if late := episode.lateness():
            self.fault(late)
        episode.noticed = next((at for at, name in self.balancer.noticed_since(episode.began) if name in episode.own), None)
        self.say(episode.line())
        await self.spread()
        return goes_on

    async def spread(self):
        """Spectators at a node with more than its share reconnect, mostly to the one that has just started. No fault should
        hit no one, or nearly everyone: their return is work for this process too."""
        counts = collections.Counter(client.node for room in self.rooms for client in room.clients)
        share = len(self.rooms)
        for room in self.chance.sample(self.rooms, len(self.rooms)):
            if counts[room.watcher.node] > share or self.chance.random() < 0.05:
                counts[room.watcher.node] -= 1
                self.spawn(room.watcher.come_anew())
        await asyncio.sleep(3)

    async def look_after_nodes(self):
        """No node exits by itself, unless that is expected."""
        while True:
            for node in self.nodes:
                if not node.runs and not node.is_to_end:
                    self.fault(f"node {node.name} ended by itself, with {node.process.returncode}")
                    node.start()
            await asyncio.sleep(0.3)

    async def finish(self):
        for room in self.rooms:
            room.stops = True
        await settle(self)
        await compare_states(self)
        # No one moves now, and turns rightly run out. No check should see that.
        for room in self.rooms:
            room.is_over = True
        await asyncio.gather(*(client.socket.close() for room in self.rooms for client in room.clients))
        events, compared = await in_thread(compare_log, self)
        self.say(f"{events} events of the log compared with {compared} that clients were sent ({self.repeated} of them again)")
        self.say(f"{sum(room.table.games for room in self.rooms)} games; flipside verify: {await in_thread(verify, self)}")


def main():
    folder, minutes = pathlib.Path(sys.argv[1]), float(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1_000_000)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: os._exit(1))
    balance = os.environ.get("TRIAL_BALANCE", "path")
    if balance not in BALANCES:
        sys.exit(f"trial: TRIAL_BALANCE is one of {', '.join(BALANCES)}")
    trial = Trial(folder, minutes, seed, balance)
    holds = asyncio.run(asyncio.wait_for(trial.run(), minutes * 60 + 900))
    print("trial: all held" if holds else f"trial: {len(trial.faults)} violations, seed {seed}, balance {balance}", flush=True)
    # What still runs ends with this process, the first of its namespace.
    os._exit(0 if holds else 1)


main()

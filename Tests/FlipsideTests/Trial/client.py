"""One of the trial's clients: reconnects by itself, resends unanswered commands, misses nothing."""

import asyncio, json, time

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, WebSocketException

# Possible answers to a resent command, or while the hub cannot write.
EXPECTED = {"not-your-turn", "wait-for-reveal", "card-is-up", "card-is-won", "flips-nothing", "cell-is-taken", "not-running",
            "nothing-proposed", "not-asked", "nobody-to-ask", "proposed-lately", "game-running", "seat-taken", "player-count",
            "played-already"}
AGAIN = {"log-unavailable", "busy"}
# The close code when a room moves to another node, or a node stops.
RESTART = 1012


class Client:
    def __init__(self, room, name, token=None):
        self.room, self.name, self.token, self.trial = room, name, token, room.trial
        self.version, self.compared, self.socket, self.node = 0, 0, None, None
        # Unanswered commands by id: the text, and since when.
        self.waiting, self.count = {}, 0
        self.lost_at = self.final = None
        self.is_fresh = self.is_leaving = False

    def __str__(self):
        return f"{self.name} at {self.node}"

    # The line

    async def live(self):
        while not self.room.is_over:
            try:
                self.socket = await connect(
                    self.trial.url + self.room.code, subprotocols=["flipside.v1"], compression=None, ping_interval=None,
                    open_timeout=3, close_timeout=1, max_queue=256)
            except (OSError, WebSocketException, TimeoutError, EOFError):
                await asyncio.sleep(self.room.chance.uniform(0.05, 0.3))
                continue
            self.node = self.socket.response.headers.get("X-Served-By")
            try:
                await self.hello()
                while True:
                    self.take(await self.socket.recv(decode=False))
            except ConnectionClosed as closed:
                await self.lose(closed)

    async def hello(self):
        hello = {"type": "hello"} | ({"token": self.token} if self.token else {})
        if not self.is_fresh:
            hello |= {"after": self.version, "head": self.room.heads[self.version].hex()}
        await self.socket.send(json.dumps(hello))

    async def lose(self, closed):
        """Records that the line is lost, unless this client closed it."""
        self.is_fresh, self.is_leaving, left = self.is_leaving, False, self.is_leaving
        if self.room.is_over or left:
            return
        code = closed.rcvd.code if closed.rcvd else 1006
        if self.lost_at is None:
            self.lost_at, self.lost_node = time.monotonic(), self.node
            self.trial.lost(self, code)
        # The hub asks for a random pause; in all other cases the client may retry at once.
        if code == RESTART:
            await asyncio.sleep(self.room.chance.uniform(0, 0.3))

    async def come_anew(self):
        """Closes the page and opens it again, without what it has seen."""
        if self.socket and self.lost_at is None:
            self.is_leaving = True
            await self.socket.close()

    # What the hub says

    def take(self, raw):
        if raw.startswith(b'{"v":'):
            return self.event(raw)
        message = json.loads(raw)
        match message["type"]:
            case "welcome" | "resume":
                self.greeted(message)
            case "ok":
                if message["v"] > self.version:
                    self.room.fault(f"{self} was answered ahead of event {message['v']}")
                self.answered(message["id"])
            case "error":
                self.refused(message)

    def event(self, raw):
        version = self.room.take(raw, self)
        if version == self.version + 1:
            self.version = version
        elif version > self.version:
            self.room.fault(f"{self} has {self.version} and was sent {version}")
            self.version = version
        else:
            self.trial.repeated += 1
        self.compared += 1

    def greeted(self, message):
        version = message["version"]
        if message.get("diverged"):
            self.room.fault(f"{self} was told at {self.version} that the log has gone back to {version}")
        elif version < self.version and not self.is_fresh:
            self.room.fault(f"{self} has {self.version} and was told {message['type']} {version}")
        self.room.claim(version, message["head"], self)
        if message["type"] == "welcome":
            if self.final is None and not self.is_fresh:
                self.room.fault(f"{self} has {self.version} and was welcomed at {version} in place of a resume")
            self.final = message
            self.room.compare(message, self)
            self.version = version if self.is_fresh else max(version, self.version)
        self.is_fresh = False
        if self.lost_at is not None:
            self.trial.back(self, self.lost_node, self.lost_at)
            self.lost_at = None
        for text, _ in self.waiting.values():
            self.send(text)

    def refused(self, message):
        id, code = message.get("id"), message["code"]
        if id in self.waiting and code in AGAIN:
            text = self.waiting[id][0]
            asyncio.get_running_loop().call_later(0.3, lambda: id in self.waiting and self.send(text))
            return
        if code not in EXPECTED:
            self.room.fault(f"{self} was refused: {message}")
        self.answered(id)

    # What it says

    def say(self, **command):
        self.count += 1
        id = f"{self.name}{self.count}"
        text = json.dumps(command | {"id": id})
        self.waiting[id] = (text, time.monotonic())
        if self.lost_at is None:
            self.send(text)

    def send(self, text):
        """Sends it if there is a line, else after the next greeting."""
        self.trial.spawn(self.try_to_send(text))

    async def try_to_send(self, text):
        try:
            await self.socket.send(text)
        except ConnectionClosed:
            pass

    def answered(self, id):
        if id in self.waiting:
            _, since = self.waiting.pop(id)
            self.trial.answered(time.monotonic() - since)

"""What the Python clients share: HTTP, players, pages, and a hub as a process of its own."""

import asyncio, atexit, base64, json, os, pathlib, re, signal, subprocess, sys, urllib.request

import websockets

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "Support"))
from check_schema import Checker

CHECKER = Checker(json.loads(
    (pathlib.Path(__file__).parents[3] / "Sources/Hub/Hub.docc/Resources/flipside.v1.schema.json").read_text()))


def conforms(direction, value):
    """Holds `value` to the protocol's schema: what `client` or `hub` says, or a definition by name."""
    wrong = CHECKER.violation(direction, value)
    assert wrong is None, wrong
    return value


class Server:
    """Where a hub is: `Server("http://127.0.0.1:8080")`."""

    def __init__(self, base, tls=None):
        self.base, self.tls = base, tls

    def http(self, method, path, token=None, body=None):
        request = urllib.request.Request(self.base + path, method=method, data=body and json.dumps(body).encode())
        if token:
            request.add_header("Authorization", "Bearer " + token)
        with urllib.request.urlopen(request, context=self.tls, timeout=20) as answer:
            return answer.read()

    def register(self, name):
        """A new player whose name begins so: (token, id)."""
        token = base64.urlsafe_b64encode(os.urandom(32)).decode().rstrip("=")
        name += " " + base64.b32encode(os.urandom(5)).decode()
        return token, json.loads(self.http("POST", "/api/players", body={"name": name, "token": token}))["id"]

    def open_room(self, token, game="memory", **options):
        return json.loads(self.http("POST", "/api/rooms", token, {"game": game, "options": options}))["code"]

    def log(self, code):
        return self.http("GET", f"/api/rooms/{code}/log").splitlines()


class Page:
    """One connection, with the bytes of every event that it was sent."""

    def __init__(self, socket, is_strict=False):
        self.socket, self.events, self.welcome, self.is_strict = socket, [], None, is_strict
        self.prefix, self.count = base64.b32encode(os.urandom(5)).decode(), 0

    @classmethod
    async def join(cls, server, code, token=None, is_strict=False, **hello):
        """Says hello. A strict page holds all that is said to the schema."""
        url = server.base.replace("http", "ws", 1) + "/ws/rooms/" + code
        page = cls(await websockets.connect(url, subprotocols=["flipside.v1"], ssl=server.tls, ping_interval=None), is_strict)
        assert page.socket.subprotocol == "flipside.v1"
        await page.socket.send(json.dumps({"type": "hello", **hello} | ({"token": token} if token else {})))
        page.welcome = await page.until(lambda m: m["type"] in ("welcome", "resume"))
        return page

    @classmethod
    async def enter_lobby(cls, server):
        """Looks at the list of open rooms; the whole list is the first that is said there."""
        url = server.base.replace("http", "ws", 1) + "/ws/lobby"
        page = cls(await websockets.connect(url, subprotocols=["flipside.v1"], ssl=server.tls, ping_interval=None))
        page.welcome = await page.until(lambda m: m["type"] == "rooms")
        return page

    async def next(self):
        raw = await asyncio.wait_for(self.socket.recv(), 30)
        message = json.loads(raw)
        if self.is_strict:
            conforms("hub", message)
        if "v" in message and "t" in message:
            self.events.append((raw.encode(), message))
        return message

    async def until(self, wanted):
        while not wanted(message := await self.next()):
            pass
        return message

    async def send(self, type, **fields):
        """Sends a command without waiting; returns its id."""
        self.count += 1
        id = f"{self.prefix}{self.count}"
        message = {"type": type, "id": id} | fields
        if self.is_strict:
            conforms("client", message)
        await self.socket.send(json.dumps(message))
        return id

    async def command(self, type, **fields):
        id = await self.send(type, **fields)
        return await self.until(lambda m: m.get("id") == id)


class Hub:
    """A hub as a process: started, killed and started again on the same folder and port."""

    def __init__(self, binary, folder, *arguments):
        self.binary, self.folder, self.arguments, self.port = binary, folder, arguments, 0
        self.process = None

    def command(self):
        return [self.binary, "serve", "--listen", f"127.0.0.1:{self.port}", "--data", self.folder, "--log-level", "error",
                *self.arguments]

    def start(self):
        self.process = subprocess.Popen(self.command(), stdout=subprocess.PIPE, text=True)
        # Whoever fails leaves no hub behind: it would hold the pipe that a test reads to its end.
        atexit.register(self.process.kill)
        line = self.process.stdout.readline()
        assert line, "the hub did not start"
        self.port = int(re.search(r":(\d+)$", line.strip())[1])
        return Server(f"http://127.0.0.1:{self.port}")

    def kill(self, with_signal=signal.SIGKILL):
        self.process.send_signal(with_signal)
        self.process.wait(30)
        self.process.stdout.close()

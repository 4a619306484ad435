"""What tests share to talk to a hub: HTTP, players, pages, and the hub as a process of its own."""

import asyncio, atexit, base64, concurrent.futures, json, os, pathlib, re, signal, ssl, subprocess, urllib.error, urllib.request

import websockets

from protocol_schema import conforms


# For the opening handshake on a busy machine, in s.
OPEN_TIMEOUT = 60


def finish(coroutine, seconds):
    """Runs it to its end, in a thread of its own, since a browser's loop may run in this one."""
    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, asyncio.wait_for(coroutine, seconds)).result()


def new_token():
    """An unused token."""
    return base64.urlsafe_b64encode(os.urandom(32)).decode().rstrip("=")


class Server:
    """The address of a hub: `Server("http://127.0.0.1:8080")`."""

    # Called with each request and its answer, if a test wants them: method, path, status, headers, text, body.
    witness = None

    def __init__(self, base, tls=None):
        self.base, self.tls = base, tls

    def http(self, method, path, token=None, body=None):
        request = urllib.request.Request(self.base + path, method=method, data=body and json.dumps(body).encode())
        if token:
            request.add_header("Authorization", "Bearer " + token)
        with urllib.request.urlopen(request, context=self.tls, timeout=20) as answer:
            text = answer.read()
        if self.witness:
            self.witness(method, path, answer.status, answer.headers, text, body)
        return text

    def ask(self, method, path, token=None, body=None):
        """The status and the text of the answer."""
        try:
            return 200, self.http(method, path, token, body).decode()
        except urllib.error.HTTPError as error:
            text = error.read()
            if self.witness:
                self.witness(method, path, error.code, error.headers, text, body)
            return error.code, text.decode()

    def refusal(self, method, path, token=None, body=None):
        """The status and the code of the problem in the answer."""
        status, text = self.ask(method, path, token, body)
        assert status != 200, f"{method} {path} was done"
        return status, conforms("http.problem", json.loads(text))["code"]

    def log_id(self):
        """The id of its log, as it says."""
        with urllib.request.urlopen(self.base + "/api/rooms", context=self.tls, timeout=20) as answer:
            return answer.headers["X-Flipside-Log"]

    def metric(self, name):
        lines = self.http("GET", "/metrics").decode().splitlines()
        return float(next(line.split()[1] for line in lines if line.startswith(f"flipside_{name} ")))

    def register(self, name):
        """A new player whose name starts with `name`: (token, id)."""
        token = new_token()
        name += " " + base64.b32encode(os.urandom(5)).decode()
        return token, json.loads(self.http("POST", "/api/players", body={"name": name, "token": token}))["id"]

    def open_room(self, token, game="memory", **options):
        return json.loads(self.http("POST", "/api/rooms", token, {"game": game, "options": options}))["code"]

    def log(self, code):
        return self.http("GET", f"/api/rooms/{code}/log").splitlines()


class Page:
    """One connection, with the bytes of every event it received."""

    def __init__(self, socket, is_strict=False):
        self.socket, self.events, self.welcome, self.is_strict = socket, [], None, is_strict
        self.prefix, self.count = base64.b32encode(os.urandom(5)).decode(), 0

    @staticmethod
    async def connect(url, server):
        return await websockets.connect(
            url, subprotocols=["flipside.v1"], ssl=server.tls, ping_interval=None, open_timeout=OPEN_TIMEOUT)

    @classmethod
    async def join(cls, server, code, token=None, is_strict=False, **hello):
        """Says hello. A strict page checks all messages against the schema."""
        url = server.base.replace("http", "ws", 1) + "/ws/rooms/" + code
        page = cls(await cls.connect(url, server), is_strict)
        assert page.socket.subprotocol == "flipside.v1"
        await page.socket.send(json.dumps({"type": "hello", **hello} | ({"token": token} if token else {})))
        page.welcome = await page.until(lambda m: m["type"] in ("welcome", "resume"))
        return page

    @classmethod
    async def enter_lobby(cls, server):
        """Opens the list of open rooms, which arrives as the first message."""
        url = server.base.replace("http", "ws", 1) + "/ws/lobby"
        page = cls(await cls.connect(url, server))
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

    async def done(self, type, **fields):
        """A command that must succeed."""
        answer = await self.command(type, **fields)
        assert answer["type"] == "ok", answer
        return answer


def left_of(rest, socket):
    """What is left of `rest` after the hub has taken what it can; refused or cut off counts as sent."""
    try:
        return rest[socket.send(rest):]
    except BlockingIOError:
        return rest
    except OSError:
        return rest[:0]


async def until(what, wanted):
    """Waits until `wanted` holds."""
    for _ in range(1_200):
        if wanted():
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"never came: {what}")


def surroundings():
    """The environment without the tests' own variables, which a hub would use."""
    return {name: value for name, value in os.environ.items() if not name.startswith("FLIPSIDE_")}


class Hub:
    """A hub as a process: started, killed and restarted on the same folder and port."""

    def __init__(self, binary, folder, *arguments, log=None):
        self.binary, self.folder, self.arguments, self.port = binary, folder, arguments, 0
        self.process = self.server = None
        self.environment = surroundings()
        # A file for its log; None: the standard error of the tests.
        self.log = log and pathlib.Path(log)

    def command(self):
        return [self.binary, "serve", "--listen", f"127.0.0.1:{self.port}", "--data", self.folder, "--log-level", "warning",
                *self.arguments]

    def start(self):
        """Starts it; returns its server. On the first start the system chooses the port."""
        errors = self.log.open("a") if self.log else None
        self.process = subprocess.Popen(self.command(), stdout=subprocess.PIPE, stderr=errors, env=self.environment, text=True)
        # A failed test leaves no hub running.
        atexit.register(self.process.kill)
        line = self.process.stdout.readline()
        assert line, f"the hub did not start\n{self.logged()}"
        scheme, self.port = re.search(r"(https?)://\S+:(\d+)$", line.strip()).groups()
        self.server = Server(f"{scheme}://127.0.0.1:{self.port}", self.tls())
        return self.server

    def tls(self):
        """A TLS context that trusts its certificate, if it has one."""
        if "--tls-cert" not in self.arguments:
            return None
        return ssl.create_default_context(cafile=self.arguments[self.arguments.index("--tls-cert") + 1])

    def kill(self, with_signal=signal.SIGKILL):
        self.process.send_signal(with_signal)
        self.process.wait(30)
        self.process.stdout.close()

    def end(self):
        """Kills it if it runs."""
        if self.process and self.process.poll() is None:
            self.kill()

    def logged(self):
        return self.log.read_text() if self.log and self.log.exists() else ""

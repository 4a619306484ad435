"""Environment variables configure a hub like options."""

import json, os, re, signal, socket, ssl, subprocess

import pytest
import websockets

from flipside import Server


@pytest.fixture
def tls(certificate):
    tls = ssl.create_default_context(cafile=certificate.cert)
    # The certificate is for 127.0.0.1, not for the second address.
    tls.check_hostname = False
    return tls


@pytest.fixture
def variables(tmp_path, web, certificate):
    """Some of each kind, none with its default value."""
    return {
        "FLIPSIDE_LISTEN": "127.0.0.1:0, 127.0.0.2:0", "FLIPSIDE_DATA": str(tmp_path / "log"), "FLIPSIDE_WEB": str(web),
        "FLIPSIDE_TLS_CERT": str(certificate.cert), "FLIPSIDE_TLS_KEY": str(certificate.key), "FLIPSIDE_LOOPS": "4",
        "FLIPSIDE_ECHO": "/echo", "FLIPSIDE_CONNECTIONS": "8", "FLIPSIDE_CONNECTIONS_PER_ADDRESS": "2",
        "FLIPSIDE_MESSAGES_PER_SECOND": "2", "FLIPSIDE_LOG_LEVEL": "notice",
    }


class ToldHub:
    """A hub that gets only these variables and arguments."""

    def __init__(self, binary, variables, *arguments):
        self.process = subprocess.Popen(
            [binary, "serve", *arguments], env=clean() | variables, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        lines = [self.process.stdout.readline().strip() for _ in variables["FLIPSIDE_LISTEN"].split(",")]
        self.addresses = [re.search(r"https?://\S+$", line)[0] for line in lines]

    def threads(self):
        return len(os.listdir(f"/proc/{self.process.pid}/task"))

    def stop(self):
        """Stops it; returns what it logged."""
        self.process.send_signal(signal.SIGTERM)
        errors = self.process.communicate(timeout=30)[1]
        assert self.process.returncode == 0, errors
        return errors


def clean():
    return {name: value for name, value in os.environ.items() if not name.startswith("FLIPSIDE_")}


@pytest.fixture
def start(binary, variables):
    hubs = []

    def start(*arguments):
        hubs.append(ToldHub(binary, variables, *arguments))
        return hubs[-1]

    yield start
    for hub in hubs:
        if hub.process.poll() is None:
            hub.process.kill()
            print(hub.process.communicate()[1])


@pytest.fixture
def hub(start):
    return start()


@pytest.fixture
def server(hub, tls):
    return Server(hub.addresses[0], tls)


def test_it_serves_on_the_given_addresses(hub, server, tls, web):
    one, other = hub.addresses
    assert one.startswith("https://localhost:") and other.startswith("https://127.0.0.2:"), hub.addresses
    assert Server(other, tls).http("GET", "/readyz") == b"ready\n"
    assert server.http("GET", "/main.js") == (web / "main.js").read_bytes()


def test_it_logs_and_stores_as_configured(hub, tmp_path):
    assert (tmp_path / "log/log.sqlite").exists()
    assert "stopping" in hub.stop()


async def test_it_echoes_on_the_given_path(server, tls):
    async with websockets.connect(server.base.replace("http", "ws", 1) + "/echo", ssl=tls) as echo:
        await echo.send("hello")
        assert await echo.recv() == "hello"


async def test_it_accepts_the_given_number_of_messages(server, tls):
    url = server.base.replace("http", "ws", 1) + "/ws/rooms/" + server.open_room(server.register("Ann")[0])
    async with websockets.connect(url, subprotocols=["flipside.v1"], ssl=tls) as room:
        for number in range(9):
            await room.send(json.dumps({"type": "ping", "n": number}))
        said = [json.loads(await room.recv()) for _ in range(9)]
    refused = [message for message in said if message.get("code") == "too-fast"]
    assert refused and refused[0]["limit"] == 2, said


def test_it_accepts_the_given_number_of_connections(hub, tls):
    port = int(hub.addresses[0].rsplit(":", 1)[1])

    def connect():
        return tls.wrap_socket(socket.create_connection(("127.0.0.1", port), 20))

    held = [connect() for _ in range(8)]
    with connect() as late:
        late.sendall(b"GET /api/rooms HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert late.recv(4096).startswith(b"HTTP/1.1 503 "), "there was one place more"
    for connection in held:
        connection.close()


def test_an_option_overrides_a_variable(hub, start, tmp_path):
    many = hub.threads()
    other = start(
        "--loops", "1", "--log-level", "error", "--data", str(tmp_path / "other"), "--listen", "127.0.0.3:0",
        "--listen", "127.0.0.2:0")
    assert [address.split("/")[2].split(":")[0] for address in other.addresses] == ["127.0.0.3", "127.0.0.2"]
    assert many - other.threads() >= 3
    assert (tmp_path / "other/log.sqlite").exists()
    assert "stopping" not in other.stop()


@pytest.mark.parametrize("name, value", [("LOOPS", "many"), ("LISTEN", "here"), ("LOG_LEVEL", "loud"), ("ECHO", "echo")])
def test_a_bad_value_is_named(run, variables, name, value):
    said = run("serve", env=clean() | variables | {"FLIPSIDE_" + name: value})
    assert said.returncode == 1 and f"FLIPSIDE_{name} is `{value}`" in said.stderr, said

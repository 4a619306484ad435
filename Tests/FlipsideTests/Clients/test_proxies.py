"""A hub behind nginx, HAProxy and Caddy, each set up as Operating.md says; what is filled in are ports and files."""

import asyncio, http.client, json, os, re, socket, ssl, subprocess, time, typing

import pytest
import websockets
from websockets.frames import Frame, Opcode

from flipside import Page, Server
from table import Table

FAILURES, CONNECTIONS = 5, 8
# What is trusted is 127.0.0.1, where the proxies ask from; clients are these and 127.0.0.1, where most of them are.
CLIENTS = "127.0.0.2", "127.0.0.3"


class Setup(typing.NamedTuple):
    """One of the document's configurations."""

    language: str
    # Which of this language.
    index: int
    arguments: typing.Callable
    hub_speaks_tls: bool = False
    # Lines that a test needs besides: where they go, and what they are.
    more: tuple = ("", "")


SETUPS = {
    "nginx": Setup("nginx", 0, lambda file, folder: [
        "/usr/sbin/nginx", "-p", folder, "-c", file, "-e", "stderr", "-g", f"daemon off; pid {folder}/pid;"],
        more=("http {", "http { access_log off; " + " ".join(
            f"{name}_temp_path {name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")))),
    "haproxy": Setup("haproxy", 0, lambda file, folder: ["/usr/sbin/haproxy", "-db", "-f", file]),
    "haproxy-tcp": Setup("haproxy", 1, lambda file, folder: ["/usr/sbin/haproxy", "-db", "-f", file], hub_speaks_tls=True),
    "caddy": Setup("caddy", 0, lambda file, folder: ["/usr/bin/caddy", "run", "--adapter", "caddyfile", "--config", file]),
}


class Proxy:
    """A proxy as a process, in a folder of its own."""

    def __init__(self, setup, text, hub, certificate, folder):
        self.folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        pair = folder / "pair.pem"
        pair.write_text(certificate.cert.read_text() + certificate.key.read_text())
        site = "{\nadmin off\nauto_https disable_redirects\n}\n" + (
            f"https://localhost:{self.port} {{\nbind 127.0.0.1\ntls {certificate.cert} {certificate.key}\n")
        for placed, filled in (
            setup.more, ("127.0.0.1:8080", f"127.0.0.1:{hub.port}"), ("bind :443", f"bind 127.0.0.1:{self.port}"),
            ("listen 443", f"listen 127.0.0.1:{self.port}"), ("play.example.org {\n", site),
            ("/etc/ssl/play/cert.pem", str(certificate.cert)), ("/etc/ssl/play/key.pem", str(certificate.key)),
            ("/etc/ssl/play.pem", str(pair)),
        ):
            text = text.replace(placed, filled)
        file = folder / "configuration"
        file.write_text(text)
        environment = os.environ | {name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
        self.log = (folder / "log").open("w")
        self.process = subprocess.Popen(
            setup.arguments(str(file), str(folder)), stdout=self.log, stderr=self.log, env=environment)

    def wait(self):
        """Returns once it takes connections."""
        for _ in range(600):
            assert self.process.poll() is None, self.logged()
            try:
                return socket.create_connection(("127.0.0.1", self.port), timeout=20).close()
            except ConnectionRefusedError:
                time.sleep(0.05)
        raise AssertionError("the proxy does not listen: " + self.logged())

    def logged(self):
        return (self.folder / "log").read_text()

    def end(self):
        # Its children end with it.
        self.process.terminate()
        self.process.wait(30)
        self.log.close()


@pytest.fixture(scope="module")
def served(web):
    return web


@pytest.fixture(scope="module", params=[
    pytest.param(name, marks=pytest.mark.xdist_group(f"proxies-{name}")) for name in SETUPS])
def setup(request):
    return SETUPS[request.param]


@pytest.fixture(scope="module")
def hub(setup, make_module_hub, certificate, tmp_path_factory):
    hub = make_module_hub(
        "--trusted-proxy", "127.0.0.1", "--failures-per-minute", FAILURES, "--connections-per-address", CONNECTIONS,
        data=tmp_path_factory.mktemp("data"), certificate=certificate if setup.hub_speaks_tls else None)
    hub.start()
    return hub


@pytest.fixture(scope="module")
def server(setup, hub, certificate, root, tmp_path_factory):
    """Where the proxy is."""
    document = (root / "Sources/Hub/Hub.docc/Operating.md").read_text()
    text = re.findall(rf"^```{setup.language}\n(.*?)^```", document, re.M | re.S)[setup.index]
    proxy = Proxy(setup, text, hub, certificate, tmp_path_factory.mktemp("proxy"))
    try:
        proxy.wait()
        yield Server(f"https://localhost:{proxy.port}", ssl.create_default_context(cafile=certificate.cert))
    finally:
        proxy.end()


def ask(server, path, source, **headers):
    """The status of an answer to who asks from this address."""
    host, port = server.base.removeprefix("https://").split(":")
    connection = http.client.HTTPSConnection(host, int(port), timeout=20, source_address=(source, 0), context=server.tls)
    connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    status = connection.getresponse().status
    connection.close()
    return status


async def greeted(server, code, source):
    """A WebSocket to a room from this address; who watches is greeted."""
    socket = await connect(server, f"/ws/rooms/{code}", source)
    await socket.send(json.dumps({"type": "hello"}))
    assert json.loads(await socket.recv())["type"] == "welcome"
    return socket


async def connect(server, path, source="127.0.0.1", **options):
    url = server.base.replace("http", "ws", 1) + path
    return await websockets.connect(
        url, subprotocols=["flipside.v1"], ssl=server.tls, ping_interval=None, local_addr=(source, 0), family=socket.AF_INET,
        **options)


def test_the_page_comes_and_its_links_lead_through_the_proxy(server):
    page = server.http("GET", "/").decode()
    assert f'content="{server.base}/"' in page


async def test_a_game_is_played(hub, server):
    table = await Table.begin(server, columns=4, rows=3, theme="numbers")
    turn = await table.watcher.until(lambda m: m["type"] == "turn")
    await table.pages[turn["seat"]].done("flip", cell=0)
    assert (await table.watcher.until(lambda m: m["type"] == "show-card"))["cell"] == 0


@pytest.mark.seconds(25)
async def test_silence_is_no_end(server):
    pinged = asyncio.Event()

    class Silent(websockets.ClientConnection):
        def process_event(self, event):
            super().process_event(event)
            if isinstance(event, Frame) and event.opcode is Opcode.PING:
                pinged.set()

    token, _ = server.register("Ann")
    page = Page(await connect(server, "/ws/rooms/" + server.open_room(token), create_connection=Silent))
    await page.send("hello", token=token)
    await page.until(lambda m: m["type"] == "welcome")
    await asyncio.wait_for(pinged.wait(), 60)
    await page.done("sit")


def test_wrong_codes_are_counted_for_each_client(server):
    statuses = [ask(server, "/api/rooms/wrong", CLIENTS[0]) for _ in range(FAILURES + 1)]
    assert statuses == [404] * FAILURES + [429]
    assert ask(server, "/api/rooms/wrong", CLIENTS[1]) == 404


def test_a_client_cannot_take_another_address(server):
    statuses = [
        ask(server, "/api/rooms/wrong", "127.0.0.4", X_Forwarded_For=f"192.0.2.{number}", Forwarded=f"for=192.0.2.{number}")
        for number in range(FAILURES + 1)
    ]
    assert statuses == [404] * FAILURES + [429]


async def test_connections_are_counted_for_each_client(server):
    token, _ = server.register("Ann")
    code = server.open_room(token)
    held = [await greeted(server, code, CLIENTS[0]) for _ in range(CONNECTIONS)]
    with pytest.raises(websockets.InvalidStatus) as refused:
        await greeted(server, code, CLIENTS[0])
    assert refused.value.response.status_code == 429
    held.append(await greeted(server, code, CLIENTS[1]))
    for page in held:
        await page.close()


def test_its_own_requests_are_not_limited(hub, setup):
    # Past the proxy, from where it is: as its checks of the hub's health come.
    own = Server(hub.server.base, hub.server.tls)
    assert {own.ask("GET", "/api/rooms/wrong")[0] for _ in range(FAILURES + 1)} == {404}

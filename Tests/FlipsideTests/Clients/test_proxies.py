"""A hub behind nginx, HAProxy and Caddy, each configured as in Running.md, with ports and files filled in."""

import asyncio, http.client, json, socket, ssl

import pytest
import websockets
from websockets.frames import Frame, Opcode

from flipside import Page, Server
from proxies import SETUPS, Proxy, configuration
from table import Table

FAILURES, CONNECTIONS = 5, 8
# The trusted address is 127.0.0.1, from which the proxies connect; clients use these and 127.0.0.1, mostly the latter.
CLIENTS = "127.0.0.2", "127.0.0.3"


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
    """The address of the proxy."""
    proxy = Proxy(setup, configuration(root, setup), hub, certificate, tmp_path_factory.mktemp("proxy"))
    try:
        proxy.wait()
        yield Server(f"https://localhost:{proxy.port}", ssl.create_default_context(cafile=certificate.cert))
    finally:
        proxy.end()


def ask(server, path, source, **headers):
    """The status of the answer to a request from this address."""
    host, port = server.base.removeprefix("https://").split(":")
    connection = http.client.HTTPSConnection(host, int(port), timeout=20, source_address=(source, 0), context=server.tls)
    connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    status = connection.getresponse().status
    connection.close()
    return status


async def greeted(server, code, source):
    """A spectator's WebSocket to a room from this address, which is greeted."""
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
async def test_silence_does_not_close_a_connection(server):
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


def test_a_client_cannot_fake_another_address(server):
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
    # Past the proxy, from its own address, like its checks of the hub's health.
    own = Server(hub.server.base, hub.server.tls)
    assert {own.ask("GET", "/api/rooms/wrong")[0] for _ in range(FAILURES + 1)} == {404}

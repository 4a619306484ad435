"""What the hub logs, and what it never logs."""

import hashlib, http.client, json, re, signal, socket

import pytest

from flipside import new_token, Page
from memory_game import Game

pytestmark = pytest.mark.xdist_group("logs")
LEVELS = ("trace", "debug", "info", "notice", "warning", "error", "critical")


def ask(hub, method, path, token=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=20)
    connection.request(method, path, headers=headers | ({"Authorization": "Bearer " + token} if token else {}))
    answer = connection.getresponse()
    return answer.status, answer.read()


def lines(hub):
    return [json.loads(line) for line in hub.logged().splitlines() if not line.startswith("Flipside ")]


@pytest.fixture
def loud(make_hub):
    hub = make_hub("--log-level", "trace", "--log-format", "json", "--access-log", "on")
    hub.start()
    return hub


async def test_nothing_secret_is_logged_even_at_the_lowest_level(loud):
    server = loud.server
    secrets = []
    game = await Game.played(server)
    token, name = new_token(), "Zenobia"
    player = json.loads(server.http("POST", "/api/players", body={"name": name, "token": token, "device": "an abacus"}))
    room = {"game": "memory", "visibility": "unlisted", "options": {"theme": "numbers"}}
    code = json.loads(server.http("POST", "/api/rooms", token, room))["code"]
    secrets += [token, name, "abacus", hashlib.sha256(token.encode()).hexdigest(), player["id"]]
    page = await Page.join(server, code, token)
    await page.command("sit")
    await page.command("say", text="a word among friends")
    recovery = json.loads(ask(loud, "POST", "/api/players/me/recovery-code", token)[1])["code"]
    ask(loud, "GET", f"/api/rooms/{code}/log?after=0&token={token}")
    ask(loud, "GET", f"/{token}/{name}", token)
    ask(loud, "DELETE", f"/api/players/{name}")
    ask(loud, "GET", "/api/players/me", "A" * 43)
    secrets += [code, recovery, "among friends", "A" * 43]
    records = [json.loads(line) for line in server.log(game.code)]
    secrets += [record["face"] for record in records if record["type"] == "show-card" and len(record["face"]) > 2]
    secrets += [record["reveal"]["seed"] for record in records if record.get("reveal")]
    await page.socket.close()
    loud.kill(signal.SIGTERM)
    logged = loud.logged()
    assert len(lines(loud)) > 10
    for secret in secrets:
        assert secret not in logged, secret


def test_each_line_is_an_object_with_its_part(loud):
    for path in ("/healthz", "/no/such/page", "/api/rooms/abcdef?x=1", "/index.html", "/ws/lobby"):
        ask(loud, "GET", path)
    ask(loud, "BREW", "/healthz")
    ask(loud, "HEAD", "/healthz")
    loud.kill(signal.SIGTERM)
    told = lines(loud)
    for line in told:
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z", line["time"]) and line["level"] in LEVELS, line
        assert line["part"] in ("hub", "log", "rooms", "accounts", "transport", "access") and line["message"], line
    seen = [line["metadata"] for line in told if line["part"] == "access"]
    assert [(line["method"], line["path"], line["status"]) for line in seen] == [
        ("GET", "/healthz", 200), ("GET", "-", 404), ("GET", "/api/rooms/{code}", 404), ("GET", "/index.html", 200),
        ("GET", "/ws/lobby", 426), ("-", "/healthz", 501), ("HEAD", "/healthz", 200)], seen
    assert [line["bytes"] for line in seen][0::6] == [3, 0] and all(line["ms"] >= 0 for line in seen)
    assert {line["client"] for line in seen} == {"127.0.0.1"}


def accesses(hub):
    """Method, path and status of each line of the access log."""
    hub.kill(signal.SIGTERM)
    seen = [line["metadata"] for line in lines(hub) if line["part"] == "access"]
    assert all(isinstance(line["bytes"], int) and line["ms"] >= 0 for line in seen), seen
    return [(line["client"], line["method"], line["path"], line["status"]) for line in seen]


@pytest.mark.parametrize("sent, status", [
    (b"A SECRET\r\n\r\n", 400), (b"GET /SECRET HTTP/1.1\r\n\r\n", 400), (b"GET /SECRET HTTP/3.0\r\nHost: x\r\n\r\n", 505),
    (b"GET /" + b"SECRET" * 2_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414),
    (b"POST /api/players HTTP/1.1\r\nHost: x\r\nX: SECRET\r\nContent-Length: 70000\r\n\r\n", 413)],
    ids=["no HTTP", "no host", "an unknown version", "a huge target", "a huge body"])
def test_bytes_that_are_not_a_request_have_a_line_without_them(loud, sent, status):
    with socket.create_connection(("127.0.0.1", loud.port), timeout=20) as client:
        client.sendall(sent)
        assert client.recv(1 << 16).startswith(b"HTTP/1.1 %d " % status)
    assert accesses(loud) == [("127.0.0.1", "-", "-", status)]
    assert "SECRET" not in loud.logged()


def test_an_address_with_too_many_connections_has_a_line(make_hub):
    hub = make_hub(
        "--log-level", "critical,access=info", "--log-format", "json", "--access-log", "on", "--connections", "1",
        "--trusted-proxy", "127.0.0.1", "--connections-per-address", "1")
    hub.start()
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "A" * 22 + "==",
               "Sec-WebSocket-Version": "13", "X-Forwarded-For": "192.0.2.7"}
    inside, late = (http.client.HTTPConnection("127.0.0.1", hub.port, timeout=20) for _ in range(2))
    inside.request("GET", "/healthz")
    inside.getresponse().read()
    late.request("GET", "/api/rooms", headers={"X-Forwarded-For": "192.0.2.8"})
    assert late.getresponse().status == 503
    late.close()
    inside.request("GET", "/ws/lobby", headers=upgrade)
    assert inside.getresponse().status == 101
    assert accesses(hub) == [
        ("127.0.0.1", "GET", "/healthz", 200), ("192.0.2.8", "GET", "/api/rooms", 503), ("192.0.2.7", "GET", "/ws/lobby", 101)]


def test_a_proxys_client_with_too_many_websockets_has_a_line_of_its_refusal(make_hub):
    hub = make_hub(
        "--log-level", "critical,access=info", "--log-format", "json", "--access-log", "on",
        "--trusted-proxy", "127.0.0.1", "--connections-per-address", "1")
    hub.start()
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "A" * 22 + "==",
               "Sec-WebSocket-Version": "13", "X-Forwarded-For": "192.0.2.7"}
    clients = [http.client.HTTPConnection("127.0.0.1", hub.port, timeout=20) for _ in range(2)]
    for client in clients:
        client.request("GET", "/ws/lobby", headers=upgrade)
    statuses = {client.getresponse().status for client in clients}
    assert statuses == {101, 429}
    assert {line[3] for line in accesses(hub)} == statuses


@pytest.mark.parametrize("level, parts", [
    ("info", {"hub", "access"}), ("info,access=warning", {"hub"}), ("critical,access=info", {"access"}),
    ("critical", set())])
def test_a_part_can_have_its_own_level(make_hub, level, parts):
    hub = make_hub("--log-level", level, "--log-format", "json", "--access-log", "on")
    hub.start()
    ask(hub, "GET", "/healthz")
    hub.kill(signal.SIGTERM)
    assert {line["part"] for line in lines(hub)} - {"transport"} == parts


def test_by_default_no_connection_has_a_line(make_hub):
    hub = make_hub("--log-level", "info")
    hub.start()
    ask(hub, "GET", "/healthz")
    token, _ = hub.server.register("Quinn")
    hub.server.open_room(token)
    hub.kill(signal.SIGTERM)
    logged = [line for line in hub.logged().splitlines() if not line.startswith("Flipside ")]
    parts = {re.match(r"\S+Z [a-z]+ ([a-z]+): ", line)[1] for line in logged}
    assert parts <= {"hub", "log", "rooms", "accounts", "transport"}, logged
    assert len([line for line in logged if "stopping" not in line and "descriptors" not in line]) == 0, logged

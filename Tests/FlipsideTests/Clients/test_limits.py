"""What one address may do in a minute is counted once for the hub, whichever loop gets the request, and correct requests
succeed past the limit. All comes from 127.0.0.2, which counts like any other address; 127.0.0.1 does not. Also what happens
to a hub without free descriptors."""

import collections, contextlib, http.client, itertools, json, os, resource

import pytest
import websockets

from cluster import wait_until
from flipside import new_token, until

# Fewer than a hub's default, since a slow machine must exceed them within a minute too.
FAILURES, REGISTRATIONS = 40, 60


def ask(hub, method, path, token=None, body=None, source="127.0.0.2"):
    """One request on its own connection, so that all loops get some; the status, and the problem's code."""
    connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=20, source_address=(source, 0))
    headers = {"Authorization": "Bearer " + token} if token else {}
    connection.request(method, path, body and json.dumps(body), headers)
    answer = connection.getresponse()
    said = json.loads(answer.read())
    connection.close()
    assert (answer.getheader("Retry-After") is not None) == (answer.status == 429), said
    return answer.status, said.get("code")


async def greeted(hub, code, token):
    """What a room answers to `token`: the codes of its errors, and the close code, or None if it stays open."""
    url, errors = f"ws://127.0.0.1:{hub.port}/ws/rooms/{code}", []
    async with websockets.connect(url, subprotocols=["flipside.v1"], local_addr=("127.0.0.2", 0)) as socket:
        await socket.send(json.dumps({"type": "hello", "token": token}))
        try:
            while (message := json.loads(await socket.recv()))["type"] != "welcome":
                errors.append(message.get("code"))
        except websockets.ConnectionClosed as closed:
            return errors, closed.rcvd.code
        return errors, None


@pytest.fixture
def hub(make_hub):
    hub = make_hub("--loops", 2, "--failures-per-minute", FAILURES, "--registrations-per-minute", REGISTRATIONS)
    hub.start()
    return hub


@pytest.fixture
def player(server):
    """A player's token, and the code of a room."""
    token, _ = server.register("Ann")
    return token, server.open_room(token)


@pytest.fixture
def answers(hub):
    """The answers to an address that made wrong requests, until it had made enough."""
    answers, wrong = collections.Counter(), new_token()
    for number in range(2 * FAILURES + 60):
        answers[ask(hub, "GET", f"/api/rooms/wrong{number}")] += 1
        answers[ask(hub, "POST", "/api/rooms", wrong, {"game": "memory"})] += 1
    return answers


def test_failures_are_counted_over_all_loops(answers):
    wanted = {(404, "no-such-room"): FAILURES // 2, (401, "unknown-token"): FAILURES // 2}
    wanted[429, "too-many-failures"] = 2 * (2 * FAILURES + 60) - FAILURES
    assert answers == wanted


async def test_correct_requests_succeed_past_the_limit(hub, player, answers):
    token, code = player
    assert ask(hub, "GET", f"/api/rooms/{code}")[0] == 200
    assert ask(hub, "POST", "/api/rooms", token, {"game": "memory"})[0] == 201
    assert await greeted(hub, code, token) == ([], None)
    assert await greeted(hub, code, new_token()) == ([], 1008)


def test_another_address_is_counted_separately(hub, answers):
    assert ask(hub, "GET", "/api/rooms/wrong", source="127.0.0.3")[0] == 404


def test_registrations_are_counted(hub):
    answers = collections.Counter(
        ask(hub, "POST", "/api/players", body={"name": "Ben", "token": new_token()})[1] for _ in range(REGISTRATIONS + 50))
    assert answers == {None: 1, "name-taken": REGISTRATIONS - 1, "too-many-players": 50}


def test_a_line_names_an_address_that_is_past_a_limit(make_hub):
    hub = make_hub("--connections-per-address", "1", "--log-level", "notice")
    hub.start()
    inside, late = (http.client.HTTPConnection("127.0.0.1", hub.port, timeout=20, source_address=("127.0.0.2", 0)) for _ in "12")
    inside.request("GET", "/healthz")
    assert inside.getresponse().read() == b"ok\n"
    late.request("GET", "/api/rooms")
    assert late.getresponse().status == 429
    line = "a limit was passed (logged once a minute) addresses=127.0.0.2 limit=connections-per-address times=1"
    wait_until("a line", lambda: line in hub.logged(), hub.logged)


async def test_without_descriptors_open_connections_are_served_and_new_ones_wait(hub):
    inside, late = (http.client.HTTPConnection("127.0.0.1", hub.port, timeout=20) for _ in range(2))

    def limits_hit():
        inside.request("GET", "/metrics")
        lines = inside.getresponse().read().decode().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith('flipside_limits_total{limit="descriptors"} '))

    assert limits_hit() == 0
    taken = {int(name) for name in os.listdir(f"/proc/{hub.process.pid}/fd")}
    soft, hard = resource.prlimit(hub.process.pid, resource.RLIMIT_NOFILE)
    first_free = next(number for number in itertools.count() if number not in taken)
    resource.prlimit(hub.process.pid, resource.RLIMIT_NOFILE, (first_free, hard))
    late.request("GET", "/readyz")
    await until("a connection that there is no descriptor for", lambda: limits_hit() > 0)
    resource.prlimit(hub.process.pid, resource.RLIMIT_NOFILE, (soft, hard))
    assert late.getresponse().status == 200


@pytest.mark.parametrize("limit, status", [("--connections", 503), ("--connections-per-address", 429)])
def test_health_probes_are_answered_when_all_connections_are_taken(make_hub, limit, status):
    hub = make_hub(limit, 2)
    hub.start()

    def answer(connection, method, path):
        connection.request(method, path)
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.getheader("Connection")

    def late(method, path):
        with contextlib.closing(connect()) as connection:
            return answer(connection, method, path)

    def connect():
        return http.client.HTTPConnection("127.0.0.1", hub.port, timeout=20, source_address=("127.0.0.2", 0))

    with contextlib.closing(connect()) as first, contextlib.closing(connect()) as second:
        for connection in (first, second):
            assert answer(connection, "GET", "/healthz") == (200, b"ok\n", None)
        # They do not keep the connection that they should not have.
        assert late("GET", "/healthz") == (200, b"ok\n", "close")
        assert late("GET", "/readyz") == (200, b"ready\n", "close")
        assert late("HEAD", "/healthz") == (200, b"", "close")
        assert b"flipside_connections" in late("GET", "/metrics")[1]
        for method, path in ("GET", "/"), ("GET", "/api/rooms"), ("POST", "/healthz"), ("GET", "/healthz/"):
            assert late(method, path)[0] == status, (method, path)

"""Whose pages may open WebSockets, and by which names the hub answers."""

import http.client, json

import pytest
import websockets

SITE = "https://play.example"


async def opened(hub, origin):
    """200 where a page of this site may look at the lobby, else the refusal's status and code."""
    try:
        async with websockets.connect(f"ws://127.0.0.1:{hub.port}/ws/lobby", origin=origin, subprotocols=["flipside.v1"]):
            return 200, None
    except websockets.InvalidStatus as refused:
        return refused.response.status_code, json.loads(refused.response.body)["code"]


FOREIGN = 403, "foreign-origin"


@pytest.mark.parametrize("options, allowed, refused", [
    ([], [None, "http://127.0.0.1:{port}", "https://127.0.0.1:{port}"], ["http://127.0.0.1", SITE, "null"]),
    (["--origin", SITE], [None, SITE], ["http://127.0.0.1:{port}", "http://play.example"]),
    (["--public-url", SITE], [None, SITE, "http://127.0.0.1:{port}"], ["http://play.example"]),
    (["--origin", "none"], [None, SITE, "null"], [])])
async def test_pages_of_other_sites_open_no_websockets(make_hub, options, allowed, refused):
    hub = make_hub(*options)
    hub.start()
    told = {origin: await opened(hub, origin and origin.format(port=hub.port)) for origin in allowed + refused}
    assert told == {origin: (200, None) for origin in allowed} | {origin: FOREIGN for origin in refused}


def test_the_hub_answers_to_its_names_alone(make_hub):
    hub = make_hub("--host-name", "play.example", "--host-name", "localhost")
    hub.start()

    def status(path, host):
        connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=20)
        connection.request("GET", path, headers=dict(Host=host))
        answer = connection.getresponse()
        answer.read()
        return answer.status

    for host in "play.example", "PLAY.example:80", f"localhost:{hub.port}":
        assert {status(path, host) for path in ("/", "/api/rooms", "/metrics", "/healthz")} == {200}
    assert [status(path, "evil.example") for path in ("/", "/api/rooms", "/metrics", "/healthz", "/readyz")] == [
        421, 421, 421, 200, 200]

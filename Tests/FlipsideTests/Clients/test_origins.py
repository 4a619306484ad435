"""Whose pages may open WebSockets and use the API, and which host names the hub answers to."""

import http.client, json

import pytest
import websockets

from flipside import new_token

SITE = "https://play.example"


async def opened(hub, origin):
    """200 if a page of this site may open the lobby, else the refusal's status and code."""
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


def test_the_hub_answers_only_to_its_names(make_hub):
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


def ask(hub, method, path, origin=None, kind="application/json", **headers):
    """The status, the code of a problem, and the fields of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=20)
    fields = dict(Origin=origin, Content_Type=kind) | headers
    body = json.dumps(dict(name=f"Ann {ask.count}", token=new_token())) if method == "POST" else None
    ask.count += 1
    connection.request(method, path, body, {name.replace("_", "-"): value for name, value in fields.items() if value})
    answer = connection.getresponse()
    text = answer.read()
    return answer.status, json.loads(text).get("code") if answer.status >= 400 else None, answer.headers


ask.count = 0
PREFLIGHT = dict(kind=None, Access_Control_Request_Method="POST", Access_Control_Request_Headers="authorization,content-type")
CORS = "Access-Control-Allow-Origin"


@pytest.mark.parametrize("options, allowed, refused", [
    ([], {None: None, "http://127.0.0.1:{port}": None}, [SITE, "null"]),
    (["--origin", SITE], {None: None, SITE: SITE}, ["http://127.0.0.1:{port}", "http://play.example"]),
    (["--origin", "none"], {None: "*", SITE: "*", "null": "*"}, [])])
def test_pages_of_allowed_sites_use_the_api_and_others_change_nothing(make_hub, options, allowed, refused):
    hub = make_hub(*options)
    hub.start()
    for origin, named in allowed.items():
        origin = origin and origin.format(port=hub.port)
        for method, path in ("POST", "/api/players"), ("GET", "/api/rooms"), ("GET", "/api/players/me"):
            status, _, fields = ask(hub, method, path, origin)
            assert (status, fields[CORS]) == (401 if path.endswith("/me") else 201 if method == "POST" else 200, named)
            assert not named or "X-Flipside-Log" in fields["Access-Control-Expose-Headers"]
        status, _, fields = ask(hub, "OPTIONS", "/api/players", origin, **PREFLIGHT)
        assert (status, fields[CORS]) == (204 if options else 405, named), origin
        if options:
            assert "X-Flipside-Token" in fields["Access-Control-Allow-Headers"] and "POST" in fields["Access-Control-Allow-Methods"]
    for origin in refused:
        origin = origin.format(port=hub.port)
        assert ask(hub, "POST", "/api/players", origin)[:2] == FOREIGN
        assert ask(hub, "DELETE", "/api/players/me", origin)[:2] == FOREIGN
        status, _, fields = ask(hub, "GET", "/api/rooms", origin)
        assert (status, fields[CORS]) == (200, None)


@pytest.mark.parametrize("kind, status", [
    (None, 201), ("application/json", 201), ("Application/JSON ; charset=utf-8", 201),
    ("application/x-www-form-urlencoded", 201), ("text/plain", 415), ("text/plain;charset=UTF-8", 415),
    ("multipart/form-data; boundary=a", 415), ("application/json-patch+json", 415)])
def test_a_body_that_is_not_declared_as_json_registers_no_one(hub, kind, status):
    assert ask(hub, "POST", "/api/players", kind=kind)[:2] == (status, "unsupported-media-type" if status == 415 else None)

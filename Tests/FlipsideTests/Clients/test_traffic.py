"""Every message of the protocol is sent and received, from the first name to the hub's end, and checked against its schema,
every request against its OpenAPI file. In between, the hub is killed and restarted, so that lost time has to be given back."""

import json, pathlib, signal, subprocess

import pytest

from all_games import alone, connect_four, dots_and_boxes, go_fish, goofspiel, offices, race, reversi, table
from api_description import Description
from flipside import Server, finish, new_token, until
from protocol_schema import Checker
from recorded_traffic import HANDS, LoudPage, TRAFFIC, ask, problem, record

HERE = pathlib.Path(__file__).parent
pytestmark = [pytest.mark.seconds(30), pytest.mark.xdist_group("traffic")]
# The lines of each room's log, by its code.
LOGS = {}
# Each request with its answer.
REQUESTS = []


def register(server, name):
    player = {"name": name, "token": new_token()}
    record("http.register", player)
    # The second time it has happened already.
    return [ask(server, "http.player", "POST", "/api/players", body=player) for _ in range(2)][1]["id"], player["token"]


def account(server, token):
    """Everything that a player has besides a name; the same name again at the end."""
    for name in ("Ada L.", "Ada"):
        record("http.rename", {"name": name})
        ask(server, "http.player", "PUT", "/api/players/me/name", token, {"name": name})
    for kind, path in (("http.linkCode", "link-code"), ("http.recoveryCode", "recovery-code")):
        device = {"code": ask(server, kind, "POST", f"/api/players/me/{path}", token)["code"],
                  "token": new_token(), "device": "Firefox on Linux"}
        record("http.addDevice", device)
        for _ in range(2):
            ask(server, "http.device", "POST", "/api/players/devices", body=device)
        problem(server, 404, "POST", "/api/players/devices", body=device | {"token": new_token()})
    for other in ask(server, "http.account", "GET", "/api/players/me", token)["devices"][1:]:
        server.http("DELETE", f"/api/players/me/devices/{other['id']}", token)
        problem(server, 404, "DELETE", f"/api/players/me/devices/{other['id']}", token)
    device = ask(server, "http.account", "GET", "/api/players/me", token)["devices"][0]["id"]
    problem(server, 409, "DELETE", f"/api/players/me/devices/{device}", token)


def forgotten(server, hub):
    """One player forgets the account, another one is forgotten by the operator."""
    server.http("DELETE", "/api/players/me", register(server, "Eve")[1])
    register(server, "Mallory")
    address, key = (pathlib.Path(hub.folder) / "operator").read_text().split()
    operators = Server(f"http://{address}")
    operators.http("DELETE", "/api/players/Mallory", key)
    problem(operators, 404, "DELETE", "/api/players/Mallory", key)


def http(server, token):
    """All requests of the HTTP API; returns the code of a room for two."""
    room = {"game": "memory", "visibility": "unlisted", "options": {"seats": 2, "theme": "numbers", "pairs": None}}
    record("http.open", room)
    code = ask(server, "http.room", "POST", "/api/rooms", token, room)["code"]
    ask(server, "http.room", "GET", f"/api/rooms/{code}")
    ask(server, "http.room", "POST", "/api/rooms", token, {"game": "memory"})
    ask(server, "http.rooms", "GET", "/api/rooms")
    ask(server, "http.games", "GET", "/api/players/me/games", token)
    for path in ("/", f"/room/{code}", f"/replay/{code}", f"/api/rooms/{code}/log?after=0", "/healthz", "/readyz", "/metrics"):
        server.http("GET", path)
    problem(server, 404, "GET", "/api/rooms/nosuchroom")
    problem(server, 404, "GET", "/nothing")
    problem(server, 405, "POST", "/healthz", body={})
    problem(server, 401, "POST", "/api/rooms", body=room)
    problem(server, 422, "POST", "/api/rooms", token, {"game": "chess"})
    problem(server, 422, "POST", "/api/rooms", token, {"game": "memory", "options": {"rows": 99}})
    problem(server, 422, "POST", "/api/players", body={"name": "", "token": "A" * 43})
    problem(server, 409, "POST", "/api/players", body={"name": "ADA", "token": "A" * 43})
    problem(server, 426, "GET", f"/ws/rooms/{code}")
    return code


async def every_command(server, token):
    """Each command with the fewest fields that the schema allows, by the host of a new room. The result, an event or a
    refusal, is checked like everything else."""
    checker = Checker()
    for command in checker.commands():
        code = ask(server, "http.room", "POST", "/api/rooms", token, {"game": "memory"})["code"]
        page = await LoudPage.join(server, code, token)
        fields = checker.least(checker.schema["$defs"][command])
        await page.command(fields.pop("type"), **{name: value for name, value in fields.items() if name != "id"})
        await page.socket.close()


async def lobby(server, token):
    """The list of open rooms, while one is opened and closed."""
    page = await LoudPage.enter_lobby(server)
    code = ask(server, "http.room", "POST", "/api/rooms", token, {"game": "memory"})["code"]
    host = await LoudPage.join(server, code, token)
    await page.until(lambda message: message["type"] == "room" and message["room"]["code"] == code)
    await page.say({"type": "ping", "n": 2})
    await page.until_type("pong")
    assert (await host.command("close"))["type"] == "ok"
    await page.until(lambda message: message["type"] == "room-gone" and message["code"] == code)


async def leaderboard(server):
    """Results follow the log within a second or two: asks until those of both players and games are there."""
    def results():
        return json.loads(server.http("GET", "/api/leaderboard?game=reversi"))["results"]

    await until("the results", lambda: len(results()) == 4)
    page = ask(server, "http.leaderboard", "GET", "/api/leaderboard?game=reversi&mode=8x8&against=people&order=best&span=day&limit=1")
    assert page["results"][0]["score"] == 13 and page["next"], page
    assert ask(server, "http.leaderboard", "GET", "/api/leaderboard?limit=1&after=" + page["next"]) is not None
    problem(server, 400, "GET", "/api/leaderboard?order=best")
    problem(server, 400, "GET", "/api/leaderboard?limit=0")


async def say_everything(hub):
    server = hub.start()
    tokens = dict(register(server, name) for name in ("Ada", "Bob"))
    token = next(iter(tokens.values()))
    account(server, token)
    forgotten(server, hub)
    await table(server, http(server, token), tokens)
    await offices(server, tokens)
    await every_command(server, token)
    await reversi(server, tokens)
    await connect_four(server, tokens)
    await dots_and_boxes(server, tokens)
    await go_fish(server, tokens)
    await goofspiel(server, tokens)
    await race(server, tokens)
    await leaderboard(server)
    await lobby(server, token)
    page = await alone(server, hub, *tokens.values())
    for code in {message["code"] for kind, message in TRAFFIC if kind == "http.room"}:
        # The last newcomer has seen all of it.
        version = (await LoudPage.join(server, code)).welcome["version"]
        LOGS[code] = [line.decode() for line in server.log(code)][:version]
    hub.process.send_signal(signal.SIGTERM)
    await page.until_type("notice")


@pytest.fixture(scope="module")
def traffic(make_module_hub):
    # Other tests may come in between: then all of it is repeated, with another hub.
    for said in (TRAFFIC, HANDS, LOGS, REQUESTS):
        said.clear()
    Server.witness = staticmethod(lambda *request: REQUESTS.append(request))
    try:
        finish(say_everything(make_module_hub()), 120)
    finally:
        Server.witness = None
    return TRAFFIC


def test_all_messages_fit_the_schema(traffic):
    checker = Checker()
    wrong = [(checker.violation(*said), said) for said in traffic]
    assert [found for found in wrong if found[0]] == []


def test_all_messages_of_the_schema_occur(traffic):
    checker = Checker()
    for said in traffic:
        checker.violation(*said)
    assert checker.never() == [], "of these none came: a scene here or in all_games.py is to lead to it"


def test_all_requests_and_answers_fit_the_api(traffic):
    description = Description()
    assert [found for request in REQUESTS if (found := description.violation(*request))] == []


def test_all_of_the_api_is_asked_for(traffic):
    description = Description()
    for request in REQUESTS:
        description.violation(*request)
    assert description.successes() - set(description.counts) == set(), "of these none came"


def test_the_page_finds_what_the_hub_has_shown(traffic, web):
    """Each event of the schema has come in it, and each hand and deal of a finished game is found again."""
    welcomes = [message for direction, message in traffic if direction == "hub" and message["type"] == "welcome"]
    rooms = [
        {"code": code, "lines": lines, "welcomes": [one for one in welcomes if one["room"]["code"] == code],
         "hands": HANDS.get(code, [])}
        for code, lines in LOGS.items()
    ]
    read = subprocess.run(
        ["node", HERE / "read-logs.mjs", web], input=json.dumps(rooms), text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)
    assert read.returncode == 0, read.stdout

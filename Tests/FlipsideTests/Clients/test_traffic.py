"""All that the protocol has is said and heard, from the first name to the hub's end, and held to its schema. The hub is killed
and started again in between, so that time has to be made up for."""

import hashlib, json, os, pathlib, signal, subprocess

import pytest

from flipside import Page, finish, new_token, until
from protocol_schema import Checker

HERE = pathlib.Path(__file__).parent
pytestmark = [pytest.mark.seconds(30), pytest.mark.xdist_group("traffic")]
# What was said: the direction, or the kind of an HTTP body, and the message.
TRAFFIC = []
# The log of each room, by its code.
LOGS = {}


def record(direction, message):
    TRAFFIC.append((direction, message))


class LoudPage(Page):
    """Records what it says and hears, and what a newcomer is told after each of its commands."""

    @classmethod
    async def join(cls, server, code, token=None, **hello):
        page = await super().join(server, code, token, **hello)
        page.server, page.code = server, code
        return page

    async def command(self, type, **fields):
        answer = await super().command(type, **fields)
        newcomer = await LoudPage.join(self.server, self.code)
        await newcomer.socket.close()
        return answer

    async def next(self):
        message = await super().next()
        record("hub", message)
        return message

    async def say(self, message):
        record("client", message)
        await self.socket.send(json.dumps(message))

    async def send(self, type, **fields):
        self.count += 1
        id = f"{self.prefix}{self.count}"
        await self.say({"type": type, "id": id} | fields)
        return id

    async def until_type(self, *types):
        return await self.until(lambda message: message["type"] in types)


def ask(server, kind, method, path, token=None, body=None):
    """The JSON answer to a request, recorded as `kind`."""
    answer = json.loads(server.http(method, path, token, body))
    record(kind, answer)
    return answer


def problem(server, wanted, method, path, token=None, body=None):
    """A request that is refused with this status."""
    status, text = server.ask(method, path, token, body)
    assert status == wanted, path
    record("http.problem", json.loads(text))


def register(server, name):
    player = {"name": name, "token": new_token()}
    record("http.register", player)
    return ask(server, "http.player", "POST", "/api/players", body=player)["id"], player["token"]


def account(server, token):
    """All that a player has besides a name; the same name again at the end."""
    for name in ("Ada L.", "Ada"):
        record("http.rename", {"name": name})
        ask(server, "http.player", "PUT", "/api/players/me/name", token, {"name": name})
    for kind, path in (("http.linkCode", "link-code"), ("http.recoveryCode", "recovery-code")):
        device = {"code": ask(server, kind, "POST", f"/api/players/me/{path}", token)["code"],
                  "token": new_token(), "device": "Firefox on Linux"}
        record("http.addDevice", device)
        ask(server, "http.device", "POST", "/api/players/devices", body=device)
        problem(server, 404, "POST", "/api/players/devices", body=device | {"token": new_token()})
    for other in ask(server, "http.account", "GET", "/api/players/me", token)["devices"][1:]:
        server.http("DELETE", f"/api/players/me/devices/{other['id']}", token)
        problem(server, 404, "DELETE", f"/api/players/me/devices/{other['id']}", token)
    device = ask(server, "http.account", "GET", "/api/players/me", token)["devices"][0]["id"]
    problem(server, 409, "DELETE", f"/api/players/me/devices/{device}", token)


def http(server, token):
    """What there is over HTTP; the code of a room for two."""
    room = {"game": "memory", "visibility": "unlisted", "options": {"seats": 2, "theme": "numbers", "reveal": 200}}
    record("http.open", room)
    code = ask(server, "http.room", "POST", "/api/rooms", token, room)["code"]
    ask(server, "http.room", "GET", f"/api/rooms/{code}")
    ask(server, "http.room", "POST", "/api/rooms", token, {"game": "memory"})
    ask(server, "http.rooms", "GET", "/api/rooms")
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


async def flip(mover, watcher, cell):
    answer = await mover.command("flip", cell=cell)
    assert answer["type"] == "ok", answer
    return await watcher.until_type("show-card")


async def play(pages, watcher):
    """A whole game, by someone who forgets nothing; its last event."""
    start = await watcher.until_type("game-started")
    seats = {seat["seat"]: pages[seat["player"]] for seat in start["seats"]}
    turn = await watcher.until_type("turn")
    down = set(range(start["board"]["columns"] * start["board"]["rows"])) - {start["board"].get("gap")}
    faces = {}
    while turn["type"] == "turn":
        pair = next(((a, b) for a in down for b in down if a < b and faces.get(a, a) == faces.get(b, b)), None)
        for cell in pair or sorted(down, key=lambda cell: (cell in faces, cell))[:2]:
            faces[cell] = (await flip(seats[turn["seat"]], watcher, cell))["face"]
        after = await watcher.until_type("match", "hide-card")
        if after["type"] == "match":
            down -= set(after["cells"])
        turn = await watcher.until_type("turn", "game-ended")
    return turn


async def table(server, code, tokens):
    """A game of two with all that can be asked for around it."""
    watcher = await LoudPage.join(server, code)
    pages = {player: await LoudPage.join(server, code, token) for player, token in tokens.items()}
    a, b = pages.values()
    await a.say({"type": "ping", "n": 1})
    await a.until_type("pong")
    # A stranger's token, and back; an `after` that the room has not reached.
    own = next(iter(tokens.values()))
    for hello in ({"token": "A" * 43}, {"token": own, "after": None, "head": None}, {"token": own, "after": 999}):
        await a.say({"type": "hello"} | hello)
        await a.until_type("welcome")
    for page, type, fields in [
        (b, "sit", {"seat": 1}), (b, "leave", {}), (b, "sit", {}), (a, "sit", {"seat": 1}), (a, "here", {}),
        (a, "options", {"options": {"columns": 3, "rows": 3, "turnTime": 60}}), (b, "start", {}), (b, "flip", {"cell": 0}),
        (a, "again", {}), (watcher, "sit", {}), (a, "start", {}), (a, "start", {}), (a, "flip", {"cell": 4}),
        (a, "flip", {"cell": 77}), (a, "options", {"options": {}}),
    ]:
        await page.command(type, **fields)
    end = await play(pages, watcher)
    assert end["reason"] == "finished" and end["reveal"], end
    assert (await a.command("again"))["type"] == "ok"
    # In the middle of a game, with a card up, for good.
    turn = await watcher.until_type("turn")
    mover = b if turn["seat"] == 0 else a
    for command in ("shuffle", "restart"):
        assert (await mover.command(command))["type"] == "ok", command
    assert (await mover.command("shuffle"))["code"] == "already-shuffled"
    await flip(mover, watcher, 0)
    assert (await b.command("leave"))["type"] == "ok"
    assert (await a.command("close"))["type"] == "ok"
    assert (await a.command("sit"))["code"] == "room-closed"
    for line in server.log(code):
        record("hub", json.loads(line))
    welcome = (await LoudPage.join(server, code)).welcome
    assert welcome["room"]["status"] == "closed"


async def offices(server, tokens):
    """What a host may do, and what is said; a game that is dealt with a player's nonce."""
    (host, token), (guest, other) = tokens.items()
    options = {"theme": "numbers", "columns": 2, "rows": 3, "seats": 4}
    code = ask(server, "http.room", "POST", "/api/rooms", token, {"game": "memory", "options": options})["code"]
    a, b = await LoudPage.join(server, code, token), await LoudPage.join(server, code, other)
    nonces = [os.urandom(16) for _ in range(2)]
    promises = [hashlib.sha256(nonce).hexdigest() for nonce in nonces]
    for page, type, fields in [
        (a, "sit", {"commitment": promises[0]}), (b, "sit", {"commitment": None}), (a, "say", {"text": "hello"}),
        (b, "react", {"emoji": "👏"}), (a, "mute", {"player": guest}), (b, "say", {"text": "pst"}),
        (a, "mute", {"player": guest, "on": False}), (a, "bot", {"seat": 2, "level": "easy"}),
        (a, "bot", {"seat": 2, "level": "clever"}), (a, "free", {"seat": 2}), (a, "free", {"seat": 2}), (a, "start", {}),
        (b, "sit", {"seat": 3}), (a, "ready", {"nonce": nonces[1].hex()}),
        (a, "ready", {"nonce": nonces[0].hex(), "commitment": promises[1]}), (a, "ban", {"player": guest}),
        (b, "sit", {}), (a, "ban", {"player": guest, "on": False}), (b, "sit", {}),
    ]:
        await page.command(type, **fields)
    late = await LoudPage.join(server, code, other)
    assert late.welcome["chat"][0]["text"] == "hello"
    assert (await a.command("leave"))["type"] == "ok"
    assert (await late.until_type("host-changed"))["player"] == guest


async def reversi(server, tokens):
    """Two short games of Reversi: one in which a player has to pass, and is resigned; one that is wiped out."""
    token, other = tokens.values()
    code = ask(server, "http.room", "POST", "/api/rooms", token, {"game": "reversi", "options": {"turnTime": 60}})["code"]
    a, b = await LoudPage.join(server, code, token), await LoudPage.join(server, code, other)
    for page in (a, b):
        assert (await page.command("sit"))["type"] == "ok"
    # Black has no move after the eighth.
    for name, moves in (("start", "c4c3e6b4a4a5b2a3"), ("again", "e6f4e3f6g5d6e7f5c5")):
        assert (await a.command(name))["type"] == "ok"
        movers = (a, b) if name == "start" else (b, a)
        for ply in range(len(moves) // 2):
            cell = ord(moves[2 * ply]) - ord("a") + 8 * (int(moves[2 * ply + 1]) - 1)
            answer = await movers[ply % 2].command("place", cell=cell)
            assert answer["type"] == "ok", (moves, ply, answer)
        if name == "start":
            assert (await a.command("place", cell=0))["type"] == "error"
            assert (await LoudPage.join(server, code)).welcome["view"]["moves"] == moves
            assert (await b.command("resign"))["type"] == "ok"
    late = await LoudPage.join(server, code)
    assert late.welcome["room"]["results"][0]["tournament"] in (0, 64), late.welcome["room"]


async def connect_four(server, tokens):
    """Two short games of connect four: one with a line of four, and one that is resigned."""
    token, other = tokens.values()
    code = ask(server, "http.room", "POST", "/api/rooms", token, {"game": "connect-four", "options": {"turnTime": 60}})["code"]
    a, b = await LoudPage.join(server, code, token), await LoudPage.join(server, code, other)
    for page in (a, b):
        assert (await page.command("sit"))["type"] == "ok"
    assert (await a.command("start"))["type"] == "ok"
    for page, column in ((a, 0), (b, 1), (a, 0), (b, 1), (a, 0), (b, 1), (a, 0)):
        assert (await page.command("drop", column=column))["type"] == "ok"
    assert (await LoudPage.join(server, code)).welcome["view"]["line"] == [14, 21, 28, 35]
    assert (await a.command("again"))["type"] == "ok"
    assert (await a.command("resign"))["type"] == "ok"


async def lobby(server, token):
    """The list of open rooms, while one is opened and closed."""
    page = await LoudPage.enter_lobby(server)
    code = ask(server, "http.room", "POST", "/api/rooms", token, {"game": "memory"})["code"]
    await page.until(lambda message: message["type"] == "room" and message["room"]["code"] == code)
    await page.say({"type": "ping", "n": 2})
    await page.until_type("pong")
    host = await LoudPage.join(server, code, token)
    assert (await host.command("close"))["type"] == "ok"
    await page.until(lambda message: message["type"] == "room-gone" and message["code"] == code)


async def leaderboard(server):
    """Results follow the log within a second or two: asked for until those of both players and games are there."""
    def results():
        return json.loads(server.http("GET", "/api/leaderboard?game=reversi"))["results"]

    await until("the results", lambda: len(results()) == 4)
    page = ask(server, "http.leaderboard", "GET", "/api/leaderboard?game=reversi&mode=8x8&order=best&span=day&limit=1")
    assert page["results"][0]["score"] == 13 and page["next"], page
    assert ask(server, "http.leaderboard", "GET", "/api/leaderboard?limit=1&after=" + page["next"]) is not None
    problem(server, 400, "GET", "/api/leaderboard?order=best")
    problem(server, 400, "GET", "/api/leaderboard?limit=0")


async def alone(server, hub, host, token):
    """Someone whose turns run out, before and after the hub was killed; for whom a computer plays, by the host's wish; who
    comes back, and leaves."""
    options = {"theme": "numbers", "turnTime": 5, "columns": 2, "rows": 3, "rule": "hard"}
    code = ask(server, "http.room", "POST", "/api/rooms", host, {"game": "memory", "options": options})["code"]
    other = await LoudPage.join(server, code, host)
    page = await LoudPage.join(server, code, token)
    for by, type, fields in ((page, "sit", {}), (other, "start", {}), (page, "flip", {"cell": 5})):
        assert (await by.command(type, **fields))["type"] == "ok"
    seen = (await LoudPage.join(server, code)).welcome
    assert "bonusFrom" in seen["view"]
    hub.kill()
    hub.start()
    page = await LoudPage.join(server, code, token, after=seen["version"], head=seen["head"])
    assert page.welcome["type"] == "resume"
    await page.until_type("clock-extended")
    for _ in range(3):
        await page.until_type("turn-expired")
    await page.until_type("away")
    other = await LoudPage.join(server, code, host)
    assert (await other.command("bot", seat=0, level="easy"))["type"] == "ok"
    await page.until_type("show-card")
    assert (await page.command("here"))["type"] == "ok"
    assert (await page.command("leave"))["type"] == "ok"
    return page


async def say_everything(hub):
    server = hub.start()
    tokens = dict(register(server, name) for name in ("Ada", "Bob"))
    token = next(iter(tokens.values()))
    account(server, token)
    await table(server, http(server, token), tokens)
    await offices(server, tokens)
    await reversi(server, tokens)
    await connect_four(server, tokens)
    await leaderboard(server)
    await lobby(server, token)
    page = await alone(server, hub, *tokens.values())
    for code in {message["code"] for kind, message in TRAFFIC if kind == "http.room"}:
        # Whoever comes last has seen all of it.
        version = (await LoudPage.join(server, code)).welcome["version"]
        LOGS[code] = [json.loads(line) for line in server.log(code)][:version]
    hub.process.send_signal(signal.SIGTERM)
    await page.until_type("notice")


@pytest.fixture(scope="module")
def traffic(make_module_hub):
    finish(say_everything(make_module_hub()), 120)
    return TRAFFIC


def test_all_that_is_said_fits_the_schema(traffic):
    checker = Checker()
    wrong = [(checker.violation(*said), said) for said in traffic]
    assert [found for found in wrong if found[0]] == []


def test_all_of_the_schema_is_said(traffic):
    checker = Checker()
    for said in traffic:
        checker.violation(*said)
    assert checker.never() == []


def test_the_page_folds_it_as_the_hub_does(traffic, web):
    """In which each event of the schema has come."""
    welcomes = [message for direction, message in traffic if direction == "hub" and message["type"] == "welcome"]
    rooms = [
        {"code": code, "events": events, "welcomes": [one for one in welcomes if one["room"]["code"] == code]}
        for code, events in LOGS.items()
    ]
    folded = subprocess.run(
        ["node", HERE / "fold-logs.mjs", web], input=json.dumps(rooms), text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)
    assert folded.returncode == 0, folded.stdout

"""The hub's part of the numbered rules in ProtocolConnection.md: each test names the rules that it is about."""

import asyncio, hashlib, json

import pytest
import websockets

from flipside import OPEN_TIMEOUT, Page, new_token

pytestmark = pytest.mark.seconds(5)


@pytest.fixture(scope="module")
def server(make_module_hub):
    return make_module_hub().start()


@pytest.fixture
def player(server):
    """A player's token, and a room that this player has opened."""
    token, _ = server.register("Ada")
    return token, server.open_room(token, columns=2, rows=3, theme="birds", reveal=200)


async def said(server, code, *messages, subprotocols=("flipside.v1",)):
    """A connection on which these are said."""
    url = f"{server.base.replace('http', 'ws', 1)}/ws/rooms/{code}"
    page = Page(await websockets.connect(url, subprotocols=subprotocols or None, open_timeout=OPEN_TIMEOUT))
    for message in messages:
        await page.socket.send(json.dumps(message))
    return page


@pytest.mark.parametrize("offered, named", [(("flipside.v1",), "flipside.v1"), ((), None), (("other",), None)])
async def test_any_subprotocol_is_accepted(server, player, offered, named):
    """R1"""
    page = await said(server, player[1], {"type": "hello"}, subprotocols=offered)
    assert page.socket.subprotocol == named
    assert (await page.next())["type"] == "welcome"


async def test_a_command_before_hello_is_refused(server, player):
    """R5"""
    page = await said(server, player[1], {"type": "sit", "id": "1"}, {"type": "hello"})
    assert (await page.next())["code"] == "hello-first"
    assert (await page.next())["type"] == "welcome"


async def test_a_command_right_after_hello_waits_for_the_greeting(server, player):
    """R5"""
    page = await said(server, player[1], {"type": "hello", "token": player[0]}, {"type": "sit", "id": "1"})
    assert [(await page.next())["type"] for _ in range(3)] == ["welcome", "seat-taken", "ok"]


async def test_a_hello_with_a_version_is_answered_by_what_comes_after_it(server, player):
    """R6, R8, R12, R30"""
    token, code = player
    page = await Page.join(server, code, token)
    await page.done("sit")
    for after in (1, 2):
        page = await Page.join(server, code, token, after=after)
        assert (page.welcome["type"], page.welcome["version"]) == ("resume", 2)
        assert "room" not in page.welcome and page.welcome["you"]["seat"] == 0
        if after == 1:
            assert (await page.next())["type"] == "seat-taken"
    await page.socket.send(json.dumps({"type": "hello", "token": token}))
    assert (await page.until(lambda message: message["type"] == "welcome"))["version"] == 2


@pytest.mark.parametrize("other", [{"after": 999}, {"after": 1, "head": "0" * 64}], ids=["version", "head"])
async def test_what_the_log_does_not_have_has_diverged(server, player, other):
    """R10"""
    page = await Page.join(server, player[1], player[0], **other)
    assert page.welcome["type"] == "welcome" and page.welcome["diverged"] is True


async def test_a_head_is_that_of_the_chain(server, player):
    """R10, R30"""
    page = await Page.join(server, player[1], player[0])
    line = server.log(player[1])[0]
    head = hashlib.sha256(f"room/{player[1]}".encode()).digest()
    sealed = bytes.fromhex(json.loads(line)["commitment"])
    assert page.welcome["head"] == hashlib.sha256(head + hashlib.sha256(line).digest() + sealed).hexdigest()


async def test_a_token_of_nobody_watches(server, player):
    """R11"""
    page = await said(server, player[1], {"type": "hello", "token": "A" * 43}, {"type": "sit", "id": "1"})
    assert (await page.next())["code"] == "unknown-token"
    assert (await page.next())["you"] == {"isHost": False}
    assert (await page.next())["code"] == "no-name"


async def test_a_revoked_device_watches(server, player):
    """R11"""
    token, code = player
    page = await Page.join(server, code, token)
    server.http("DELETE", "/api/players/me", token)
    error = await page.until(lambda message: message["type"] == "error")
    assert error["code"] == "unknown-token" and "id" not in error
    assert (await page.until(lambda message: message["type"] == "welcome"))["you"] == {"isHost": False}


@pytest.mark.parametrize("id, answer", [("x" * 40, "ok"), ("👏" * 40, "ok"), ("x" * 41, "bad-field"), ("", "bad-field")])
async def test_an_id_has_up_to_40_code_points(server, player, id, answer):
    """R13"""
    page = await Page.join(server, player[1], player[0])
    await page.socket.send(json.dumps({"type": "here", "id": id}))
    given = await page.until(lambda message: message["type"] in ("ok", "error"))
    assert given.get("code", "ok") == answer and given.get("id") == (id if answer == "ok" else None)


async def test_a_command_with_an_old_id_gets_the_answer_of_then(server, player):
    """R14, R15, R17: also on another connection, and for another command."""
    token, code = player
    first = await said(server, code, {"type": "hello", "token": token}, {"type": "sit", "id": "1"})
    assert await first.until(lambda message: message["type"] == "ok") == {"type": "ok", "id": "1", "v": 2}
    assert first.events[-1][1]["type"] == "seat-taken"
    await first.done("options", options={"turnTime": 60})
    second = await said(server, code, {"type": "hello", "token": token}, {"type": "leave", "id": "1"})
    assert await second.until(lambda message: message["type"] == "ok") == {"type": "ok", "id": "1", "v": 2}
    assert len(server.log(code)) == 3


async def test_a_refusal_is_not_remembered(server, player):
    """R18"""
    token, code = player
    flip = {"type": "flip", "id": "1", "cell": 0}
    page = await said(server, code, {"type": "hello", "token": token}, flip)
    assert (await page.until(lambda message: message["type"] == "error"))["code"] == "not-running"
    for command in ("sit", "start"):
        await page.done(command)
    await page.socket.send(json.dumps(flip))
    assert (await page.until(lambda message: message["type"] == "ok"))["id"] == "1"


async def test_a_command_is_judged_after_its_whole_commit(server, player):
    """R20: what is sent at the first event of a commit is judged after the last."""
    token, code = player
    page = await Page.join(server, code, token)
    await page.done("sit")
    await page.send("start")
    started = await page.until(lambda message: message["type"] == "game-started")
    assert started["more"] is True
    assert (await page.command("flip", cell=0))["type"] == "ok"
    assert [event["type"] for _, event in page.events][-3:] == ["game-started", "turn", "show-card"]


async def test_a_room_that_does_not_exist_is_a_404(server, player):
    """R2, R25"""
    assert server.refusal("GET", "/api/rooms/zzzzzz") == (404, "no-such-room")
    with pytest.raises(websockets.InvalidStatus) as refused:
        await said(server, "zzzzzz")
    assert refused.value.response.status_code == 404


@pytest.mark.parametrize("message, code", [(b"{}", 1003), ("x" * 65_537, 1009)], ids=["binary", "too-long"])
async def test_the_close_code_says_why(server, player, message, code):
    """R4, and the table of close codes."""
    page = await Page.join(server, player[1])
    await page.socket.send(message)
    with pytest.raises(websockets.ConnectionClosed) as closed:
        while True:
            await asyncio.wait_for(page.socket.recv(), 30)
    assert closed.value.rcvd.code == code


async def test_a_closed_room_takes_chat_and_nothing_else(server, player):
    """As the table of what is final says."""
    page = await Page.join(server, player[1], player[0])
    await page.done("close")
    assert (await page.command("sit"))["code"] == "room-closed"
    await page.done("say", text="bye")


async def test_the_lobby_ignores_hello_and_refuses_commands(server):
    page = await Page.enter_lobby(server)
    for message in ({"type": "hello"}, {"type": "sit", "id": "1"}):
        await page.socket.send(json.dumps(message))
    assert (await page.until(lambda message: message["type"] == "error"))["code"] == "unknown-type"


@pytest.mark.parametrize("name, answer", [
    ("👨‍👩‍👧‍👦" * 24, "name-too-long"), ("क्" * 24 + "क" * 24, None), ("क्" * 47 + "क", None), ("a" * 25, "name-too-long"),
], ids=["code-points", "devanagari", "one-cluster", "characters"])
def test_names_have_two_lengths(server, name, answer):
    """24 characters as people count them, of at most 96 code points."""
    status, text = server.ask("POST", "/api/players", body={"name": name, "token": new_token()})
    assert json.loads(text).get("code") == answer, text

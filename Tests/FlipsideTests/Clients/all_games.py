"""Games that show everything the protocol has for rooms."""

import hashlib, json, os

from recorded_traffic import LoudPage, ask, record


async def flip(mover, watcher, cell):
    answer = await mover.command("flip", cell=cell)
    assert answer["type"] == "ok", answer
    return await watcher.until_type("show-card")


async def play(pages, watcher):
    """A whole game, by a player with a perfect memory; returns its last event."""
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


async def rematch(one, other):
    """Another game, which both want."""
    proposed = await one.done("propose", what="rematch")
    await other.done("answer", agrees=True, to=proposed["v"])


async def table(server, code, tokens):
    """A game of two, with every request that a table allows."""
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
        (a, "visibility", {"visibility": "public"}), (b, "visibility", {"visibility": "unlisted"}),
        (a, "propose", {"what": "rematch"}), (watcher, "sit", {}), (a, "start", {}), (a, "start", {}), (a, "flip", {"cell": 4}),
        (a, "flip", {"cell": 77}), (a, "options", {"options": {}}),
    ]:
        await page.command(type, **fields)
    end = await play(pages, watcher)
    assert end["reason"] == "finished" and end["reveal"], end
    await rematch(a, b)
    # In the middle of a game, with a card up, for good.
    turn = await watcher.until_type("turn")
    mover = b if turn["seat"] == 0 else a
    assert (await mover.command("shuffle"))["type"] == "ok"
    assert (await mover.command("shuffle"))["code"] == "already-shuffled"
    await flip(mover, watcher, 0)
    # Dealt again only if both agree; a refused player has to wait.
    other = a if mover is b else b
    for page, answering, agrees, ends in ((mover, other, False, "proposal-ended"), (other, mover, True, "game-started")):
        proposed = await page.done("propose", what="restart")
        await LoudPage.join(server, code)
        await answering.done("answer", agrees=agrees, to=proposed["v"])
        await watcher.until_type(ends)
    assert (await b.command("leave"))["type"] == "ok"
    assert (await a.command("close"))["type"] == "ok"
    assert (await a.command("sit"))["code"] == "room-closed"
    for line in server.log(code):
        record("hub", json.loads(line))
    welcome = (await LoudPage.join(server, code)).welcome
    assert welcome["room"]["status"] == "closed"


async def offices(server, tokens):
    """What a host may do, and the messages about it; a game that is dealt with a player's nonce."""
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
        (a, "bot", {"seat": 2, "level": "clever"}), (a, "free", {"seat": 2}), (a, "free", {"seat": 2}),
        (a, "options", {"options": {"seats": None, "columns": None}}), (b, "sit", {"seat": 5}), (a, "start", {}),
        (b, "sit", {"seat": 3}), (a, "ready", {"nonce": nonces[1].hex()}),
        (a, "ready", {"nonce": nonces[0].hex(), "commitment": promises[1]}), (a, "ban", {"player": guest}),
        (b, "sit", {}), (a, "ban", {"player": guest, "on": False}), (b, "sit", {}),
    ]:
        await page.command(type, **fields)
    late = await LoudPage.join(server, code, other)
    assert late.welcome["chat"][0]["text"] == "hello"
    assert (await a.command("leave"))["type"] == "ok"
    assert (await late.until_type("host-changed"))["player"] == guest


async def seated(server, tokens, game, **options):
    """The code of a room, and the pages of two players who have taken its first seats."""
    token, other = tokens.values()
    code = ask(server, "http.room", "POST", "/api/rooms", token, {"game": game, "options": options})["code"]
    pages = [await LoudPage.join(server, code, one) for one in (token, other)]
    for page in pages:
        assert (await page.command("sit"))["type"] == "ok"
    return code, *pages


async def race(server, tokens):
    """A game of Memory in which both turn cards at once, until both leave."""
    code, a, b = await seated(server, tokens, "memory", columns=2, rows=3, theme="numbers", order="free", turnTime=60)
    assert (await a.command("start"))["type"] == "ok"
    for page, cell in ((a, 0), (b, 1)):
        assert (await page.command("flip", cell=cell))["type"] == "ok"
    assert (await a.command("flip", cell=1))["code"] in ("card-is-up", "card-is-won")
    view = (await LoudPage.join(server, code)).welcome["view"]
    assert view["attempts"].keys() == ({"0", "1"} if view["up"] else set()), view
    for page in (a, b):
        assert (await page.command("leave"))["type"] == "ok"


async def reversi(server, tokens):
    """Two short games of Reversi: one in which a player has to pass, and then resigns; one that ends with no disc of one
    side."""
    code, a, b = await seated(server, tokens, "reversi", turnTime=60)
    # Black has no move after the eighth.
    for name, moves in (("start", "c4c3e6b4a4a5b2a3"), ("rematch", "e6f4e3f6g5d6e7f5c5")):
        if name == "start":
            assert (await a.command("start"))["type"] == "ok"
        else:
            await rematch(b, a)
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
    """Two short games of connect four: one with a line of four, and one with a resignation."""
    code, a, b = await seated(server, tokens, "connect-four", turnTime=60)
    assert (await a.command("start"))["type"] == "ok"
    for page, column in ((a, 0), (b, 1), (a, 0), (b, 1), (a, 0), (b, 1), (a, 0)):
        assert (await page.command("drop", column=column))["type"] == "ok"
    assert (await LoudPage.join(server, code)).welcome["view"]["line"] == [14, 21, 28, 35]
    await rematch(a, b)
    assert (await a.command("resign"))["type"] == "ok"


async def dots_and_boxes(server, tokens):
    """A game of dots and boxes to its end, and one with a resignation."""
    code, a, b = await seated(server, tokens, "dots-and-boxes", size=3, seats=2, turnTime=60)
    assert (await a.command("start"))["type"] == "ok"
    movers = {"a": a, "b": b}
    for move in "a0 b2 a6 b11 a7 a9 b4 a10 a5 b3 b8 a1".split():
        assert (await movers[move[0]].command("draw", line=int(move[1:])))["type"] == "ok", move
    late = (await LoudPage.join(server, code)).welcome
    assert late["view"]["boxes"] == [0, 0, 0, 1] and late["view"]["awaited"] == [], late["view"]
    await rematch(a, b)
    assert (await a.command("draw", line=12))["code"] in ("no-such-line", "not-your-turn")
    assert (await a.command("resign"))["type"] == "ok"
    assert (await LoudPage.join(server, code)).welcome["view"]["out"] == [{"seat": 0, "reason": "resigned"}]


async def hear_all(*pages):
    """Each page has then read all that was sent to it."""
    for page in pages:
        await page.say({"type": "ping", "n": 0})
        await page.until_type("pong")


async def go_fish(server, tokens):
    """A game of Go Fish with pairs to its end, by players who cannot know better, and one with a resignation."""
    code, a, b = await seated(server, tokens, "go-fish", books="pairs", turnTime=60)
    assert (await a.command("start"))["type"] == "ok"
    assert (await a.command("ask", seat=0, rank="A"))["code"] == "no-such-player"
    assert (await a.command("ask", seat=1, rank="1"))["code"] == "no-such-rank"
    pages, end, asked = (a, b), None, 0
    while not end:
        await hear_all(*pages)
        turn = next(event["seat"] for _, event in reversed(a.events) if event["type"] == "turn")
        ranks = sorted({card[:-1] for card in pages[turn].hand["cards"]})
        # Without the newcomer's welcome that others get after each command, since this takes many.
        id = await pages[turn].send("ask", seat=1 - turn, rank=ranks[asked % len(ranks)])
        assert (await pages[turn].until(lambda message: message.get("id") == id))["type"] == "ok"
        asked += 1
        end = next((event for _, event in pages[turn].events if event["type"] == "game-ended"), None)
    assert end["reason"] == "finished" and sum(result["score"] for result in end["results"]) == 26, end
    late = (await LoudPage.join(server, code)).welcome
    assert late["view"]["pond"] == 0 and set(late["view"]["cards"].values()) == {0}, late["view"]
    await rematch(a, b)
    assert (await a.command("resign"))["type"] == "ok"


async def goofspiel(server, tokens):
    """A game of Goofspiel with four cards to its end, and one with a resignation."""
    code, a, b = await seated(server, tokens, "goofspiel", cards=4, seats=2, turnTime=60)
    assert (await a.command("start"))["type"] == "ok"
    assert (await a.command("bid", card=5))["code"] == "no-such-card"
    for own, theirs in ((1, 1), (2, 3), (3, 4), (4, 2)):
        assert (await a.command("bid", card=own))["type"] == "ok"
        assert (await a.command("bid", card=own))["code"] in ("not-your-turn", "not-running")
        await hear_all(a, b)
        assert a.hand["bid"] == own and "bid" not in b.hand, (a.hand, b.hand)
        assert (await b.command("bid", card=theirs))["type"] == "ok"
    end = next(event for _, event in b.events if event["type"] == "game-ended")
    assert end["reason"] == "finished" and len(end["reveal"]["seals"]) == 8, end
    sealed = {event["v"]: event["seal"] for _, event in b.events if event["type"] == "bid-sealed"}
    for seal in end["reveal"]["seals"]:
        assert hashlib.sha256(bytes.fromhex(seal["sealed"])).hexdigest() == sealed[seal["v"]], seal
        assert json.loads(bytes.fromhex(seal["sealed"])[32:]).keys() == {"card"}, seal
    await rematch(a, b)
    assert (await a.command("bid", card=1))["type"] == "ok"
    assert (await b.command("resign"))["type"] == "ok"


async def alone(server, hub, host, token):
    """A player whose turns run out, before and after the hub was killed; the host lets a computer play for them; they return,
    and leave."""
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

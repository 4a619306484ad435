"""Scenes in which every message of the protocol comes, each kept as an example for its pages under a name."""

import asyncio, hashlib, json, os, pathlib, re, signal, sys, tempfile, urllib.error, urllib.request

from flipside import Page, new_token, surroundings, until
from protocol_pages import blocks, dumped, written

# No limit is in the way of rooms that are opened until the cards lie as an example needs them.
OPTIONS = ("--rooms-per-day", 10_000, "--commands-per-second", 10_000)
SMALL = {"columns": 2, "rows": 3, "theme": "birds"}


class Actor(Page):
    """Keeps the lines of all that it says and hears."""

    @classmethod
    async def enter(cls, stage, code, name=None, **hello):
        actor = cls(await cls.connect(f"{stage.server.base.replace('http', 'ws', 1)}/ws/rooms/{code}", stage.server))
        actor.stage, actor.letter, actor.heard = stage, (name or "w")[0].lower(), []
        await actor.say({"type": "hello"} | ({"token": stage.tokens[name]} if name else {}) | hello)
        actor.welcome = await actor.until_type("welcome", "resume")
        return actor

    async def say(self, message):
        self.heard.append("> " + dumped(message))
        await self.socket.send(json.dumps(message))

    async def send(self, type, **fields):
        self.count += 1
        id = f"{self.letter}{self.count}"
        await self.say({"type": type, "id": id} | fields)
        return id

    async def next(self):
        message = await super().next()
        self.heard.append("< " + dumped(message))
        if message["type"] == "hand":
            self.hand = dumped(message)
        return message

    async def until_type(self, *types):
        return await self.until(lambda message: message["type"] in types)

    async def catch_up(self):
        """Hears all that has been said to it so far."""
        await self.say({"type": "ping", "n": 0})
        await self.until_type("pong")

    async def shows(self, example, type, **fields):
        """A command as an example, with its answer and what comes in between."""
        await self.catch_up()
        start = len(self.heard)
        answer = await self.command(type, **fields)
        self.keeps(example, self.heard[start:])
        return answer

    def keeps(self, example, lines):
        """Presence comes at no certain moment."""
        self.stage.keep(example, [line for line in lines if '{"type":"presence"' not in line])


class Stage:
    """A hub with three players, and the examples that it has given."""

    def __init__(self, server):
        self.server, self.texts, self.tokens, self.ids = server, {}, {}, {}
        for name in ("Ada", "Bob", "Cleo"):
            self.tokens[name] = new_token()
            self.ids[name] = self.ask("POST", "/api/players", body={"name": name, "token": self.tokens[name]})["id"]

    def ask(self, method, path, name=None, body=None):
        return json.loads(self.server.http(method, path, self.tokens.get(name), body))

    def open(self, game="memory", name="Ada", **options):
        return self.ask("POST", "/api/rooms", name, {"game": game, "options": options})["code"]

    async def room(self, *names, game="memory", **options):
        """A room in which these players have the first seats, in this order."""
        code = self.open(game, **options)
        actors = [await Actor.enter(self, code, name) for name in names]
        for actor in actors:
            await actor.done("sit")
        return code, *actors

    def keep(self, example, lines):
        self.texts[example] = written(lines)

    def keep_last(self, example, actor):
        """What an actor has heard last."""
        self.keep(example, [actor.heard[-1].removeprefix("< ")])

    def keep_commit(self, example, code, types):
        """The first commit of a room whose events are of these types."""
        commits = [[]]
        for line in self.server.log(code):
            commits[-1].append(line.decode())
            if '"more":true' not in line.decode():
                commits.append([])
        found = [[json.loads(line)["type"] for line in commit] for commit in commits]
        self.keep(example, commits[found.index(types.split())])

    def http(self, example, method, path, name=None, body=None):
        """A request with its answer."""
        request = urllib.request.Request(self.server.base + path, method=method, data=body and dumped(body).encode())
        if name:
            request.add_header("Authorization", "Bearer " + self.tokens[name])
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                status, text = answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            status, text = error.code, error.read().decode()
        said = [f"> {method} {path}" + (" " + dumped(body) if body else "")]
        if name:
            said.append("> Authorization: Bearer " + self.tokens[name])
        self.keep(example, said + ["< " + line for line in f"{status} {text}".rstrip().split("\n")])
        return json.loads(text) if text.startswith("{") and "\n" not in text.rstrip() else None


async def waiting_room(stage):
    """What happens in a room before its first game."""
    code = stage.open(seats=4, turnTime=20, **SMALL)
    stage.keep_commit("event/room-opened", code, "room-opened")
    ada = await Actor.enter(stage, code, "Ada")
    bob = await Actor.enter(stage, code, "Bob")
    await ada.until(lambda message: message["type"] == "presence" and message["came"])
    stage.keep_last("hub/presence", ada)
    await ada.done("sit")
    await bob.shows("command/sit", "sit", seat=2)
    stage.keep_commit("event/seat-taken", code, "seat-taken")
    await bob.shows("command/leave", "leave")
    stage.keep_commit("event/seat-freed", code, "seat-freed")
    await ada.shows("command/options", "options", options={"seats": 3, "turnTime": None})
    stage.keep_commit("event/options-changed", code, "options-changed")
    await ada.shows("command/visibility", "visibility", visibility="unlisted")
    stage.keep_commit("event/visibility-changed", code, "visibility-changed")
    await ada.shows("command/bot", "bot", seat=1, level="easy")
    await ada.shows("command/free", "free", seat=1)
    await bob.shows("command/say", "say", text="Shall we?")
    await ada.until_type("chat")
    stage.keep_last("hub/chat", ada)
    await bob.shows("command/react", "react", emoji="👏")
    await ada.until_type("reaction")
    stage.keep_last("hub/reaction", ada)
    await ada.shows("command/mute", "mute", player=stage.ids["Bob"])
    stage.keep_commit("event/player-muted", code, "player-muted")
    await bob.shows("hub/error", "sit", seat=7)
    await bob.done("sit")
    await ada.shows("command/ban", "ban", player=stage.ids["Bob"])
    stage.keep_commit("event/player-banned", code, "player-banned seat-freed")
    await ada.shows("hub/ok", "here")
    await ada.shows("command/close", "close")
    stage.keep_commit("event/room-closed", code, "room-closed")
    watcher = await Actor.enter(stage, code)
    start = len(watcher.heard)
    await watcher.say({"type": "ping", "n": 7})
    await watcher.until_type("pong")
    watcher.keeps("command/ping", watcher.heard[start:])
    start = len(watcher.heard)
    await watcher.say({"type": "hello", "token": "A" * 43})
    await watcher.until_type("error")
    watcher.keeps("hub/error-token", watcher.heard[start:])


async def host_leaves(stage):
    code, ada, bob = await stage.room("Ada", "Bob", **SMALL)
    await ada.done("leave")
    stage.keep_commit("event/host-changed", code, "seat-freed host-changed")


async def proposals(stage):
    code, ada, bob = await stage.room("Ada", "Bob", seats=2, **SMALL)
    await ada.done("start")
    stage.keep_commit("event/game-started", code, "game-started turn")
    proposed = await ada.shows("command/propose", "propose", what="restart")
    stage.keep_commit("event/proposed", code, "proposed")
    await bob.shows("command/answer", "answer", agrees=False, to=proposed["v"])
    stage.keep_commit("event/proposal-ended", code, "answered proposal-ended")
    seen = (await Actor.enter(stage, code)).welcome
    await bob.done("leave")
    stage.keep_commit("event/player-left", code, "player-left")
    # The watcher, and Bob.
    await ada.until(lambda message: message.get("spectators") == 2)
    again = await Actor.enter(stage, code, "Ada", after=seen["version"], head=seen["head"])
    await again.until_type("player-left")
    again.keeps("command/hello", again.heard)


async def dealing(stage):
    """A game into whose draw a player has put a nonce."""
    nonces = [bytes.fromhex(digit * 32) for digit in "56"]
    promises = [hashlib.sha256(nonce).hexdigest() for nonce in nonces]
    code = stage.open(seats=2, **SMALL)
    ada, bob = await Actor.enter(stage, code, "Ada"), await Actor.enter(stage, code, "Bob")
    await ada.shows("command/sit-commitment", "sit", commitment=promises[0])
    await bob.done("sit", commitment=promises[1])
    await ada.done("start")
    stage.keep_commit("event/dealing", code, "dealing")
    await ada.shows("command/ready", "ready", nonce=nonces[0].hex(), commitment=promises[1])
    await bob.done("ready", nonce=nonces[1].hex())
    stage.keep_commit("event/ready", code, "ready game-started turn")


async def memory(stage):
    """Rooms until in one the first two cards are a pair, and in one they are not."""
    left = {"match", "hide-card"}
    while left:
        code, ada, bob = await stage.room("Ada", "Bob", seats=2, turnTime=60, reveal=200, **SMALL)
        await ada.done("start")
        await ada.shows("command/flip", "flip", cell=0)
        stage.keep_commit("event/show-card", code, "show-card")
        await ada.done("flip", cell=1)
        kind = (await ada.until_type("match", "hide-card") if not any('"type":"match"' in line for line in ada.heard)
                else {"type": "match"})["type"]
        if kind == "match" and "match" in left:
            stage.keep_commit("event/match", code, "show-card match turn")
            await ada.done("flip", cell=2)
            watcher = await Actor.enter(stage, code, "Bob")
            stage.keep("hub/welcome", [watcher.heard[-1].removeprefix("< ")])
        if kind == "hide-card" and "hide-card" in left:
            stage.keep_commit("event/hide-card", code, "hide-card turn")
            await bob.shows("command/shuffle", "shuffle")
            stage.keep_commit("event/cards-shuffled", code, "cards-shuffled")
        left.discard(kind)
    await end_of_memory(stage)


async def race(stage):
    """Rooms until in one the second player takes the first one's card, and then both have a card up."""
    attempts = {}
    while len(attempts) < 2:
        code, ada, bob = await stage.room("Ada", "Bob", seats=2, order="free", turnTime=60, **SMALL)
        await ada.done("start")
        await ada.done("flip", cell=0)
        await bob.done("flip", cell=1)
        if not any(event["type"] == "match" for _, event in bob.events):
            continue
        await ada.done("flip", cell=2)
        await bob.done("flip", cell=3)
        view = (await Actor.enter(stage, code)).welcome["view"]
        attempts = view["attempts"]
    stage.keep_commit("event/turns", code, "game-started turns")
    stage.keep_commit("memory/race", code, "show-card match")
    stage.keep("memory/race-view", [dumped(view)])


async def end_of_memory(stage):
    """Rooms until one is played to its end without a mistake, from the first cell to the last."""
    while True:
        code, ada = await stage.room("Ada", seats=1, **SMALL)
        await ada.done("start")
        for cell in range(6):
            await ada.done("flip", cell=cell)
            if cell % 2 == 1 and not any(event["type"] == "match" and cell in event["cells"] for _, event in ada.events):
                break
        else:
            return stage.keep_commit("memory/game-ended", code, "show-card match game-ended")
        await ada.socket.close()


async def back(stage):
    """A player who is marked away, and comes back."""
    code, ada = await stage.room("Ada", seats=1, turnTime=5, **SMALL)
    await ada.done("start")
    await ada.until_type("away")
    stage.keep_commit("event/turn-expired", code, "turn-expired turn")
    stage.keep_commit("event/away", code, "turn-expired away turn")
    await ada.until_type("turn")
    await ada.shows("command/here", "here")
    stage.keep_commit("event/back", code, "back turn")


async def helped(stage):
    """A player for whom a computer plays."""
    code = stage.open(turnTime=5, **SMALL)
    ada, bob = await Actor.enter(stage, code, "Ada"), await Actor.enter(stage, code, "Bob")
    await bob.done("sit")
    await ada.done("start")
    await ada.until_type("away")
    await ada.done("bot", seat=0, level="easy")
    stage.keep_commit("event/seat-helped", code, "seat-helped back turn")
    # Before the computer has thought of a move.
    await bob.done("here")
    stage.keep_commit("event/seat-returned", code, "seat-returned")


def square(name):
    """a1 is 0, h8 63."""
    return ord(name[0]) - ord("a") + 8 * (int(name[1]) - 1)


async def reversi(stage):
    code, ada, bob = await stage.room("Ada", "Bob", game="reversi", turnTime=60)
    await ada.done("start")
    await ada.shows("command/place", "place", cell=square("c4"))
    stage.keep_commit("event/place-disc", code, "place-disc turn")
    watcher = await Actor.enter(stage, code)
    stage.keep("reversi/view", [dumped(watcher.welcome["view"])])
    # After the last of these the first player has no move.
    for ply, move in enumerate(["c3", "e6", "b4", "a4", "a5", "b2", "a3"]):
        await (bob, ada)[ply % 2].done("place", cell=square(move))
    stage.keep_commit("event/pass", code, "place-disc pass turn")
    await ada.shows("command/resign", "resign")
    stage.keep_commit("event/resigned", code, "resigned game-ended")
    code, ada, bob = await stage.room("Ada", "Bob", game="reversi", turnTime=60)
    await ada.done("start")
    for ply, move in enumerate(["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]):
        await (ada, bob)[ply % 2].done("place", cell=square(move))
    stage.keep_commit("reversi/game-ended", code, "place-disc game-ended")


async def connect_four(stage):
    code, ada, bob = await stage.room("Ada", "Bob", game="connect-four", turnTime=60)
    await ada.shows("command/start", "start")
    await ada.shows("command/drop", "drop", column=0)
    for example in ("event/drop-disc", "event/turn"):
        stage.keep_commit(example, code, "drop-disc turn")
    for actor, column in ((bob, 1), (ada, 0), (bob, 1), (ada, 0), (bob, 1)):
        await actor.done("drop", column=column)
    watcher = await Actor.enter(stage, code)
    stage.keep("connect-four/view", [dumped(watcher.welcome["view"])])
    await ada.done("drop", column=0)
    stage.keep_commit("event/game-ended", code, "drop-disc game-ended")
    proposed = await bob.done("propose", what="rematch")
    await ada.done("answer", agrees=True, to=proposed["v"])
    stage.keep_commit("event/answered", code, "answered game-started turn")


async def dots_and_boxes(stage):
    code, ada, bob = await stage.room("Ada", "Bob", game="dots-and-boxes", turnTime=60, size=3)
    await ada.done("start")
    # The first box, and with the last line the last one.
    for actor, line in ((ada, 0), (bob, 2), (ada, 6), (bob, 11)):
        await actor.done("draw", line=line)
    await ada.shows("command/draw", "draw", line=7)
    stage.keep_commit("event/draw-line", code, "draw-line turn")
    watcher = await Actor.enter(stage, code)
    stage.keep("dots-and-boxes/view", [dumped(watcher.welcome["view"])])
    for actor, line in ((ada, 9), (bob, 4), (ada, 10), (ada, 5), (bob, 3), (bob, 8), (ada, 1)):
        await actor.done("draw", line=line)
    stage.keep_commit("dots-and-boxes/game-ended", code, "draw-line game-ended")


async def ranks_of(actor):
    """The ranks of the cards that an actor has."""
    await actor.catch_up()
    return [card[:-1] for card in json.loads(actor.hand)["hand"]["cards"]]


async def go_fish(stage):
    """Rooms until one has begun without a book, with a rank that both have and one that only the first has."""
    while True:
        code, ada, bob = await stage.room("Ada", "Bob", game="go-fish", turnTime=60)
        await ada.done("start")
        own, other = await ranks_of(ada), await ranks_of(bob)
        stage.keep("hub/hand", [ada.hand])
        held = [rank for rank in own if other.count(rank) == 1 and own.count(rank) < 3]
        missing = [rank for rank in own if rank not in other]
        if not held or not missing or len(own) < 7 or len(other) < 7:
            continue
        await ada.shows("command/ask", "ask", seat=1, rank=held[0])
        stage.keep_commit("event/cards-asked", code, "cards-asked turn")
        watcher = await Actor.enter(stage, code)
        stage.keep("go-fish/view", [dumped(watcher.welcome["view"])])
        await ada.done("ask", seat=1, rank=missing[0])
        drawn = next(event for _, event in reversed(ada.events) if event["type"] == "card-drawn")
        if "rank" in drawn or any(event["type"] == "book" for _, event in ada.events):
            continue
        stage.keep_commit("event/card-drawn", code, "cards-asked card-drawn turn")
        await bob.done("resign")
        stage.keep_commit("go-fish/game-ended", code, "resigned game-ended")
        return await first_book(stage)


async def first_book(stage):
    """Rooms until one has begun without a book, and in which both have a card of one rank."""
    while True:
        code, ada, bob = await stage.room("Ada", "Bob", game="go-fish", turnTime=60, books="pairs")
        await ada.done("start")
        own, other = await ranks_of(ada), await ranks_of(bob)
        held = [rank for rank in own if rank in other]
        if held and len(own) == len(other) == 7:
            await ada.done("ask", seat=1, rank=held[0])
            return stage.keep_commit("event/book", code, "cards-asked book turn")


async def goofspiel(stage):
    """A round with four cards, and a game in which a player resigns after the other has bid."""
    code, ada, bob = await stage.room("Ada", "Bob", game="goofspiel", turnTime=60, cards=4)
    await ada.done("start")
    stage.keep_commit("event/prize-shown", code, "game-started prize-shown")
    await ada.shows("command/bid", "bid", card=1)
    stage.keep_commit("event/bid-sealed", code, "bid-sealed")
    watcher = await Actor.enter(stage, code)
    stage.keep("goofspiel/view", [dumped(watcher.welcome["view"])])
    await bob.done("bid", card=2)
    stage.keep_commit("event/bids-shown", code, "bid-sealed bids-shown prize-shown")
    code, ada, bob = await stage.room("Ada", "Bob", game="goofspiel", turnTime=60, cards=4)
    await ada.done("start")
    await ada.done("bid", card=4)
    await bob.done("resign")
    stage.keep_commit("goofspiel/game-ended", code, "resigned game-ended")


async def busy(stage):
    """All that needs neither an empty list of rooms nor a hub that is stopped."""
    await asyncio.gather(*(scene(stage) for scene in (
        waiting_room, host_leaves, proposals, dealing, memory, race, back, helped, reversi, connect_four,
        dots_and_boxes, go_fish, goofspiel)))


async def lobby(stage):
    """The list of open rooms while one is opened and closed."""
    page = await Page.enter_lobby(stage.server)
    code, ada = await stage.room("Ada", seats=2, **SMALL)
    change = await page.until(lambda message: message["type"] == "room" and message["room"]["seats"]["taken"] == 1
                              and "hostName" in message["room"])
    stage.keep("hub/room", [dumped(change)])
    whole = (await Page.enter_lobby(stage.server)).welcome
    stage.keep("hub/rooms", [dumped(whole)])
    await ada.done("close")
    stage.keep("hub/room-gone", [dumped(await page.until(lambda message: message["type"] == "room-gone"))])


async def http(stage):
    """Every route that clients use."""
    cleo = {"name": "Cleo", "token": stage.tokens["Cleo"]}
    dora, stage.tokens["Dora"] = {"name": "Dora", "device": "Firefox on Linux"}, new_token()
    dora["token"] = stage.tokens["Dora"]
    stage.http("http/register", "POST", "/api/players", body=dora)
    stage.http("http/problem", "POST", "/api/players", body=cleo | {"token": new_token()})
    stage.http("http/rename", "PUT", "/api/players/me/name", "Dora", {"name": "Dora L."})
    code = stage.http("http/link-code", "POST", "/api/players/me/link-code", "Dora")["code"]
    stage.tokens["phone"] = new_token()
    stage.http("http/add-device", "POST", "/api/players/devices",
               body={"code": code, "token": stage.tokens["phone"], "device": "Phone"})
    account = stage.http("http/account", "GET", "/api/players/me", "Dora")
    stage.http("http/revoke", "DELETE", f"/api/players/me/devices/{account['devices'][1]['id']}", "Dora")
    stage.http("http/recovery-code", "POST", "/api/players/me/recovery-code", "Dora")
    stage.http("http/forget", "DELETE", "/api/players/me", "Dora")
    room = stage.http("http/open", "POST", "/api/rooms", "Ada", {"game": "connect-four", "options": {"turnTime": 60}})["code"]
    ada, bob = await Actor.enter(stage, room, "Ada"), await Actor.enter(stage, room, "Bob")
    for actor in (ada, bob):
        await actor.done("sit")
    await ada.done("start")

    async def until_listed(path, name, wanted):
        await until(path, lambda: wanted(stage.ask("GET", path, name)))

    await until_listed("/api/players/me/games", "Bob", lambda answer: answer["rooms"])
    await until_listed("/api/rooms", None, lambda answer: [one for one in answer["rooms"] if one["present"] == 2 and "awaited" in one])
    stage.http("http/games", "GET", "/api/players/me/games", "Bob")
    stage.http("http/rooms", "GET", "/api/rooms")
    stage.http("http/room", "GET", f"/api/rooms/{room}")
    stage.http("http/log", "GET", f"/api/rooms/{room}/log?after=3")
    for actor, column in ((ada, 0), (bob, 1), (ada, 0), (bob, 1), (ada, 0), (bob, 1), (ada, 0)):
        await actor.done("drop", column=column)
    path = "/api/leaderboard?game=connect-four&mode=7x6&against=people&order=best&limit=1"
    await until_listed(path, "Ada", lambda answer: "own" in answer)
    stage.http("http/leaderboard", "GET", path, "Ada")
    stage.http("http/healthz", "GET", "/healthz")


async def stopped(hub):
    """A hub that is killed while a turn's time runs, and told to stop."""
    stage = Stage(hub.start())
    code, ada, bob = await stage.room("Ada", "Bob", seats=2, turnTime=60, **SMALL)
    await ada.done("start")
    hub.kill()
    await asyncio.sleep(1.2)
    hub.start()
    bob = await Actor.enter(stage, code, "Bob", after=1)
    await bob.until_type("clock-extended")
    stage.keep_commit("event/clock-extended", code, "clock-extended")
    hub.process.send_signal(signal.SIGTERM)
    await bob.until_type("notice")
    stage.keep_last("hub/notice", bob)
    return stage


async def quiet(stage):
    await lobby(stage)
    await http(stage)


async def quick_start(server):
    """What the shell lines of the quick start print, run word for word but for the address of the hub."""
    first, second = (text for _, name, text in blocks("shell") if name.startswith("quick-start/"))
    script = f"{first}\necho; echo ===\n{second}".replace("http://127.0.0.1:8080", server.base)
    # `python3` is the one that has `websockets`.
    environment = surroundings() | {"PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"}
    with tempfile.TemporaryDirectory() as folder:
        shell = await asyncio.create_subprocess_exec(
            "bash", "-c", script, cwd=folder, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
        printed = (await shell.communicate())[0].decode()
    # What moves the cursor in a terminal.
    opened, played = re.sub(r"\x1b(?:\[[A-Z]|\d)", "\n", printed).split("===")
    return opened.split(), [line for line in played.splitlines() if line.startswith("< ")]


async def started(make_hub):
    """The quick start on hubs of its own, until the two cards differ, as four times out of five."""
    while True:
        for opened, played in await asyncio.gather(*(
                quick_start(make_hub().start()) for _ in range(2))):
            if any('"type":"hide-card"' in line for line in played):
                return {"quick-start/open": written(opened), "quick-start/play": written(played)}


async def all_examples(make_hub):
    """The text of each example, by its name."""
    stages = [Stage(make_hub().start()) for _ in range(2)]
    last, start, *_ = await asyncio.gather(
        stopped(make_hub()), started(make_hub), busy(stages[0]), quiet(stages[1]))
    return start | {name: text for stage in [*stages, last] for name, text in stage.texts.items()}

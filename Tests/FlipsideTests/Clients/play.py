"""Plays a whole game of Memory over the protocol with Python's websockets, and checks what it is told. play.py BASE_URL [CA]"""

import asyncio, hashlib, json, random, ssl, sys, urllib.error

from flipside import Page, Server, conforms

SERVER = Server(sys.argv[1], ssl.create_default_context(cafile=sys.argv[2]) if len(sys.argv) > 2 else None)


def words(seed):
    for block in range(2**32):
        digest = hashlib.sha256(seed + block.to_bytes(4, "big")).digest()
        yield from (int.from_bytes(digest[i : i + 4], "big") for i in range(0, 32, 4))


def shuffle(items, stream):
    for i in range(len(items) - 1, 0, -1):
        bound = i + 1
        while (word := next(stream)) >= 2**32 // bound * bound:
            pass
        j = word % bound
        items[i], items[j] = items[j], items[i]


def deal(server_seed, faces, pairs):
    """The deck as it was dealt, cell by cell, on a board without a gap."""
    stream = words(hashlib.sha256(b"flipside/deck/1" + server_seed).digest())
    faces = list(dict.fromkeys(faces))
    shuffle(faces, stream)
    deck = [face for face in faces[:pairs] for _ in range(2)]
    shuffle(deck, stream)
    return deck


async def main():
    tokens = dict(SERVER.register(name)[::-1] for name in ("Py", "Thon"))
    host, guest = tokens
    code = SERVER.open_room(tokens[host], columns=4, rows=3, theme="numbers", reveal=200)
    pages = {player: await Page.join(SERVER, code, token, is_strict=True) for player, token in tokens.items()}
    watcher = await Page.join(SERVER, code, is_strict=True)
    for player in tokens:
        assert (await pages[player].command("sit"))["type"] == "ok"
    assert (await pages[guest].command("start"))["code"] == "not-host"
    assert (await pages[host].command("start"))["type"] == "ok"
    start = await watcher.until(lambda m: m["type"] == "game-started")
    turn = await watcher.until(lambda m: m["type"] == "turn")
    holder = {seat["seat"]: seat["player"] for seat in start["seats"]}
    known, won = {}, set()
    while True:
        mover = pages[holder[turn["seat"]]]
        down = [cell for cell in range(12) if cell not in won]
        pair = next(([a, b] for a in down for b in down if a < b and known.get(a, a) == known.get(b, b)), None)
        first = pair[0] if pair else random.choice([cell for cell in down if cell not in known])
        for attempt in range(2):
            twin = next((c for c in down if c != first and known.get(c) == known.get(first, first)), None)
            rest = [cell for cell in down if cell != first and cell not in known] or [c for c in down if c != first]
            cell = first if attempt == 0 else twin if twin is not None else random.choice(rest)
            answer = await mover.command("flip", cell=cell)
            assert answer["type"] == "ok", answer
            shown = await watcher.until(lambda m: m["type"] == "show-card")
            assert shown["cell"] == cell
            known[cell] = shown["face"]
        after = await watcher.until(lambda m: m["type"] in ("match", "hide-card"))
        if after["type"] == "match":
            won |= set(after["cells"])
        turn = await watcher.until(lambda m: m["type"] in ("turn", "game-ended"))
        if turn["type"] == "game-ended":
            break
    for page in pages.values():
        if not any(event["type"] == "game-ended" for _, event in page.events):
            await page.until(lambda m: m["type"] == "game-ended")

    log = SERVER.log(code)
    events = [json.loads(line) for line in log]
    assert [event["v"] for event in events] == list(range(1, len(events) + 1)), "versions have gaps"
    for page in [watcher, *pages.values()]:
        for raw, event in page.events:
            assert log[event["v"] - 1] == raw, "the log differs from what was sent"
    seed = bytes.fromhex(turn["reveal"]["seed"])
    assert hashlib.sha256(seed).hexdigest() == events[0]["commitment"], "the commitment does not hold"
    deck = deal(seed, start["theme"]["faces"], start["board"]["pairs"])
    assert all(deck[cell] == face for cell, face in known.items()), "the deck is not the one committed to"

    head = hashlib.sha256(f"room/{code}".encode()).digest()
    for line, event in zip(log, events):
        sealed = bytes.fromhex(event["commitment"]) if "commitment" in event else b""
        head = hashlib.sha256(head + hashlib.sha256(line).digest() + sealed).digest()
    for event in events:
        conforms("hub", event)
    resumed = await Page.join(SERVER, code, is_strict=True, after=3)
    assert resumed.welcome["type"] == "resume"
    assert (await resumed.command("sit"))["code"] == "no-name"
    late = await Page.join(SERVER, code, is_strict=True)
    assert late.welcome["head"] == head.hex() and late.welcome["version"] == len(events), "the chain does not hold"
    try:
        SERVER.http("GET", "/api/rooms/nosuchroom")
        raise AssertionError("a room that does not exist was found")
    except urllib.error.HTTPError as error:
        assert error.code == 404 and conforms("http.problem", json.load(error))["code"] == "no-such-room"
    conforms("http.room", json.loads(SERVER.http("GET", f"/api/rooms/{code}")))
    conforms("http.rooms", json.loads(SERVER.http("GET", "/api/rooms")))
    print(json.dumps({"events": len(events), "results": turn["results"]}))


asyncio.run(asyncio.wait_for(main(), 60))

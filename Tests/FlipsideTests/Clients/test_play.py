"""A whole game of Memory over the protocol, by Python's websockets, in plain and over TLS."""

import hashlib, json

import pytest

from flipside import Page, conforms, finish
from memory_game import Game, chained, deal

pytestmark = pytest.mark.xdist_group("play")


@pytest.fixture(scope="module", params=["plain", "tls"])
def server(request, make_module_hub, certificate, tmp_path_factory):
    is_tls = request.param == "tls"
    return make_module_hub(data=tmp_path_factory.mktemp("data"), certificate=certificate if is_tls else None).start()


@pytest.fixture(scope="module")
def game(server):
    """A complete game."""
    return finish(Game.played(server), 60)


async def test_only_the_host_starts(server):
    tokens = [server.register(name)[0] for name in ("Py", "Thon")]
    code = server.open_room(tokens[0])
    pages = [await Page.join(server, code, token, is_strict=True) for token in tokens]
    for page in pages:
        await page.done("sit")
    assert (await pages[1].command("start"))["code"] == "not-host"
    await pages[0].done("start")


def test_versions_have_no_gaps(game):
    assert [event["v"] for event in game.events] == list(range(1, len(game.events) + 1))


def test_the_log_is_what_was_sent(game):
    for seen in game.seen:
        assert seen and all(game.log[event["v"] - 1] == raw for raw, event in seen)


def test_the_log_fits_the_schema(game):
    for event in game.events:
        conforms("hub", event)


def test_the_commitment_holds(game):
    seed = bytes.fromhex(game.end["reveal"]["seed"])
    assert hashlib.sha256(seed).hexdigest() == game.events[0]["commitment"]


def test_the_deck_is_the_one_committed_to(game):
    deck = deal(bytes.fromhex(game.end["reveal"]["seed"]), game.start["theme"]["faces"], game.start["board"]["pairs"])
    assert game.known and all(deck[cell] == face for cell, face in game.known.items())


async def test_the_chain_holds(server, game):
    late = await Page.join(server, game.code, is_strict=True)
    assert late.welcome["version"] == len(game.log)
    assert late.welcome["head"] == chained(game.code, game.log).hex()


async def test_a_returning_client_is_resumed(server, game):
    page = await Page.join(server, game.code, is_strict=True, after=3)
    assert page.welcome["type"] == "resume"
    assert (await page.command("sit"))["code"] == "no-name"


def test_rooms_are_described(server, game):
    conforms("http.room", json.loads(server.http("GET", f"/api/rooms/{game.code}")))
    conforms("http.rooms", json.loads(server.http("GET", "/api/rooms")))
    assert server.refusal("GET", "/api/rooms/nosuchroom") == (404, "no-such-room")

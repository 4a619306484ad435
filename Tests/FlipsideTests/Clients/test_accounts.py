"""A player's life over real sockets: devices come and go, the name changes, and at the end no trace of them is on disk."""

import base64, hashlib, json, pathlib

import pytest

from flipside import Page, new_token, until

NAME, LATER, LABEL = "Marguerite", "Wilhelmina", "Netscape on Solaris"


@pytest.fixture
def server(make_hub):
    # Connections are on other loops than the one that changes accounts.
    return make_hub("--loops", "4").start()


class Player:
    """A player, by the token of one device."""

    def __init__(self, server, token=None, name=NAME):
        self.server, self.token = server, token or new_token()
        if token is None:
            self.ask("POST", "", body={"name": name, "token": self.token})

    def ask(self, method, path, body=None):
        text = self.server.http(method, "/api/players" + path, self.token, body)
        return json.loads(text) if text else None

    def refusal(self, method, path, body=None):
        return self.server.refusal(method, "/api/players" + path, self.token, body)

    @property
    def account(self):
        return self.ask("GET", "/me")

    def code(self, kind):
        return self.ask("POST", f"/me/{kind}-code")["code"]

    def added(self, code):
        """The same player on another device."""
        other = Player(self.server, new_token())
        other.ask("POST", "/devices", {"code": code, "token": other.token, "device": LABEL})
        return other


def device_of(player):
    return next(device["id"] for device in player.account["devices"] if device.get("current"))


async def test_a_linked_device_is_the_same_player_until_it_is_revoked(server):
    player = Player(server)
    room = server.open_room(player.token)
    phone = player.added(player.code("link"))
    assert [device["label"] for device in phone.account["devices"]] == ["", LABEL]
    pages = [await Page.join(server, room, one.token, is_strict=True) for one in (player, phone)]
    assert pages[0].welcome["you"]["player"] == pages[1].welcome["you"]["player"] == player.account["id"]
    player.ask("DELETE", f"/me/devices/{device_of(phone)}")
    error = await pages[1].until(lambda m: m["type"] == "error")
    assert error["code"] == "unknown-token" and "id" not in error, error
    welcome = await pages[1].until(lambda m: m["type"] == "welcome")
    assert "player" not in welcome["you"], welcome["you"]
    assert (await pages[1].command("sit"))["code"] == "no-name"
    assert phone.refusal("GET", "/me") == (401, "unknown-token")
    await pages[0].done("sit")


async def test_a_code_works_once(server):
    player = Player(server)
    for kind in ("link", "recovery"):
        code = player.code(kind)
        assert player.added(code.lower().replace("-", " ")).account["id"] == player.account["id"]
        body = {"code": code, "token": new_token()}
        assert server.refusal("POST", "/api/players/devices", body=body) == (404, "unknown-code")


async def test_a_recovery_code_brings_back_a_player_without_any_device(server):
    player = Player(server)
    account = player.account
    assert player.refusal("DELETE", f"/me/devices/{device_of(player)}") == (409, "last-device")
    code = player.code("recovery")
    player.ask("DELETE", f"/me/devices/{device_of(player)}")
    assert player.refusal("GET", "/me") == (401, "unknown-token")
    back = player.added(code).account
    assert (back["id"], back["name"], back["recoveryCode"]) == (account["id"], NAME, False)


async def test_a_new_name_is_seen_in_a_room_at_once(server):
    player, other = Player(server), Player(server, name="Otto")
    room = server.open_room(player.token)
    await Page.join(server, room, player.token)
    watcher = await Page.join(server, room, other.token)
    player.ask("PUT", "/me/name", {"name": LATER})
    id = player.account["id"]
    await watcher.until(lambda m: m["type"] == "presence" and m["names"].get(id) == LATER)
    assert Player(server).account["name"] == NAME, "the name before is not free"


async def test_nothing_of_a_forgotten_player_stays_on_disk(make_hub):
    hub = make_hub("--loops", "2")
    server = hub.start()
    player = Player(server)
    phone = player.added(player.code("link"))
    player.code("recovery")
    player.ask("PUT", "/me/name", {"name": LATER})
    hashes = [hashlib.sha256(base64.urlsafe_b64decode(one.token + "=")).hexdigest() for one in (player, phone)]
    secrets = [NAME, LATER, LABEL, *hashes]

    def traces(file="*"):
        # The hub rewrites and renames the note of its last sign of life all the time.
        paths = [path for path in pathlib.Path(hub.folder).glob(file) if path.name != "alive.new"]
        bytes = b"".join(path.read_bytes() for path in paths).lower()
        return [secret for secret in secrets if secret.lower().encode() in bytes]

    assert set(traces("log.sqlite*")) >= {LATER, LABEL, *hashes}, traces("log.sqlite*")
    phone.ask("DELETE", "/me")
    await until("a data folder without the player", lambda: not traces())
    hub.kill()
    hub.start()
    assert not traces(), traces()


async def test_accounts_survive_a_crash(make_hub):
    hub = make_hub("--loops", "4")
    player = Player(hub.start())
    phone = player.added(player.code("link"))
    gone = player.added(player.code("link"))
    phone.ask("PUT", "/me/name", {"name": LATER})
    phone.ask("DELETE", f"/me/devices/{device_of(gone)}")
    before = player.account
    code = player.code("recovery")
    hub.kill()
    player.server = phone.server = gone.server = hub.start()
    assert player.account == before | {"recoveryCode": True}
    assert gone.refusal("GET", "/me") == (401, "unknown-token")
    assert player.added(code).account["name"] == LATER

"""Players give up their names, and the operator takes names back, on a hub that only speaks TLS."""

import json, pathlib, signal, socket, sqlite3

import pytest

from flipside import Page, Server, new_token, until

NAME = "Zoë / 100%"


@pytest.fixture
def hub(make_hub, certificate):
    hub = make_hub("--loops", "4", certificate=certificate)
    hub.start()
    return hub


@pytest.fixture
def folder(hub):
    return hub.folder


@pytest.fixture
def forget(run, folder):
    """Runs the operator's command; returns the status and the output."""
    def forget(name):
        done = run("forget", name, "--data", folder, env={"LANG": "C.UTF-8"})
        return done.returncode, done.stdout + done.stderr

    return forget


def register(server, name):
    """A new player of exactly this name: (token, id)."""
    token = new_token()
    return token, json.loads(server.http("POST", "/api/players", body={"name": name, "token": token}))["id"]


def note(folder):
    """The port where the hub waits for its operator, and the token."""
    file = pathlib.Path(folder, "operator")
    assert file.stat().st_mode & 0o777 == 0o600, oct(file.stat().st_mode)
    address, token = file.read_text().splitlines()
    host, port = address.split(":")
    assert host == "127.0.0.1"
    return int(port), token


def traces(folder, name):
    """Files that contain `name` in any case."""
    return [file.name for file in pathlib.Path(folder).iterdir() if name.encode().lower() in file.read_bytes().lower()]


async def vanished(folder, name):
    """Rows follow the log a moment later."""
    await until(f"a data folder without {name}", lambda: not traces(folder, name))


class Forgotten:
    """A game in which the operator has forgotten one of two players."""

    @classmethod
    async def play(cls, server, folder, forget):
        game = cls()
        game.host, game.host_id = register(server, "Hal")
        game.token, game.player = register(server, NAME)
        game.code = server.open_room(game.host, theme="numbers", columns=2, rows=3)
        game.pages = [await Page.join(server, game.code, token, is_strict=True) for token in (game.host, game.token)]
        for page in game.pages:
            await page.done("sit")
        await game.pages[0].done("start")
        assert traces(folder, NAME), "the name is nowhere before it is forgotten"
        status, said = forget(" ZOË / 100% ")
        assert status == 0, said
        return game


async def test_the_name_vanishes_from_the_disk(server, folder, forget):
    await Forgotten.play(server, folder, forget)
    await vanished(folder, NAME)


async def test_its_player_only_watches_from_then_on(server, folder, forget):
    game = await Forgotten.play(server, folder, forget)
    host, page = game.pages
    welcome = await page.until(lambda m: m["type"] == "welcome")
    assert "player" not in welcome["you"] and game.player not in welcome["names"], welcome
    assert (await page.command("flip", cell=0))["code"] == "no-name"
    await host.until(lambda m: m["type"] == "presence" and game.player in m["went"] and m["spectators"] == 1)
    seats = (await Page.join(server, game.code)).welcome["room"]["seats"]
    assert seats[1]["player"] == game.player, "the seat is no longer its player's"
    assert list(json.loads(server.http("GET", f"/api/rooms/{game.code}"))["names"]) == [game.host_id]
    assert server.refusal("DELETE", "/api/players/me", game.token) == (401, "unknown-token")


async def test_the_name_is_free(server, folder, forget):
    game = await Forgotten.play(server, folder, forget)
    status, said = forget(NAME)
    assert status == 1 and f"There is no player `{NAME}`" in said, said
    _, other_id = register(server, NAME.upper())
    assert other_id != game.player


async def test_every_chain_still_holds(server, folder, forget, run):
    await Forgotten.play(server, folder, forget)
    verdict = run("verify", "--data", folder)
    assert verdict.returncode == 0 and "All holds: 1 rooms" in verdict.stdout, verdict


async def test_it_stays_forgotten_after_a_crash(hub, server, folder, forget):
    game = await Forgotten.play(server, folder, forget)
    other, _ = register(server, NAME.upper())
    hub.kill()
    server = hub.start()
    assert server.refusal("DELETE", "/api/players/me", game.token) == (401, "unknown-token")
    # The name's next owner has it, and gives it up.
    server.http("DELETE", "/api/players/me", other)
    assert forget("Hal")[0] == 0
    assert server.refusal("DELETE", "/api/players/me", game.host) == (401, "unknown-token")


async def test_a_name_forgotten_right_before_a_kill_leaves_the_disk_at_the_next_start(hub, server, folder):
    token, _ = register(server, NAME)
    # While another process reads, erased data stays in the write-ahead logs.
    readers = [
        sqlite3.connect(f"file:{folder}/{name}?mode=ro", uri=True, isolation_level=None)
        for name in ("log.sqlite", "read-models.sqlite")
    ]
    for reader in readers:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    server.http("DELETE", "/api/players/me", token)
    hub.kill()
    for reader in readers:
        reader.close()
    assert traces(folder, NAME), "the name is nowhere before the start"
    hub.start()
    await vanished(folder, NAME)


def test_no_one_else_may_forget(server, folder):
    token, _ = register(server, "Hal")
    port, secret = note(folder)
    operators = Server(f"http://127.0.0.1:{port}", None)
    for bearer in (token, new_token(), None):
        assert operators.refusal("DELETE", "/api/players/Host", bearer) == (401, "unknown-token")
    assert operators.refusal("GET", "/api/players/Host", secret) == (405, "method-not-allowed")
    assert operators.refusal("DELETE", "/api/players/nobody", secret) == (404, "no-such-player")
    # On the public port the token belongs to no one.
    assert server.refusal("DELETE", "/api/players/Host", secret) == (404, "not-found")
    assert server.refusal("GET", "/api/players/me", secret) == (401, "unknown-token")


def test_the_operators_port_serves_nothing_else(server, folder):
    port, secret = note(folder)
    operators = Server(f"http://127.0.0.1:{port}", None)
    for bearer in (None, secret):
        for method, path in ("GET", "/"), ("GET", "/api/rooms"), ("POST", "/api/rooms"), ("GET", "/ws/lobby"):
            assert operators.refusal(method, path, bearer)[0] in (404, 405), (method, path)


async def test_names_given_up_at_once_do_not_come_back_with_the_rows(hub, server, folder, forget):
    """Rows follow the log: some are only made when the name is gone."""
    names = [f"Brief {number}" for number in range(50)]
    for name in names:
        token, _ = register(server, name)
        server.http("DELETE", "/api/players/me", token)
        assert server.refusal("DELETE", "/api/players/me", token) == (401, "unknown-token")
    hub.kill()
    hub.start()
    for name in names:
        await vanished(folder, name)
        assert forget(name)[0] == 1, name


def test_the_operators_token_is_new_with_each_start(hub, folder):
    before = note(folder)[1]
    hub.kill()
    server = hub.start()
    port, now = note(folder)
    assert now != before
    operators = Server(f"http://127.0.0.1:{port}", None)
    assert operators.refusal("DELETE", "/api/players/Host", before) == (401, "unknown-token")


def test_a_program_that_has_a_killed_hubs_port_learns_nothing(hub, folder, forget):
    port, _ = note(folder)
    hub.kill()
    with socket.create_server(("127.0.0.1", port)) as thief:
        thief.settimeout(0)
        status, said = forget("Hal")
        assert status == 1 and f"No hub runs on {folder}" in said, said
        with pytest.raises(BlockingIOError):
            thief.accept()


def test_a_stopped_hub_leaves_no_note(hub, folder, forget):
    hub.kill(signal.SIGTERM)
    assert not pathlib.Path(folder, "operator").exists()
    status, said = forget("Hal")
    assert status == 1 and "No hub runs" in said, said

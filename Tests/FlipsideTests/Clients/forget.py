"""Takes names back, as players and as the operator, from a hub that speaks TLS alone: forget.py BINARY WEB CERT KEY"""

import asyncio, base64, json, os, pathlib, signal, socket, ssl, subprocess, sys, tempfile, time, urllib.error

from flipside import Hub, Page, Server, conforms

BINARY, WEB, CERT, KEY = sys.argv[1:]
TLS = ssl.create_default_context(cafile=CERT)
NAME = "Zoë / 100%"


def start(hub):
    hub.start()
    return Server(f"https://localhost:{hub.port}", TLS)


def register(server, name):
    token = base64.urlsafe_b64encode(os.urandom(32)).decode().rstrip("=")
    return token, json.loads(server.http("POST", "/api/players", body={"name": name, "token": token}))["id"]


def refusal(server, method, path, token=None):
    try:
        server.http(method, path, token)
    except urllib.error.HTTPError as error:
        return error.code, conforms("http.problem", json.load(error))["code"]
    raise AssertionError(f"{method} {path} was done")


def forget(name, folder):
    done = subprocess.run(
        [BINARY, "forget", name, "--data", folder], env={"LANG": "C.UTF-8"}, text=True, capture_output=True, timeout=30)
    return done.returncode, done.stdout + done.stderr


def note(folder):
    """Where the hub waits for its operator, and the token."""
    file = pathlib.Path(folder, "operator")
    assert file.stat().st_mode & 0o777 == 0o600, oct(file.stat().st_mode)
    address, token = file.read_text().splitlines()
    host, port = address.split(":")
    assert host == "127.0.0.1"
    return int(port), token


def traces(folder, name):
    """Files that hold `name` in any case."""
    return [file.name for file in pathlib.Path(folder).iterdir() if name.encode().lower() in file.read_bytes().lower()]


def vanished(folder, name):
    """Rows follow the log, a moment later."""
    for _ in range(100):
        if not (found := traces(folder, name)):
            return
        time.sleep(0.05)
    raise AssertionError(f"{name} is still in {found}")


async def forgotten_in_game(server, folder):
    (host, host_id), (token, player) = register(server, "Host"), register(server, NAME)
    code = server.open_room(host, theme="numbers", columns=2, rows=3)
    pages = [await Page.join(server, code, bearer, is_strict=True) for bearer in (host, token)]
    for page in pages:
        assert (await page.command("sit"))["type"] == "ok"
    assert (await pages[0].command("start"))["type"] == "ok"
    assert traces(folder, NAME), "the name is nowhere before it is forgotten"

    status, said = forget(" ZOË / 100% ", folder)
    assert status == 0, said
    vanished(folder, NAME)
    welcome = await pages[1].until(lambda m: m["type"] == "welcome")
    assert "player" not in welcome["you"] and player not in welcome["names"], welcome
    assert (await pages[1].command("flip", cell=0))["code"] == "no-name"
    await pages[0].until(lambda m: m["type"] == "presence" and player not in m["players"] and m["spectators"] == 1)
    seats = (await Page.join(server, code)).welcome["room"]["seats"]
    assert seats[1]["player"] == player, "the seat is not its player's any more"
    assert list(json.loads(server.http("GET", f"/api/rooms/{code}"))["names"]) == [host_id]
    assert refusal(server, "DELETE", "/api/players/me", token) == (401, "unknown-token")

    status, said = forget(NAME, folder)
    assert status == 1 and f"There is no player `{NAME}`" in said, said
    other, other_id = register(server, NAME.upper())
    assert other_id != player
    return host, token, other


def refused_to_others(server, folder, token):
    path = "/api/players/Host"
    stranger = base64.urlsafe_b64encode(os.urandom(32)).decode().rstrip("=")
    for bearer in (token, stranger, None):
        assert refusal(server, "DELETE", path, bearer) == (401, "unknown-token")
    assert refusal(server, "GET", path, token) == (405, "method-not-allowed")
    port, secret = note(folder)
    for base in (f"http://127.0.0.1:{port}", server.base):
        operators = Server(base, server.tls)
        assert refusal(operators, "DELETE", "/api/players/nobody", secret) == (404, "no-such-player")


def forgotten_at_once(server, folder):
    """Names that are given up before anything else happened do not come back with the rows, which follow the log."""
    names = [f"Brief {number}" for number in range(50)]
    for name in names:
        token, _ = register(server, name)
        server.http("DELETE", "/api/players/me", token)
        assert refusal(server, "DELETE", "/api/players/me", token) == (401, "unknown-token")
    return names


def without_hub(hub, folder):
    """A hub that was killed leaves its note: whoever has its port now is told nothing."""
    port, _ = note(folder)
    hub.kill()
    with socket.create_server(("127.0.0.1", port)) as thief:
        thief.settimeout(0)
        status, said = forget("Host", folder)
        assert status == 1 and f"No hub runs on {folder}" in said, said
        try:
            thief.accept()
            raise AssertionError("the operator's token went to another program")
        except BlockingIOError:
            pass


def verified(folder):
    verdict = subprocess.run([BINARY, "verify", "--data", folder], text=True, capture_output=True, timeout=60)
    assert verdict.returncode == 0 and "All holds: 1 rooms" in verdict.stdout, verdict


def main(folder):
    hub = Hub(BINARY, folder, "--web", WEB, "--tls-cert", CERT, "--tls-key", KEY, "--loops", "4")
    server = start(hub)
    host, token, other = asyncio.run(forgotten_in_game(server, folder))
    refused_to_others(server, folder, host)
    brief = forgotten_at_once(server, folder)
    verified(folder)
    before = note(folder)
    without_hub(hub, folder)
    server = start(hub)
    assert note(folder)[1] != before[1], "the operator's token is the same after a restart"
    assert refusal(server, "DELETE", "/api/players/Host", before[1]) == (401, "unknown-token")
    # What was forgotten stays so, and the name's new bearer has it.
    assert refusal(server, "DELETE", "/api/players/me", token) == (401, "unknown-token")
    for name in brief:
        vanished(folder, name)
        assert forget(name, folder)[0] == 1, name
    server.http("DELETE", "/api/players/me", other)
    assert forget("Host", folder)[0] == 0
    assert refusal(server, "DELETE", "/api/players/me", host) == (401, "unknown-token")
    hub.kill(signal.SIGTERM)
    assert not pathlib.Path(folder, "operator").exists(), "a hub that has stopped leaves its note"
    status, said = forget("Host", folder)
    assert status == 1 and "No hub runs" in said, said
    verified(folder)


with tempfile.TemporaryDirectory() as folder:
    main(folder)

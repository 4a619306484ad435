"""Starts hubs told by environment variables what to do, and looks whether they do it: settings.py BINARY WEB CERT KEY"""

import asyncio, json, os, pathlib, re, signal, socket, ssl, subprocess, sys, tempfile

import websockets

from flipside import Server

BINARY, WEB, CERT, KEY = sys.argv[1:]
TLS = ssl.create_default_context(cafile=CERT)
# The certificate is for 127.0.0.1, and not for the second address.
TLS.check_hostname = False


def serve(variables, *arguments):
    """A hub that knows of nothing but these, and the addresses it says that it serves on."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("FLIPSIDE_")}
    process = subprocess.Popen(
        [BINARY, "serve", *arguments], env=clean | variables, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    addresses = [process.stdout.readline() for _ in variables["FLIPSIDE_LISTEN"].split(",")]
    return process, [re.search(r"https?://\S+$", line.strip())[0] for line in addresses]


def stop(process):
    process.send_signal(signal.SIGTERM)
    errors = process.communicate(timeout=30)[1]
    assert process.returncode == 0, errors
    return errors


def threads(process):
    return len(os.listdir(f"/proc/{process.pid}/task"))


async def say(server, code):
    """A frame to the echo, and more messages to a room than it takes."""
    base = server.base.replace("http", "ws", 1)
    async with websockets.connect(base + "/echo", ssl=TLS) as echo:
        await echo.send("hello")
        assert await echo.recv() == "hello"
    async with websockets.connect(base + "/ws/rooms/" + code, subprotocols=["flipside.v1"], ssl=TLS) as room:
        for number in range(9):
            await room.send(json.dumps({"type": "ping", "n": number}))
        said = [json.loads(await room.recv()) for _ in range(9)]
        refused = [message for message in said if message.get("code") == "too-fast"]
        assert refused and refused[0]["limit"] == 2, said


def fill(port):
    """Holds all places there are; the next to come is told so."""
    held = [TLS.wrap_socket(socket.create_connection(("127.0.0.1", port), 20)) for _ in range(8)]
    with TLS.wrap_socket(socket.create_connection(("127.0.0.1", port), 20)) as late:
        late.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert late.recv(4096).startswith(b"HTTP/1.1 503 "), "there was one place more"
    for connection in held:
        connection.close()


def main(folder):
    variables = {
        "FLIPSIDE_LISTEN": "127.0.0.1:0, 127.0.0.2:0", "FLIPSIDE_DATA": folder + "/log", "FLIPSIDE_WEB": WEB,
        "FLIPSIDE_TLS_CERT": CERT, "FLIPSIDE_TLS_KEY": KEY, "FLIPSIDE_LOOPS": "4", "FLIPSIDE_ECHO": "/echo",
        "FLIPSIDE_CONNECTIONS": "8", "FLIPSIDE_CONNECTIONS_PER_ADDRESS": "2", "FLIPSIDE_MESSAGES_PER_SECOND": "2",
        "FLIPSIDE_LOG_LEVEL": "notice",
    }
    hub, addresses = serve(variables)
    assert addresses[0].startswith("https://localhost:") and addresses[1].startswith("https://127.0.0.2:"), addresses
    server = Server(addresses[0], TLS)
    assert Server(addresses[1], TLS).http("GET", "/readyz") == b"ready\n"
    assert server.http("GET", "/") == (pathlib.Path(WEB) / "index.html").read_bytes()
    asyncio.run(say(server, server.open_room(server.register("Ann")[0])))
    fill(int(addresses[0].rsplit(":", 1)[1]))
    assert pathlib.Path(folder + "/log/log.sqlite").exists(), "the log is elsewhere"
    many = threads(hub)
    assert "stopping" in stop(hub)

    hub, addresses = serve(
        variables, "--loops", "1", "--log-level", "error", "--data", folder + "/other", "--listen", "127.0.0.3:0",
        "--listen", "127.0.0.2:0")
    assert [address.split("/")[2].split(":")[0] for address in addresses] == ["127.0.0.3", "127.0.0.2"], addresses
    assert many - threads(hub) >= 3, "the option did not count more than the variable"
    assert pathlib.Path(folder + "/other/log.sqlite").exists(), "the option did not count more than the variable"
    assert "stopping" not in stop(hub)

    for name, value in [("LOOPS", "many"), ("LISTEN", "here"), ("LOG_LEVEL", "loud"), ("ECHO", "echo")]:
        wrong = variables | {"FLIPSIDE_" + name: value}
        said = subprocess.run([BINARY, "serve"], env=wrong, text=True, capture_output=True, timeout=30)
        assert said.returncode == 1 and f"FLIPSIDE_{name} is `{value}`" in said.stderr, said


with tempfile.TemporaryDirectory() as folder:
    main(folder)

"""What no client should send, and the hub's answers."""

import asyncio, base64, os, socket, struct

import pytest

from memory_game import Game

pytestmark = pytest.mark.xdist_group("bad_input")
KEY = base64.b64encode(os.urandom(16)).decode()


@pytest.fixture(scope="module")
def hub(make_module_hub):
    hub = make_module_hub()
    hub.start()
    return hub


@pytest.fixture(scope="module")
def client(hub):
    """A client of a room."""
    return BadClient(hub.port, hub.server.open_room(hub.server.register("Hal")[0]))


def everything(connection):
    data = b""
    try:
        while piece := connection.recv(65536):
            data += piece
    except ConnectionResetError:
        pass
    return data


def frame(opcode, payload, masked=True, first=0x80, length=None):
    size = len(payload) if length is None else length
    mark = 0x80 if masked else 0
    head = bytes([first | opcode]) + (
        bytes([mark | size]) if size < 126 else bytes([mark | 126]) + struct.pack(">H", size) if size < 65536
        else bytes([mark | 127]) + struct.pack(">Q", size))
    return head + (b"\0\0\0\0" if masked else b"") + payload


class BadClient:
    """Sends anything to a hub's port."""

    def __init__(self, port, code):
        self.port, self.code = port, code

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def status(self, raw):
        """The status of the answer to a request."""
        with self.connect() as connection:
            connection.sendall(raw.replace(b"CODE", self.code.encode()))
            return int(everything(connection).split(b" ", 2)[1])

    def upgraded(self):
        connection = self.connect()
        connection.sendall(
            f"GET /ws/rooms/{self.code} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: flipside.v1\r\n\r\n".encode())
        head = b""
        while b"\r\n\r\n" not in head:
            head += connection.recv(1)
        assert b" 101 " in head, head
        return connection

    def close_code(self, raw):
        """The code of the close frame that answers `raw`."""
        with self.upgraded() as connection:
            connection.sendall(raw)
            data = everything(connection)
        while data:
            size = data[1] & 0x7F
            start = 2
            if size == 126:
                size, start = struct.unpack(">H", data[2:4])[0], 4
            if data[0] & 0x0F == 8:
                return struct.unpack(">H", data[2:4])[0] if size >= 2 else 1005
            data = data[start + size:]
        return 1006

    def answers(self, *texts, until=b""):
        """The answers to these messages, with `until` among them; the connection stays open for a last ping."""
        with self.upgraded() as connection:
            for text in texts:
                connection.sendall(frame(1, text))
            data = b""
            # An answer may have to wait for the log.
            while until not in data:
                more = connection.recv(4096)
                assert more, data
                data += more
            connection.sendall(frame(1, b'{"type":"ping","n":77}') + frame(8, struct.pack(">H", 1000)))
            data += everything(connection)
        assert b'"n":77' in data, "the connection did not survive"
        return data


UPGRADE = "GET {path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: {version}\r\n\r\n"


def handshake(path="/ws/rooms/CODE", key=KEY, version=13):
    return UPGRADE.format(path=path, key=key, version=version).encode()


STATUSES = [
    ("not HTTP", b"\x16\x03\x01 hello\r\n\r\n", 400),
    ("no host", b"GET / HTTP/1.1\r\n\r\n", 400),
    ("a huge header", b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 100_000 + b"\r\n\r\n", 431),
    ("a huge target", b"GET /" + b"a" * 12_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414),
    ("a huge body", b"POST /api/players HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\n", 413),
    ("two lengths", b"POST /api/players HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    ("an unknown version", b"GET / HTTP/3.0\r\nHost: x\r\n\r\n", 505),
    ("an unknown path", b"GET /../etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 404),
    ("an escaped path", b"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 404),
    ("no such room", handshake("/ws/rooms/nosuchroom").replace(b"Upgrade\r\nSec", b"Upgrade, close\r\nSec"), 404),
    ("an old WebSocket", handshake(version=8).replace(b"Upgrade\r\nSec", b"Upgrade, close\r\nSec"), 426),
    ("a bad key", handshake(key="short").replace(b"Upgrade\r\nSec", b"Upgrade, close\r\nSec"), 400),
]
CLOSES = [
    ("an unmasked frame", frame(1, b"{}", masked=False), 1002),
    ("reserved bits", frame(1, b"{}", first=0xF0), 1002),
    ("an unknown opcode", frame(3, b""), 1002),
    ("a fragmented ping", frame(9, b"", first=0), 1002),
    ("a long ping", frame(9, b"a" * 126), 1002),
    ("a continuation of nothing", frame(0, b"a"), 1002),
    ("2^63 bytes", frame(1, b"", length=2**63), 1002),
    ("2^62 bytes", frame(1, b"", length=2**62), 1009),
    ("a message past the limit", frame(1, b"a" * 70_000), 1009),
    ("invalid UTF-8", frame(1, b"\xff\xfe"), 1007),
    ("half a character", frame(1, b"\xe2\x82"), 1007),
    ("a binary message", frame(2, b"{}"), 1003),
    ("a close code that does not exist", frame(8, struct.pack(">H", 1005)), 1002),
    ("half a close code", frame(8, b"\x03"), 1002),
    ("a proper close", frame(8, struct.pack(">H", 1000)), 1000),
]
ERRORS = [
    ("no JSON", b"hello", b'"bad-json"'),
    ("half of JSON", b'{"type":', b'"bad-json"'),
    ("a list", b"[]", b'"bad-json"'),
    ("deep brackets", b"[" * 10_000, b'"bad-json"'),
    ("many fields", b"{" + b",".join(b'"%d":1' % n for n in range(1000)) + b"}", b'"bad-json"'),
    ("a type that is a number", b'{"type":5}', b'"bad-field"'),
    ("a command before hello", b'{"type":"flip","id":"a","cell":1}', b'"hello-first"'),
    ("a token that is a list", b'{"type":"hello","token":[]}', b'"bad-field"'),
    ("an unknown token", b'{"type":"hello","token":"' + b"A" * 43 + b'"}', b'"unknown-token"'),
    ("a version below 0", b'{"type":"hello","after":-1}', b'"bad-field"'),
]



def named(rows):
    return [pytest.param(*row[1:], id=row[0].replace(" ", "-")) for row in rows]


@pytest.mark.parametrize("raw, wanted", named(STATUSES))
def test_status(client, raw, wanted):
    assert client.status(raw) == wanted


@pytest.mark.parametrize("raw, wanted", named(CLOSES))
def test_close_code(client, raw, wanted):
    assert client.close_code(raw) == wanted


@pytest.mark.parametrize("text, wanted", named(ERRORS))
def test_error(client, text, wanted):
    assert wanted in client.answers(text, until=wanted)


async def test_another_room_does_not_notice(server, client):
    """A whole game is played while all of this is sent."""
    def send():
        for _, raw, _ in STATUSES:
            client.status(raw)
        for _, raw, _ in CLOSES:
            client.close_code(raw)
        for _, text, _ in ERRORS:
            client.answers(text)

    game, _ = await asyncio.gather(Game.played(server), asyncio.to_thread(send))
    assert game.end["reason"] == "finished"

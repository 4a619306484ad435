"""Attacking clients: what each sends for as long as it is let, over many connections at once."""
import base64
import json
import multiprocessing
import os
import selectors
import socket
import ssl
import struct
import time
import zlib

KIB = 1 << 10


def frame(opcode, payload, first=0x80):
    """Masked with zeros, so that it can be made once."""
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + struct.pack(">H", size)
    return bytes([first | opcode]) + length + bytes(4) + payload


def upgrade(code, more=""):
    key = base64.b64encode(os.urandom(16)).decode()
    return (f"GET /ws/rooms/{code} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: flipside.v1\r\n"
            f"{more}\r\n").encode()


def client_hello():
    """The start of every TLS connection, which costs the server a signature."""
    out = ssl.MemoryBIO()
    context = ssl.create_default_context()
    try:
        context.wrap_bio(ssl.MemoryBIO(), out, server_hostname="localhost").do_handshake()
    except ssl.SSLWantReadError:
        pass
    return out.read()


def bomb():
    """64 KiB that inflate to 64 MiB, as a message of one frame."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    payload = deflate.compress(bytes(64 << 20)) + deflate.flush(zlib.Z_SYNC_FLUSH)
    return frame(1, payload[:60 * KIB], 0xC0)


HELLO = frame(1, b'{"type":"hello"}')
MANY_VALUES = frame(1, json.dumps({"type": "flip", "id": "x", "cell": 1, "more": [1] * 4_000}).encode())
DEFLATE = "Sec-WebSocket-Extensions: permessage-deflate\r\n"


class Attack:
    """`first` once a connection, then `piece` again and again, `pause` seconds apart. It reconnects when cut off."""

    def __init__(self, name, connections, first, piece=b"", pause=0.0, reads=True, is_once=False, tls=False):
        self.name, self.connections, self.first, self.piece = name, connections, first, piece
        self.pause, self.reads, self.is_once, self.tls = pause, reads, is_once, tls
        self.opened, self.pieces, self.cut = (multiprocessing.Value("q", 0) for _ in range(3))

    def start(self, port):
        self.process = multiprocessing.get_context("fork").Process(target=self._run, args=(port,), daemon=True)
        self.process.start()

    def stop(self):
        self.process.terminate()
        self.process.join()

    def _open(self, selector, port):
        try:
            it = socket.create_connection(("127.0.0.1", port), timeout=5)
            it.sendall(self.first)
        except OSError:
            self.cut.value += 1
            return
        self.opened.value += 1
        if self.is_once:
            # The kernel takes the answers.
            it.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            if self.reads:
                it.recv(1)
            return it.close()
        it.setblocking(False)
        selector.register(it, selectors.EVENT_WRITE | (selectors.EVENT_READ if self.reads else 0), [b"", 0.0])

    def _run(self, port):
        # The measured game runs on the same processor. A process that is merely nice would keep it waiting for a whole time
        # slice; an idle one yields at once.
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        selector = selectors.DefaultSelector()
        while True:
            for _ in range(self.connections if self.is_once else self.connections - len(selector.get_map())):
                self._open(selector, port)
            if self.is_once:
                continue
            now = time.monotonic()
            for key, events in selector.select(0.05):
                try:
                    if events & selectors.EVENT_READ and not key.fileobj.recv(1 << 16):
                        raise ConnectionError
                    rest, due = key.data
                    if events & selectors.EVENT_WRITE and now >= due and self.piece:
                        rest = rest or self.piece
                        rest = rest[key.fileobj.send(rest):]
                        self.pieces.value += not rest
                        key.data[:] = rest, now + self.pause
                except BlockingIOError:
                    pass
                except OSError:
                    self.cut.value += 1
                    selector.unregister(key.fileobj)
                    key.fileobj.close()
            if self.pause:
                time.sleep(min(self.pause, 0.05))


def all_attacks(code):
    """Each for a hub that has a room with this code."""
    head = b"GET / HTTP/1.1\r\nHost: x\r\n"
    return [
        Attack("slowloris: heads that never end", 1_000, head, b"X-A: b\r\n", pause=1),
        Attack("handshakes, plain", 50, upgrade(code), is_once=True),
        Attack("handshakes, TLS", 50, client_hello(), is_once=True, tls=True),
        Attack("pings", 50, upgrade(code) + HELLO, frame(9, b"p" * 125) * 100),
        Attack("pings, pongs unread", 50, upgrade(code) + HELLO, frame(9, b"p" * 125) * 100, reads=False),
        Attack("fragments of one byte", 50, upgrade(code) + HELLO + frame(1, b"a", 0), frame(0, b"a", 0) * 1_000),
        Attack("hello", 50, upgrade(code), HELLO * 100),
        Attack("bombs", 20, upgrade(code, DEFLATE) + HELLO, bomb()),
        Attack("JSON of 4,000 values", 20, upgrade(code) + HELLO, MANY_VALUES),
        Attack("commands unread", 50, upgrade(code) + HELLO, frame(1, b'{"type":"sit","id":"a"}') * 50, reads=False),
    ]

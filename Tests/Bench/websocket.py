"""A minimal WebSocket client, of which one can have many."""
import base64
import os
import socket
import ssl
import struct


def connect(port, path, context=None):
    """A socket after a successful WebSocket handshake."""
    line = socket.create_connection(("127.0.0.1", port))
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if context:
        line = context.wrap_socket(line, server_hostname="localhost")
    key = base64.b64encode(os.urandom(16)).decode()
    line.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                 f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
    head = b""
    while b"\r\n\r\n" not in head:
        part = line.recv(4_096)
        if not part:
            raise SystemExit("The hub closed a connection.")
        head += part
    if not head.startswith(b"HTTP/1.1 101 "):
        raise SystemExit(f"The hub answered {head.splitlines()[0].decode()}")
    return line


def say(line, text):
    """Sends a text of up to 125 bytes."""
    payload, mask = text.encode(), os.urandom(4)
    line.sendall(struct.pack("BB", 0x81, 0x80 | len(payload)) + mask
                 + bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload)))


def messages(line):
    """The hub's messages, one text after another, for ever."""
    rest = b""
    while True:
        size, header = (rest[1], 2) if len(rest) > 1 else (0, 2)
        if size == 126 and len(rest) > 3:
            size, header = struct.unpack(">H", rest[2:4])[0], 4
        if len(rest) < 2 or rest[1] == 126 and len(rest) < 4 or len(rest) < header + size:
            part = line.recv(65_536)
            if not part:
                raise SystemExit("The hub closed a connection.")
            rest += part
            continue
        if rest[0] == 0x81:
            yield rest[header:header + size].decode()
        rest = rest[header + size:]


def trusting(certificate):
    return ssl.create_default_context(cafile=certificate)

"""HTTP/1.1 on the wire: a table of shapes of requests, with the sections of RFC 9110 (semantics), RFC 9112 (messages) and RFC
6455 (WebSockets) that define the answer. Shapes that the parser alone decides about, cut at every byte, are in
RequestRefusalTests.swift."""

import re, socket

import pytest

pytestmark = pytest.mark.xdist_group("http_shapes")
FILE = "/main.js"
WS = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
# Smuggling: a request that two readers could understand in two ways ends the connection.
REFUSED = {"Connection": "close"}


@pytest.fixture(scope="module")
def served(web):
    return web


@pytest.fixture(scope="module")
def hub(make_module_hub):
    hub = make_module_hub()
    hub.start()
    return hub


class Answer:
    def __init__(self, head, body):
        lines = head.decode().split("\r\n")
        self.version, status, _ = (lines[0] + " ").split(" ", 2)
        self.status, self.fields, self.body = int(status), {}, body
        for name, value in (line.split(": ", 1) for line in lines[1:]):
            self.fields[name] = f"{self.fields[name]}, {value}" if name in self.fields else value


@pytest.fixture
def ask(hub):
    """Sends bytes and nothing more; returns what comes until the hub ends the connection, as answers. `heads`: which of them
    have no body, for HEAD."""
    def ask(raw, heads=()):
        with socket.create_connection(("127.0.0.1", hub.port), timeout=20) as connection:
            connection.sendall(raw.encode("latin-1"))
            connection.shutdown(socket.SHUT_WR)
            data = b""
            while piece := connection.recv(65536):
                data += piece
        answers = []
        while data:
            head, _, data = data.partition(b"\r\n\r\n")
            answer = Answer(head, b"")
            if len(answers) not in heads and answer.status >= 200:
                if answer.fields.get("Transfer-Encoding") == "chunked":
                    size = None
                    while size != 0:
                        line, _, data = data.partition(b"\r\n")
                        size = int(line, 16)
                        answer.body, data = answer.body + data[:size], data[size + 2:]
                else:
                    length = int(answer.fields.get("Content-Length", "0"))
                    assert answer.version == "HTTP/1.1" and len(data) >= length, (head, data)
                    answer.body, data = data[:length], data[length:]
            answers.append(answer)
        return answers

    return ask


def get(path, *fields, method="GET", version="1.1", host="Host: a", body=""):
    lines = [f"{method} {path} HTTP/{version}", *([host] if host else []), *fields]
    return "\r\n".join(lines) + "\r\n\r\n" + body


def post(*fields, body=""):
    return get("/api/players", *fields, method="POST", body=body)


# Section, shape, bytes, the statuses of the answers, fields of the last one (None: it lacks this field).
SHAPES = [
    # Targets.
    ("9112 3.2.1", "origin form", get("/healthz"), [200], {}),
    ("9112 3.2.2", "absolute form, with the host that counts", get("http://b/healthz"), [200], {}),
    ("9112 3.2.2", "absolute form of another scheme", get("ftp://b/healthz"), [400], REFUSED),
    ("9112 3.2.3", "authority form", get("a:80", method="CONNECT"), [501], REFUSED),
    ("9112 3.2.3", "authority form of another method", get("a:80"), [400], REFUSED),
    ("9112 3.2.4", "asterisk form of another method", get("*"), [400], REFUSED),
    ("9112 3.2", "a fragment", get("/#a"), [400], REFUSED),
    ("9112 3", "a target past the limit", get("/" + "a" * 9000), [414], REFUSED),
    # Methods.
    ("9110 9.1", "an unknown method", get("/healthz", method="BREW"), [501], {"Allow": None}),
    ("9110 9.1", "an unknown method at an unknown address", get("/nowhere", method="BREW"), [501], {"Allow": None}),
    ("9110 9.1", "methods are case-sensitive", get("/healthz", method="get"), [501], {}),
    ("9110 15.5.6", "a method that this address lacks", get("/healthz", method="DELETE"), [405], {"Allow": "GET, HEAD"}),
    ("9110 15.5.6", "a method that files lack", get(FILE, method="PUT"), [405], {"Allow": "GET, HEAD"}),
    ("9110 15.5.6", "several methods for one address", get("/api/rooms", method="PATCH"), [405], {"Allow": "GET, HEAD, POST"}),
    ("9110 9.3.7", "OPTIONS of an address", get("/healthz", method="OPTIONS"), [405], {"Allow": "GET, HEAD"}),
    ("9110 9.3.7", "OPTIONS of the hub", get("*", method="OPTIONS"), [404], {}),
    ("9110 9.3.8", "TRACE returns nothing", get("/healthz", "Cookie: a", method="TRACE"), [405], {"Allow": "GET, HEAD"}),
    # Versions.
    ("9112 2.3", "HTTP/1.0 ends the connection", get("/healthz", version="1.0", host=None), [200], {"Connection": "close"}),
    ("9112 9.3", "HTTP/1.0 with keep-alive", get("/healthz", "Connection: keep-alive", version="1.0") * 2, [200, 200], {}),
    ("9110 2.5", "a later HTTP/1", get("/healthz", version="1.9"), [200], {}),
    ("9110 15.6.6", "HTTP/2", get("/healthz", version="2.0"), [505], REFUSED),
    ("9113 3.4", "the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [505], REFUSED),
    ("9112 2.3", "HTTP/0.9", "GET /healthz\r\n\r\n", [400], REFUSED),
    # Connections.
    ("9112 9.3.2", "pipelined requests are answered in order", get("/healthz") + get("/nowhere") + get("/readyz"), [200, 404, 200], {}),
    ("9112 9.6", "close", get("/healthz", "Connection: close") + get("/healthz"), [200], {"Connection": "close"}),
    ("9112 9.6", "close among other options", get("/healthz", "Connection: TE, Close") + get("/healthz"), [200], {"Connection": "close"}),
    ("9110 7.8", "an upgrade to an unknown protocol", get("/healthz", "Connection: Upgrade", "Upgrade: irc/6.9"), [200], {"Upgrade": None}),
    ("9110 7.8", "an upgrade to HTTP/2", get("/healthz", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"), [200], {"Upgrade": None}),
    ("9110 15.5.22", "a WebSocket without an upgrade", get("/ws/lobby"), [426], {"Upgrade": "websocket", "Sec-WebSocket-Version": "13"}),
    ("6455 4.4", "a WebSocket of another version", get("/ws/lobby", WS + "Sec-WebSocket-Version: 8"), [426], {"Sec-WebSocket-Version": "13"}),
    ("6455 4.2.1", "a WebSocket by POST", get("/ws/lobby", WS + "Sec-WebSocket-Version: 13", method="POST"), [405], {"Allow": "GET"}),
    # Expectations.
    ("9110 10.1.1", "a body that should wait, but has come", post("Expect: 100-continue", "Content-Length: 2", body="{}"), [422], {}),
    ("9110 10.1.1", "a waiting body that is too long", post("Expect: 100-continue", "Content-Length: 999999"), [413], REFUSED),
    ("9110 10.1.1", "another expectation", post("Expect: wonders", "Content-Length: 0"), [417], REFUSED),
    ("9110 10.1.1", "HTTP/1.0 expects nothing", get("/healthz", "Expect: 100-continue", version="1.0"), [200], {}),
    # Limits.
    ("9110 15.5.14", "a body past the limit", post("Content-Length: 99999", body="{}"), [413], REFUSED),
    ("6585 5", "a head past the limit", get("/healthz", "A: " + "a" * 20000), [431], REFUSED),
    ("6585 5", "fields past the limit", get("/healthz", *["A: b"] * 101), [431], REFUSED),
    # Where a body ends: no one may see another request in it.
    ("9112 6.1", "a length and chunks", post("Content-Length: 6", "Transfer-Encoding: chunked", body="0\r\n\r\nG"), [400], REFUSED),
    ("9112 6.3", "lengths that differ", post("Content-Length: 2", "Content-Length: 3", body="{}x"), [400], REFUSED),
    ("9112 6.3", "the same length twice", post("Content-Length: 2, 2", body="{}") + get("/healthz"), [422, 200], {}),
    ("9112 6.3", "a last coding without an end", post("Transfer-Encoding: gzip"), [400], REFUSED),
    ("9112 6.3", "compressed chunks", post("Transfer-Encoding: chunked, gzip"), [400], REFUSED),
    ("9112 6.3", "the identity, no longer a coding", post("Transfer-Encoding: identity", "Content-Length: 2", body="{}"), [400], REFUSED),
    ("9112 6.1", "an unknown coding", post("Transfer-Encoding: gzip, chunked", body="0\r\n\r\n"), [501], REFUSED),
    ("9112 6.1", "something like chunks", post("Transfer-Encoding: xchunked", body="0\r\n\r\n"), [400], REFUSED),
    ("9112 6.1", "chunks with a parameter", post("Transfer-Encoding: chunked;q=1", body="0\r\n\r\n"), [400], REFUSED),
    ("9112 6.1", "chunks in quotes", post('Transfer-Encoding: "chunked"', body="0\r\n\r\n"), [400], REFUSED),
    ("9112 6.1", "chunks after a vertical tab", post("Transfer-Encoding: \x0bchunked", body="0\r\n\r\n"), [400], REFUSED),
    ("9112 5.1", "chunks, and a blank before the colon", post("Transfer-Encoding : chunked", body="0\r\n\r\n"), [400], REFUSED),
    ("9112 5.2", "chunks on a second line", post("Transfer-Encoding:\r\n chunked", body="0\r\n\r\n"), [400], REFUSED),
    ("9112 6.1", "chunks in HTTP/1.0", get("/api/players", "Transfer-Encoding: chunked", method="POST", version="1.0", body="0\r\n\r\n"), [400], REFUSED),
    ("9112 7.1", "chunks", post("Transfer-Encoding: chunked", body="1\r\n{\r\n1;a=b\r\n}\r\n0\r\n\r\n") + get("/healthz"), [422, 200], {}),
    ("9112 7.1.2", "trailers are not fields", post("Transfer-Encoding: chunked", body="2\r\n{}\r\n0\r\nContent-Length: 9\r\n\r\n") + get("/healthz"), [422, 200], {}),
    ("9112 7.1", "a size that overflows", post("Transfer-Encoding: chunked", body="10000000000000002\r\n{}\r\n0\r\n\r\n"), [413], REFUSED),
    ("9112 7.1", "a size with a sign", post("Transfer-Encoding: chunked", body="+2\r\n{}\r\n0\r\n\r\n"), [400], REFUSED),
    ("9112 7.1.1", "an extension that ends with LF", post("Transfer-Encoding: chunked", body="2;a\n{}\r\n0\r\n\r\n"), [400], REFUSED),
    ("9112 7.1", "a chunk that ends elsewhere", post("Transfer-Encoding: chunked", body="2\r\n{}x\r\n0\r\n\r\n"), [400], REFUSED),
    ("9112 6.3", "a length that is not a number", post("Content-Length: 0x2", body="{}"), [400], REFUSED),
    ("9112 6.3", "a body of GET is read", get("/healthz", "Content-Length: 3", body="GET") + get("/readyz"), [200, 200], {}),
    # Lines.
    ("9112 2.2", "LF alone", "GET /healthz HTTP/1.1\nHost: a\n\n", [400], REFUSED),
    ("9112 2.2", "CR alone", "GET /healthz HTTP/1.1\r\nHost: a\rA: b\r\n\r\n", [400], REFUSED),
    ("9112 2.2", "a leading empty line", "\r\n" + get("/healthz"), [200], {}),
    ("9112 2.2", "two leading empty lines", "\r\n\r\n" + get("/healthz"), [400], REFUSED),
    ("9112 2.2", "a blank before the first field", "GET /healthz HTTP/1.1\r\n A: b\r\nHost: a\r\n\r\n", [400], REFUSED),
    ("9112 3", "tabs between the words", "GET\t/healthz\tHTTP/1.1\r\nHost: a\r\n\r\n", [400], REFUSED),
    ("9112 3", "two blanks between them", "GET  /healthz HTTP/1.1\r\nHost: a\r\n\r\n", [400], REFUSED),
    ("9112 3", "a blank in a target", get("/health z"), [400], REFUSED),
    ("9112 5.1", "a blank before a colon", get("/healthz", "A : b"), [400], REFUSED),
    ("9112 5.2", "a field on two lines", get("/healthz", "A: b", " c"), [400], REFUSED),
    ("9110 5.5", "NUL in a value", get("/healthz", "A: b\0c"), [400], REFUSED),
    ("9110 5.1", "an invalid name", get("/healthz", "A@: b"), [400], REFUSED),
    # Hosts.
    ("9112 3.2", "no host", get("/healthz", host=None), [400], REFUSED),
    ("9112 3.2", "two hosts", get("/healthz", "Host: b"), [400], REFUSED),
    ("9112 3.2", "an invalid host", get("/healthz", host="Host: a/b"), [400], REFUSED),
    ("9112 3.2", "an empty host", get("/healthz", host="Host:"), [200], {}),
    # Codings.
    ("9110 12.5.3", "an accepted coding", get(FILE, "Accept-Encoding: gzip"), [200], {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}),
    ("9110 8.4.1.3", "its old name", get(FILE, "Accept-Encoding: x-gzip"), [200], {"Content-Encoding": "gzip"}),
    ("9110 12.5.3", "any coding", get(FILE, "Accept-Encoding: *"), [200], {"Content-Encoding": "gzip"}),
    ("9110 12.5.3", "any coding except this", get(FILE, "Accept-Encoding: *, gzip;q=0"), [200], {"Content-Encoding": None, "Vary": "Accept-Encoding"}),
    ("9110 12.4.2", "a weight of nothing", get(FILE, "Accept-Encoding: gzip;q=0.000"), [200], {"Content-Encoding": None}),
    ("9110 12.5.3", "no identity", get(FILE, "Accept-Encoding: gzip, identity;q=0"), [200], {"Content-Encoding": "gzip"}),
    ("9110 12.5.3", "no available coding", get(FILE, "Accept-Encoding: br, *;q=0"), [200], {"Content-Encoding": None}),
    ("9110 12.5.3", "an empty field", get(FILE, "Accept-Encoding:"), [200], {"Content-Encoding": None}),
    ("9110 12.5.3", "no field", get(FILE), [200], {"Content-Encoding": None, "Vary": "Accept-Encoding"}),
    # Ranges: no file is long enough for a part of it to save anything, and a room's log is requested from an event on.
    ("9110 14.2", "a range is ignored", get(FILE, "Range: bytes=0-3"), [200], {"Content-Range": None, "Accept-Ranges": None}),
    ("9110 14.2", "from the end", get(FILE, "Range: bytes=-3"), [200], {"Content-Range": None}),
    ("9110 14.2", "past the end", get(FILE, "Range: bytes=99999999-"), [200], {"Content-Range": None}),
    ("9110 14.2", "several", get(FILE, "Range: bytes=0-1,3-4"), [200], {"Content-Range": None}),
    ("9110 14.2", "of other units", get(FILE, "Range: lines=1-2"), [200], {"Content-Range": None}),
    ("9110 13.1.5", "with a condition", get(FILE, "Range: bytes=0-3", 'If-Range: "x"'), [200], {"Content-Range": None}),
    # Conditions; TAG stands for the file's.
    ("9110 13.1.2", "a cached copy", get(FILE, "If-None-Match: TAG"), [304], {"ETag": "TAG", "Vary": "Accept-Encoding", "Cache-Control": "no-cache"}),
    ("9110 13.1.2", "a weak comparison", get(FILE, "If-None-Match: W/TAG"), [304], {}),
    ("9110 13.1.2", "among others", get(FILE, 'If-None-Match: "a,b", W/"c", TAG'), [304], {}),
    ("9110 13.1.2", "in a second field", get(FILE, 'If-None-Match: "a"', "If-None-Match: TAG"), [304], {}),
    ("9110 13.1.2", "any", get(FILE, "If-None-Match: *"), [304], {"ETag": "TAG"}),
    ("9110 13.1.2", "another", get(FILE, 'If-None-Match: "a"'), [200], {"ETag": "TAG"}),
    ("9110 13.1.2", "without quotes", get(FILE, "If-None-Match: a"), [200], {}),
    ("9110 8.8.3.3", "in another coding", get(FILE, "If-None-Match: TAG", "Accept-Encoding: gzip"), [200], {"Content-Encoding": "gzip"}),
    ("9110 15.4.5", "no fields about the body", get(FILE, "If-None-Match: TAG"), [304], {"Content-Length": None, "Content-Type": None}),
    ("9110 13.1.3", "by time, which nothing has", get(FILE, "If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT"), [200], {"Last-Modified": None}),
    ("9110 13.2.2", "tag before time", get(FILE, 'If-None-Match: "a"', "If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT"), [200], {}),
    ("9110 13.1.1", "a required tag", get(FILE, "If-Match: TAG"), [200], {}),
    ("9110 13.1.1", "any required tag", get(FILE, "If-Match: *"), [200], {}),
    ("9110 13.1.1", "another required tag", get(FILE, 'If-Match: "a"'), [412], {}),
    ("9110 13.1.1", "a strong comparison", get(FILE, "If-Match: W/TAG"), [412], {}),
    ("9110 13.2.2", "a required tag before a cached copy", get(FILE, 'If-Match: "a"', "If-None-Match: TAG"), [412], {}),
    ("9110 13.2.1", "no condition on a missing file", get("/nowhere", "If-None-Match: *"), [404], {}),
]


@pytest.mark.parametrize(
    "section, raw, statuses, fields",
    [pytest.param(section, *rest, id=f"{section} {name}".replace(" ", "-")) for section, name, *rest in SHAPES])
def test_shape(ask, section, raw, statuses, fields):
    tag = ask(get(FILE))[0].fields["ETag"]
    answers = ask(raw.replace("TAG", tag))
    assert [answer.status for answer in answers] == statuses, section
    last = answers[-1]
    for name, value in fields.items():
        wanted = value.replace("TAG", tag) if value else None
        assert last.fields.get(name) == wanted, (section, last.fields)
    for answer in answers:
        # 9110 6.6.1: a server with a clock sends the date. 9112 6.3: each answer says where it ends.
        assert answer.status < 200 or re.fullmatch(r"\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT", answer.fields["Date"])
        assert answer.status in (100, 204, 304) or "Content-Length" in answer.fields


def test_a_body_that_waits_is_requested(hub):
    """RFC 9110 section 10.1.1."""
    with socket.create_connection(("127.0.0.1", hub.port), timeout=20) as connection:
        connection.sendall(post("Expect: 100-Continue", "Content-Length: 2").encode())
        assert connection.recv(1000) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"{}")
        assert connection.recv(1000).startswith(b"HTTP/1.1 422 ")


PATHS = ["/", FILE, "/icons/preview.png", "/room/abc", "/healthz", "/metrics", "/api/rooms", "/api/rooms/none",
         "/api/leaderboard", "/api/players/me", "/nowhere"]


@pytest.mark.parametrize("path", PATHS)
def test_head_is_get_without_its_content(ask, path):
    """RFC 9110 section 9.3.2."""
    [whole], [head] = ask(get(path)), ask(get(path, method="HEAD"), heads=[0])
    volatile = ("Date", "Content-Length") if path == "/metrics" else ("Date",)
    assert head.status == whole.status and head.body == b""
    assert {n: v for n, v in head.fields.items() if n not in volatile} == \
        {n: v for n, v in whole.fields.items() if n not in volatile}
    assert int(whole.fields["Content-Length"]) == len(whole.body)

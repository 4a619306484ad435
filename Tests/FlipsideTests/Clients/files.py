"""The page's files and a room's log, as a browser gets them: files.py BINARY WEB."""

import asyncio, gzip, http.client, os, pathlib, sys, tempfile

from flipside import Hub
from record_room import Table

BINARY, WEB = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()


def get(hub, path, method="GET", **headers):
    connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=20)
    connection.putrequest(method, path, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    answer = connection.getresponse()
    return answer.status, dict(answer.getheaders()), answer.read()


def check(hub):
    sent = 0
    for file in sorted(path for path in WEB.rglob("*") if path.is_file()):
        path, body = "/" + str(file.relative_to(WEB)), file.read_bytes()
        status, plain, received = get(hub, path)
        assert (status, received) == (200, body) and "Content-Encoding" not in plain, path
        status, headers, received = get(hub, path, Accept_Encoding="br, gzip;q=0.5")
        packed = headers.get("Content-Encoding") == "gzip"
        assert status == 200 and (gzip.decompress(received) if packed else received) == body, path
        assert headers["Vary"] == "Accept-Encoding" and len(received) <= len(body), headers
        assert packed == (headers["ETag"] != plain["ETag"]), (path, headers)
        assert packed or file.suffix in (".png", ".ico") or len(body) < 300, path
        sent += len(received)
        for tag, wanted in [(headers["ETag"], 304), ("W/" + headers["ETag"], 304), ("*", 304), ('"other"', 200)]:
            assert get(hub, path, Accept_Encoding="gzip", If_None_Match=tag)[0] == wanted, (path, tag)
        status, headers, received = get(hub, path, "HEAD")
        assert (status, received, headers["Content-Length"]) == (200, b"", str(len(body))), path
    assert get(hub, "/room/abc")[2] == get(hub, "/replay/abc")[2] == (WEB / "index.html").read_bytes()
    for path in ("/../Package.swift", "/%2e%2e/Package.swift", "/styles/", "/styles", "//etc/passwd", "/index.html%00"):
        assert get(hub, path)[0] in (400, 404), path
    return sent


async def check_log(hub, server):
    """A log of several pieces comes whole, compressed for those who take that and for nobody else."""
    table = await Table().open(server, preset="custom", columns=8, rows=12, theme="numbers", reveal=200)
    await table.play()
    path = f"/api/rooms/{table.code}/log"
    lines = get(hub, path)[2].splitlines(keepends=True)
    assert len(lines) > 200, len(lines)
    for after in (0, 1, 199, len(lines) - 200, len(lines) - 1, len(lines), len(lines) + 1):
        body = b"".join(lines[after:])
        status, plain, received = get(hub, f"{path}?after={after}", Accept_Encoding="gzip;q=0")
        assert (status, received) == (200, body) and "Content-Encoding" not in plain, after
        status, headers, received = get(hub, f"{path}?after={after}", Accept_Encoding="gzip")
        assert status == 200 and gzip.decompress(received) == body, after
        assert headers["Content-Encoding"] == "gzip" and headers["Vary"] == plain["Vary"] == "Accept-Encoding", headers
        assert len(body) < 10_000 or len(received) < len(body) / 3, (after, len(received), len(body))
    status, headers, received = get(hub, path, "HEAD", Accept_Encoding="gzip")
    assert (status, received, headers["Content-Encoding"]) == (200, b"", "gzip"), headers


with tempfile.TemporaryDirectory() as folder:
    hub = Hub(BINARY, folder, "--web", str(WEB))
    server = hub.start()
    try:
        print(check(hub), "bytes")
        asyncio.run(check_log(hub, server))
    finally:
        hub.kill()

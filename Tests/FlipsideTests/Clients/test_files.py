"""The page's files and a room's log, as a browser gets them."""

import gzip, hashlib, http.client, json, pathlib, re

import pytest

from record_room import Table

pytestmark = pytest.mark.xdist_group("files")
WEB = pathlib.Path(__file__).parents[3] / "web"
ALL = sorted("/" + str(path.relative_to(WEB)) for path in WEB.rglob("*") if path.is_file())
# Types are only for authors of clients.
TYPES = [path for path in ALL if path.endswith(".d.ts")]
# The page is served with its first modules and style sheets joined.
FILES = [path for path in ALL if path not in TYPES and path != "/index.html"]
PROBLEM = "application/problem+json"


@pytest.fixture(scope="module")
def served(web):
    return web


@pytest.fixture(scope="module")
def hub(make_module_hub):
    hub = make_module_hub()
    hub.start()
    return hub


@pytest.fixture
def get(hub):
    """Requests a path: status, headers and body."""
    def get(path, method="GET", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=20)
        connection.putrequest(method, path, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()

    return get


def test_types_are_not_served(get):
    assert TYPES and all(get(path)[0] == 404 for path in TYPES)


def test_each_file_is_served_whole(get, web):
    for path in FILES:
        status, headers, received = get(path)
        assert (status, received) == (200, (web / path[1:]).read_bytes()) and "Content-Encoding" not in headers, path
        length = headers["Content-Length"]
        status, headers, received = get(path, "HEAD")
        assert (status, received, headers["Content-Length"]) == (200, b"", length), path


def test_each_file_is_compressed_for_clients_that_accept_it(get, web):
    for path in FILES:
        body = (web / path[1:]).read_bytes()
        plain = get(path)[1]
        status, headers, received = get(path, Accept_Encoding="br, gzip;q=0.5")
        packed = headers.get("Content-Encoding") == "gzip"
        assert status == 200 and (gzip.decompress(received) if packed else received) == body, path
        assert headers["Vary"] == "Accept-Encoding" and len(received) <= len(body), headers
        assert packed == (headers["ETag"] != plain["ETag"]), (path, headers)
        assert packed or path.endswith((".png", ".ico", ".woff2")) or len(body) < 300, path


def test_a_client_that_has_a_file_is_not_sent_it_again(get):
    for path in FILES:
        tag = get(path, Accept_Encoding="gzip")[1]["ETag"]
        for known, wanted in [(tag, 304), ("W/" + tag, 304), ("*", 304), ('"other"', 200)]:
            assert get(path, Accept_Encoding="gzip", If_None_Match=known)[0] == wanted, (path, known)


@pytest.mark.parametrize("path", ["/room/abc", "/replay/abc", "/room/abc/", "/replay/K3M-7PQ"])
def test_the_pages_of_rooms_are_the_one_page(get, path):
    status, _, received = get(path)
    # Except for the headers about its address.
    front, back = re.split(b"<!-- preview -->.*<!-- /preview -->", get("/index.html")[2], flags=re.DOTALL)
    assert status == 200 and received.startswith(front) and received.endswith(back)


@pytest.mark.parametrize("path", ["/no/such/page", "/room", "/room/", "/room/abc/def", "/main.jss"])
def test_a_missing_page_is_a_page_for_browsers_and_a_problem_for_programs(get, path):
    # In any language. It must not be cached.
    status, headers, received = get(path, Accept="text/html,application/xhtml+xml,*/*;q=0.8", If_None_Match="*")
    assert (status, received) == (404, get("/index.html")[2]), (status, headers)
    assert headers["Content-Type"].startswith("text/html") and headers["Cache-Control"] == "no-store", headers
    assert "default-src 'self'" in headers["Content-Security-Policy"] and "ETag" not in headers, headers
    assert "Accept" in headers["Vary"].split(", "), headers
    for accepted in ("*/*", "application/json", "text/html;q=0, */*"):
        status, headers, received = get(path, Accept=accepted)
        assert (status, headers["Content-Type"]) == (404, PROBLEM), accepted
        assert json.loads(received)["code"] == "not-found" and "Accept" in headers["Vary"].split(", "), headers
    assert get(path, "POST", Accept="text/html", Content_Length="0")[1]["Content-Type"] == PROBLEM


@pytest.mark.parametrize("path", ["/api/nothing", "/api/rooms/nowhere"])
def test_the_api_answers_problems_to_everyone(get, path):
    assert get(path, Accept="text/html")[1]["Content-Type"] == PROBLEM


@pytest.mark.parametrize(
    "path", ["/../Package.swift", "/%2e%2e/Package.swift", "/styles/", "/styles", "//etc/passwd", "/index.html%00"])
def test_nothing_else_is_served(get, path):
    assert get(path)[0] in (400, 404)


@pytest.mark.seconds(12)
async def test_a_log_of_several_pieces_comes_whole_and_compressed_on_request(get, server):
    table = await Table().open(server, preset="custom", columns=8, rows=12, theme="numbers", reveal=200)
    await table.play()
    path = f"/api/rooms/{table.code}/log"
    lines = get(path)[2].splitlines(keepends=True)
    assert len(lines) > 200, len(lines)
    for after in (0, 1, 199, len(lines) - 200, len(lines) - 1, len(lines), len(lines) + 1):
        body = b"".join(lines[after:])
        status, plain, received = get(f"{path}?after={after}", Accept_Encoding="gzip;q=0")
        assert (status, received) == (200, body) and "Content-Encoding" not in plain, after
        status, headers, received = get(f"{path}?after={after}", Accept_Encoding="gzip")
        assert status == 200 and gzip.decompress(received) == body, after
        assert headers["Content-Encoding"] == "gzip" and headers["Vary"] == plain["Vary"] == "Accept-Encoding", headers
        assert len(body) < 10_000 or len(received) < len(body) / 3, (after, len(received), len(body))
    status, headers, received = get(path, "HEAD", Accept_Encoding="gzip")
    assert (status, received, headers["Content-Encoding"]) == (200, b"", "gzip"), headers


def joined(get):
    """The folder of joined files that the page names."""
    return re.search(rb'src="(/joined/[0-9a-f]{16})/page.js"', get("/")[2])[1].decode()


def test_joined_files_are_cached_for_ever(get):
    folder = joined(get)
    for path in "/page.js", "/page.css", "/pages/settings.js", "/fonts/display.woff2":
        headers = get(folder + path)[1]
        assert headers["Cache-Control"] == "max-age=31536000, immutable" and headers["X-Content-Type-Options"] == "nosniff"
    assert get("/")[1]["Cache-Control"] == get("/main.js")[1]["Cache-Control"] == "no-cache"


def test_a_later_module_is_its_own_file_and_a_joined_one_exports_the_joined_module(get, web):
    folder = joined(get)
    assert get(folder + "/pages/settings.js")[2] == (web / "pages/settings.js").read_bytes()
    stand_in = get(folder + "/texts/texts.js")[2].decode()
    assert 'from "../page.js"' in stand_in and "speak" in stand_in and len(stand_in) < 400


def test_the_font_is_beside_the_sheet_that_names_it_and_named_by_the_page(get, web):
    folder = joined(get)
    status, headers, received = get(folder + "/fonts/display.woff2", Accept_Encoding="gzip")
    assert (status, received) == (200, (web / "fonts/display.woff2").read_bytes())
    assert headers["Content-Type"] == "font/woff2" and "Content-Encoding" not in headers, headers
    assert b'url("./fonts/display.woff2")' in get(folder + "/page.css")[2]
    assert f'<link rel="preload" href="{folder}/fonts/display.woff2" as="font"'.encode() in get("/")[2]


def test_no_module_or_font_is_stored_twice(get):
    kept = json.loads(get("/files.json")[2])
    folder = joined(get)
    assert f"{folder}/main.js" in kept and "/main.js" not in kept and f"{folder}/page.js" in kept
    assert f"{folder}/fonts/display.woff2" in kept and "/fonts/display.woff2" not in kept
    assert "/shell/preload.js" in kept and "/index.html" in kept
    for path, digest in kept.items():
        assert hashlib.sha256(get(path)[2]).hexdigest()[:32] == digest, path

"""Previews of links, for programs that fetch them: they count no one as present, and wake no room."""

import gzip, html.parser, http.client, json, struct, zlib

import pytest

from flipside import Page, new_token, until

PICTURE = "/icons/preview.png"
HOME = "Play Memory, Reversi and 4 others together: start a room and send the link."


@pytest.fixture(scope="module")
def served(web):
    return web


class Tags(html.parser.HTMLParser):
    """A page as a program reads it for a preview: the contents of its head, each once."""

    def __init__(self, page):
        super().__init__()
        self.said, self.is_title = {"title": ""}, False
        self.feed(page.split("<body>")[0])

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.is_title = tag == "title"
        if name := tag == "meta" and (attributes.get("property") or attributes.get("name")):
            assert name not in self.said or name == "theme-color", name
            self.said[name] = attributes["content"]

    def handle_endtag(self, tag):
        self.is_title = False

    def handle_data(self, data):
        self.said["title"] += data if self.is_title else ""


class Fetcher:
    """Fetches pages like a crawler."""

    def __init__(self, hub):
        self.hub = hub

    def get(self, path, host="play.test", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.hub.port, timeout=20)
        connection.putrequest("GET", path, skip_host=True, skip_accept_encoding=True)
        for name, value in {"Host": host, **headers}.items():
            connection.putheader(name.replace("_", "-"), value.encode())
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()

    def tags(self, path, **headers):
        status, _, body = self.get(path, **headers)
        assert status == 200, body
        return Tags(body.decode()).said

    def title(self, path, **headers):
        return self.tags(path, **headers)["og:title"]

    async def comes(self, path, title, **headers):
        """Waits until the read models have the rooms and names."""
        await until(title, lambda: self.title(path, **headers) == title)


class Player:
    def __init__(self, server, name):
        self.server, self.name, self.token = server, name, new_token()
        server.http("POST", "/api/players", body={"name": name, "token": self.token})

    def open(self, game="memory", visibility="public", **options):
        body = {"game": game, "visibility": visibility, "options": options}
        return json.loads(self.server.http("POST", "/api/rooms", self.token, body))["code"]

    async def sit(self, code):
        page = await Page.join(self.server, code, self.token)
        await page.done("sit")
        return page

    async def wait(self):
        """The path of a room where they sit and wait."""
        code = self.open("reversi")
        self.page = await self.sit(code)
        return "/room/" + code


@pytest.fixture
def fetch(hub):
    return Fetcher(hub)


@pytest.fixture
def ann(server):
    return Player(server, "Ann")


@pytest.fixture
def ben(server):
    return Player(server, "Ben")


def test_home_names_the_games(fetch):
    said = fetch.tags("/")
    assert said["title"] == said["og:title"] == "Flipside"
    assert said["description"] == said["og:description"] == HOME
    assert said["og:url"] == "http://play.test/" and said["og:image"] == "http://play.test" + PICTURE
    assert said["twitter:card"] == "summary_large_image" and said["og:type"] == "website"


def test_the_picture_has_the_stated_size_and_is_small_enough_to_fetch(fetch):
    said = fetch.tags("/")
    status, headers, body = fetch.get(PICTURE)
    assert (status, headers["Content-Type"]) == (200, "image/png") and len(body) < 60_000
    assert struct.unpack(">II", body[16:24]) == (int(said["og:image:width"]), int(said["og:image:height"])) == (1200, 630)


def test_pages_do_not_cache_the_picture(fetch):
    assert PICTURE not in json.loads(fetch.get("/files.json")[2])


async def test_a_room_is_described_by_its_state(fetch, ann, ben):
    code = ann.open("reversi")
    room, replay = f"/room/{code}", f"/replay/{code}"
    await fetch.comes(room, "Reversi: seats free")
    said = fetch.tags(room)
    assert said["title"] == "Reversi: seats free · Flipside"
    assert said["description"].startswith("0 of 2 seats taken.") and said["og:url"] == "http://play.test" + room
    assert fetch.title(replay) == "Replay: Reversi"
    pages = [await ann.sit(code)]
    await fetch.comes(room, "Ann is waiting for you: Reversi")
    pages.append(await ben.sit(code))

    async def comes(title, of_replay):
        await fetch.comes(room, title)
        assert fetch.title(replay) == of_replay

    await comes("Ann and Ben are about to play Reversi", "Replay: Ann and Ben, Reversi")
    await pages[0].done("start")
    await comes("Ann and Ben are playing Reversi", "Replay: Ann and Ben, Reversi")
    await pages[0].done("resign")
    await comes("Ann and Ben played Reversi", "Replay: Ann and Ben, Reversi")
    assert "The game is over" in fetch.tags(room)["description"]
    await pages[0].done("close")
    # As little as the list of rooms, which has no closed ones.
    await comes("Reversi: this room is closed", "Replay: Reversi")


async def test_a_board_is_named_if_the_game_has_several(fetch, ann):
    for options, game in [({}, "Memory 4 × 4"), ({"preset": "hard"}, "Memory 4 × 5"), ({"preset": "memorize"}, "Memory"),
                          ({"columns": 3, "rows": 5, "theme": "random"}, "Memory 3 × 5")]:
        await fetch.comes("/room/" + ann.open(**options), f"{game}: seats free")


def test_a_code_is_read_however_it_was_typed(fetch, ann):
    code = ann.open("reversi")
    typed = f"{code[:3]}-{code[3:]}".upper()
    assert fetch.tags("/room/" + typed)["og:url"] == "http://play.test/room/" + code


@pytest.mark.parametrize("code", ["abcdef", "nowhere", "%22%3E%3Cscript%3E", "x" * 2000, "%F0%9F%98%80"])
def test_a_missing_room_has_only_the_general_preview(fetch, code):
    home = fetch.tags("/")
    for page in "room", "replay":
        status, _, body = fetch.get(f"/{page}/{code}")
        assert status == 200 and Tags(body.decode()).said == {name: home[name] for name in home if name != "og:url"}


async def test_an_unlisted_room_is_described_to_anyone_with_its_code(fetch, ann):
    code = ann.open("reversi", visibility="unlisted")
    await ann.sit(code)
    await fetch.comes("/room/" + code, "Ann is waiting for you: Reversi")


async def test_names_stay_names(fetch, server):
    path = await Player(server, "O'Neil & Co/~").wait()
    await fetch.comes(path, "O'Neil & Co/~ is waiting for you: Reversi")
    assert b'content="O&#39;Neil &amp; Co/~ is waiting for you: Reversi"' in fetch.get(path)[2]
    await fetch.comes(await Player(server, "שרה").wait(), "\u2068שרה\u2069 is waiting for you: Reversi")


async def test_a_forgotten_player_is_someone(fetch, ann, ben, server):
    # Both seats are taken: with a free one, the preview also depends on presence, and a forgotten player is not here.
    code = ann.open("reversi")
    pages = [await player.sit(code) for player in (ann, ben)]
    await fetch.comes("/room/" + code, "Ann and Ben are about to play Reversi")
    server.http("DELETE", "/api/players/me", ben.token)
    await fetch.comes("/room/" + code, "Ann and someone are about to play Reversi")
    assert len(pages) == 2


async def test_it_is_in_the_requested_language(fetch, ann):
    path = await ann.wait()
    for language, title in [("de-AT, en;q=0.5", "Ann wartet auf dich: Reversi"), ("fr, es;q=0.2", "Ann te espera: Reversi"),
                            ("zh-CN", "Ann在等你：黑白棋"), ("fr", "Ann is waiting for you: Reversi")]:
        await fetch.comes(path, title, Accept_Language=language)


@pytest.mark.parametrize("host", [
    '"><script>', "a.test/evil", "user@a.test", "a.test:port", "a.test:99999", "a b", "[::1", "[evil]", "é.test", ""])
def test_an_invalid_host_never_appears(fetch, host):
    status, headers, body = fetch.get("/", host=host)
    said = Tags(body.decode()).said
    assert status == 400 or not {"og:url", "og:image"} & set(said), said
    assert host == "" or host.encode() not in body
    assert status == 400 or said["og:title"] == "Flipside"


@pytest.mark.parametrize("host", ["a.test:8443", "127.0.0.1", "[::1]:8080", "A.Test"])
def test_a_host_appears_as_it_was_sent(fetch, host):
    assert fetch.tags("/", host=host)["og:url"] == f"http://{host.lower()}/"


def test_the_operator_sets_the_beginning_of_links(make_hub):
    hub = make_hub("--public-url", "https://play.example.org/")
    hub.start()
    said = Fetcher(hub).tags("/")
    assert (said["og:url"], said["og:image"]) == ("https://play.example.org/", "https://play.example.org" + PICTURE)


def test_with_tls_links_are_https(make_hub, certificate):
    hub = make_hub(certificate=certificate)
    server = hub.start()
    assert f'content="https://127.0.0.1:{hub.port}/"' in server.http("GET", "/").decode()


async def test_a_client_that_has_a_page_is_not_sent_it_again_until_it_changes(fetch, ann, server):
    path = await ann.wait()
    await fetch.comes(path, "Ann is waiting for you: Reversi")
    headers = fetch.get(path, Accept_Encoding="gzip")[1]
    assert headers["Cache-Control"] == "no-cache" and headers["Vary"] == "Accept-Encoding, Accept-Language"
    again = lambda **more: fetch.get(path, Accept_Encoding="gzip", If_None_Match=headers["ETag"], **more)[0]
    assert again() == 304
    assert again(Accept_Language="de") == again(host="other.test") == 200
    assert fetch.get(path)[1]["ETag"] != headers["ETag"]
    server.http("PUT", "/api/players/me/name", ann.token, {"name": "Anna"})
    await until("another page", lambda: again() == 200)


def test_a_page_is_the_same_however_it_is_sent(fetch, ann):
    for path in "/", "/room/" + ann.open("reversi"), "/replay/abcdef":
        plain = fetch.get(path)[2]
        _, headers, packed = fetch.get(path, Accept_Encoding="gzip")
        assert gzip.decompress(packed) == plain and headers["Content-Encoding"] == "gzip"
        # One member: browsers do not read a second one.
        inflater = zlib.decompressobj(31)
        assert inflater.decompress(packed) == plain and inflater.eof and not inflater.unused_data
        assert len(packed) < len(plain) / 2


async def test_no_one_is_counted_and_no_room_wakes(hub, fetch, ann, ben):
    codes = [ann.open("reversi"), ann.open()]
    for player in ann, ben:
        await player.sit(codes[0])
    await fetch.comes("/room/" + codes[0], "Ann and Ben are about to play Reversi")
    hub.kill()
    server = hub.start()
    records = server.metric("log_records_total")
    for code, game in zip(codes, ("Reversi", "Memory")):
        assert all(game in fetch.title(f"/{page}/{code}") for page in ("room", "replay"))
    assert {name: server.metric(name) for name in ("rooms_awake", "members", "lobby_members", "received_messages_total")} == {
        "rooms_awake": 0, "members": 0, "lobby_members": 0, "received_messages_total": 0}
    assert server.metric("log_records_total") == records
    assert all(room["present"] == room["spectators"] == 0 for room in json.loads(server.http("GET", "/api/rooms"))["rooms"])
    # Entering the room itself visibly wakes it.
    await Page.join(server, codes[0])
    assert server.metric("rooms_awake") == 1

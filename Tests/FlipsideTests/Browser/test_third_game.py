"""Adds the games of Hub.docc's articles to a copy of the project, word for word as there, builds the copy's games, and plays
them: against a computer in Chromium, and through the protocol. Gomoku is built as it is after each step of its article, under
names of its own."""

import json, os, pathlib, re, signal, subprocess

import jsonschema
import pytest
from playwright.sync_api import expect

from cluster import Cluster, wait_until
from protocol_player import Player
from tabs import IS_MINE, IS_OVER, way
from visitors import add_computer, code

ROOT = pathlib.Path(__file__).parents[3]
# The copy stays, so that the next run builds only what has changed since.
COPY = ROOT / ".build/articles-game"
ARTICLES = "AddingAGame.md", "HandsAndSealedChoices.md"
# The page with the games as they are in the end, and its tests.
PAGE = ROOT / ".build/articles-page"
# The project's own build.
BUILT = ROOT / ".build/debug"
QUICKLY = "-debug-info-format", "none"
CONTRACT = re.compile(r"/GamesTests/(Contract/.+|GameContractTests|LongTests)\.swift$")
# A new file, lines after a line, or a changed file.
LISTING = re.compile(
    r"`(?P<file>[^`\n]+)`(?:,\s(?P<how>after|changed)(?: `(?P<old>[^`\n]+)`)?)?:\n\n```\w+\n(?P<code>.*?)```"
    r"|^## (?P<section>[^\n]+)$", re.M | re.S)
LIMITS = {".swift": 170, ".js": 85}
# The sections after which the first game is complete, but has no words in other languages yet.
STEPS = ["In the page", "Options", "Several players, leaving and time"]
POINT = ".gomoku-point"
WEB_TESTS = "Tests/FlipsideTests/Web"


def project_with_games():
    """The files to build, with the articles' additions; those of its page alone; and how many lines of each language the
    first game has at first. The files to build also have that game as it is after each of the first steps."""
    files = {path.relative_to(ROOT): path.read_bytes() for path in [ROOT / "Package.swift", *files_in(ROOT)] if is_built(path)}
    # Node treats files as ES modules if a package says so.
    files[pathlib.Path("package.json")] = b'{"type":"module"}'
    before, after = set(files), sections()
    add(files, *list(after.values())[-1])
    page = {path: content for path, content in files.items() if str(path).startswith(("web/", WEB_TESTS, "package.json"))}
    for number, step in enumerate(STEPS, 1):
        add(files, *after[step], lambda text: re.sub(r"\b[Gg]omoku\b", rf"\g<0>{number}", str(text)))
    # The only module that is built with them.
    assert all(path.parts[:2] == ("Sources", "Games") for path in files.keys() - before if path.suffix == ".swift")
    lines = dict.fromkeys(LIMITS, 0)
    for path, text in after[STEPS[0]][0].items():
        if path.suffix in lines:
            lines[path.suffix] += text.count("\n")
    return files, page, lines


def sections():
    """The articles' own files, and their lines in lists of games, as they are after each of their sections."""
    article = "\n".join((ROOT / "Sources/Hub/Hub.docc" / name).read_text() for name in ARTICLES)
    own, lines, after, section = {}, [], {}, ""
    parts = list(LISTING.finditer(article))
    # All but what a shell runs.
    count = len(re.findall(r"^```(?!sh$)\w", article, re.M))
    assert sum(not part["section"] for part in parts) == count, "a listing is not built"
    for part in parts:
        path = pathlib.Path(part["file"] or "")
        if part["section"]:
            section = part["section"]
        elif part["how"] == "after":
            lines.append((path, part["old"] + "\n", part["code"]))
        else:
            own[path] = changed(own[path], part["code"], path) if part["how"] else part["code"]
        after[section] = dict(own), list(lines)
    return after


def add(files, own, lines, named=str):
    """Adds own files and lines in lists to `files`, all with other names."""
    files |= {pathlib.Path(named(path)): named(text).encode() for path, text in own.items()}
    for path, old, new in lines:
        text = files[path].decode()
        assert text.count(old) == 1, (path, old)
        files[path] = text.replace(old, old + named(new)).encode()


def changed(text, listing, path):
    """`text` with the hunks of a listing applied."""
    for hunk in re.split(r"^@@\n", listing, flags=re.M):
        lines = hunk.splitlines(keepends=True)
        old, new = ("".join(line[1:] or "\n" for line in lines if line[0] != other) for other in "+-")
        assert text.count(old) == 1, f"{path} has this {text.count(old)} times:\n{old}"
        text = text.replace(old, new)
    return text


def files_in(project):
    return [path for folder in ("Sources", "Tests", "web") for path in (project / folder).rglob("*") if path.is_file()]


def is_built(path):
    """Of the Swift tests, only the contract of every game: the others concern only the project itself."""
    return path.suffix != ".swift" or ROOT / "Tests" not in path.parents or CONTRACT.search(str(path))


def write(files, project):
    """Makes `project` hold exactly these files, besides the build's; unchanged ones stay untouched."""
    for path in files_in(project):
        if path.relative_to(project) not in files:
            path.unlink()
    for name, content in files.items():
        path = project / name
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def objects(build, product):
    """The object files that a product of a build is linked from."""
    listed = build / f"{product}.product/Objects.LinkFileList"
    assert listed.exists(), "`swift build --build-tests` comes first"
    return listed.read_text().splitlines()


def link(program):
    """Links the project's own build with the copy's games. The other modules know only protocols of games and are the same
    with one game more, so that building them again would show nothing."""
    is_of_games = re.compile(r"/Games\.build/").search
    wanted = [path for path in objects(BUILT, "flipside") if not is_of_games(path)]
    wanted += filter(is_of_games, objects(COPY / ".build/debug", "flipsidePackageTests"))
    listed = COPY / "objects"
    listed.write_text("".join(f'"{path}"\n' for path in wanted))
    # SwiftPM gives the main function this name.
    in_copy("swiftc", "-emit-executable", "-o", program, f"@{listed}", "-lssl", "-lcrypto", "-Xlinker", "--defsym", "-Xlinker",
            "main=flipside_main")


def in_copy(*command, folder=COPY):
    environment = {"FLIPSIDE_STRICT": "1", "FLIPSIDE_TESTS_OF": "GamesTests"}
    result = subprocess.run(command, capture_output=True, text=True, env=os.environ | environment, cwd=folder)
    said = result.stdout + result.stderr
    told = [line for line in said.splitlines() if re.search(r"broken promise|error:|error TS", line)]
    assert result.returncode == 0, "\n".join(told[:20]) or said[-3_000:]


def fit_schema(direction, messages):
    """Like a reader of the protocol who does not know this game."""
    schema = json.loads((ROOT / "Sources/Hub/Hub.docc/Resources/flipside.v1.schema.json").read_text())
    reader = jsonschema.Draft202012Validator({"$ref": f"#/$defs/{direction}", "$defs": schema["$defs"]})
    for message in messages:
        reader.validate(message)


# One build for all tests.
pytestmark = pytest.mark.xdist_group("third-game")


@pytest.fixture(scope="module")
def binary():
    """The hub with the copy's games, which have passed their contract, and their pages the tests of classes, types and words."""
    files, page, lines = project_with_games()
    said = f"{lines['.swift']} lines of Swift, {lines['.js']} of JavaScript"
    assert all(0 < lines[suffix] <= limit for suffix, limit in LIMITS.items()), lines
    assert said in " ".join((ROOT / "Sources/Hub/Hub.docc/House.md").read_text().split()), f"House.md must say: {said}"
    write(files, COPY)
    write(page, PAGE)
    in_copy("node", "--test", f"{WEB_TESTS}/boards.test.js")
    in_copy("node", "--test", f"{WEB_TESTS}/texts.test.js", folder=PAGE)
    in_copy("tsc", "--pretty", "false", "--project", WEB_TESTS)
    in_copy("swift", "build", "--build-tests", *QUICKLY)
    in_copy("swift", "test", "--skip-build", "--filter", "GameContractTests/kept")
    program = str(COPY / "flipside")
    link(program)
    return program


@pytest.fixture
def served(binary):
    """The page with the games as they are in the end."""
    return PAGE / "web"


@pytest.mark.seconds(60)
def test_the_articles_games_can_be_added_built_and_played(hub, server, visitors, run):
    path = by_protocol(visitors)
    in_the_page(visitors, code(path))
    cards = cards_in_the_page(visitors)
    hub.kill()
    for room in (code(path), code(cards)):
        verdict = run("replay", room, "--data", hub.folder)
        assert verdict.returncode == 0, verdict


@pytest.mark.seconds(10)
def test_a_release_without_the_game_holds_it_back_until_it_has_left(binary, served, database, tmp_path):
    """Two programs in one cluster, of which the older one lacks a game."""
    cluster = Cluster(binary, served, database, tmp_path, 2)
    newer, older = cluster
    older.binary = str(BUILT / "flipside")
    try:
        cluster.start()
        token, _ = newer.server.register("Ada")
        def answer(node, game):
            status, body = node.server.ask("POST", "/api/rooms", token, {"game": game, "options": {}})
            return status, json.loads(body).get("code")
        assert answer(newer, "gomoku")[1] == "older-node"
        assert answer(older, "gomoku")[1] == "unknown-game"
        rooms = [answer(node, "memory") for node in cluster]
        assert [status for status, _ in rooms] == [200, 200], rooms
        older.kill(signal.SIGTERM)
        assert older.process.returncode == 0, older.logged()
        wait_until("a room of the game", lambda: answer(newer, "gomoku")[0] == 200, newer.logged)
        # The newer node has taken over the older rooms.
        for _, room in rooms:
            assert len(newer.server.log(room)) == 1
    finally:
        cluster.end()


def by_protocol(visitors):
    """Seat 0 places five stones in a row; returns the path of the room."""
    path = visitors.open_room("Ada", "gomoku", turnTime=60)
    players = [visitors.join(path, name) for name in ("Ada", "Bob")]
    players[0].do("start")
    for move in range(9):
        players[move % 2].do("place", cell=15 * (move % 2) + move // 2)
    newcomer, events = Player(visitors.server, code(path)), players[0].page.events
    fit_schema("client", [{"type": "place", "id": "x", "cell": 3}])
    fit_schema("hub", [newcomer.page.welcome] + [event for _, event in events])
    end = events[-1][1]
    assert end["type"] == "game-ended" and [result["place"] for result in end["results"]] == [1, 2], end
    return path


def cards_in_the_page(visitors):
    """High card against a computer, and the check of its deal; returns the address of the room."""
    page = visitors.host("Cleo", "high-card", seats=2, turnTime=60)
    add_computer(page)
    page.get_by_role("button", name="Start", exact=True).click()
    for _ in range(6):
        page.wait_for_function(f"() => {IS_MINE}")
        before = page.locator(".high-card-table").text_content()
        page.locator(".high-card-card").first.click()
        # The chosen card lies on the table, or the next round has begun.
        page.wait_for_function(f"() => document.querySelector('.high-card-table').textContent !== {json.dumps(before)}")
    expect(page.locator("#end")).to_be_visible()
    room = page.url
    page.goto(room.replace("/room/", "/replay/"))
    page.locator("#replay-check").click()
    expect(page.locator("#check-verdict")).to_have_text("Everything checks out.")
    return room


def in_the_page(visitors, other):
    """Against a computer; `other` is the code of another room."""
    page = visitors.new()
    page.goto("/")
    # Lists of rooms show its title, and the form has no fields of other games.
    expect(page.locator("#rooms li", has=page.locator(f"[href='/room/{other}']"))).to_contain_text("Gomoku")
    expect(page.locator("#invitation")).to_contain_text("Gomoku")
    expect(page.locator("[data-game=gomoku] .miniature [data-target]")).to_have_count(225)
    page.locator(way("friends", "gomoku")).click()
    page.locator("#name-dialog").get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#facts .chip")).to_have_text(
        ["Gomoku", "Turn 1 stone in a turn", "Time per turn 30 s (multiplayer)", "Visibility link only"])
    room = json.loads(visitors.server.http("GET", "/api/rooms/" + code(page.url)))
    assert room["options"] == {"stones": 1}, room
    add_computer(page)
    page.get_by_role("button", name="Start", exact=True).click()
    for move in range(113):
        # The player of the last stone does not have the turn: after a winning one there is only the end.
        page.wait_for_function(f"() => ({IS_MINE}) && document.querySelectorAll('{POINT}[data-seat]').length % 2 === 0 || {IS_OVER}")
        if page.locator("#end").is_visible():
            break
        free = page.evaluate(f"[...document.querySelectorAll('{POINT}')].flatMap((point, cell) => point.dataset.seat ? [] : [cell])")
        page.locator(POINT).nth(free[0]).click()
        # Another stone shows that the hub has answered.
        page.wait_for_function(f"() => document.querySelectorAll('{POINT}[data-seat=\"0\"]').length === {move + 1}")
    expect(page.locator("#end")).to_be_visible()

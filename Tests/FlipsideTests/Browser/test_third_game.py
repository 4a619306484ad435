"""Adds the game of Hub.docc/AddingAGame.md to a copy of the project, word for word as in the article, builds the
copy's games, and plays gomoku: against a computer in Chromium, and through the protocol."""

import json, os, pathlib, re, shutil, signal, subprocess

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
# The project's own build.
BUILT = ROOT / ".build/debug"
QUICKLY = "-debug-info-format", "none"
CONTRACT = re.compile(r"/GamesTests/(Contract/.+|GameContractTests|LongTests)\.swift$")
FENCE = r":\n\n```\w+\n(?P<code>.*?)```"
NEW = re.compile(r"^`(?P<file>[^`\n]+)`" + FENCE, re.M | re.S)
LINE = re.compile(r"`(?P<file>[^`\n]+)`, (?P<how>after|instead\s+of) `(?P<old>[^`\n]+)`" + FENCE, re.S)
LIMITS = {".swift": 165, ".js": 85}
POINT = ".gomoku-point"
# The article's game has no options; one listed by its module appears in the form, and reaches the hub.
NO_BUTTONS = "  buttons: [],\n"
OPTION = '  options: { shown: [{ name: "seats", label: "Places", choices: () => [{ value: 2, label: "Two" }] }] },\n'


def project_with_game():
    """The files to build, with the article's additions; and how many lines of each language those have."""
    article = (ROOT / "Sources/Hub/Hub.docc/AddingAGame.md").read_text()
    files = {path.relative_to(ROOT): path.read_bytes() for path in [ROOT / "Package.swift", *files_in(ROOT)] if is_built(path)}
    # Node treats files as ES modules if a package says so.
    files[pathlib.Path("package.json")] = b'{"type":"module"}'
    lines = dict.fromkeys(LIMITS, 0)
    before = set(files)
    for part in NEW.finditer(article):
        path = pathlib.Path(part["file"])
        files[path] = part["code"].encode()
        if path.suffix in lines:
            lines[path.suffix] += part["code"].count("\n")
    changes = list(LINE.finditer(article))
    for part in changes:
        path = pathlib.Path(part["file"])
        text, old, new = files[path].decode(), part["old"] + "\n", part["code"]
        assert text.count(old) == 1, (part["file"], old)
        files[path] = text.replace(old, old + new if part["how"] == "after" else new).encode()
    assert len(changes) == 3, changes
    # The only module that is built with them.
    touched = files.keys() - before | {pathlib.Path(part["file"]) for part in changes}
    assert all(path.parts[:2] == ("Sources", "Games") for path in touched if path.suffix == ".swift"), touched
    return files, lines


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


def in_copy(*command):
    environment = {"FLIPSIDE_STRICT": "1", "FLIPSIDE_TESTS_OF": "GamesTests"}
    result = subprocess.run(command, capture_output=True, text=True, env=os.environ | environment, cwd=COPY)
    said = result.stdout + result.stderr
    told = [line for line in said.splitlines() if re.search(r"broken promise|error:", line)]
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
    """The hub with the copy's games, which have passed their contract, and whose boards have passed the check of their classes."""
    files, lines = project_with_game()
    said = f"{lines['.swift']} lines of Swift, {lines['.js']} of JavaScript"
    assert all(0 < lines[suffix] <= limit for suffix, limit in LIMITS.items()), lines
    assert said in " ".join((ROOT / "Sources/Hub/Hub.docc/House.md").read_text().split()), f"House.md must say: {said}"
    write(files, COPY)
    in_copy("swift", "build", "--build-tests", *QUICKLY)
    in_copy("swift", "test", "--skip-build", "--filter", "GameContractTests")
    in_copy("node", "--test", "Tests/FlipsideTests/Web/boards.test.js")
    program = str(COPY / "flipside")
    link(program)
    return program


@pytest.fixture
def served(binary, tmp_path):
    """The page of the copy."""
    page = shutil.copytree(COPY / "web", tmp_path / "web")
    module = page / "games/gomoku/game.js"
    module.write_text(module.read_text().replace(NO_BUTTONS, NO_BUTTONS + OPTION))
    return page


@pytest.mark.seconds(60)
def test_the_articles_game_can_be_added_built_and_played(hub, server, visitors, run):
    path = by_protocol(visitors)
    in_the_page(visitors, code(path))
    hub.kill()
    verdict = run("replay", code(path), "--data", hub.folder)
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
        ["Gomoku", "Places Two", "Time per turn 30 s (multiplayer)", "Visibility link only"])
    room = json.loads(visitors.server.http("GET", "/api/rooms/" + code(page.url)))
    assert room["options"] == {"seats": 2}, room
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

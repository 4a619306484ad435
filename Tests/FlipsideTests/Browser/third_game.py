"""Adds the game of Hub.docc/AddingAGame.md to a copy of the project, word for word as the article says, builds it, and
plays it: against a computer in Chromium, and through the protocol. third_game.py ROOT. SHOTS=FOLDER keeps a screenshot."""

import asyncio, os, pathlib, re, shutil, subprocess, sys, tempfile

from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Clients"))
from flipside import Hub, Page

ROOT = pathlib.Path(sys.argv[1])
FENCE = r":\n\n```\w+\n(?P<code>.*?)```"
NEW = re.compile(r"^`(?P<file>[^`\n]+)`" + FENCE, re.M | re.S)
LINE = re.compile(r"`(?P<file>[^`\n]+)`, (?P<how>behind|instead\s+of) `(?P<old>[^`\n]+)`" + FENCE, re.S)
LIMITS = {".swift": 150, ".js": 80}


def add_game(project):
    """Does what the article says; how many lines of each language that was."""
    article = (ROOT / "Sources/Hub/Hub.docc/AddingAGame.md").read_text()
    lines = dict.fromkeys(LIMITS, 0)
    for part in NEW.finditer(article):
        path = project / part["file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(part["code"])
        if path.suffix in lines:
            lines[path.suffix] += part["code"].count("\n")
    changes = list(LINE.finditer(article))
    for part in changes:
        path = project / part["file"]
        text, old, new = path.read_text(), part["old"] + "\n", part["code"]
        assert text.count(old) == 1, (part["file"], old)
        path.write_text(text.replace(old, old + new if part["how"] == "behind" else new))
    assert len(changes) == 6, changes
    assert all(0 < lines[suffix] <= limit for suffix, limit in LIMITS.items()), lines
    return lines


def build(project):
    """The hub of the copy; its tests are the project's own affair."""
    command = ["swift", "build", "--product", "flipside", "--package-path", str(project)]
    result = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"FLIPSIDE_STRICT": "1"})
    assert result.returncode == 0, result.stdout[-3_000:] + result.stderr[-3_000:]
    return str(project / ".build/debug/flipside")


async def by_protocol(server):
    """Seat 0 drops four discs into one column."""
    tokens = [server.register(name)[0] for name in ("Ada", "Bob")]
    code = server.open_room(tokens[0], game="connect-four", turnTime=60)
    pages = [await Page.join(server, code, token) for token in tokens]
    for page in pages:
        assert (await page.command("sit"))["type"] == "ok"
    assert (await pages[0].command("start"))["type"] == "ok"
    for move in range(7):
        answer = await pages[move % 2].command("drop", column=move % 2)
        assert answer["type"] == "ok", answer
    end = pages[0].events[-1][1]
    assert end["type"] == "game-ended" and [result["place"] for result in end["results"]] == [1, 2], end
    return code


def in_the_page(browser, base):
    faults = []
    page = browser.new_context(viewport=dict(width=1280, height=800)).new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(base)
    page.locator("#open-form").get_by_label("Connect four").check()
    page.get_by_role("button", name="Open a room").click()
    page.locator("#name-dialog").get_by_role("button", name="Play", exact=True).click()
    page.get_by_role("button", name="Take a seat").click()
    page.get_by_role("button", name="Seats").click()
    page.get_by_role("button", name="Add a computer").click()
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Start", exact=True).click()
    for move in range(42):
        page.wait_for_function(
            "() => document.querySelector('#room').dataset.mine === 'true' || !document.querySelector('#end').hidden")
        if page.locator("#end").is_visible():
            break
        assert not faults, faults
        free = page.evaluate("[...Array(7).keys()].filter(c => !document.querySelectorAll('.hole')[c].dataset.seat)")
        page.locator(".hole").nth(free[0]).click()
        # The hub has answered once there is another disc.
        page.wait_for_function(f"() => document.querySelectorAll('.hole[data-seat=\"0\"]').length === {move + 1}")
        if move == 2 and os.environ.get("SHOTS"):
            page.screenshot(path=pathlib.Path(os.environ["SHOTS"]) / "connect-four.png")
    expect(page.locator("#end")).to_be_visible()
    assert not faults, faults


with tempfile.TemporaryDirectory() as folder:
    project = pathlib.Path(folder) / "project"
    project.mkdir()
    for name in ("Sources", "web"):
        shutil.copytree(ROOT / name, project / name)
    shutil.copy(ROOT / "Package.swift", project)
    (project / "Tests").symlink_to(ROOT / "Tests")
    lines = add_game(project)
    binary = build(project)
    hub = Hub(binary, folder + "/data", "--web", str(project / "web"), "--think-time", "0")
    server = hub.start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        try:
            in_the_page(browser, server.base + "/")
        finally:
            browser.close()
    try:
        code = asyncio.run(by_protocol(server))
    finally:
        hub.kill()
    verdict = subprocess.run([binary, "replay", code, "--data", folder + "/data"], capture_output=True, text=True)
    assert verdict.returncode == 0, verdict
    print(lines)

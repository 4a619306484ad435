"""The layout of a table: the board gets the space, and everything for playing is near it."""

import pytest
from playwright.sync_api import expect

from accessibility import expect_accessible
from layout import OVERLAPS, resize
from visitors import module, sit, start

pytestmark = pytest.mark.shares_hub

# The longest names that the hub accepts: words, one word, the widest characters of two scripts.
LONGEST = ["Maximiliane Wolkenstein ", "Donaudampfschifffahrtsge", "W" * 24, "龘" * 24, "Anna-Katharina Schneider",
           "Bartholomaeus-Ottokar II", "Christopher Montgomery W", "Gwendolyn Featherstone X"]
PHONES = [(390, 844), (320, 568)]
WIDE = [(1440, 900), (1280, 800), (1024, 768)]
LOW = [(1024, 600), (1920, 600)]
# A window of 1280 x 1024 zoomed to 400 %, a phone on its side, and one zoomed to 200 %.
SMALL = [(320, 256), (844, 390), (500, 400), (320, 568)]
BOARDS = {
    "2 x 5": dict(preset="easy"), "4 x 8": dict(preset="custom", columns=4, rows=8),
    "5 x 5": dict(preset="custom", columns=5, rows=5), "8 x 12": dict(preset="custom", columns=8, rows=12, theme="numbers"),
}
BOX = "selector => document.querySelector(selector).getBoundingClientRect().toJSON()"
# The shortest distance from the board of each thing needed for playing, in px.
DISTANCES = """() => { const board = document.querySelector('#board').getBoundingClientRect()
  return [...document.querySelectorAll('.player, #say, #caption, #clock, #bonus, .actions button')]
    .filter(one => one.checkVisibility() && one.textContent.trim()).map(one => { const box = one.getBoundingClientRect()
      const across = Math.max(0, board.left - box.right, box.left - board.right)
      const down = Math.max(0, board.top - box.bottom, box.top - board.bottom)
      return [one.id || one.className || one.textContent, Math.hypot(across, down)] }) }"""
# Visible columns and rows, the area of a card, and its area if the board were turned the other way; whether it scrolls.
LAID = """() => { const root = document.querySelector('#board'), card = root.querySelector('[data-target]'), felt = root.parentElement
  const seen = name => new Set([...root.children].map(one => one[name])).size
  const area = () => card.offsetWidth * card.offsetHeight
  const scrolls = () => root.offsetWidth > felt.offsetWidth + 1 || root.offsetHeight > felt.offsetHeight + 1
  const laid = { columns: seen('offsetLeft'), rows: seen('offsetTop'), area: area(), scrolls: scrolls() }
  const turn = () => { const { style, dataset } = root, columns = style.getPropertyValue('--columns')
    style.setProperty('--columns', style.getPropertyValue('--rows')); style.setProperty('--rows', columns)
    dataset.turned = String(dataset.turned !== 'true') }
  turn()
  const other = { area: area(), scrolls: scrolls() }
  turn()
  return { ...laid, other } }"""
# Names and status lines that are partly cut off.
CUT = """() => [...document.querySelectorAll('.player .name, #say')].filter(one => {
  const { left, right } = one.getBoundingClientRect(), { textOverflow, fontSize } = getComputedStyle(one)
  return one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1 || left < 0 || right > innerWidth
    || textOverflow === 'ellipsis' || parseFloat(fontSize) < 11 }).map(one => one.textContent)"""
SMALLEST = """() => Math.min(...[...document.querySelectorAll('#board [data-target]:not(:disabled)')]
  .flatMap(({ offsetWidth, offsetHeight }) => [offsetWidth, offsetHeight]))"""
IN_SIGHT = """cell => { const felt = document.querySelector('#felt').getBoundingClientRect()
  const { left, right, top, bottom } = document.querySelector(`#board [data-target="${cell}"]`).getBoundingClientRect()
  return left >= felt.left && right <= felt.right && top >= felt.top && bottom <= felt.bottom }"""
TURNED = "turned => document.querySelector('#board').dataset.turned === turned"


def table(visitors, names, game="memory", **options):
    """The page of the first of these players, in a game with the others."""
    # The game lasts however slow the machine is.
    seats = dict(seats=max(2, len(names))) if game == "memory" else {}
    page = visitors.host(names[0], game, **dict(turnTime=0) | seats | options)
    others = [visitors.join(page.url, name) for name in names[1:]]
    start(page)
    return page, others


@pytest.mark.parametrize("board", [
    pytest.param(board, marks=() if board in ("2 x 5", "8 x 12") else pytest.mark.long) for board in BOARDS])
def test_no_board_of_cards_would_be_larger_the_other_way(visitors, board):
    page, _ = table(visitors, ["Ann", "Ben"], **BOARDS[board])
    columns, rows = map(int, board.split(" x "))
    for size in [(390, 844), (768, 1024), *WIDE, *SMALL]:
        resize(page, size)
        laid = page.evaluate(LAID)
        assert sorted([laid["columns"], laid["rows"]]) == sorted([columns, rows]), (size, laid)
        assert not laid["scrolls"] or laid["other"]["scrolls"], (size, laid)
        assert laid["scrolls"] or laid["other"]["scrolls"] or laid["area"] >= laid["other"]["area"] - 1, (size, laid)
    if columns != rows:
        resize(page, (1440, 900))
        assert page.evaluate(LAID)["columns"] == max(columns, rows)
        resize(page, (390, 844))
        assert page.evaluate(LAID)["columns"] == min(columns, rows)


def test_on_a_board_on_its_side_keys_follow_the_eye_and_cards_keep_their_numbers(visitors):
    page, _ = table(visitors, ["Ann", "Ben"], preset="easy")
    resize(page, (1440, 900))
    page.wait_for_function(TURNED, arg="true")
    page.locator('[data-target="0"]').focus()
    for key, cell in ("ArrowRight", 2), ("ArrowRight", 4), ("ArrowDown", 5), ("ArrowLeft", 3), ("ArrowUp", 2):
        page.keyboard.press(key)
        expect(page.locator(f'[data-target="{cell}"]')).to_be_focused()
    expect(page.locator('[data-target="2"]')).to_have_attribute("aria-label", "Card 3, face down, row 1, column 2")
    page.keyboard.press("Enter")
    expect(page.locator('[data-target="2"]')).to_have_attribute("data-side", "up")
    expect(page.locator("#announcer")).to_contain_text("You flipped card 3:")
    # The focus stays when the board stands up again.
    resize(page, (390, 844))
    page.wait_for_function(TURNED, arg="false")
    expect(page.locator('[data-target="2"]')).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator('[data-target="3"]')).to_be_focused()
    expect(page.locator('[data-target="3"]')).to_have_attribute("aria-label", "Card 4, face down, row 2, column 2")


@pytest.mark.parametrize("options", [
    pytest.param(dict(preset="easy"), id="2 x 5"), pytest.param(dict(preset="hard"), id="4 x 5", marks=pytest.mark.long),
    pytest.param(dict(preset="custom", columns=4, rows=8), id="4 x 8", marks=pytest.mark.long)])
def test_nothing_for_playing_is_far_from_the_board(visitors, options):
    page, _ = table(visitors, ["Ann", "Ben"], turnTime=600, **options)
    expect_near(page)
    expect_accessible(page, WIDE)


@pytest.mark.parametrize("game", ["reversi", pytest.param("connect-four", marks=pytest.mark.long)])
def test_a_board_of_discs_is_laid_out_like_one_of_cards(visitors, game):
    page, _ = table(visitors, ["Ann", "Ben"], game, turnTime=600)
    expect_near(page)
    expect_room_for_fingers(page)
    expect_board_first(page)
    expect_accessible(page, WIDE)
    expect_accessible(page, SMALL)


def expect_near(page):
    """Everything for playing is near the board, but not over it."""
    for size in [(390, 844), (768, 1024), *WIDE, *SMALL[1:], (1920, 1080), (2560, 1440), *LOW]:
        resize(page, size)
        assert not page.evaluate(OVERLAPS, ".player, #say, #caption, #clock, #bonus, #board, .actions button"), size
        distances = page.evaluate(DISTANCES)
        assert len(distances) >= 6 and max(distance for _, distance in distances) <= 400, (size, distances)
        if size in WIDE:
            board, player = page.evaluate(BOX, "#board"), page.evaluate(BOX, ".player")
            assert 0 < board["left"] - player["right"] < 60, (size, board, player)


def expect_room_for_fingers(page):
    """No cell is too small for a finger, and the keyboard brings each into view."""
    for size in SMALL:
        resize(page, size)
        assert page.evaluate(SMALLEST) >= 24, size
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size
        page.locator("#board [data-target]").first.focus()
        for key, cell in ("End", page.locator("#board [data-target]").count() - 1), ("Home", 0):
            page.keyboard.press(key)
            page.wait_for_function(IN_SIGHT, arg=cell)


def expect_board_first(page):
    """In a window zoomed to 400 % the board comes first."""
    resize(page, (320, 256))
    board = page.evaluate(BOX, "#board")
    for chrome in ".bar", "#players", "#actions":
        assert board["bottom"] <= page.evaluate(BOX, chrome)["top"], chrome
    assert 0 <= board["top"] and board["bottom"] <= 256, board
    for shown in "#say", "#clock":
        assert page.evaluate(BOX, shown)["bottom"] <= 40, shown


@pytest.mark.seconds(10)
@pytest.mark.parametrize("count", [2, pytest.param(3, marks=pytest.mark.long), 8])
def test_on_phones_no_name_is_cut(visitors, count):
    page, _ = table(visitors, [name.strip() for name in LONGEST[:count]], rule="hard")
    for size in [*PHONES, (320, 256), (844, 390)]:
        resize(page, size)
        assert not page.evaluate(CUT), size
        assert page.evaluate(SMALLEST) >= 24, size
    # The longest message about another player.
    page.evaluate(f"""async name => {{ const {{ about }} = await {module('texts/texts.js')}
      document.querySelector('#say').textContent = about('memory.twin', {{ name, isYou: false }})
      document.querySelector('#say').classList.add('long') }}""", LONGEST[3])
    for size in PHONES:
        resize(page, size)
        assert not page.evaluate(CUT), size


def test_on_phones_the_names_of_discs_players_are_not_cut_either(visitors):
    page, _ = table(visitors, LONGEST[2:4], "reversi")
    for size in PHONES:
        resize(page, size)
        assert not page.evaluate(CUT), size


def test_no_card_is_too_small_for_a_finger(visitors):
    page, _ = table(visitors, ["Ann", "Ben"], **BOARDS["8 x 12"])
    expect_room_for_fingers(page)
    expect_accessible(page, SMALL)


def test_a_scrolling_board_follows_the_game(visitors):
    path = visitors.open_room("Ann", **BOARDS["8 x 12"] | dict(seats=2, reveal=200, turnTime=0))
    ann, ben = (visitors.join(path, name) for name in ("Ann", "Ben"))
    ann.do("start")
    page = visitors.new(view=dict(viewport=dict(width=320, height=256)))
    page.goto(path)
    expect(page.locator("#board [data-target]")).to_have_count(96)
    expect(page.locator("#felt")).to_have_attribute("data-scrolls", "true")
    for cell in 95, 0:
        assert not page.evaluate(IN_SIGHT, 95) or cell == 0
        ann.do("flip", cell=cell)
        page.wait_for_function(IN_SIGHT, arg=cell)
    # Nothing around it has moved.
    assert page.evaluate("scrollY") == 0


def test_a_keyboard_player_sees_the_focused_card(visitors):
    path = visitors.open_room("Ann", **BOARDS["8 x 12"] | dict(seats=2, reveal=200, turnTime=0))
    ann, ben = visitors.join(path, "Ann"), visitors.new("Ben", dict(viewport=dict(width=320, height=256)))
    sit(ben, path)
    ann.do("start")
    expect(ben.locator("#felt")).to_have_attribute("data-scrolls", "true")
    ben.keyboard.press("End")
    ben.wait_for_function(IN_SIGHT, arg=95)
    ben.evaluate("document.activeElement.blur()")
    for cell in range(95, 0, -1):
        ann.do("flip", cell=cell)
        if cell % 2 == 0 and ben.locator('#board [data-side="won"]').count() != 96 - cell:
            break
    expect(ben.locator("#room")).to_have_attribute("data-mine", "true")
    expect(ben.locator('[data-target="0"]')).to_be_focused()
    ben.wait_for_function(IN_SIGHT, arg=0)


def test_at_400_percent_zoom_the_board_comes_first(visitors):
    page, _ = table(visitors, ["Ann", "Ben"], turnTime=600)
    expect_board_first(page)
    expect_accessible(page, [(320, 256)])


@pytest.mark.shares_hub(False)
def test_replays_and_the_wall_have_the_same_boards(visitors):
    page, _ = table(visitors, ["Ann", "Ben"], preset="easy", theme="random")
    watcher = visitors.new(view=dict(viewport=dict(width=1440, height=900)))
    watcher.goto(page.url.replace("/room/", "/replay/"))
    expect(watcher.locator("#replay-board")).to_have_attribute("data-turned", "true")
    expect(watcher.locator("#replay-caption")).to_contain_text("Cards: ")
    board, player = (watcher.evaluate(BOX, one) for one in ("#replay-board", "#replay .player"))
    assert 0 < board["left"] - player["right"] < 60, (board, player)
    resize(watcher, (1024, 600))
    assert watcher.evaluate(BOX, "#replay-board")["width"] > 500
    resize(watcher, (320, 256))
    assert watcher.evaluate(BOX, "#replay-board")["bottom"] <= watcher.evaluate(BOX, ".bar")["top"]
    expect_accessible(watcher, [(1440, 900), (320, 256)])
    watcher.goto("/#wall")
    expect(watcher.locator(".tile .memory-board")).to_have_attribute("data-turned", "true")
    expect(watcher.locator(".tile .caption.chip")).to_contain_text("Cards: ")


@pytest.mark.shares_hub(False)
def test_the_wall_says_who_plays_with_which_discs(visitors):
    page, _ = table(visitors, ["Ann", "Ben"], "reversi")
    black = page.locator(".player[data-disc=black] .name").text_content()
    watcher = visitors.new()
    watcher.goto("/#wall")
    expect(watcher.locator(".sides li")).to_have_count(2)
    discs = watcher.evaluate("""() => Object.fromEntries([...document.querySelectorAll('.sides li')].map(side =>
      [side.querySelector('.name').textContent, getComputedStyle(side, '::before').backgroundColor]))""")
    assert discs == {name: "rgb(22, 19, 29)" if name == black else "rgb(255, 255, 255)" for name in ("Ann", "Ben")}

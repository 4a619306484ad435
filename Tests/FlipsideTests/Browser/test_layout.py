"""The layout of each page and state in any window, with text as large as the user's browser sets it."""

import contextlib, itertools

import pytest
from playwright.sync_api import expect

from accessibility import IS_LONG
from layout import OVERLAPS, faults_in, resize
from tabs import way
from visitors import add_computer, sit, start

pytestmark = pytest.mark.shares_hub

SIZES = (320, 568), (390, 844), (844, 390), (568, 320), (768, 1024), (1280, 800), (1920, 1080)
# With large text only these windows; all of them with scripts/test --long.
LARGE_TEXT_SIZES = (320, 568), (568, 320), (768, 1024), (1280, 800)
NAMES = "Ann", "Ben", "Christopher", "Dora", "Emil", "Franziska", "Gus"
MORE = "Hannah", "Ida"
TURN = "#say", "#clock .left"
# Messages that would disappear after a moment stay.
STAYS = "{ const set = setTimeout; window.setTimeout = (act, after, ...more) => set(act, after > 3000 ? 1e7 : after, ...more) }"


@pytest.fixture(scope="module")
def large_print(playwright):
    """Chromium with text at twice the usual size."""
    with browser_with(playwright, 32) as browser:
        yield browser


@contextlib.contextmanager
def browser_with(playwright, size):
    """Chromium with text of this size, in px."""
    browser = playwright.chromium.launch(
        executable_path="/usr/bin/chromium-headless-shell", args=[f"--blink-settings=defaultFontSize={size}"])
    yield browser
    browser.close()


@pytest.fixture
def readers(request, make_visitors):
    """Visitors with text of the usual size, and of twice that."""
    visitors = make_visitors(request.getfixturevalue("chromium" if request.param == "100" else "large_print"))
    visitors.sizes = SIZES if IS_LONG or request.param == "100" else LARGE_TEXT_SIZES
    return visitors


# The states of a page: each function moves from one to the next, and yields the page with what must be visible in each.


def pages(readers):
    page = readers.new("Ann")
    page.goto("/")
    expect(page.locator("#games [data-target]").first).to_be_attached()
    yield page, []
    for button, dialog in (way("set-up"), "#set-up-dialog"), ("#settings", "#settings-dialog"):
        page.locator(button).first.click()
        expect(page.locator(dialog)).to_be_visible()
        # In a window hardly higher than this, it scrolls.
        yield page, [f"@media (min-height: 15rem) {dialog} .primary"]
        page.keyboard.press("Escape")
    for path, ready in ("/#leaderboard", "#leaderboard-form"), ("/#how-to-play", "#how-to-play h2"), ("/room/nowhere", "#lost"):
        page.goto(path)
        expect(page.locator(ready).first).to_be_visible()
        yield page, []


def waiting(readers):
    page = readers.host("Ann", seats=4)
    readers.join(page.url, "Ben")
    expect(page.locator(".player")).to_have_count(2)
    yield page, []


def game(readers, names=("Ann",), turns=True, **options):
    """The page of the first of these players, in a game with the others and a computer, in which all have had a turn and the
    first has turned a card."""
    options = dict(seats=len(names) + 1, turnTime=600, rule="hard", turnRule="alternate", reveal=200, theme="numbers") | options
    page = readers.new(names[0])
    page.add_init_script(STAYS)
    sit(page, readers.open_room(names[0], **options))
    others = [readers.join(page.url, name) for name in names[1:]]
    add_computer(page, len(names))
    start(page)
    for mover, player in enumerate([None, *others] if turns else []):
        expect(page.locator(f".player.turn[data-seat='{mover}']")).to_be_visible()
        expect(page.locator("#board [data-side=up]")).to_have_count(0)
        for cell in page.locator("#board [data-side=down]").all()[:2]:
            number = int(cell.get_attribute("data-target"))
            player.do("flip", cell=number) if player else page.locator(f"[data-target='{number}']").click()
    # The first player's second card may still be on its way.
    if turns:
        expect(page.locator(f".player[data-seat='{len(names)}'] .turns")).not_to_be_empty()
    expect(page.locator("#room")).to_have_attribute("data-mine", "true")
    page.locator("#board [data-side=down]").first.click()
    return page, others


def game_of_two(readers):
    page, _ = game(readers)
    yield page, [*TURN, "#bonus .word"]


def game_of_eight(readers):
    page, _ = game(readers, NAMES, preset="custom", columns=8, rows=12)
    yield page, TURN


def proposal(readers):
    page, others = game(readers, NAMES[:2], turns=False)
    others[0].do("propose", what="restart")
    expect(page.locator("#proposal-yes")).to_be_visible()
    yield page, [*TURN, "#proposal-words", "#proposal-yes", "#proposal-no"]
    page.locator("#proposal-no").click()
    expect(page.locator(".toast")).to_be_visible()
    yield page, [*TURN, ".toast"]


def end(readers):
    page, _ = game(readers, turns=False, preset="easy")
    page.locator("#leave").click()
    page.locator("#leave-dialog .primary").click()
    expect(page.locator("#end")).to_be_visible()
    yield page, ["#end-title"]
    page.goto(page.url.replace("/room/", "/replay/"))
    expect(page.locator("#replay-events button").first).to_be_visible()
    yield page, []


def wall(readers):
    """One, two, four and nine live games."""
    page = readers.new()
    names = NAMES + MORE
    for begin, end in (0, 1), (1, 2), (2, 4), (4, 9):
        for name in names[begin:end]:
            readers.join(readers.open_room(name, seats=1, theme="numbers"), name).do("start")
        page.goto("/#wall")
        expect(page.locator(".tile [data-target='0']")).to_have_count(end)
        yield page, []


STATES = {
    "pages": pages, "waiting": waiting, "two": game_of_two, "eight": game_of_eight, "proposal": proposal, "end": end,
    "wall": lambda readers: itertools.islice(wall(readers), 2, 3)}

# How much of the window below the bar all tiles fill, and whether the page scrolls.
TILES = """() => { const boxes = [...document.querySelectorAll('.tile')].map(one => one.getBoundingClientRect())
  const area = boxes.reduce((sum, { width, height }) => sum + width * height, 0)
  return [area / (innerWidth * (innerHeight - document.querySelector('.bar').offsetHeight)),
    document.documentElement.scrollHeight > innerHeight] }"""


def cases():
    """Each state with text of the usual size. With large text only the two states with the least room, the pages and eight
    players at the largest board; with scripts/test --long all of them."""
    for state, size in itertools.product(STATES, ["100", "200"]):
        # A wall and the home page show the games of all tests that share a hub.
        marks = [pytest.mark.shares_hub(state not in ("wall", "pages"))]
        if size == "200" and state not in ("pages", "eight"):
            marks.append(pytest.mark.long)
        yield pytest.param(size, state, id=f"{size}-{state}", marks=marks)


@pytest.mark.parametrize("readers, state", cases(), indirect=["readers"])
def test_nothing_is_cut_off_covered_or_out_of_reach(readers, state):
    faults = []
    for page, shown in STATES[state](readers):
        for size in readers.sizes:
            faults += faults_in(page, size, shown)
            # Players see their number of turns.
            if state in ("two", "eight") and page.locator("#players .turns:visible").count() < 2:
                faults.append((size, "no turns"))
        resize(page, (1280, 800))
    assert not faults, "\n".join(map(str, faults))


# How much of the upper and lower edge of a scrolling board fades.
FADES = "() => ['--above', '--below'].map(name => parseFloat(getComputedStyle(document.querySelector('#felt')).getPropertyValue(name)) || 0)"


def test_a_scrolling_board_shows_where_it_continues(visitors):
    page, _ = game(visitors, turns=False, preset="custom", columns=8, rows=12)
    resize(page, (320, 300))
    expect(page.locator("#felt")).to_have_attribute("data-more", "below")
    above, below = page.evaluate(FADES)
    assert above == 0 < below
    assert "gradient" in page.locator("#felt").evaluate("felt => getComputedStyle(felt).maskImage")
    page.locator("#board [data-target]").last.scroll_into_view_if_needed()
    page.locator("#felt").evaluate("felt => felt.scrollTo(0, felt.scrollHeight)")
    expect(page.locator("#felt")).to_have_attribute("data-more", "above")
    resize(page, (390, 844))
    expect(page.locator("#felt")).to_have_attribute("data-more", "")


@pytest.mark.shares_hub(False)
def test_live_games_fill_a_large_screen(visitors):
    for page, _ in wall(visitors):
        resize(page, (1920, 1080))
        share, scrolls = page.evaluate(TILES)
        assert share > 0.7 and not scrolls, (share, scrolls)


# From here on, records what each sign of a gain covers when it appears.
NOTE_GAINS = f"""() => {{ window.gains = []
  new MutationObserver(() => document.querySelector('#players .change')
    && gains.push(({OVERLAPS})('.change, .player :is(.name, .tags, .turns, .points)')))
    .observe(document.querySelector('#players'), {{ subtree: true, childList: true }}) }}"""


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)], ids=str)
def test_a_gain_covers_no_word_and_no_figure(visitors, size):
    path = visitors.open_room("Ann", preset="easy", rule="easy", seats=1, reveal=200)
    ann = visitors.join(path, "Ann")
    page = visitors.new()
    resize(page, size)
    page.goto(path)
    ann.do("start")
    expect(page.locator("#board [data-target]")).to_have_count(10)
    page.evaluate(NOTE_GAINS)
    ann.play_alone()
    expect(page.locator("#end")).to_be_visible()
    gains = page.evaluate("gains")
    covered = [pair for gain in gains for pair in gain if any(one.startswith("change") for one in pair)]
    assert gains and not covered, covered

"""Browsers in four languages show theirs, and nothing is cut off or sticks out of the window, however small."""

import pytest
from playwright.sync_api import expect

from layout import STANDING_OUT
from tabs import way
from visitors import PHONE, module, start

pytestmark = pytest.mark.shares_hub

# The language a browser asks for, the one the page speaks, and words in it.
LANGUAGES = [("es-MX", "es", "Con amigos"), ("de-AT", "de", "Mit Freunden"), ("zh-CN", "zh", "和朋友一起"),
             ("fr-FR", "en", "With friends")]
# Phones, a window zoomed to 400 % (WCAG 1.4.10), and widths at which the layout starts to change.
SIZES = [(390, 844), (320, 568), (320, 256), (360, 640), (641, 700), (1024, 768)]
# Text wider than its element, or outside the window, except text for screen readers only.
CUT = """() => [...document.querySelectorAll('body *')].filter(element => {
  if (!element.checkVisibility() || element.closest('.hidden, .memory-card, .reversi-square, svg, .player .name, .fan')) return false
  const words = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim())
  const {left, right} = element.getBoundingClientRect(), width = document.documentElement.clientWidth
  return words && (right > width + 1 || left < -1 || (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1))
}).map(element => element.outerHTML.slice(0, 120) + ' ' + element.scrollWidth + '>' + element.clientWidth)"""
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
BAR = "document.querySelector('.bar').getBoundingClientRect().height"
BOARD = "JSON.stringify(document.querySelector('#board').getBoundingClientRect())"


def speaking(*languages, and_others=False):
    """In these languages; with `and_others` and scripts/test --long, in the others too."""
    return pytest.mark.parametrize("locale, language, word", [
        pytest.param(*row, id=row[1], marks=() if row[1] in languages else pytest.mark.long)
        for row in LANGUAGES if and_others or row[1] in languages])


def resize(page, size):
    page.set_viewport_size(dict(width=size[0], height=size[1]))


def too_large(page, state):
    """What does not fit in any of the sizes; no state hides the faults of others."""
    wrong = []
    for size in SIZES:
        resize(page, size)
        cut, width = page.evaluate(CUT) + page.evaluate(STANDING_OUT), page.evaluate(TOO_WIDE)
        if cut or width > 0:
            wrong.append((state, size, f"{width} px too wide, cut off: {cut}"))
    return wrong


@pytest.fixture
def page(visitors, locale):
    """The home page."""
    page = visitors.new(view=PHONE, locale=locale)
    page.goto("/")
    return page


@pytest.fixture
def room(visitors, locale, language):
    """A room with a player who has a long name."""
    return visitors.host(f"Maximiliane {language} Müller", view=PHONE, context=dict(locale=locale))


@speaking("es", "de", "zh", "en")
def test_the_language_is_the_browsers(page, language, word):
    expect(page.locator(way("friends") + " b")).to_have_text(word)
    assert page.evaluate("document.documentElement.lang") == dict(zh="zh-Hans").get(language, language)


@speaking("de", and_others=True)
def test_the_home_page_and_how_to_play_fit(page, language, word):
    expect(page.locator(way("friends"))).to_be_visible()
    wrong = too_large(page, "home")
    page.goto("/#how-to-play")
    expect(page.locator("#rules tr")).to_have_count(5)
    assert not wrong + too_large(page, "how to play")


@speaking("de", and_others=True)
def test_a_waiting_room_and_its_dialogs_fit(room, language, word):
    wrong = too_large(room, "waiting")
    for button, opener in (".chip[data-names=theme]", "change"), ("#seats", "seats"), (".chair button", "levels"):
        room.locator(button).first.click()
        expect(room.locator(f"#{opener}-dialog")).to_be_visible()
        wrong += too_large(room, opener)
        room.keyboard.press("Escape")
        expect(room.locator(f"#{opener}-dialog")).to_be_hidden()
    assert not wrong


@speaking("de", and_others=True)
def test_name_and_devices_with_codes_and_questions_fit(room, language, word):
    room.locator("#settings").click()
    room.locator("#settings-dialog [data-you]").click()
    expect(room.locator("#devices li")).to_have_count(1)
    room.locator("#devices-take .show-code").click()
    expect(room.locator("#devices-take svg")).to_be_visible()
    room.locator("#recovery-make").click()
    expect(room.locator("#recovery-code")).to_be_visible()
    wrong = too_large(room, "you")
    for opener, dialog in ("#devices button", "#ask-dialog"), ("#forget-me", "#forget-dialog"):
        room.locator(opener).click()
        expect(room.locator(dialog)).to_be_visible()
        wrong += too_large(room, opener)
        room.keyboard.press("Escape")
        expect(room.locator(dialog)).to_be_hidden()
    assert not wrong


@speaking("de", and_others=True)
def test_the_dialogs_for_a_name_and_for_a_code_fit(page, language, word):
    page.locator(way("quick")).click()
    expect(page.locator("#name-dialog")).to_be_visible()
    wrong = too_large(page, "name")
    page.locator("#name-code").click()
    page.locator("#code-dialog [name=code]").fill("abc")
    page.keyboard.press("Enter")
    expect(page.locator("#code-problem")).not_to_be_empty()
    assert not wrong + too_large(page, "code")


@speaking("de", and_others=True)
def test_a_running_game_and_the_question_before_leaving_fit(room, language, word):
    start(room)
    expect(room.locator("[data-target]")).to_have_count(16)
    wrong = too_large(room, "running")
    room.locator("#leave").click()
    expect(room.locator("#leave-dialog")).to_be_visible()
    assert not wrong + too_large(room, "leaving")


@speaking("de")
def test_nothing_that_comes_and_goes_while_cards_are_turned_moves_the_board(room, language, word):
    start(room)
    resize(room, (320, 568))
    before = room.evaluate(BOARD)
    for cell in 0, 1:
        room.locator(f'[data-target="{cell}"]').click()
        expect(room.locator(f'[data-target="{cell}"]')).not_to_have_attribute("data-side", "down")
        assert room.evaluate(BOARD) == before, f"the board moves when card {cell} is turned"


@pytest.mark.shares_hub(False)
@speaking("de")
def test_messages_about_the_line_fit_the_bar_and_move_nothing_below(room, hub, language, word):
    def heights():
        return [resize(room, size) or room.evaluate(BAR) for size in SIZES]

    start(room)
    before = heights()
    # The longest message about the line.
    restart = room.evaluate(f"async () => (await {module('texts/texts.js')}).text('error.restart')")
    hub.kill()
    expect(room.locator("#line")).to_be_visible()
    wrong = too_large(room, "no line")
    room.evaluate("said => { document.querySelector('#line').textContent = said }", restart)
    assert not wrong + too_large(room, "restart")
    assert heights() == before

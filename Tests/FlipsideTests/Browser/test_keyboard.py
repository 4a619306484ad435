"""A room by keyboard only, and its sound."""

import json, re

import pytest
from playwright.sync_api import expect

from accessibility import SIZES, expect_accessible
from visitors import PHONE, start

pytestmark = pytest.mark.shares_hub

# The code for a key that an input method takes; Safari reports the last one after the composition.
COMPOSING = dict(isComposing=True), dict(keyCode=229)
PRESS = """([key, event]) => document.activeElement.dispatchEvent(
  new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...event }))"""
BUTTONS = """() => JSON.stringify([...document.querySelectorAll('.bar button')].map(one => one.getBoundingClientRect().x))"""
BOARD = dict(preset="custom", columns=4, rows=4, rule="hard", reveal=10000)


@pytest.fixture
def kim(visitors):
    return visitors.host("Kim", **BOARD)


def test_sitting_down_by_key_moves_the_focus_to_the_next_step(visitors):
    page = visitors.new(view=PHONE)
    page.goto(visitors.open_room("Kim"))
    page.locator("#name-form [name=name]").fill("Lea")
    page.locator("#name-form [name=name]").press("Enter")
    # The pressed element is gone, but the focus is not lost.
    expect(page.locator("#copy-link")).to_be_focused()
    expect(page.locator(".player.you")).to_have_count(1)
    expect_accessible(page)


def test_sitting_down_in_a_running_game_by_key_moves_the_focus_to_the_board(visitors, kim):
    start(kim)
    lea = visitors.new(view=PHONE)
    lea.goto(kim.url)
    lea.locator("#sit").press("Enter")
    lea.locator("#name-dialog [name=name]").fill("Lea")
    lea.keyboard.press("Enter")
    expect(lea.locator('[data-target="0"]')).to_be_focused()


def focus_nowhere(page):
    page.evaluate("document.activeElement.blur()")


def expect_card(page, cell):
    expect(page.locator(f'[data-target="{cell}"]')).to_be_focused()


@pytest.mark.parametrize("is_seated", [False, True])
def test_entering_a_room_focuses_the_next_step(visitors, is_seated):
    page = visitors.host("Kim") if is_seated else visitors.new("Kim")
    if is_seated:
        page.reload()
    else:
        page.goto(visitors.open_room("Ann"))
    expect(page.locator("#copy-link" if is_seated else "#join")).to_be_focused()


def test_players_are_led_to_the_board_when_the_game_starts_and_when_it_is_their_turn(visitors):
    kim = visitors.host("Kim", **BOARD | dict(reveal=1000))
    lea = visitors.guest(kim, "Lea")
    watcher = visitors.spectator(kim)
    # She has invited someone; the element she was at is gone once the game runs.
    expect(lea.locator("#copy-link")).to_be_focused()
    start(kim, lea)
    for page in (kim, lea):
        expect_card(page, 0)
    expect(watcher.locator("[data-target]")).to_have_count(16)
    assert watcher.evaluate("document.activeElement === document.body")
    for page in (kim, lea):
        focus_nowhere(page)
    # Until two cards differ, which turn back; pairs found before do not.
    for cell in range(16):
        card = kim.locator(f'[data-target="{cell}"]')
        card.dispatch_event("click")
        expect(card).not_to_have_attribute("data-side", "down")
        if cell % 2 and card.get_attribute("data-side") == "up":
            break
    expect(lea.locator("#room")).to_have_attribute("data-mine", "true")
    expect_card(lea, lea.locator("[data-side=won]").count())


def test_the_focus_never_leaves_a_field_or_a_choice(visitors, kim):
    lea, max_, ida = (visitors.guest(kim, name) for name in ("Lea", "Max", "Ida"))
    lea.keyboard.press("c")
    expect(lea.locator("#chat-form input")).to_be_focused()
    lea.keyboard.type("Good")
    max_.keyboard.press("?")
    expect(max_.locator("#keys-dialog")).to_be_visible()
    ida.locator("#settings").focus()
    start(kim, lea)
    for page in (max_, ida):
        expect(page.locator("[data-target]")).to_have_count(16)
    lea.keyboard.type(" luck")
    expect(lea.locator("#chat-form input")).to_have_value("Good luck")
    expect(max_.locator("#keys-dialog :focus")).to_have_count(1)
    expect(ida.locator("#settings")).to_be_focused()


def test_arrows_lead_from_card_to_card_and_the_focus_survives_drawing(kim):
    kim.locator("#start").click()
    expect(kim.locator('[data-target="0"]')).to_be_focused()
    kim.keyboard.press("ArrowRight")
    kim.keyboard.press("ArrowDown")
    kim.keyboard.press("Enter")
    expect(kim.locator('[data-target="5"]')).to_have_attribute("data-side", "up")
    expect(kim.locator('[data-target="5"]')).to_be_focused()


def test_the_bonus_runs_down_while_a_card_is_up(kim):
    kim.clock.install()
    start(kim)
    kim.locator('[data-target="5"]').click()
    expect(kim.locator("#bonus")).to_have_attribute("data-runs", "true")
    kim.clock.fast_forward(8_000)
    expect(kim.locator("#bonus .points")).to_have_text("+0")


def test_all_keys_are_listed_and_the_focus_comes_back(kim):
    kim.locator("#start").click()
    expect(kim.locator('[data-target="0"]')).to_be_focused()
    kim.keyboard.press("?")
    expect(kim.locator("#keys-dialog")).to_be_visible()
    expect_accessible(kim)
    kim.keyboard.press("Escape")
    expect(kim.locator('[data-target="0"]')).to_be_focused()


def test_a_key_opens_the_chat_in_which_letters_are_letters(kim):
    kim.keyboard.press("c")
    expect(kim.locator("#chat-form input")).to_be_focused()
    kim.keyboard.type("mc?")
    expect(kim.locator("#chat-form input")).to_have_value("mc?")
    kim.keyboard.press("Escape")
    expect(kim.locator("#chat")).to_be_hidden()


def test_escape_ends_a_composition_and_leaves_the_chat_open(kim):
    kim.keyboard.press("c")
    expect(kim.locator("#chat-form input")).to_be_focused()
    method = kim.context.new_cdp_session(kim)
    method.send("Input.imeSetComposition", dict(text="ni", selectionStart=2, selectionEnd=2))
    kim.keyboard.press("Escape")
    expect(kim.locator("#chat-form input")).to_have_value("ni")
    expect(kim.locator("#chat")).to_be_visible()
    method.send("Input.insertText", dict(text="你"))
    kim.keyboard.press("Escape")
    expect(kim.locator("#chat")).to_be_hidden()


def test_keys_that_an_input_method_takes_are_not_the_pages(kim):
    for event in COMPOSING:
        kim.evaluate(PRESS, ["c", event])
        kim.evaluate(PRESS, ["?", event])
        expect(kim.locator("#keys-dialog")).to_be_hidden()
    kim.keyboard.press("?")
    expect(kim.locator("#keys-dialog")).to_be_visible()
    expect(kim.locator("#chat")).to_be_hidden()
    kim.keyboard.press("Escape")
    expect(kim.locator("#keys-dialog")).to_be_hidden()
    kim.keyboard.press("c")
    expect(kim.locator("#chat-form input")).to_be_focused()
    for event in COMPOSING:
        kim.evaluate(PRESS, ["Escape", event])
        expect(kim.locator("#chat")).to_be_visible()


def test_keys_can_be_switched_off(kim):
    kim.locator("#keys").click()
    kim.locator("#keys-on").uncheck()
    kim.keyboard.press("Escape")
    expect(kim.locator("#keys-dialog")).to_be_hidden()
    kim.keyboard.press("c")
    expect(kim.locator("#chat")).to_be_hidden()


def test_sound_stays_on_or_off_and_loads_only_if_on(kim):
    asked, sound = [], kim.locator("#sound")
    kim.on("request", lambda request: asked.append(request.url))
    expect(sound).to_have_attribute("aria-pressed", "true")
    sound.click()
    kim.reload()
    expect(sound).to_have_attribute("aria-pressed", "false")
    asked.clear()
    start(kim)
    kim.locator('[data-target="5"]').click()
    expect(kim.locator('[data-target="5"]')).to_have_attribute("data-side", "up")
    assert not any(url.endswith("/sound.js") for url in asked), "sound is loaded though it is off"
    with kim.expect_response("**/sound.js"):
        kim.keyboard.press("m")
    expect(sound).to_have_attribute("aria-pressed", "true")
    kim.reload()
    expect(sound).to_have_attribute("aria-pressed", "true")


def test_a_slow_round_trip_is_shown(kim):
    shown = {None: "", 12: "", 249.9: "", 250: "250 ms", 1234.5: "1235 ms"}
    words = kim.evaluate("""async trips => { const { drawRoundTrip } = await import('/views/round-trip.js')
      return trips.map(trip => { const root = document.createElement('span')
        drawRoundTrip(root, 999)
        drawRoundTrip(root, trip)
        return root.hidden ? '' : root.textContent }) }""", list(shown))
    assert words == list(shown.values())


def test_a_line_that_becomes_slow_shows_in_the_bar_and_moves_no_button(visitors):
    page = visitors.new("Kim")

    def connect(line):
        def answer(words):
            message = json.loads(words)
            # Pretends that the page asked this much earlier.
            line.send(json.dumps(message | {"n": message["n"] - 400}) if message["type"] == "pong" else words)
        line.connect_to_server().on_message(answer)

    page.route_web_socket("**/ws/rooms/*", connect)
    page.goto(visitors.open_room("Kim", **BOARD))
    expect(page.locator(".player.you")).to_be_visible()
    before = page.evaluate(BUTTONS)
    expect(page.locator("#trip")).to_have_text(re.compile(r"^[4-9]\d\d ms$|^\d{4,} ms$"))
    assert page.evaluate(BUTTONS) == before
    expect_accessible(page, SIZES)

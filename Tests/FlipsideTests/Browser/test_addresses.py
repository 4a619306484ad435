"""Addresses and codes as people write them: addresses without a page, and the one address of a room."""

import urllib.parse

import pytest
from playwright.sync_api import expect

from accessibility import IS_LONG, SIZES, expect_accessible

pytestmark = pytest.mark.shares_hub

# Pasted text, as the page receives it.
PASTE = """text => { const field = document.querySelector("#join-form [name=code]"), data = new DataTransfer();
  data.setData("text", text);
  if (field.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true})))
    field.value += text.replace(/[\\r\\n]/g, ""); }"""
WAYS_TO_TYPE = [" {first} {last} ", "{FIRST}-{LAST}", "{base}/ROOM/{CODE}?v=3"]
WAYS_TO_PASTE = ["{first}\n{last}", "Come and play!\nCode: {FIRST}-{LAST}\nSee you", "Play with me\n{base}/room/{code}\nSee you!"]
# The same function reads all of these; the page's own tests cover the rest.
LONG = ["{CODE}", "{base}/room/{code}", "{base}/replay/{code}"] * IS_LONG
LONG_TO_PASTE = ["Our room {code} · Flipside", "{base}/room/{code}\r\n"] * IS_LONG
WHY_NOT = {"k3m7p": "isn’t a room code", "k3m7po": "never contain “o”", "https://play.example/about": "doesn’t lead to a room",
           "222222": "There’s no room 222222"}


def ask_code(page):
    """The field for a code, which the home page unfolds and focuses."""
    page.goto("/")
    page.get_by_text("Have a code?").click()
    field = page.locator("#join-form [name=code]")
    expect(field).to_be_focused()
    return field


@pytest.mark.parametrize("locale, words", [
    pytest.param("en-GB", "Page not found", marks=pytest.mark.long), ("de-DE", "Seite nicht gefunden"),
    pytest.param("es-MX", "Página no encontrada", marks=pytest.mark.long), ("zh-CN", "找不到页面")], ids=["en", "de", "es", "zh"])
def test_an_address_without_a_page_says_so(visitors, locale, words):
    page = visitors.new(locale=locale)
    assert page.goto("/no/such/page").status == 404
    expect(page.get_by_role("heading", level=1)).to_have_text(words)
    assert page.title() == f"{words} · Flipside"
    if locale == "zh-CN":
        expect_accessible(page, SIZES)


def test_an_address_close_to_a_rooms_leads_home(visitors):
    page = visitors.new()
    for path in "/room", "/room/", "/room/k3m7pq/log", "/Room/k3m7pq":
        assert page.goto(path).status == 404
        expect(page.locator("#nowhere")).to_be_visible()
    page.locator("#nowhere a").click()
    expect(page.locator("#home")).to_be_visible()


@pytest.fixture
def room(visitors):
    """The code of a room, and ways to write it."""
    code = visitors.open_room("Ann").rsplit("/", 1)[1]
    forms = dict(code=code, first=code[:3], last=code[3:], base=visitors.origin)
    return code, lambda way: way.format(**forms | {name.upper(): forms[name].upper() for name in ("code", "first", "last")})


def test_a_room_is_found_however_its_code_is_typed(visitors, room):
    code, written = room
    page = visitors.new()
    for way in WAYS_TO_TYPE + LONG:
        ask_code(page).fill(written(way))
        page.locator("#join-form [type=submit]").click()
        expect(page.locator("#room")).to_be_visible()
        assert page.url == f"{visitors.origin}/room/{code}", (way, page.url)


def test_a_room_is_found_in_any_pasted_text(visitors, room):
    code, written = room
    page = visitors.new()
    for way in WAYS_TO_PASTE + LONG_TO_PASTE:
        ask_code(page)
        page.evaluate(PASTE, written(way))
        page.locator("#join-form [type=submit]").click()
        expect(page.locator("#room")).to_be_visible()
        assert page.url == f"{visitors.origin}/room/{code}", (way, page.url)


def test_text_that_is_not_a_code_gets_a_reason_where_it_was_typed(visitors):
    page = visitors.new()
    field = ask_code(page)
    for typed, reason in WHY_NOT.items():
        field.fill(typed)
        page.keyboard.press("Enter")
        expect(page.locator("#join-problem")).to_contain_text(reason)
        expect(field, typed).to_be_focused()
        if typed == "k3m7po":
            expect_accessible(page, SIZES)
        page.keyboard.type("x")
        expect(page.locator("#join-problem"), typed).to_be_hidden()


@pytest.mark.parametrize("place", ["room", "replay"])
def test_an_address_becomes_the_rooms_only_one(visitors, room, place):
    code, written = room
    page = visitors.new()
    for way in "{FIRST}-{LAST}", "{first} {last}":
        page.goto(f"/{place}/{urllib.parse.quote(written(way))}?v=1")
        expect(page.locator("#" + place)).to_be_visible()
        assert page.url.split("?")[0] == f"{visitors.origin}/{place}/{code}", (way, page.url)

"""What a room's page says about cards, themes, boards and the line."""

import json

import pytest
from playwright.sync_api import expect

from accessibility import SIZES, expect_accessible
from visitors import code, module, start

pytestmark = pytest.mark.shares_hub

# What the browser reports about the network, and what the page shows in the same moment.
SAYS = """name => { dispatchEvent(new Event(name)); return !document.querySelector("#line").hidden }"""
SHRINKS = "“Animals” has cards for 16 pairs. The board will be 4 × 8."
SHRINKS_IN_GERMAN = "„Tiere“ hat Karten für 16 Paare. Das Spielfeld wird 4 × 8."
# More pairs than there are animals.
LARGE = dict(preset="custom", columns=6, rows=9, theme="animals")


@pytest.mark.parametrize("locale, words, theme", [
    ("en-GB", "Already face up.", "Cards: Numbers"),
    pytest.param("de-DE", "Schon aufgedeckt.", "Karten: Zahlen", marks=pytest.mark.long),
    pytest.param("es-MX", "Ya está levantada.", "Cartas: Números", marks=pytest.mark.long),
    ("zh-CN", "已经翻开了。", "卡牌：数字")],
    ids=["en", "de", "es", "zh"])
def test_an_open_card_says_so_and_the_theme_is_named(visitors, locale, words, theme):
    page = visitors.host("Ann", context=dict(locale=locale), theme="numbers", seats=1)
    start(page)
    expect(page.locator("#caption")).to_have_text(theme)
    page.locator('[data-target="0"]').click()
    expect(page.locator('[data-target="0"]')).to_have_attribute("data-side", "up")
    expect(page.locator("#bubble")).to_be_hidden()
    page.locator('[data-side="up"]').dispatch_event("click")
    expect(page.locator("#bubble")).to_have_text(words)
    expect(page.locator("[data-side=up]")).to_have_count(1)
    if locale == "zh-CN":
        expect(page.locator("#bubble")).to_be_hidden()
        expect_accessible(page, SIZES)


def test_a_drawn_theme_is_named_once_it_is_known(visitors, server):
    page = visitors.host("Ada", theme="random", seats=1)
    expect(page.locator("#facts")).to_contain_text("Random theme")
    start(page)
    began = next(json.loads(line) for line in server.log(code(page.url)) if b'"game-started"' in line)
    name = page.evaluate(f"async name => (await {module('texts/texts.js')}).text('theme.' + name)", began["theme"]["name"])
    assert name != "Random theme"
    # On the table, at the board, in any window.
    chip = page.locator("#room .particulars .chip")
    for width, height in SIZES:
        page.set_viewport_size(dict(width=width, height=height))
        expect(chip).to_have_text("Cards: " + name)
        expect(chip).to_be_in_viewport(ratio=1)
        assert chip.evaluate("({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth")
    expect_accessible(page, SIZES)


class TestBoardsThatWillBeSmaller:
    """A board with more pairs than its theme has cards says so, to everyone who waits for it."""

    def test_where_it_is_chosen(self, visitors):
        page = visitors.host("Anna", preset="custom", columns=6, rows=9, theme="numbers")
        page.locator(".chip[data-names=theme]").click()
        remark, theme = page.locator("#change-dialog .remark"), page.locator("#change-dialog [name=theme]:checked")
        expect(remark).to_be_hidden()
        theme.press("ArrowRight")
        expect(remark).to_be_hidden()
        page.locator("#change-dialog [value=random]").focus()
        page.keyboard.press("Space")
        expect(remark).to_have_text("Some themes are smaller. The board may shrink to 4 × 6.")
        expect_accessible(page, SIZES)
        theme.press("ArrowRight")
        expect(remark).to_have_text(SHRINKS)
        page.get_by_role("button", name="Use this").click()
        expect(page.locator("#remark")).to_have_text(SHRINKS)

    def test_in_the_room_until_the_host_changes_it(self, visitors):
        ann = visitors.host("Anna", **LARGE)
        ben = visitors.guest(ann, "Benno", locale="de-DE")
        expect(ann.locator("#remark")).to_have_text(SHRINKS)
        expect(ben.locator("#remark")).to_have_text(SHRINKS_IN_GERMAN)
        expect_accessible(ben, SIZES)
        ann.locator(".chip[data-names~=rows]").click()
        dialog = ann.locator("#change-dialog")
        expect(dialog.locator(".remark")).to_be_visible()
        dialog.locator("[name=rows]").select_option("5")
        expect(dialog.locator(".remark")).to_be_hidden()
        dialog.get_by_role("button", name="Use this").click()
        for page in (ann, ben):
            expect(page.locator("#remark")).to_be_hidden()
        # Ben has no form, and hears what the board will be; both have an empty place for the remark before its words.
        expect(ben.locator("#announcer")).to_contain_text("6 × 5")
        for place in ann.locator("#remark"), ben.locator("#remark"), dialog.locator(".remark"):
            assert place.evaluate("place => place.getAttribute('role')") == "status"
            assert place.evaluate("place => !place.hidden && getComputedStyle(place).display !== 'none'")
        start(ann, ben)
        for page in (ann, ben):
            expect(page.locator("[data-target]")).to_have_count(30)

    def test_to_all_between_games_when_there_is_no_list_of_facts(self, visitors):
        ann = visitors.host("Anna", **LARGE | dict(rows=5))
        ben = visitors.guest(ann, "Benno", locale="de-DE")
        start(ann, ben)
        for page in (ben, ann):
            page.locator("#leave").click()
            page.locator("#leave-dialog [value=leave]").click()
        ann.locator("#change").click()
        ann.locator("#change-dialog [name=rows]").select_option("9")
        ann.locator("#change-dialog").get_by_role("button", name="Use this").click()
        expect(ann.locator(".toast").last).to_have_text(SHRINKS)
        expect(ben.locator(".toast").last).to_have_text(SHRINKS_IN_GERMAN)


@pytest.mark.parametrize("place", ["a room", "a replay", "the home page"])
def test_the_browsers_word_on_its_network_is_shown_at_once_and_the_hub_found_again(visitors, place):
    page = visitors.host("Cy", seats=1)
    if place == "a replay":
        start(page)
        url, page = page.url.replace("/room/", "/replay/"), visitors.new()
        page.goto(url)
        expect(page.locator("#replay-board [data-target]")).to_have_count(16)
        expect(page.locator("#replay-live")).to_be_visible()
    elif place == "the home page":
        page.goto("/")
        expect(page.locator("#home")).to_be_visible()
    expect(page.locator("#line")).to_be_hidden()
    assert not page.evaluate(SAYS, "online")
    assert page.evaluate(SAYS, "offline")
    page.evaluate(SAYS, "online")
    expect(page.locator("#line")).to_be_hidden()

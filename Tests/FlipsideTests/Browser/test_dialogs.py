"""Dialogs of a room: events in the background interrupt no one's input."""

import json

import pytest
from playwright.sync_api import expect

from accounts import open_take
from tabs import way
from visitors import SMALL, code, module, sit

pytestmark = pytest.mark.shares_hub

COMPLAIN = f"""async () => {{ const {{ toasts }} = await {module('views/toasts.js')}
  toasts(document.querySelector('#toasts'))('That didn’t work.', 'bad') }}"""
# Whether a finger on its middle would hit it: nothing lies over it.
ON_TOP = """toast => { toast.parentElement.style.pointerEvents = 'auto'
  const { left, top, width, height } = toast.getBoundingClientRect()
  return document.elementFromPoint(left + width / 2, top + height / 2) === toast }"""
IS_WIDE = "[...document.querySelectorAll('dialog[open]')].some(dialog => dialog.scrollWidth > dialog.clientWidth)"


class TestSeats:
    @pytest.fixture
    def host(self, visitors):
        page = visitors.host("Hanna")
        page.locator("#seats").click()
        return page

    def test_arrivals_and_departures_move_neither_the_focus_nor_an_open_choice(self, visitors, host):
        guest = visitors.join(host.url, "Gus")
        level = host.get_by_label("Computer level, seat 3")
        level.select_option("perfect")
        level.focus()
        guest.do("leave")
        expect(host.get_by_label("Computer level, seat 2")).to_be_visible()
        expect(level).to_be_focused()
        expect(level).to_have_value("perfect")

    def test_the_focus_stays_on_a_seat_that_a_computer_takes_and_leaves(self, host):
        level = host.get_by_label("Computer level, seat 3")
        level.select_option("perfect")
        third = host.locator("#seats-list li").nth(2)
        third.get_by_role("button", name="Add a computer").click()
        expect(third.get_by_role("button", name="Change")).to_be_focused()
        expect(level).to_have_value("perfect")
        third.get_by_role("button", name="Remove").click()
        expect(third.get_by_role("button", name="Add a computer")).to_be_focused()

    def test_an_error_appears_in_the_topmost_dialog_once(self, host):
        # A modal dialog hides everything outside it, from screen readers too.
        host.evaluate(COMPLAIN)
        toast = host.locator("#seats-dialog [role=alert] .toast")
        expect(toast).to_have_text("That didn’t work.")
        assert toast.evaluate(ON_TOP)
        host.locator("#close-room").click()
        expect(host.locator("#ask-dialog > [role=alert]")).to_have_count(1)
        expect(host.locator("#ask-dialog .toast")).to_have_attribute("aria-hidden", "true")
        host.keyboard.press("Escape")
        expect(host.locator("#seats-dialog > [role=alert]")).to_have_count(1)
        host.keyboard.press("Escape")
        expect(host.locator("body > [role=alert]")).to_have_count(1)


def test_an_error_appears_in_a_topmost_dialog_that_precedes_the_lower_one_in_the_page(ann):
    dialog = open_take(ann)
    ann.evaluate(COMPLAIN)
    toast = dialog.locator("[role=alert] .toast")
    expect(toast).to_have_text("That didn’t work.")
    assert toast.evaluate(ON_TOP)


def test_options_that_the_form_does_not_offer_stay_as_they_are(visitors, server):
    page, asked = visitors.new("Opal"), dict(pairs=7, seats=5, turnTime=45, rule="hard", reveal=300)
    sit(page, visitors.open_room("Opal", **asked))
    page.locator(".chip[data-names~=board]").click()
    page.get_by_role("button", name="Use this").click()
    page.locator(".chip[data-names=theme]").click()
    # For a single choice, one press is enough.
    page.locator("#change-dialog").locator("[value=ocean]").click()
    expect(page.locator("#facts")).to_contain_text("Ocean")
    changes = [json.loads(line) for line in server.log(code(page.url)) if b"options-changed" in line]
    assert [change["options"] for change in changes] == [asked | dict(theme="ocean")], changes


class TestOnTheSmallestPhones:
    """No dialog is wider than the screen."""

    def test_the_question_for_a_name_has_its_button_beside_the_field(self, visitors):
        page = visitors.new(view=SMALL)
        page.goto("/")
        page.locator(way("quick")).click()
        name, other = page.locator("#name-dialog [name=name]"), page.locator("#name-other")
        expect(name).to_be_visible()
        assert other.bounding_box()["y"] < name.bounding_box()["y"] + name.bounding_box()["height"]

    def test_a_link_that_cannot_be_copied(self, visitors):
        page = visitors.new("Ann", SMALL)
        page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(); document.execCommand = () => false")
        sit(page, visitors.open_room("Ann"))
        page.locator("#invite").click()
        page.locator("#share-copy").click()
        expect(page.locator("#share-said")).to_contain_text(page.url)
        assert not page.evaluate(IS_WIDE)

    def test_a_name_that_is_one_long_word(self, visitors):
        page = visitors.host("W" * 24, view=SMALL)
        page.locator("#settings").click()
        page.get_by_role("button", name="Name and devices").click()
        page.locator("#forget-me").click()
        expect(page.locator("dialog[open]").last).to_contain_text("W" * 24)
        assert not page.evaluate(IS_WIDE)

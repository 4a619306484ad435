"""A room's link as a code to scan, and a seat that is taken along to another device."""

import re

import pytest
from playwright.sync_api import expect

from accessibility import expect_accessible
from visitors import PHONE

TOKEN = "JSON.parse(localStorage['flipside.player']).token"


@pytest.fixture
def ann(visitors):
    return visitors.host("Ann")


def test_the_link_is_shown_as_a_code_and_copied(ann):
    ann.locator("#share").click()
    expect(ann.locator("#share-code svg")).to_be_visible()
    ann.get_by_role("button", name="Copy link").click()
    expect(ann.locator("#share-said")).to_contain_text(re.compile("copied|Send this link"))


def test_the_code_that_takes_a_seat_along_is_shown_with_a_warning_and_goes_with_the_dialog(ann):
    ann.locator("#share").click()
    ann.locator("#take-show").click()
    expect(ann.locator("#take-code svg")).to_be_visible()
    expect(ann.locator("#share-dialog")).to_contain_text("Whoever scans this code plays as you")
    expect_accessible(ann)
    ann.keyboard.press("Escape")
    expect(ann.locator("#take-code svg")).to_have_count(0)


def test_a_phone_takes_the_seat_along_and_tells_no_server_its_token(visitors, ann):
    token, asked = ann.evaluate(TOKEN), []
    phone = visitors.new(view=PHONE)
    phone.on("request", lambda request: asked.append(request.url))
    phone.goto(f"{ann.url}#seat={token}")
    expect(phone.locator(".player.you .name")).to_have_text("Ann")
    assert phone.url == ann.url and not any(token in one for one in asked), (phone.url, asked)
    assert phone.evaluate(TOKEN) == token
    phone.reload()
    expect(phone.locator(".player.you .name")).to_have_text("Ann")


def test_a_link_that_is_nobodys_changes_nothing_of_who_one_is(visitors, ann):
    olga = visitors.host("Olga")
    olga.goto(f"{ann.url}#seat={ann.evaluate(TOKEN)}")
    olga.reload()
    olga.goto(f"{ann.url}#seat={'A' * 43}")
    # Who is somebody already is asked.
    olga.locator("#ask-dialog .yes").click()
    expect(olga.locator("#toasts")).to_contain_text("does not know whose seat")
    assert olga.evaluate("JSON.parse(localStorage['flipside.player']).name") == "Olga"

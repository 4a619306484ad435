"""A player on several devices: connected by a link that works once, and signed out."""

import json
import re

import pytest
from playwright.sync_api import expect

from accessibility import SIZES, expect_accessible
from accounts import BECOME, PLAYER, SIGNED_OUT, drawn, link, open_take, open_you, recovery_code, second
from visitors import PHONE

pytestmark = pytest.mark.shares_hub


SAVE = "players => { localStorage['flipside.kept-players'] = JSON.stringify(players) }"


class TestALinkToAnotherDevice:
    def test_is_shown_with_a_warning_and_goes_with_the_dialog(self, ann):
        dialog = open_take(ann)
        # The dialog explains itself before it shows a code.
        expect(dialog).to_contain_text("plays as you")
        expect(dialog.locator("svg")).to_have_count(0)
        dialog.locator(".show-code").click()
        expect(dialog.locator("svg")).to_be_visible()
        expect(dialog).to_contain_text("It works once, within ten minutes")
        expect_accessible(ann, SIZES)
        ann.keyboard.press("Escape")
        expect(dialog.locator("svg")).to_have_count(0)

    def test_gives_a_phone_its_own_token_and_shows_no_server_its_code(self, visitors, ann):
        address, asked = link(ann), []
        phone = visitors.new(view=PHONE)
        phone.on("request", lambda request: asked.append(request.url))
        phone.goto(address)
        expect(phone.locator(".player.you .name")).to_have_text("Ann")
        assert phone.url == ann.url and not any(address.split("=")[1] in url for url in asked), (phone.url, asked)
        here, there = (page.evaluate(PLAYER) for page in (ann, phone))
        assert here["id"] == there["id"] and here["token"] != there["token"]
        phone.reload()
        expect(phone.locator(".player.you .name")).to_have_text("Ann")

    def test_disappears_once_the_other_device_has_connected(self, visitors, ann):
        dialog = open_you(ann)
        code = drawn(ann, ann.locator("#devices-take .show-code"))
        visitors.new(view=PHONE).goto(f"/#code={code}")
        expect(dialog.locator(".take-along .said")).to_have_text("Chrome on Linux is now signed in as you.")
        expect(dialog.locator("#devices-take svg")).to_have_count(0)
        expect(dialog.locator("#devices-take .show-code")).to_be_focused()
        expect(dialog.locator("#devices li")).to_have_count(2)

    def test_disappears_when_another_device_is_signed_out(self, visitors, ann):
        second(visitors, ann)
        open_you(ann)
        drawn(ann, ann.locator("#devices-take .show-code"))
        expect(ann.locator("#devices-take svg")).to_be_visible()
        ann.get_by_role("button", name="Sign out: Chrome on Linux").click()
        ann.locator("#ask-dialog .yes").click()
        expect(ann.locator("#you-said")).to_have_text("Chrome on Linux is signed out.")
        expect(ann.locator("#devices-take svg")).to_have_count(0)

    def test_works_once_and_then_names_alternatives(self, visitors, ann):
        address = link(ann)
        visitors.new().goto(address)
        late = visitors.new(view=PHONE)
        late.goto(address)
        expect(late.locator("#ask-dialog")).to_contain_text("This link no longer works")
        expect_accessible(late, SIZES)
        late.locator("#ask-dialog").get_by_role("button", name="Enter a code").click()
        code = link(ann).split("=")[1].lower()
        late.locator("#code-dialog [name=code]").fill(f" {code[:7]} {code[7:]}")
        late.locator("#code-dialog").get_by_role("button", name="Use code").click()
        expect(late.locator(".player.you .name")).to_have_text("Ann")

    def test_asks_another_player_first_with_both_names(self, visitors, ann):
        olga = visitors.host("Olga")
        olga.goto(link(ann))
        question = olga.locator("#ask-dialog")
        expect(question).to_contain_text("You’re Olga here. Switch to Ann?")
        expect(question).to_contain_text("has no recovery code. Only this browser will remember Olga")
        question.get_by_role("button", name="Cancel").click()
        expect(olga.locator("#join")).to_be_visible()
        assert olga.evaluate(PLAYER)["name"] == "Olga"

    # Olga has signed out, and keeps her name, since she has a recovery code.
    @pytest.mark.shares_hub(False)
    def test_changes_the_player_after_a_yes(self, visitors, ann):
        olga = visitors.host("Olga")
        open_you(olga)
        recovery_code(olga)
        olga.goto(link(ann))
        expect(olga.locator("#ask-dialog")).to_contain_text("If you haven’t written down the recovery code")
        olga.get_by_role("button", name="Switch to Ann").click()
        expect(olga.locator(".player.you .name")).to_have_text("Ann")
        expect(olga.locator("#toasts")).to_contain_text("You’re now Ann here, too.")
        expect(olga.locator("#toasts")).not_to_contain_text(SIGNED_OUT)

    def test_says_how_a_player_with_another_device_can_return(self, visitors, ann):
        olga = visitors.host("Olga")
        second(visitors, olga, "Olga")
        olga.goto(link(ann))
        expect(olga.locator("#ask-dialog")).to_contain_text("To get Olga back, use a code")

    def test_of_the_same_player_changes_nothing(self, visitors, ann):
        address, before = link(ann), ann.evaluate(PLAYER)
        ann.goto(address)
        expect(ann.locator("#toasts")).to_contain_text("You’re already Ann here.")
        expect(ann.locator(".player.you .name")).to_have_text("Ann")
        assert ann.evaluate(PLAYER) == before

    def test_can_be_tried_again_if_the_hub_did_not_answer(self, visitors, ann):
        phone = visitors.new(view=PHONE)
        phone.route("**/api/players/devices", lambda route: route.abort())
        phone.goto(link(ann))
        expect(phone.locator("#ask-dialog")).to_contain_text("Can’t reach the server")
        phone.unroute("**/api/players/devices")
        phone.get_by_role("button", name="Try again").click()
        expect(phone.locator(".player.you .name")).to_have_text("Ann")


def test_an_address_with_a_player_is_ignored_by_a_browser_that_stores_its_own(visitors, ann):
    phone = visitors.new()
    phone.goto(f"{ann.url}#player={json.dumps(ann.evaluate(PLAYER))}")
    expect(phone.locator("#name-form")).to_be_visible()
    assert phone.url == ann.url


class TestTheDevices:
    def test_are_listed_by_browser_and_system_this_one_first_named(self, visitors, ann):
        phone = second(visitors, ann)
        dialog = open_you(phone)
        expect(dialog.locator("#devices li")).to_have_count(2)
        expect(dialog.locator("#devices li", has_text="this device")).to_contain_text("Chrome on Linux")
        expect_accessible(phone, SIZES)

    def test_with_one_name_are_told_apart_by_the_descriptions_of_their_buttons(self, visitors, ann):
        second(visitors, ann)
        dialog = open_you(ann)
        other = dialog.get_by_role("button", name="Sign out: Chrome on Linux")
        expect(other).to_have_accessible_description(re.compile(r"^since .*\d{4}$"))
        here = dialog.get_by_role("button", name="Sign out here")
        expect(here).to_have_accessible_description(re.compile("^this device · since "))

    def test_keep_the_focus_when_they_are_redrawn(self, visitors, ann):
        dialog = open_you(ann)
        dialog.get_by_role("button", name="Sign out here").focus()
        with ann.expect_response("**/api/players/me"):
            ann.evaluate(BECOME, json.dumps({**ann.evaluate(PLAYER), "name": "Anna"}))
        expect(dialog.locator("[name=name]")).to_have_value("Ann")
        expect(dialog.get_by_role("button", name="Sign out here")).to_be_focused()

    def test_with_saved_players_keep_the_focus_too(self, visitors, ann):
        ann.evaluate(SAVE, [visitors.known("Bob"), visitors.known("Cy")])
        dialog = open_you(ann)
        forget = dialog.locator("#saved-players li", has_text="Bob").locator("button").last
        forget.focus()
        with ann.expect_response("**/api/players/me"):
            ann.evaluate(BECOME, json.dumps({**ann.evaluate(PLAYER), "name": "Anna"}))
        expect(dialog.locator("[name=name]")).to_have_value("Ann")
        expect(forget).to_be_focused()
        # The player that this browser becomes leaves the list.
        dialog.locator("#saved-players li", has_text="Bob").locator("button").first.press("Enter")
        expect(dialog.locator("#saved-players li")).to_have_count(2)
        expect(dialog.locator("#saved-players")).not_to_contain_text("Bob")
        expect(dialog.locator("#saved-title")).to_be_focused()

    def test_without_a_name_are_called_the_same_everywhere(self, visitors, ann):
        def take_labels(route):
            answer = route.fetch()
            fields = answer.json()
            for device in fields["devices"]:
                device["label"] = ""
            route.fulfill(response=answer, json=fields)

        second(visitors, ann)
        ann.route("**/api/players/me", lambda route: take_labels(route))
        open_you(ann).get_by_role("button", name="Sign out: Unnamed device").click()
        expect(ann.locator("#ask-dialog")).to_contain_text("Sign out Unnamed device?")
        ann.locator("#ask-dialog .yes").click()
        expect(ann.locator("#you-said")).to_have_text("Unnamed device is signed out.")
        expect(ann.locator("#devices li")).to_have_count(1)

    def test_that_are_signed_out_watch_at_once_and_are_told(self, visitors, ann):
        phone = second(visitors, ann)
        open_you(ann).get_by_role("button", name="Sign out: Chrome on Linux").click()
        ann.locator("#ask-dialog .yes").click()
        expect(phone.locator("#toasts")).to_contain_text(SIGNED_OUT)
        expect(phone.locator(".player.you")).to_have_count(0)
        expect(phone.locator("#name-form")).to_be_visible()
        assert phone.evaluate("localStorage['flipside.player'] ?? null") is None
        expect(ann.locator("#you-said")).to_have_text("Chrome on Linux is signed out.")
        expect(ann.locator("#devices li")).to_have_count(1)
        expect(ann.locator("#devices-title")).to_be_focused()

    def test_that_are_signed_out_are_told_so_on_a_page_without_a_room_once_it_is_visible(self, visitors, ann):
        phone = second(visitors, ann)
        phone.goto("/")
        expect(phone.locator("#playing-as")).to_have_text("Playing as Ann")
        open_you(ann).get_by_role("button", name="Sign out: Chrome on Linux").click()
        ann.locator("#ask-dialog .yes").click()
        expect(ann.locator("#devices li")).to_have_count(1)
        phone.evaluate("dispatchEvent(new Event('focus'))")
        expect(phone.locator("#toasts")).to_contain_text(SIGNED_OUT)
        expect(phone.locator("#playing-as")).to_be_hidden()
        phone.get_by_role("button", name="Choose a name or enter a code").click()
        expect(phone.locator("#you-dialog [name=name]")).to_be_visible()

    def test_that_were_signed_out_are_told_so_on_the_next_page_that_they_open(self, visitors, ann):
        phone = second(visitors, ann)
        phone.goto("about:blank")
        open_you(ann).get_by_role("button", name="Sign out: Chrome on Linux").click()
        ann.locator("#ask-dialog .yes").click()
        expect(ann.locator("#devices li")).to_have_count(1)
        phone.goto("/#leaderboard")
        expect(phone.locator("#toasts")).to_contain_text(SIGNED_OUT)

    def test_this_one_signs_itself_out_without_a_toast(self, visitors, ann):
        phone = second(visitors, ann)
        open_you(phone).get_by_role("button", name="Sign out here").click()
        phone.locator("#ask-dialog .yes").click()
        expect(phone.locator("#you-said")).to_have_text("You’re signed out on this device.")
        expect(phone.locator("#you-devices")).to_be_hidden()
        expect(phone.locator("#rename-form [name=name]")).to_be_focused()
        phone.keyboard.press("Escape")
        phone.keyboard.press("Escape")
        expect(phone.locator("#name-form")).to_be_visible()
        expect(phone.locator(".toast")).to_have_count(0)
        expect(ann.locator(".player.you .name")).to_have_text("Ann")

    @pytest.mark.shares_hub(False)
    def test_the_last_one_stays_until_there_is_a_recovery_code(self, ann):
        dialog = open_you(ann)
        dialog.get_by_role("button", name="Sign out here").click()
        expect(dialog.locator("#devices-problem")).to_contain_text("Make a recovery code first")
        recovery_code(ann)
        dialog.get_by_role("button", name="Sign out here").click()
        expect(ann.locator("#ask-dialog")).to_contain_text("Have you written down your recovery code?")
        ann.locator("#ask-dialog .yes").click()
        expect(dialog.locator("#you-said")).to_have_text("You’re signed out on this device.")

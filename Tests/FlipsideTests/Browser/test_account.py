"""A player's account on the page: its recovery code, its name, and deleting it."""

import json

import pytest
from playwright.sync_api import expect

from accessibility import SIZES, expect_accessible
from accounts import BECOME, PLAYER, SIGNED_OUT, drawn, lose_answer, open_you, recovery_code, rename, second
from tabs import way

pytestmark = pytest.mark.shares_hub


class TestARecoveryCode:
    def test_is_shown_once(self, ann):
        dialog = open_you(ann)
        recovery_code(ann)
        expect(dialog).to_contain_text("It won’t be shown again")
        expect_accessible(ann, SIZES)
        ann.keyboard.press("Escape")
        ann.locator("#settings-dialog").get_by_role("button", name="Name and devices").click()
        expect(dialog).to_contain_text("You have one.")
        expect(dialog.locator("#recovery-code")).to_be_hidden()

    def test_whose_answer_is_lost_counts_as_unseen_until_there_is_a_new_one(self, ann):
        dialog = open_you(ann)
        lose_answer(ann, "**/recovery-code")
        dialog.get_by_role("button", name="Make a recovery code").click()
        expect(dialog.locator("#recovery-problem")).to_contain_text("never saw")
        ann.keyboard.press("Escape")
        ann.locator("#settings-dialog").get_by_role("button", name="Name and devices").click()
        expect(dialog.locator("#recovery-problem")).to_contain_text("never saw")
        ann.unroute("**/recovery-code")
        dialog.get_by_role("button", name="Make a new one").click()
        expect(dialog.locator("#recovery-copy")).to_be_visible()
        expect(dialog.locator("#recovery-problem")).to_have_text("")

    def test_disappears_if_another_page_of_the_browser_changes_the_player(self, visitors, ann):
        olga = visitors.host("Olga").evaluate(PLAYER)
        dialog = open_you(ann)
        recovery_code(ann)
        drawn(ann, ann.locator("#devices-take .show-code"))
        expect(ann.locator("#devices-take svg")).to_be_visible()
        ann.evaluate(BECOME, json.dumps(olga))
        expect(dialog.locator("[name=name]")).to_have_value("Olga")
        expect(dialog.locator("#recovery-code")).to_be_hidden()
        expect(ann.locator("#devices-take svg")).to_have_count(0)

    def test_brings_a_player_back_in_a_fresh_browser_that_asks_for_a_name(self, visitors, ann):
        open_you(ann)
        code = recovery_code(ann)
        fresh = visitors.new()
        fresh.goto("/")
        fresh.locator(way("quick")).click()
        fresh.locator("#name-dialog").get_by_role("button", name="I have a code").click()
        expect_accessible(fresh, SIZES)
        fresh.locator("#code-dialog [name=code]").fill(code)
        fresh.keyboard.press("Enter")
        expect(fresh.locator(".player.you .name")).to_have_text("Ann")
        assert fresh.evaluate(PLAYER)["id"] == ann.evaluate(PLAYER)["id"]

    def test_brings_a_player_back_in_a_room_and_is_used_up(self, visitors, ann):
        open_you(ann)
        code = recovery_code(ann)
        fresh, late = visitors.new(), visitors.new()
        for page in fresh, late:
            page.goto(ann.url)
            page.locator("#name-form").get_by_role("button", name="I have a code").click()
            page.locator("#code-dialog [name=code]").fill(code.lower().replace("-", " "))
            page.locator("#code-dialog").get_by_role("button", name="Use code").click()
        expect(fresh.locator(".player.you .name")).to_have_text("Ann")
        expect(fresh.locator("#toasts")).to_contain_text("The recovery code is used up")
        expect(late.locator("#code-problem")).to_contain_text("It was used already")

    def test_whose_answer_was_lost_works_again_after_cancelling(self, visitors, ann):
        open_you(ann)
        code = recovery_code(ann)
        fresh = visitors.new()
        fresh.goto(ann.url)
        lose_answer(fresh, "**/api/players/devices")
        dialog = fresh.locator("#code-dialog")
        fresh.get_by_role("button", name="I have a code").click()
        dialog.locator("[name=code]").fill(code)
        fresh.keyboard.press("Enter")
        expect(fresh.locator("#code-problem")).to_contain_text("Can’t reach the server")
        dialog.get_by_role("button", name="Cancel").click()
        fresh.unroute("**/api/players/devices")
        fresh.reload()
        fresh.get_by_role("button", name="I have a code").click()
        dialog.locator("[name=code]").fill(code)
        fresh.keyboard.press("Enter")
        expect(fresh.locator(".player.you .name")).to_have_text("Ann")

    def test_that_is_new_replaces_the_old_one(self, visitors, ann):
        dialog = open_you(ann)
        first = recovery_code(ann)
        dialog.get_by_role("button", name="Make a new one").click()
        second = drawn(ann, ann.locator("#ask-dialog .yes"), "recovery")
        expect(dialog.locator("#recovery-code")).to_have_text(second)
        fresh = visitors.new()
        fresh.goto(ann.url)
        fresh.get_by_role("button", name="I have a code").click()
        fresh.locator("#code-dialog [name=code]").fill(first)
        fresh.keyboard.press("Enter")
        expect(fresh.locator("#code-problem")).to_contain_text("It was used already")

    def test_with_a_typing_error_is_refused_without_a_request(self, visitors):
        page, asked = visitors.new(), []
        page.goto("/")
        page.on("request", lambda request: asked.append(request.url))
        page.locator(way("quick")).click()
        page.get_by_role("button", name="I have a code").click()
        page.locator("#code-dialog [name=code]").fill("abcd-efgh")
        page.keyboard.press("Enter")
        expect(page.locator("#code-problem")).to_contain_text("32 letters and digits")
        assert not any("devices" in url for url in asked), asked


class TestAName:
    def test_change_is_seen_by_the_other_player_at_once_and_keeps_the_seat(self, visitors, ann):
        ben = visitors.guest(ann)
        rename(ann, "Anna")
        expect(ben.locator(".player .name", has_text="Anna")).to_be_visible()
        expect(ann.locator(".player.you .name")).to_have_text("Anna")
        ann.reload()
        expect(ann.locator(".player.you .name")).to_have_text("Anna")

    def test_change_reaches_the_players_other_devices(self, visitors, ann):
        phone = second(visitors, ann)
        rename(ann, "Anna")
        expect(phone.locator(".player.you .name")).to_have_text("Anna")
        phone.goto("/")
        expect(phone.locator("#playing-as")).to_have_text("Playing as Anna")

    def test_of_another_player_is_refused_and_the_own_one_stays(self, visitors, ann):
        visitors.known("Ben")
        rename(ann, "Ben")
        expect(ann.locator("#rename-problem")).to_contain_text("is taken")
        assert ann.evaluate(PLAYER)["name"] == "Ann"

    def test_change_asks_for_the_account_once(self, ann):
        dialog, asked = open_you(ann), []
        expect(dialog.locator("#devices li")).to_have_count(1)
        ann.on("request", lambda request: asked.append(request.method) if request.url.endswith("/me") else None)
        own = ann.locator(".player.you .name")

        def late(route):
            """The room reports the new name before the answer arrives."""
            answer = route.fetch()
            own.filter(has_text="Anna").wait_for(state="attached")
            route.fulfill(response=answer)

        ann.route("**/me/name", late)
        dialog.locator("[name=name]").fill("Anna")
        with ann.expect_response("**/api/players/me"):
            dialog.get_by_role("button", name="Change").click()
        expect(dialog.locator("#you-said")).to_have_text("You’re now Anna.")
        drawn(ann, dialog.locator("#recovery-make"), "recovery")
        expect(dialog).to_contain_text("You have one.")
        assert asked == ["GET", "GET"], asked

    def test_can_be_chosen_there_by_a_visitor_without_one(self, visitors):
        page = visitors.new()
        page.goto("/")
        rename(page, "Nora", "Use this name")
        expect(page.locator("#you-said")).to_have_text("You’re now Nora.")
        expect(page.locator("#devices li")).to_contain_text("Chrome on Linux")


class TestADeletedPlayer:
    def test_watches_on_all_devices_and_has_no_name_for_others(self, visitors, ann):
        ben, phone = visitors.guest(ann), second(visitors, ann)
        open_you(ann)
        ann.get_by_role("button", name="Delete my account", exact=True).click()
        expect(ann.locator("#forget-dialog")).to_contain_text("Your games and results stay")
        expect_accessible(ann, SIZES)
        ann.get_by_role("button", name="Delete for good").click()
        expect(ann.locator("#toasts")).to_contain_text("Your account is deleted")
        expect(phone.locator("#toasts")).to_contain_text(SIGNED_OUT)
        for page in ann, phone:
            expect(page.locator(".player.you")).to_have_count(0)
            assert page.evaluate("localStorage['flipside.player'] ?? null") is None
        expect(ben.locator(".player .name", has_text="Someone")).to_be_visible()
        expect(ben.locator(".player .name", has_text="Ann")).to_have_count(0)

    def test_is_asked_to_confirm_and_may_stay(self, ann):
        open_you(ann)
        ann.get_by_role("button", name="Delete my account", exact=True).click()
        ann.locator("#forget-dialog").get_by_role("button", name="Cancel").click()
        expect(ann.locator("#devices li")).to_have_count(1)
        assert ann.evaluate(PLAYER)["name"] == "Ann"


def test_all_of_it_is_done_by_keyboard_alone(ann):
    ann.locator("#settings").focus()
    for key in "Enter", "Tab":
        ann.keyboard.press(key)
    ann.locator("#settings-dialog").get_by_role("button", name="Name and devices").focus()
    ann.keyboard.press("Enter")
    expect(ann.locator("#devices li")).to_have_count(1)
    reached = []
    for _ in range(8):
        ann.keyboard.press("Tab")
        reached.append(ann.evaluate("document.activeElement.textContent || document.activeElement.name"))
    assert reached[:7] == ["name", "Change", "Sign out here", "Show a code for another device",
                           "Make a recovery code", "Delete my account", "Done"], reached

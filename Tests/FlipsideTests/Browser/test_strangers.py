"""Something else answers in place of the hub, or another hub does: a player stays the same."""

import json

import pytest
from playwright.sync_api import expect

from accounts import PLAYER, SIGNED_OUT, open_you, recovery_code
from stranger import Stranger

WAKE = "dispatchEvent(new Event('focus'))"
KEPT = "JSON.parse(localStorage['flipside.kept-players'] ?? '[]')"
WHO_CONTROLS = "() => navigator.serviceWorker.controller?.scriptURL"
WHOLE = """async () => { for (const name of await caches.keys()) {
  if (name.startsWith('kept-') && await (await caches.open(name)).match('/files.json')) return true } return false }"""


@pytest.fixture
def proxy(hub):
    return Stranger(hub.port)


@pytest.fixture
def visitors(make_visitors, chromium, proxy):
    return make_visitors(chromium, port=proxy.port)


@pytest.fixture
def home(visitors):
    """Ann's home page."""
    page = visitors.new("Ann")
    page.goto("/")
    expect(page.locator("#playing-as")).to_contain_text("Ann")
    return page


def wake(page):
    """The user looks at the page again, and it has asked for the account."""
    with page.expect_response("**/api/players/me"):
        page.evaluate(WAKE)


class TestAProxy:
    @pytest.mark.parametrize("status", [401, pytest.param(502, marks=pytest.mark.long)])
    def test_that_answers_for_a_moment_signs_no_one_out(self, home, proxy, status):
        opener = home.locator("#as [data-you]")
        opener.click()
        expect(home.locator("#devices li")).to_have_count(1)
        home.keyboard.press("Escape")
        proxy.answer(status)
        wake(home)
        opener.click()
        expect(home.locator("#you-problem")).to_contain_text(f"A proxy answered with {status}")
        assert home.evaluate(PLAYER)["name"] == "Ann" and home.evaluate(KEPT) == []
        expect(home.locator("#toasts")).not_to_contain_text(SIGNED_OUT)
        proxy.answer(None)
        home.locator("#you-again").click()
        expect(home.locator("#devices li")).to_have_count(1)

    def test_that_answers_for_a_room_does_not_prove_that_it_is_missing(self, visitors):
        ann = visitors.host("Ann")
        page = visitors.new()
        page.route("**/api/rooms/*", lambda route: route.fulfill(status=404, content_type="text/html", body="No"))
        page.goto(ann.url)
        expect(page.locator(".player .name", has_text="Ann")).to_be_visible()
        expect(page.locator("#lost")).to_be_hidden()

    def test_that_refuses_a_code_whose_answer_was_lost_does_not_cost_the_code(self, visitors):
        ann = visitors.host("Ann")
        open_you(ann)
        code = recovery_code(ann)
        page = visitors.new()
        page.goto(ann.url)

        def lose(route):
            route.fetch()
            route.abort()

        for answer in lose, lambda route: route.fulfill(status=403, content_type="text/html", body="No"), None:
            page.unroute("**/api/players/devices")
            if answer:
                page.route("**/api/players/devices", answer)
            page.get_by_role("button", name="I have a code").click()
            page.locator("#code-dialog [name=code]").fill(code)
            page.keyboard.press("Enter")
            if answer:
                expect(page.locator("#code-problem")).not_to_be_empty()
                page.locator("#code-dialog").get_by_role("button", name="Cancel").click()
        expect(page.locator(".player.you .name")).to_have_text("Ann")

    def test_without_a_hub_leaves_the_cached_page(self, visitors, proxy):
        page = visitors.new("Ann", service_workers="allow")
        page.goto("/")
        page.wait_for_function(WHO_CONTROLS)
        page.wait_for_function(WHOLE)
        for status in 502, 503, 504:
            proxy.answer(status)
            page.reload()
            expect(page.locator("#games")).to_be_visible()
            expect(page.locator("#line")).to_contain_text("offline")
        page.goto("/room/abcdef")
        expect(page.locator("#line")).to_contain_text("No connection")
        proxy.answer(None)
        page.goto("/")
        expect(page.locator("#line")).to_be_hidden()
        assert page.evaluate(PLAYER)["name"] == "Ann"

    def test_that_has_never_seen_the_hub_shows_its_own_page(self, visitors, proxy):
        page = visitors.new(service_workers="allow")
        proxy.answer(502)
        page.goto("/")
        expect(page.locator("h1")).to_have_text("The proxy's own page")


class TestAHubOnAnotherLog:
    @pytest.fixture
    def other(self, make_hub, tmp_path):
        """A hub with an empty folder."""
        hub = make_hub(data=tmp_path / "other")
        hub.start()
        return hub

    def swap(self, page, proxy, hub):
        proxy.target = hub.port
        proxy.answer(None)
        page.evaluate(WAKE)

    def test_keeps_the_first_hubs_player_who_returns_with_it(self, home, proxy, hub, other):
        wake(home)
        self.swap(home, proxy, other)
        expect(home.locator("#toasts")).to_contain_text("This is a different server. Ann is saved for the other one.")
        expect(home.locator("#as")).to_be_hidden()
        self.swap(home, proxy, hub)
        expect(home.locator("#toasts")).to_contain_text("Welcome back, Ann.")
        expect(home.locator("#playing-as")).to_contain_text("Ann")

    def test_lets_the_user_be_a_new_player_who_is_saved_for_it(self, home, proxy, hub, other):
        wake(home)
        self.swap(home, proxy, other)
        home.locator("#toasts button").first.click()
        dialog = home.locator("#you-dialog")
        expect(dialog.locator("#saved-players li")).to_contain_text("on a different server")
        dialog.locator("[name=name]").fill("Zoe")
        home.keyboard.press("Enter")
        expect(dialog.locator("#you-said")).to_contain_text("Zoe")
        home.keyboard.press("Escape")
        for at, name in (hub, "Ann"), (other, "Zoe"):
            self.swap(home, proxy, at)
            expect(home.locator("#playing-as")).to_contain_text(name)


class TestAnUnknownPlayer:
    @pytest.fixture
    def page(self, home):
        """Ann's home page, whose hub says that it does not know her."""
        refused = json.dumps(dict(type="about:blank", status=401, code="unknown-token", detail="No"))
        home.route("**/api/players/me", lambda route: route.fulfill(
            status=401, content_type="application/problem+json", body=refused))
        home.evaluate(WAKE)
        expect(home.locator("#toasts")).to_contain_text(SIGNED_OUT)
        expect(home.locator("#as")).to_be_hidden()
        return home

    def test_is_signed_in_again_once_the_hub_does(self, page):
        page.unroute("**/api/players/me")
        page.evaluate(WAKE)
        expect(page.locator("#playing-as")).to_contain_text("Ann")
        expect(page.locator("#toasts")).to_contain_text("Welcome back, Ann.")

    def test_plays_again_with_the_press_that_offers_it(self, page):
        page.unroute("**/api/players/me")
        page.locator("[data-game=memory] [data-way=alone]").click()
        page.wait_for_url("**/room/*")
        expect(page.locator(".player.you .name")).to_have_text("Ann")

    def test_is_forgotten_here_only_by_a_press(self, page):
        page.locator("#toasts button").first.click()
        expect(page.locator("#saved-players li")).to_contain_text("signed out")
        page.locator("#saved-players").get_by_role("button", name="Forget on this device").click()
        page.locator("#ask-dialog").get_by_role("button", name="Forget on this device").click()
        expect(page.locator("#you-saved")).to_be_hidden()
        page.unroute("**/api/players/me")
        page.evaluate(WAKE)
        expect(page.locator("#as")).to_be_hidden()
        assert page.evaluate("Object.keys(localStorage).filter(key => localStorage[key].includes('Ann'))") == []

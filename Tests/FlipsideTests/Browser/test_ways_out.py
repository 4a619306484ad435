"""The ways out of a room: the home link and the back button, which keep the seat, and giving it up."""

import pytest
from playwright.sync_api import expect

from accessibility import SIZES, expect_accessible
from accounts import open_take, open_you, recovery_code
from visitors import PHONE, sit, start

pytestmark = pytest.mark.shares_hub

QUESTION = "Leave this page? You’re in a game with Ben."
# Everything read aloud and shown in toasts.
LISTEN = """() => { for (const [name, id] of [['heard', '#announcer'], ['told', '#toasts']]) {
  window[name] = []
  new MutationObserver(changes => changes.forEach(({addedNodes}) => addedNodes.forEach(
    node => window[name].push(node.textContent)))).observe(document.querySelector(id), {childList: true}) } }"""


# The page has added its own history entry, and can ask.
IS_AHEAD = "() => history.state?.isAhead"


def go_back(page):
    """Goes back, once the page has something to close or to ask."""
    page.wait_for_function(IS_AHEAD)
    page.go_back()


def ask_to_sign_out(page):
    """Opens the question whether to sign this device out."""
    you = open_you(page)
    recovery_code(page)
    you.get_by_role("button", name="Sign out here").click()
    expect(page.locator("#ask-dialog")).to_be_visible()
    return page.locator("#ask-dialog")


class TestBack:
    @pytest.fixture
    def ann(self, visitors):
        """Ann, who has come from the home page to a game with Ben."""
        ann = visitors.new("Ann")
        ann.goto("/")
        expect(ann.locator("#games [data-target]").first).to_be_visible()
        sit(ann, visitors.open_room("Ann", turnTime=3600))
        visitors.join(ann.url, "Ben")
        start(ann)
        return ann

    def asks(self, page):
        go_back(page)
        expect(page.locator("#ask-title")).to_have_text(QUESTION)

    def test_asks_like_the_logo_and_leads_to_the_page_before(self, visitors, ann):
        self.asks(ann)
        expect_accessible(ann, SIZES)
        ann.get_by_role("button", name="Stay").click()
        expect(ann.locator("#ask-dialog")).to_be_hidden()
        self.asks(ann)
        ann.locator("#ask-dialog .yes").click()
        ann.wait_for_url("**/")
        expect(ann.locator("#own-games li")).to_contain_text("with Ben")
        ann.go_forward()
        expect(ann.locator(".player.you")).to_have_count(1)

    def test_closes_the_question_that_it_asks(self, ann):
        self.asks(ann)
        go_back(ann)
        expect(ann.locator("#ask-dialog")).to_be_hidden()
        self.asks(ann)

    def test_asks_after_a_reload_too(self, ann):
        # A reload while the page adds its entry would leave none to go back from.
        ann.wait_for_function(IS_AHEAD)
        ann.reload()
        expect(ann.locator("#board [data-target]").first).to_be_visible()
        self.asks(ann)

    def test_leads_home_if_there_is_no_page_before(self, visitors, ann):
        with ann.expect_popup() as opened:
            ann.evaluate("window.open(location.href)")
        tab = visitors.watch(opened.value)
        assert tab.evaluate("history.length") == 1
        # Browsers do not let a page delay a user who has not touched it.
        tab.locator("#say").click()
        self.asks(tab)
        tab.locator("#ask-dialog .yes").click()
        tab.wait_for_url("**/")

    def test_closes_what_lies_over_the_board_first(self, visitors, ann):
        phone = visitors.new("Cy", PHONE)
        phone.goto("/")
        phone.goto(ann.url)
        for opener, layer in ("#chat-open", "#chat"), ("#settings", "#settings-dialog"), ("#share", "#share-dialog"):
            phone.locator(opener).click()
            expect(phone.locator(layer)).to_be_visible()
            go_back(phone)
            expect(phone.locator(layer)).to_be_hidden()
            assert visitors.path(phone) == visitors.path(ann)
        # Spectators are not asked.
        phone.go_back()
        phone.wait_for_url("**/")

    def test_leaves_a_chat_beside_the_board_open(self, ann):
        ann.locator("#chat-open").click()
        expect(ann.locator("#chat")).to_be_visible()
        self.asks(ann)
        expect(ann.locator("#chat")).to_be_visible()

    def test_goes_at_once_for_a_player_who_has_left_the_game(self, ann):
        ann.locator("#leave").click()
        ann.locator("#leave-dialog [value=leave]").click()
        expect(ann.locator("#leave")).to_be_hidden()
        ann.go_back()
        ann.wait_for_url("**/")

    def test_goes_at_once_before_a_game(self, visitors):
        ann = visitors.new("Ann")
        ann.goto("/")
        sit(ann, visitors.open_room("Ann"))
        ann.go_back()
        ann.wait_for_url("**/")

    def test_closes_a_dialog_of_the_home_page_too(self, visitors):
        page = visitors.new("Ann")
        page.goto("/#wall")
        page.locator("#wall").wait_for()
        page.goto("/#")
        page.locator("#settings").click()
        expect(page.locator("#settings-dialog")).to_be_visible()
        go_back(page)
        expect(page.locator("#settings-dialog")).to_be_hidden()
        expect(page.locator("#home")).to_be_visible()
        page.go_back()
        expect(page.locator("#wall")).to_be_visible()

    @pytest.mark.parametrize("open_upper", [open_take, ask_to_sign_out])
    def test_closes_the_upper_one_of_two_dialogs(self, visitors, open_upper):
        page = visitors.new("Ann")
        page.goto("/")
        upper, open_ones = open_upper(page), page.locator("dialog[open]")
        count = open_ones.count()
        go_back(page)
        expect(upper).to_be_hidden()
        expect(open_ones).to_have_count(count - 1)

    def test_keeps_what_the_browser_stores_nowhere_else(self, visitors):
        page = visitors.new()
        page.add_init_script("""Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('', 'SecurityError') } })""")
        page.goto("/#wall")
        page.locator("#wall").wait_for()
        page.goto("/#")
        page.locator("#settings").click()
        page.get_by_label("Dark").check()
        go_back(page)
        expect(page.locator("#settings-dialog")).to_be_hidden()
        # Back to the page's own entry, which it leaves again by itself, and past it.
        go_back(page)
        expect(page.locator("#wall")).to_be_visible()
        page.go_forward()
        expect(page.locator("#home")).to_be_visible()
        page.reload()
        expect(page.locator("html")).to_have_attribute("data-colours", "dark")


class TestGivingUpASeat:
    def test_is_not_the_same_as_going_away(self, visitors):
        ann = visitors.host("Ann", turnTime=3600)
        visitors.join(ann.url, "Ben")
        start(ann)
        expect(ann.get_by_role("link", name="Flipside")).to_have_attribute("title", "Home. You keep your seat.")
        ann.get_by_role("button", name="Give up seat").click()
        expect(ann.locator("#leave-dialog")).to_contain_text("This game is over for you.")
        expect_accessible(ann, SIZES)
        ann.get_by_role("button", name="Keep my seat").click()
        expect(ann.locator(".player.you")).to_have_count(1)

    def test_is_announced_to_all_with_the_remaining_players(self, visitors):
        ann = visitors.host("Ann", turnTime=0)
        ben, _ = (visitors.join(ann.url, name) for name in ("Ben", "Cy"))
        watcher = visitors.spectator(ann)
        start(ann)
        expect(watcher.locator("#board [data-target]").first).to_be_visible()
        for page in ann, watcher:
            page.evaluate(LISTEN)
        ben.do("leave")
        for page, names in (ann, "you and Cy"), (watcher, "Ann and Cy"):
            expect(page.locator("#toasts")).to_contain_text(f"Ben left the game. Still playing: {names}.")
            # A toast is read aloud already: once is enough.
            assert not page.evaluate("heard.some(said => said.includes('left'))"), page.evaluate("heard")

    def test_that_ends_a_game_is_announced_with_its_end(self, visitors):
        ann = visitors.host("Ann", "connect-four")
        ben = visitors.join(ann.url, "Ben")
        start(ann)
        ann.evaluate(LISTEN)
        ben.do("leave")
        expect(ann.locator("#end-detail")).to_have_text("Ben left the game.")
        assert ann.evaluate("told") == []

    def test_after_a_game_is_announced_to_players_who_wait_for_another(self, visitors):
        ann = visitors.host("Ann", "connect-four")
        ben = visitors.join(ann.url, "Ben")
        start(ann)
        ann.get_by_role("button", name="Resign").click()
        ann.locator("#ask-dialog .yes").click()
        expect(ann.locator("#end")).to_be_visible()
        ben.do("leave")
        expect(ann.locator("#toasts")).to_contain_text("Ben left the game.")

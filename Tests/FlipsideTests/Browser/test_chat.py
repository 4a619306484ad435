"""What people in a room say to each other, and what the host can do about it."""

import pytest
from playwright.sync_api import expect

from accessibility import expect_accessible
from reading_direction import as_read, is_isolated
from visitors import PHONE, module

pytestmark = pytest.mark.shares_hub


@pytest.fixture
def ann(visitors):
    return visitors.host("Ann", turnTime=0)


@pytest.fixture
def ben(visitors, ann):
    return visitors.guest(ann, "Ben", PHONE)


def say(page, words):
    if page.locator("#chat").is_hidden():
        page.locator("#chat-open").click()
    expect(page.locator("#chat-form input")).to_be_focused()
    page.keyboard.insert_text(words)
    page.keyboard.press("Enter")
    expect(page.locator(".chat-line").last).to_contain_text(words)


def test_messages_are_plain_text_and_new_lines_are_counted(ann, ben):
    say(ann, "Hello, Ben!")
    expect(ben.locator("#chat-count")).to_have_text("1")
    expect(ben.get_by_role("button", name="Chat, 1 new")).to_be_visible()
    say(ben, "<b>Hello</b>, Ann!")
    expect(ben.locator("#chat-count")).to_be_hidden()
    expect(ann.locator(".chat-line").last).to_contain_text("<b>Hello</b>, Ann!")
    assert ben.locator(".chat-line").count() == 2
    expect_accessible(ann)
    expect_accessible(ben)

    # Hiding messages affects only one's own page.
    ann.get_by_role("button", name="Hide Ben’s messages for me").click()
    expect(ann.locator(".chat-line")).to_have_count(1)
    # No one is notified.
    expect(ben.locator(".chat-line")).to_have_count(2)
    ann.get_by_role("button", name="Show Ben’s messages").click()
    expect(ann.locator(".chat-line")).to_have_count(2)

    # Others see a reaction.
    ben.get_by_role("button", name="React with 🎉").click()
    expect(ann.locator(".reaction")).to_have_text("🎉")


def test_the_host_mutes_and_unmutes_a_player(ann, ben):
    ben.locator("#chat-open").click()
    ann.locator("#seats").click()
    expect_accessible(ann)
    ann.get_by_role("button", name="Mute: Ben").click()
    expect(ben.locator("#toasts")).to_contain_text("The host has muted you")
    expect_accessible(ben)
    expect(ben.locator("#chat-form")).to_be_hidden()
    expect(ann.get_by_role("button", name="Unmute: Ben")).to_be_focused()
    ann.get_by_role("button", name="Unmute: Ben").click()
    expect(ben.locator("#chat-form")).to_be_visible()


def test_a_banned_player_is_told_and_sits_down_again_after_unbanning(ann, ben):
    say(ben, "Hello, Ann!")
    ann.locator("#chat-open").click()
    ann.locator("#seats").click()
    # The host is asked to confirm.
    ann.get_by_role("button", name="Ban: Ben").click()
    expect(ann.locator("#ask-dialog")).to_be_visible()
    expect_accessible(ann)
    ann.locator("#ask-dialog").get_by_role("button", name="Cancel").click()
    expect(ann.locator("#ask-dialog")).to_be_hidden()
    expect(ann.locator(".player", has_text="Ben")).to_have_count(1)
    expect(ben.locator("#barred")).to_be_hidden()
    ann.get_by_role("button", name="Ban: Ben").click()
    ann.evaluate("window.line = document.querySelector('.chat-line:last-child')")
    ann.locator("#ask-dialog .yes").click()
    expect(ben.locator("#barred")).to_contain_text("The host has banned you")
    # He no longer has a seat, but that must not make his earlier messages be read aloud again.
    ann.wait_for_function("() => !document.querySelector('.chat-line:last-child [data-seat]')")
    assert ann.evaluate("window.line.isConnected")
    expect(ben.locator("#sit")).to_be_hidden()
    ann.get_by_role("button", name="Unban: Ben").click()
    ben.locator("#chat-close").click()
    ben.locator("#sit").click()
    expect(ben.locator(".player.you")).to_have_count(1)


class TestFromRightToLeft:
    """Text from right to left runs that way, and reverses nothing around it."""

    @pytest.fixture
    def sarah(self, visitors, ann):
        """Sarah, without a page."""
        return visitors.join(ann.url, "שרה 2")

    def test_a_name(self, ann, sarah):
        assert is_isolated(ann.locator(".player .name", has_text="שרה 2"))

    def test_words_read_to_screen_readers(self, ann, sarah):
        sarah.do("say", text="שלום")
        told = ann.locator("#announcer p", has_text="שלום")
        expect(told).to_be_attached()
        # Each of the two words reads from its right, the sentence from its left.
        assert as_read(ann, told.text_content()) == "2 הרש: םולש"

    def test_a_line_of_the_chat(self, ann, sarah):
        sarah.do("say", text="\u202eabc")
        ann.locator("#chat-open").click()
        line = ann.locator(".chat-line").last
        expect(line.locator("span")).to_have_text("abc")
        assert is_isolated(line.locator("b"))
        expect_accessible(ann)

    def test_a_name_that_would_reverse_a_sentence(self, ann):
        said = ann.evaluate(f"async name => (await {module('texts/texts.js')}).text('now.move', {{ name }})", "\u202eabc")
        assert as_read(ann, said) == "abc’s turn", said


def test_a_lookalike_name_is_refused_with_a_reason(visitors, ann):
    other = visitors.new()
    other.goto(ann.url)
    other.locator("#name-form [name=name]").fill("\u0410nna")
    other.locator("#name-form [name=name]").press("Enter")
    expect(other.locator("#door-problem")).to_contain_text("This one mixes Cyrillic and Latin.")

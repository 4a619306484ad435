"""The ways out of a room: home and back, which keep one's seat, and giving it up."""

from playwright.sync_api import expect

from accessibility import SIZES, expect_accessible
from visitors import start


class TestGivingUpASeat:
    def test_is_told_apart_from_going_away(self, visitors):
        ann = visitors.host("Ann", turnTime=3600)
        start(ann, visitors.guest(ann, "Ben"))
        expect(ann.get_by_role("link", name="Flipside")).to_have_attribute("title", "Home. You keep your seat.")
        ann.get_by_role("button", name="Give up seat").click()
        expect(ann.locator("#leave-dialog")).to_contain_text("This game is over for you.")
        expect_accessible(ann, SIZES)
        ann.get_by_role("button", name="Keep my seat").click()
        expect(ann.locator(".player.you")).to_have_count(1)

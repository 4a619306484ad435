"""A quick game never waits in vain: a computer meanwhile, and who comes then is the next partner."""

import pytest
from playwright.sync_api import expect

from accessibility import SIZES, expect_accessible
from tabs import way
from visitors import PHONE

# So long nobody is offered anything but the wait, and a bit more, in ms.
LONG = 11_000


def seek(visitors, name, game, view=PHONE, listed=None):
    """The page of somebody who asks for a quick game; once a room is `listed` so, if one is to be there."""
    page = visitors.new(name, view)
    page.clock.install()
    page.goto("/")
    if listed:
        expect(page.locator("#rooms .state")).to_contain_text(listed)
    page.locator(way("quick", game)).click()
    page.wait_for_url("**/room/*")
    return page


def play_meanwhile(page):
    """Waits for nobody, and plays against the computer."""
    expect(page.locator(".player.you")).to_have_count(1)
    page.clock.fast_forward(LONG)
    page.get_by_role("button", name="Play against the computer").click()
    expect(page.locator("#room")).to_have_attribute("data-status", "running")


def resign(page):
    page.get_by_role("button", name="Resign").click()
    page.locator("#ask-dialog .yes").click()
    expect(page.locator("#end")).to_be_visible()


def test_a_computer_is_offered_after_a_while_and_nobody_has_to_take_it(visitors):
    tom = seek(visitors, "Tom", "memory")
    expect(tom.locator(".player.you")).to_have_count(1)
    expect(tom.locator("#offer")).to_be_hidden()
    tom.clock.fast_forward(LONG)
    expect(tom.locator("#offer-words")).to_have_text("Nobody yet: play against the computer meanwhile?")
    expect_accessible(tom, SIZES)
    mia = seek(visitors, "Mia", "memory", listed="seats free")
    assert mia.url == tom.url
    expect(tom.locator("#offer")).to_be_hidden()
    expect(tom.locator(".player")).to_have_count(2)


@pytest.mark.parametrize("game", ["memory", "reversi"])
def test_who_comes_meanwhile_is_offered_to_both_as_the_next_partner(visitors, game):
    tom = seek(visitors, "Tom", game)
    play_meanwhile(tom)
    mia = seek(visitors, "Mia", game, listed="playing")
    assert mia.url == tom.url
    expect(mia.locator("#watching")).to_contain_text("Tom is finishing a game against the computer")
    expect(tom.locator("#offer-words")).to_have_text("Mia is here: play together next?")
    expect_accessible(tom, SIZES)
    tom.get_by_role("button", name="Play together next").click()
    expect(tom.locator("#offer-words")).to_have_text("You play with Mia next")


def test_they_play_together_once_the_game_against_the_computer_is_over(visitors):
    tom = seek(visitors, "Tom", "reversi")
    play_meanwhile(tom)
    mia = seek(visitors, "Mia", "reversi", listed="playing")
    tom.get_by_role("button", name="Play together next").click()
    resign(tom)
    # The computer's seat is hers, without a press.
    expect(mia.locator(".player.you")).to_have_count(1)
    tom.locator("#again").click()
    for page in tom, mia:
        expect(page.locator("#room")).to_have_attribute("data-status", "running")
        expect(page.locator(".player .name")).to_have_text(["Tom", "Mia"])


def test_who_opened_a_room_for_friends_is_offered_nobody(visitors):
    page = visitors.new("Ann", PHONE)
    page.clock.install()
    page.goto("/")
    page.locator(way("friends")).click()
    expect(page.locator(".player.you")).to_have_count(1)
    page.clock.fast_forward(LONG)
    expect(page.locator("#offer")).to_be_hidden()

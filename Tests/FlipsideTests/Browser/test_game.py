"""A whole game of Memory by two players and a spectator, through a kill -9 of the hub."""

import re, time

import pytest
from playwright.sync_api import expect

from board import ROOM, SHOWN
from tabs import PATIENCE, PlaywrightTab, play
from visitors import PHONE, start


@pytest.fixture(params=[pytest.param("http", marks=pytest.mark.long), "https"])
def hub(request, make_hub):
    """A hub with and without TLS."""
    hub = make_hub(certificate=request.getfixturevalue("certificate") if request.param == "https" else None)
    hub.start()
    return hub


@pytest.mark.seconds(15)
def test_two_and_a_spectator_see_the_same_game_through_a_kill(visitors, hub):
    ann = visitors.host("Ann", preset="easy", reveal=200)
    pages = [ann, visitors.guest(ann, "Ben", PHONE, color_scheme="dark"), visitors.spectator(ann)]
    start(*pages)

    def interrupt(flips):
        agree(pages)
        if flips == 8:
            hub.kill()
            for page in pages:
                expect(page.locator("#line")).to_contain_text("Reconnecting")
            hub.start()
            for page in pages:
                expect(page.locator("#line")).to_be_hidden()

    tabs = [PlaywrightTab(page) for page in pages]
    flips, _ = play(tabs[:2], tabs, interrupt)
    assert flips > 8, "the game ended before the hub was killed"
    for page in pages:
        expect(page.locator("#end")).to_be_visible()
    titles = {re.sub("^You win!|.* wins!$", "won", page.locator("#end-title").text_content()) for page in pages}
    assert len(titles) == 1, titles
    for page in pages[:2]:
        page.get_by_role("button", name="Rematch").click()
    expect(pages[1].locator("#end")).to_be_hidden()


def agree(pages):
    """All pages end up showing the same: any page may show something for a moment."""
    end = time.monotonic() + PATIENCE
    while len({page.evaluate(SHOWN, ROOM) for page in pages}) > 1:
        assert time.monotonic() < end, "the pages show different boards"

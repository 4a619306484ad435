"""Pages while the hub stops, and comes back with the same files or others."""

import shutil, signal

import pytest
from playwright.sync_api import expect



@pytest.fixture
def served(web, tmp_path):
    """A copy of the page's files, so that a restarted hub has others."""
    return shutil.copytree(web, tmp_path / "web")


def test_a_player_is_told_of_a_restart_and_continues(visitors, hub):
    page = visitors.host("Kim")
    hub.process.send_signal(signal.SIGTERM)
    expect(page.locator("#line")).to_have_text("The server is restarting. Nothing is lost.")
    hub.process.wait(30)
    hub.start()
    expect(page.locator("#line")).to_be_hidden()
    expect(page.locator(".player.you .name")).to_have_text("Kim")


def restart(hub):
    hub.kill()
    hub.start()


@pytest.fixture
def waiting(visitors):
    """A player who waits for others in a room."""
    page = visitors.host("Walt")
    page.evaluate("window.isOld = true")
    return page


@pytest.fixture
def playing(visitors):
    """A player in a running game."""
    page = visitors.host("Paula", seats=1)
    page.locator("#start").click()
    expect(page.locator("#board [data-target]")).to_have_count(16)
    page.evaluate("window.isOld = true")
    return page


def test_the_same_files_are_not_offered(waiting, hub):
    with waiting.expect_response("**/files.json"):
        restart(hub)
    expect(waiting.get_by_text("Reconnected.")).to_be_visible()
    expect(waiting.get_by_role("button", name="Update")).to_have_count(0)


def test_other_files_are_offered_to_an_open_page(waiting, hub, served):
    (served / "later.js").write_text("// New.")
    restart(hub)
    waiting.get_by_role("button", name="Update").click()
    waiting.wait_for_function("() => !window.isOld")
    expect(waiting.locator(".player.you .name")).to_have_text("Walt")


def test_other_files_are_offered_to_players_only_after_their_game(playing, hub, served):
    (served / "later.js").write_text("// New.")
    with playing.expect_response("**/files.json"):
        restart(hub)
    expect(playing.get_by_text("Reconnected.")).to_be_visible()
    expect(playing.locator("#line")).to_be_hidden()
    expect(playing.get_by_role("button", name="Update")).to_have_count(0)
    playing.locator("#seats").click()
    playing.locator("#close-room").click()
    playing.locator("#ask-dialog .yes").click()
    expect(playing.get_by_role("button", name="Update")).to_be_visible()
    assert playing.evaluate("window.isOld")

"""A page of which a game's module throws an error while it loads."""

import shutil

import pytest
from playwright.sync_api import expect

GAME = "connect-four"
SAID = f"The game {GAME} is missing because one of its modules threw an error:"


@pytest.fixture(params=["fold.js", "game.js", "board.js"])
def served(request, web, tmp_path):
    """The page's files, with the fault in one."""
    page = shutil.copytree(web, tmp_path / "web")
    module = page / "games" / GAME / request.param
    module.write_text(module.read_text() + 'throw new Error("a fault");\n')
    return page


def test_the_game_alone_is_missing_and_one_line_says_which(served, visitors):
    visitors.tolerated += (SAID,)
    page, said = visitors.new(), []
    page.on("console", lambda message: message.type == "error" and said.append(message.text))
    page.goto("/")
    expect(page.locator("#games [data-game='memory']")).to_be_visible()
    expect(page.locator(f"#games [data-game='{GAME}']")).to_have_count(0)
    assert len(said) == 1 and said[0].startswith(SAID) and "a fault" in said[0]
    # A room of another game works.
    page.goto(visitors.open_room("Ada", "reversi"))
    page.locator("#join").click()
    expect(page.locator(".player.you")).to_have_count(1)
    # A room of the missing one opens.
    page.goto(visitors.open_room("Ada", GAME))
    expect(page.locator("#join")).to_be_visible()

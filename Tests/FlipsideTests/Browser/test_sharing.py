"""A room's link, as a code to scan and to copy; a result's picture."""

import io, re

import pytest
from PIL import Image
from playwright.sync_api import expect

from visitors import module

pytestmark = pytest.mark.shares_hub


def test_the_link_is_shown_as_a_code_and_copied(ann):
    ann.locator("#invite").click()
    expect(ann.locator("#share-code svg")).to_be_visible()
    ann.locator("#share-copy").click()
    expect(ann.locator("#share-said")).to_contain_text(re.compile("copied|Send this link"))


PICTURE = """async ({ style, summary, board }) => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  document.adoptedStyleSheets = [sheet]
  const blob = await (await %s).resultPicture({ game: "", title: "", ...summary }, board)
  return [...new Uint8Array(await blob.arrayBuffer())] }""" % module("views/result-picture.js")


def drawn(page, style="", summary={}, board=None):
    """A result's picture."""
    data = page.evaluate(PICTURE, dict(style=style, summary=dict(lines=[]) | summary, board=board))
    return Image.open(io.BytesIO(bytes(data)))


@pytest.mark.parametrize("disc, colour", [("black", (22, 19, 29)), ("white", (255, 255, 255))])
def test_a_result_picture_has_discs_before_names_if_the_board_has_discs(ann, disc, colour):
    line = dict(medal="", name="", score="1", seat=0, disc=disc)
    picture = drawn(ann, summary=dict(lines=[line])).convert("RGB")
    # Left of the middle of the first line.
    assert picture.getpixel((520, 272)) == colour


@pytest.mark.parametrize("text", ["", "7"])
def test_seats_differ_in_a_result_picture_without_their_colours(ann, text):
    board = dict(columns=4, tiles=[dict(seat=seat, text=text) for seat in range(8)])
    picture = drawn(ann, "[data-seat] { --seat: #555555 !important; }", board=board).convert("L")
    # The board is 760 wide, in the middle of the rest of the picture.
    left, top, size = (1080 - 760) // 2, 330 + (1350 - 330 - 90 - 380) // 2, 190
    boxes = [(left + seat % 4 * size, top + seat // 4 * size) for seat in range(8)]
    tiles = [picture.crop((x, y, x + size, y + size)) for x, y in boxes]
    for seat, tile in enumerate(tiles):
        for other in tiles[:seat]:
            changed = sum(abs(a - b) > 60 for a, b in zip(tile.tobytes(), other.tobytes())) / size ** 2
            assert changed > 0.01, seat

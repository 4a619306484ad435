"""Memory boards as pages show them, compared with the hub's state."""

import json

# Where the board is, and where its players are.
REPLAY, ROOM = ["#replay-board", "#replay-players"], ["#board", "#players"]
# Sides of cards, faces of those that are up, who won them, and the scores.
SHOWN = """([board, players]) => JSON.stringify({
  cards: [...document.querySelectorAll(board + ' [data-target]')].map(card => [card.dataset.side,
    ['up', 'won'].includes(card.dataset.side) ? card.querySelector('.memory-front').textContent : '', card.dataset.seat ?? '']),
  scores: [...document.querySelectorAll(players + ' .score')].map(score => score.textContent)})"""


def expect_board(page, where, welcome):
    """The page ends up showing what a page shows after this `welcome`."""
    view = welcome["view"]
    cards = [[cell["state"], cell.get("face", ""), str(cell.get("by", ""))] for cell in view["cells"]]
    told = dict(cards=cards, scores=[str(view["scores"][str(seat)]) for seat in view["seats"]])
    wanted = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    page.wait_for_function(f"([where, wanted]) => ({SHOWN})(where) === wanted", arg=[where, wanted])

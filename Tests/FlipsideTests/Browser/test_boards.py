"""The boards of all games, drawn: the targets that keys reach, and each step of a demonstration."""

import json, pathlib

import pytest
from playwright.sync_api import expect

from visitors import code, start

pytestmark = pytest.mark.shares_hub

GAMES = sorted(path.parent.name for path in (pathlib.Path(__file__).parents[3] / "web/games").glob("*/game.js"))

# The numbers of the targets that can be pressed, but that Tab and arrow keys do not reach from the first.
UNREACHED = """(board) => {
  const free = [...board.querySelectorAll('[data-target]:not(:disabled)')]
  const reached = new Set(free.filter(target => target.tabIndex === 0))
  // A walk in one direction keeps to its line. Most boards need only walks of one step, which takes a third of the time.
  for (const most of [1, Infinity]) {
    if (reached.size === free.length) break
    for (const from of reached) {
      for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) {
        from.focus()
        for (let at = null, steps = 0; at !== document.activeElement && steps < most; steps++) {
          at = document.activeElement
          at.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
          if (free.includes(document.activeElement)) reached.add(document.activeElement)
        }
      }
    }
  }
  return free.filter(target => !reached.has(target)).map(target => Number(target.dataset.target))
}"""

# Draws a game's demonstration and its picture, step by step. Returns what is wrong, a sentence each.
DRAWN = """async ({ name, started, fault }) => {
  const bring = path => import(document.querySelector('[type=module]').src.replace(/[^/]+$/, path))
  const [{ games }, { boardOf, bringBoard }] = [await bring('games/list.js'), await bring('views/board.js')]
  const game = games[name], wrong = [], shown = await game.demonstration?.() ?? {}
  const fields = [...Object.keys(game.start(started)), ...(fault === 'field' ? ['other'] : [])]
  await bringBoard(name)
  const felt = document.createElement('div'), root = document.createElement('div')
  felt.className = 'felt'
  felt.style.cssText = 'position: fixed; inset: 0; width: 600px; height: 600px'
  felt.append(root)
  document.body.append(felt)
  const draw = boardOf(root, () => {})
  Object.entries(shown).forEach(([what, { view, steps, seat, hands }], round) => {
    const missing = fields.filter(field => !(field in view))
    if (missing.length > 0) wrong.push(`The view of ${what} has no ${missing}.`)
    let now = view
    for (let done = 0; done <= steps.length; done++) {
      const event = steps[done - 1]?.[1], place = event ? `after ${event.type} (step ${done})` : 'at its start'
      try {
        if (event) now = game.fold(now, event)
        if (fault === 'step') now = {}
        const own = { seat: seat ?? now.seats[0], hand: hands?.[done]?.[seat] }
        draw({ name, view: now, game: round + 1, mayMove: true, asked: new Set(), seat: own.seat, hands: hands?.[done] ?? {}, event })
        const drawn = [...root.querySelectorAll('[data-target]')], count = game.targets(now, own)
        if (drawn.length === 0) wrong.push(`The board of ${what} has no targets ${place}.`)
        for (const { dataset: { target } } of drawn) {
          if (!(target < count)) wrong.push(`The board of ${what} has a target ${target} of ${count} ${place}.`)
        }
        if (fault === 'target') Object.assign(drawn[0].style, { position: 'absolute', left: '9999px', top: '9999px' })
        const far = (%s)(root)
        if (far.length > 0) wrong.push(`No key reaches the targets ${far} of ${what} ${place}.`)
      } catch (error) { wrong.push(`${what} cannot be drawn ${place}: ${error.message}`) }
    }
  })
  felt.remove()
  return wrong
}""" % UNREACHED


@pytest.fixture
def table(visitors):
    """Starts a game; returns the page of the player whose turn is first, and `game-started`."""
    def begin(name):
        page = visitors.host("Ann", name)
        visitors.join(page.url, "Ben")
        start(page)
        log = map(json.loads, visitors.server.log(code(page.url)))
        return page, next(event for event in log if event["type"] == "game-started")

    return begin


@pytest.mark.parametrize("name", GAMES)
def test_keys_reach_all_targets_and_every_step_of_a_demonstration_is_drawn(table, name):
    page, started = table(name)
    expect(page.locator("#room")).to_have_attribute("data-mine", "true")
    assert page.locator("#board").evaluate(UNREACHED) == []
    assert page.evaluate(DRAWN, dict(name=name, started=started)) == []


@pytest.mark.parametrize("fault, sentence", [
    ("target", "No key reaches the targets"), ("step", "cannot be drawn"), ("field", "has no"),
])
def test_a_board_that_breaks_this_is_named(table, fault, sentence):
    page, started = table("connect-four")
    found = page.evaluate(DRAWN, dict(name="connect-four", started=started, fault=fault))
    assert any(sentence in one for one in found), found

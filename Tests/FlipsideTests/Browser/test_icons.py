"""The icons on buttons and empty pages: all are lines of one width, and each stands for one thing."""

import pytest

from visitors import PHONE

# Emoji and font characters in place of icons, in buttons and on empty pages; in templates too.
GLYPHS = r"""() => [document, ...[...document.querySelectorAll('template')].map(({ content }) => content)].flatMap(root =>
  [...root.querySelectorAll(':is(button, a, summary, .empty, .lost):not(.picture *)')]).map(({ textContent }) => textContent.trim())
  .filter(words => /[\p{Extended_Pictographic}✕✗✓]/u.test(words))"""
# Each drawing, with all the labels it has.
DRAWINGS = """() => { const found = {}
  for (const root of [document, ...[...document.querySelectorAll('template')].map(({ content }) => content)])
    for (const icon of root.querySelectorAll('svg[viewBox="0 0 24 24"]')) {
      const owner = icon.closest('button, a, p, main'), drawing = icon.innerHTML.replace(/\\s+/g, ' ')
      const name = owner.dataset.textLabel ?? owner.querySelector('[data-text]')?.dataset.text ?? owner.id
      found[drawing] = [...new Set([...found[drawing] ?? [], name || 'play or pause'])]
    }
  return found }"""
# The labels of a few different buttons that do the same.
SAME = {"room.see-board", "chat.close"}, {"replay-play", "play or pause"}, {"wall.title", "wall.none"}, {"lost.title", "nowhere.title"}
# The width of lines, in px, and what is filled.
LINES = """() => [...document.querySelectorAll('svg[viewBox="0 0 24 24"]')].map(icon => { const style = getComputedStyle(icon)
  const width = icon.getBoundingClientRect().width || parseFloat(style.width)
  return [style.fill, Math.round(parseFloat(style.strokeWidth) * width / 24 * 10) / 10, icon.parentElement.outerHTML.slice(0, 80)] })"""
SHOW_ALL = """() => { for (const page of document.querySelectorAll('main, [hidden]')) page.hidden = false
  for (const one of document.querySelectorAll('template')) document.body.append(one.content) }"""


@pytest.fixture
def page(visitors):
    page = visitors.new(view=PHONE)
    page.goto("/")
    return page


def test_no_button_has_an_emoji_for_an_icon(page):
    assert page.evaluate(GLYPHS) == []


def test_an_icon_stands_for_one_thing(page):
    several = [names for names in page.evaluate(DRAWINGS).values() if len(names) > 1 and not any(set(names) <= same for same in SAME)]
    assert several == []


def test_all_icons_are_lines_of_one_width(page):
    # As the style sheet says.
    page.goto("/#how-to-play")
    page.locator("#rules").wait_for()
    page.evaluate(SHOW_ALL)
    lines = page.evaluate(LINES)
    assert len(lines) > 15
    wrong = [line for line in lines if line[0] != "none" or not 1.7 <= line[1] <= 2]
    assert wrong == []

"""What can be held of how a page is laid out, whatever it shows."""

# Pairs of what is chosen by `selector` that lie over each other; not what is part of the other, nor what stays in the
# window as the page scrolls.
OVERLAPS = """selector => { const sticks = one => one && (getComputedStyle(one).position === 'sticky' || sticks(one.parentElement))
  const shown = [...document.querySelectorAll(selector)]
    .filter(one => one.checkVisibility() && one.textContent.trim() && !sticks(one))
    .map(one => [one, one.getBoundingClientRect()])
  return shown.flatMap(([one, a], i) => shown.slice(i + 1)
    .filter(([other, b]) => !one.contains(other) && !other.contains(one) && a.left < b.right - 1 && b.left < a.right - 1
      && a.top < b.bottom - 1 && b.top < a.bottom - 1)
    .map(([other]) => [one, other].map(({ id, className, textContent }) => `${id || className}: ${textContent.trim()}`))) }"""
# Words in what is chosen by `selector` of which not all can be seen.
CUT = """selector => [...document.querySelectorAll(selector)]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).map(one => one.textContent)"""
# Words of what is chosen by `selector` of which a part stands in another line.
BROKEN_WORDS = r"""selector => [...document.querySelectorAll(selector)].filter(one => one.checkVisibility()).flatMap(one => {
  const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT), broken = []
  for (let text = walker.nextNode(); text; text = walker.nextNode()) for (const { index, 0: word } of text.data.matchAll(/\S+/g)) {
    const range = document.createRange()
    range.setStart(text, index)
    range.setEnd(text, index + word.length)
    if (range.getClientRects().length > 1) broken.push(word)
  }
  return broken })"""


def resize(page, size):
    page.set_viewport_size(dict(width=size[0], height=size[1]))
    # Laid out, looked at by what observes it, and drawn.
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

"""How words are seen in a line of a page."""

# From left to right, sign by sign.
READ = """(words) => {
  const line = Object.assign(document.createElement('p'), { textContent: words }), range = document.createRange();
  line.style = 'position: fixed; top: 0; left: 0; white-space: pre';
  document.body.append(line);
  const signs = [...words].map((sign, at) => {
    range.setStart(line.firstChild, at);
    range.setEnd(line.firstChild, at + 1);
    return [range.getBoundingClientRect(), sign];
  }).filter(([{ width }]) => width > 0);
  line.remove();
  return signs.sort(([a], [b]) => a.left - b.left).map(([, sign]) => sign).join('');
}"""
DIRECTION = "element => [getComputedStyle(element).direction, getComputedStyle(element).unicodeBidi]"


def as_read(page, words):
    return page.evaluate(READ, words)


def is_isolated(locator):
    """Whether words of an element run from right to left, and leave alone what stands beside them."""
    return locator.evaluate(DIRECTION) == ["rtl", "isolate"]

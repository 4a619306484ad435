"""The order in which a page shows the words of a line."""

# From left to right, character by character.
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
    """Whether an element's words run from right to left without affecting the words around them."""
    return locator.evaluate(DIRECTION) == ["rtl", "isolate"]

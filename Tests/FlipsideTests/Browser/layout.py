"""Checks of a page's layout that apply to any page."""

# Overlapping pairs among the elements matching `selector`, except nested ones and those that stay in the window as the page
# scrolls.
OVERLAPS = """selector => { const sticks = one => one && (getComputedStyle(one).position === 'sticky' || sticks(one.parentElement))
  const shown = [...document.querySelectorAll(selector)]
    .filter(one => one.checkVisibility() && one.textContent.trim() && !sticks(one))
    .map(one => [one, one.getBoundingClientRect()])
  return shown.flatMap(([one, a], i) => shown.slice(i + 1)
    .filter(([other, b]) => !one.contains(other) && !other.contains(one) && a.left < b.right - 1 && b.left < a.right - 1
      && a.top < b.bottom - 1 && b.top < a.bottom - 1)
    .map(([other]) => [one, other].map(({ id, className, textContent }) => `${id || className}: ${textContent.trim()}`))) }"""
# Text of elements matching `selector` that is partly cut off.
CUT = """selector => [...document.querySelectorAll(selector)]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).map(one => one.textContent)"""
# Words that stick out of buttons and choices: they look cut off, though nothing is hidden.
STANDING_OUT = r"""() => [...document.querySelectorAll('button, .button, .chip, .choice label')]
  .filter(one => one.checkVisibility() && !one.closest('.picture, [id$=board], .hidden')).flatMap(one => {
    const box = one.getBoundingClientRect(), walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT), words = []
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const range = document.createRange()
      range.selectNodeContents(text)
      if (text.data.trim() && !text.parentElement.closest('.hidden') && [...range.getClientRects()]
        .some(({ left, right }) => left < box.left - 1 || right > box.right + 1)) words.push(text.data.trim())
    }
    return words })"""
# Words in elements matching `selector` that are broken across lines.
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
    # After layout, observers and painting.
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


# Everything wrong with the layout of a page, or of the dialog over it: it is wider than its window; words are cut, broken or
# out of reach; buttons are covered, even by a toast, though presses go through that.
FAULTS = r"""() => {
  const root = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body, faults = []
  const width = document.documentElement.clientWidth
  const say = one => `${one.id ? '#' + one.id : `${one.localName}.${one.className}`} “${one.textContent.trim().slice(0, 40)}”`
  const isSeen = one => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && getComputedStyle(one).clipPath === 'none'
  const isRead = one => { for (; one !== document.documentElement; one = one.parentElement) if (!isSeen(one)) return false
    return true }
  const pageWidth = document.documentElement.scrollWidth
  if (pageWidth > width) faults.push(`the page is ${pageWidth} px wide`)

  // Nothing scrolls while words are looked at.
  const seen = new Map(), look = one => {
    if (!seen.has(one)) {
      const { overflowX, overflowY } = getComputedStyle(one), hides = way => !['visible', 'auto', 'scroll'].includes(way)
      seen.set(one, { hidesX: hides(overflowX), hidesY: hides(overflowY), box: one.getBoundingClientRect(),
        isWider: one.scrollWidth > one.clientWidth + 1 && ['auto', 'scroll'].includes(overflowX) })
    }
    return seen.get(one)
  }
  const isLine = (a, b) => Math.abs(a.top - b.top) < a.height / 2
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const parent = text.parentElement
    if (!text.data.trim() || parent.closest('[data-target], svg, noscript, template, option, [aria-hidden]') || !isRead(parent)) continue
    for (const { index, 0: word } of text.data.matchAll(/\S+/g)) {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      const rects = [...range.getClientRects()]
      if (rects.some(one => !isLine(one, rects[0])) && !parent.closest('.link') && !/[-–—/·]/.test(word) && !parent.closest('.name')) {
        faults.push(`“${word}” is broken in ${say(parent)}`)
      }
      for (const rect of rects) for (let one = parent; one !== document.documentElement; one = one.parentElement) {
        const { hidesX, hidesY, isWider, box } = look(one)
        // A line's letters are higher than a tight line; they have air above and below.
        const air = rect.height / 4
        if (rect.width && hidesX && (rect.left < box.left - 1 || rect.right > box.right + 1)
          || rect.height && hidesY && (rect.top < box.top - air || rect.bottom > box.bottom + air)) {
          faults.push(`“${word}” is cut off in ${say(parent)} by ${say(one)}`)
        }
        if (isWider) faults.push(`${say(one)} scrolls sideways`)
      }
      if (rects.some(({ left, right }) => left < -1 || right > width + 1)) faults.push(`“${word}” is outside in ${say(parent)}`)
    }
  }

  const scrolled = scrollY
  const solid = new CSSStyleSheet()
  solid.replaceSync('* { pointer-events: auto !important }')
  document.adoptedStyleSheets = [solid]
  for (const one of root.querySelectorAll('button, a[href], input, select, textarea, summary')) {
    if (!isRead(one) && !(one.localName === 'input' && isRead(one.parentElement))) continue
    // One way over the rest comes into sight with the keyboard.
    if (one.disabled || one.closest('[inert]') || one.matches('.felt [data-target], #skip')) continue
    one.scrollIntoView({ block: 'nearest', behavior: 'instant' })
    const box = one.getBoundingClientRect(), hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
    if (one.contains(hit) || hit?.closest('#end') || hit && hit.closest('label') && hit.closest('label') === one.closest('label')) continue
    faults.push(hit ? `${say(one)} is covered by ${say(hit)}` : `${say(one)} is out of reach`)
  }
  document.adoptedStyleSheets = []
  for (const one of [root, ...root.querySelectorAll('*')]) if (one.scrollTop && !one.closest('[role=log]')) one.scrollTop = 0
  scrollTo(0, scrolled)
  return [...new Set(faults)]
}"""
# Which elements of `selectors` are not fully visible as the page is; a selector may start with the window sizes it is for.
UNSEEN = r"""selectors => selectors.filter(one => {
  const [, media, selector] = /^(?:@media (\(.*?\)) )?(.*)/.exec(one)
  return (!media || matchMedia(media).matches) && isUnseen(selector)
  function isUnseen(selector) {
  const one = document.querySelector(selector), { left, right, top, bottom } = one?.getBoundingClientRect() ?? {}
  if (!one?.checkVisibility({ visibilityProperty: true })) return true
  if (left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1) return true
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
  // What is said for a moment lets presses through.
  return !hit?.closest('#toasts') && !one.closest('#toasts') && !one.contains(hit) && !hit?.contains(one) }
})"""


def faults_in(page, size, shown=()):
    """What is wrong with a page of this size, and which of the elements that must be `shown` are not."""
    resize(page, size)
    unseen = [f"{one} is not to be seen" for one in page.evaluate(UNSEEN, list(shown))]
    return [(size, *fault) for fault in zip(unseen + page.evaluate(FAULTS))]

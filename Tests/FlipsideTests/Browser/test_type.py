"""The font of headings and numerals."""

import pytest

pytestmark = pytest.mark.shares_hub

FACE = "Flipside Display"
# The text size set in a browser, in px, instead of 16.
LARGE = 24
SIZE = "parseFloat(getComputedStyle(document.querySelector('#games h2 ~ .primary')).fontSize)"
# The width of each figure.
WIDTHS = """async () => {
  const words = document.body.appendChild(document.createElement("b"));
  words.style.cssText = "font: 100px var(--display); position: fixed";
  await document.fonts.load('100px "Flipside Display"');
  return [..."0123456789"].map((figure) => { words.textContent = figure.repeat(10); return words.offsetWidth; });
}"""

COLUMNS = "getComputedStyle(document.querySelector('#games')).gridTemplateColumns.split(' ').length"


@pytest.fixture
def drawn_with(visitors):
    """The fonts that a browser uses for a selector, on a page in a language."""
    def drawn_with(locale, selector, path="/"):
        page = visitors.new(locale=locale)
        session = page.context.new_cdp_session(page)
        for domain in "DOM", "CSS":
            session.send(f"{domain}.enable")
        page.goto(path)
        page.locator("h1").first.wait_for()
        page.evaluate("document.fonts.ready.then(() => true)")
        root = session.send("DOM.getDocument")["root"]["nodeId"]
        found = session.send("DOM.querySelectorAll", dict(nodeId=root, selector=selector))["nodeIds"]
        fonts = [session.send("CSS.getPlatformFontsForNode", dict(nodeId=node))["fonts"] for node in found]
        return {font["familyName"] for of_one in fonts for font in of_one}

    return drawn_with


@pytest.mark.parametrize("locale", ["en-GB", "es-ES", "de-AT"])
def test_headings_in_latin_letters_use_the_pages_own_font(drawn_with, locale):
    assert drawn_with(locale, "h1, h2, .brand span") == {FACE}


def test_figures_have_one_width(visitors):
    page = visitors.new()
    page.goto("/")
    assert len(set(page.evaluate(WIDTHS))) == 1


@pytest.fixture(params=["chromium", pytest.param("firefox", marks=pytest.mark.long)])
def large_print(request, playwright):
    """A browser set to larger text."""
    if request.param == "firefox":
        browser = request.getfixturevalue("launch_firefox")(**{"font.size.variable.x-western": LARGE})
    else:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell", args=[f"--blink-settings=defaultFontSize={LARGE}"])
    yield browser
    browser.close()


def test_text_has_the_size_set_in_the_browser(make_visitors, large_print):
    page = make_visitors(large_print).new()
    page.goto("/")
    page.locator("#games .primary").first.wait_for()
    assert page.evaluate(SIZE) == LARGE
    # The layout of a window depends on how much of such text fits.
    for width, columns in (1500, 1), (1504, 3):
        page.set_viewport_size(dict(width=width, height=900))
        page.wait_for_function(f"columns => {COLUMNS} === columns", arg=columns)
    for width in 390, 1280:
        page.set_viewport_size(dict(width=width, height=800))
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width

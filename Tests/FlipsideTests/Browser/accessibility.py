"""What axe-core says of a page."""

import os, pathlib

import axe_playwright_python

AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
# Of what rules hold for nothing is gathered.
FIND = """rules => axe.run({resultTypes: ['violations'], ...rules}).then(({violations}) => violations.map(({id, nodes}) =>
  [id, nodes.map(({html, failureSummary}) => html.slice(0, 160) + failureSummary)]))"""
# All rules in the light. A page in the dark differs by its colours alone (styles/tokens.css).
RULES = dict(light={}, dark=dict(runOnly=["color-contrast", "link-in-text-block"]))
# What shows a turn's time moves with every tick of it, on a busy machine without a pause.
AT_REST = """() => document.getAnimations().every(one => one.playState !== 'running'
  || one.effect.getTiming().iterations === Infinity || one.effect.target.closest('#clock, #proposal, .avatar'))"""
IS_LONG = bool(os.environ.get("FLIPSIDE_LONG_TESTS"))
SIZES = (1280, 800), (390, 844), (320, 568)


def expect_accessible(page, sizes=()):
    """axe finds nothing wrong with the page as it stands, light or dark: in the first of `sizes`, and dark in the
    last; with scripts/test --long in all of them. In none it is wider than its window. Colours do not depend on the size."""
    before = page.viewport_size
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    for scheme, rules in RULES.items():
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.wait_for_function(AT_REST)
        for size in (sizes if scheme == "light" else sizes[-1:]) or [None]:
            if size:
                page.set_viewport_size(dict(width=size[0], height=size[1]))
            if IS_LONG or not sizes or scheme == "dark" or size == sizes[0]:
                found = page.evaluate(FIND, rules)
                assert not found, (scheme, size, found)
            assert not size or page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (scheme, size)
    page.set_viewport_size(before)
    page.emulate_media(color_scheme="light")

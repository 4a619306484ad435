"""What axe-core finds on a page."""

import os, pathlib

import axe_playwright_python

AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
# Results of rules with no matching element are not collected. There are no frames, and no one needs selectors of elements,
# which take a third of the time.
FIND = """rules => axe.run({resultTypes: ['violations'], iframes: false, selectors: false, ...rules}).then(({violations}) => violations.map(({id, nodes}) =>
  [id, nodes.map(({html, failureSummary}) => html.slice(0, 160) + failureSummary)]))"""
# All rules in light mode. A dark page differs only in its colours (styles/tokens.css).
RULES = dict(light={}, dark=dict(runOnly=["color-contrast", "link-in-text-block"]))
# The displays of a turn's time move with every tick, without a pause on a busy machine.
AT_REST = """() => document.getAnimations().every(one => one.playState !== 'running'
  || one.effect.getTiming().iterations === Infinity || one.effect.target.closest('#clock, #proposal, .avatar'))"""
IS_LONG = bool(os.environ.get("FLIPSIDE_LONG_TESTS"))
SIZES = (1280, 800), (390, 844), (320, 568)


def expect_accessible(page, sizes=()):
    """axe finds nothing wrong with the page as it is: light in the first of `sizes`, with scripts/test --long in all of them,
    and dark in the last. The page is never wider than its window. Colours do not depend on the size."""
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

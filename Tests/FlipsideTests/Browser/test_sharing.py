"""A room's link, as a code to scan and to be copied."""

import re

from playwright.sync_api import expect


def test_the_link_is_shown_as_a_code_and_copied(ann):
    ann.locator("#invite").click()
    expect(ann.locator("#share-code svg")).to_be_visible()
    ann.locator("#share-copy").click()
    expect(ann.locator("#share-said")).to_contain_text(re.compile("copied|Send this link"))

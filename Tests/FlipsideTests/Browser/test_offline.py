"""The page without a network: it opens, says so, and never mixes two versions of the hub's files."""

import shutil, urllib.request

import pytest
from playwright.sync_api import expect

from visitors import module

# How many complete versions of the page's files are cached.
KEPT = """async () => { const names = (await caches.keys()).filter(name => name.startsWith('kept-'))
  const whole = await Promise.all(names.map(async name => (await caches.open(name)).match('/files.json')))
  return whole.filter(Boolean).length }"""
WHO_CONTROLS = "() => navigator.serviceWorker.controller?.scriptURL"
FILES = "async () => Object.keys(await (await fetch('/files.json')).json()).length"
IN_CACHE = """async () => { const cache = await caches.open((await caches.keys()).find(name => name.startsWith('kept-')))
  return (await cache.keys()).length }"""
STATE = module("games/state.js") + ".then(({ state }) => state)"


@pytest.fixture
def served(web, tmp_path):
    """A copy of the page's files, with two more that name their version."""
    copy = shutil.copytree(web, tmp_path / "web")
    for name in "state.js", "state-later.js":
        (copy / "games" / name).write_text("export const state = 'old';")
    return copy


@pytest.fixture
def page(visitors):
    """A page whose files are all cached."""
    page = visitors.new(service_workers="allow")
    page.goto("/")
    page.wait_for_function(WHO_CONTROLS)
    return page


def test_all_files_are_cached_with_their_list(page):
    assert page.evaluate(KEPT) == 1
    assert page.evaluate(IN_CACHE) == page.evaluate(FILES) + 1


def test_it_opens_without_a_network_and_says_so_until_the_line_is_back(page):
    page.context.set_offline(True)
    expect(page.locator("#line")).to_contain_text("offline")
    page.reload()
    expect(page.locator("#games")).to_be_visible()
    expect(page.locator("#line")).to_contain_text("offline")
    page.goto("/room/abcdef")
    expect(page.locator("#line")).to_contain_text("No connection")
    page.context.set_offline(False)
    page.goto("/")
    expect(page.locator("#line")).to_be_hidden()


def test_an_open_page_keeps_its_version_when_the_hub_gets_other_files(visitors, page, hub, served):
    """Its later imports, too."""
    hub.kill()
    page.reload()
    expect(page.locator("#line")).to_contain_text("offline")
    old = page.evaluate(STATE)
    other = visitors.watch(page.context.new_page())
    other.goto("/")
    expect(other.locator("#line")).to_contain_text("offline")
    for path in served.rglob("state*.js"):
        path.write_text("export const state = 'new';")
    other.route("**/files.json", lambda route: route.abort())
    hub.start()
    assert old == "old"
    page.wait_for_function(f"() => {STATE}.then(state => state === 'new')")
    assert other.evaluate(STATE.replace("state.js", "state-later.js")) == "old"
    other.close()
    # The new files replace the old ones.
    page.reload()
    page.wait_for_function(KEPT.replace("return whole.filter(Boolean).length", "return whole.filter(Boolean).length === 1"))
    hub.kill()
    page.reload()
    expect(page.locator("#line")).to_contain_text("offline")
    assert page.evaluate(STATE) == "new"


def test_the_manifest_names_existing_icons(visitors):
    context = visitors.new().context
    answer = context.request.get("/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    for icon in answer.json()["icons"]:
        found = context.request.get("/" + icon["src"].lstrip("/"))
        assert found.ok and found.headers["content-type"] == icon["type"], icon


def test_documents_and_workers_have_the_pages_security_headers(server):
    headers = lambda path: urllib.request.urlopen(server.base + path).headers
    for path in "/", "/room/nowhere", "/icon.svg", "/service-worker.js":
        assert headers(path)["content-security-policy"].startswith("default-src 'self';"), path
    for path in "/", "/main.js", "/styles/base.css", "/icon.svg":
        assert headers(path)["x-content-type-options"] == "nosniff", path

"""Fixtures for tests in browsers: one browser for all tests of a worker, and visitors of a test's own hub."""

import os, pathlib, re, subprocess, tempfile

import pytest
from playwright.sync_api import expect, sync_playwright

from visitors import Visitors

# Everything waits for the thing itself. This is when it gives up, in ms, on a busy machine.
PATIENCE = 30_000
# The oldest version that works with Playwright's WebDriver BiDi. Debian's security updates bring a newer one; without them
# the test is skipped.
OLDEST_FIREFOX = 150
FAILED = pathlib.Path(tempfile.gettempdir()) / "flipside-failed"
# A page's content in words: its room's state, and the beginning of its text.
SHOWN = """() => JSON.stringify({...document.querySelector('#room')?.dataset}) + ' '
  + document.body.innerText.replace(/\\s+/g, ' ').slice(0, 600)"""
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def start_chromium(playwright):
    """Starts Chromium without a browser window, which needs as much processor time as the page itself."""
    return lambda **options: playwright.chromium.launch(executable_path="/usr/bin/chromium-headless-shell", **options)


@pytest.fixture(scope="session")
def chromium(start_chromium):
    browser = start_chromium()
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def launch_firefox(playwright):
    """Starts Firefox with the given preferences."""
    def launch(**preferences):
        version = subprocess.run(["/usr/bin/firefox-esr", "--version"], capture_output=True, text=True).stdout
        if int(re.search(r"\d+", version)[0]) < OLDEST_FIREFOX:
            pytest.skip(f"{version.strip()} is too old for Playwright")
        # The channel makes Playwright use WebDriver BiDi with a stock Firefox; otherwise it needs its own build.
        return playwright.firefox.launch(
            channel="moz-firefox", executable_path="/usr/bin/firefox-esr", firefox_user_prefs=preferences)

    return launch


@pytest.fixture(scope="session")
def firefox(launch_firefox):
    browser = launch_firefox()
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def display():
    """A display for browsers that need one."""
    reader, writer = os.pipe()
    screen = subprocess.Popen(["Xvfb", "-displayfd", str(writer), "-screen", "0", "2560x2400x24", "-nolisten", "tcp"],
                              pass_fds=[writer], stderr=subprocess.DEVNULL)
    os.close(writer)
    with open(reader) as number:
        yield ":" + number.readline().strip()
    screen.terminate()
    screen.wait()


@pytest.fixture(scope="session")
def shared_hub(make_session_hub):
    """A hub for all of a worker's tests that have this mark: starting it takes as long as a page."""
    hub = make_session_hub("--think-time", "0")
    hub.start()
    return hub


def shares_hub(test):
    """Whether the nearest mark, of the test, its class or its file, says so."""
    marker = test.get_closest_marker("shares_hub")
    return marker is not None and marker.args != (False,)


@pytest.fixture
def hub(request):
    """A hub whose computers do not pause to think."""
    if shares_hub(request.node):
        return request.getfixturevalue("shared_hub")
    hub = request.getfixturevalue("make_hub")("--think-time", "0")
    hub.start()
    return hub


@pytest.fixture
def make_visitors(request, hub):
    """Makes visitors of the hub, and fails the test if anything goes wrong in their pages."""
    made = []

    def make(browser, **options):
        made.append(Visitors(browser, hub, **options))
        return made[-1]

    yield make
    for visitors in made:
        if request.node.has_failed:
            keep_pictures(request.node, visitors.browser)
        try:
            if shares_hub(request.node):
                visitors.leave_names()
        finally:
            for context in visitors.browser.contexts:
                context.close()
        assert not visitors.faults, visitors.faults


@pytest.fixture
def visitors(make_visitors, chromium):
    """Visitors in Chromium."""
    return make_visitors(chromium)


@pytest.fixture
def ann(visitors):
    """Ann's page, in her own room."""
    return visitors.host("Ann")


def keep_pictures(test, browser):
    """Saves what all pages show after a failed test: in words, and as pictures in a folder in the temporary one."""
    FAILED.mkdir(exist_ok=True)
    for number, page in enumerate(page for context in browser.contexts for page in context.pages):
        file = FAILED / f"{re.sub('[^A-Za-z0-9]+', '-', test.name).strip('-')}-{number}.png"
        try:
            words = page.evaluate(SHOWN)
            file.with_suffix(".txt").write_text(words)
            print("page", page.url, "shows", words)
            page.screenshot(path=file, animations="disabled", timeout=5_000)
            print("page", page.url, "as in", file)
        except Exception as error:  # A broken page must not hide the others.
            print("no picture of", page.url, error)


def pytest_collection_modifyitems(items):
    """Browsers do much on their own: a failed test runs a second time, which the summary shows as RERUN."""
    here = pathlib.Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    item.has_failed = getattr(item, "has_failed", False) or report.failed
    return report

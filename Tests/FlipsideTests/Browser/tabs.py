"""One interface for pages in Chromium and Firefox (Playwright) and in WebKit (Selenium), and how to play a game in any of
them. All waiting is for what the page shows."""

import contextlib, glob, json, os, tempfile, time

from playwright.sync_api import TimeoutError

PATIENCE = 30
CARDS = "[...document.querySelectorAll('[data-target]')].map(c => [c.dataset.side, c.querySelector('.memory-front').textContent])"
SEEN = """({cards: %s, scores: [...document.querySelectorAll('#places li')].map(
  li => [li.dataset.place, li.querySelector('.score').textContent])})""" % CARDS
IS_OVER = "!document.querySelector('#end').hidden"
IS_MINE = "document.querySelector('#room').dataset.mine === 'true' && !document.querySelector('.memory-card.memory-miss')"
IS_ANOTHERS = "document.querySelector('.player.turn:not(.you)') && !document.querySelector('.memory-card.memory-miss')"
LINE_IS_BACK = "document.querySelector('#line').hidden"


class Tab:
    """A page. Subclasses evaluate JavaScript, wait until it is true, click, fill in and navigate."""

    def until_shown(self, selector, patience=PATIENCE):
        self.until(f"document.querySelector({selector!r})?.checkVisibility()", patience)

    def press(self, selector):
        """Clicks an element once it is visible."""
        self.until_shown(selector)
        self.click(selector)


class PlaywrightTab(Tab):
    def __init__(self, page):
        self.page = page

    def until(self, expression, patience=PATIENCE):
        # Survives a navigation of the page while it waits.
        return self.page.wait_for_function(f"() => {expression}", timeout=patience * 1000)

    def see(self, expression):
        return self.page.evaluate(f"() => {expression}")

    def click(self, selector):
        self.page.locator(selector).first.click()

    def try_click(self, selector):
        """Whether it could be clicked at once."""
        try:
            self.page.locator(selector).click(timeout=1_000)
            return True
        except TimeoutError:
            return False

    def fill(self, selector, words):
        self.page.locator(selector).first.fill(words)

    def go(self, url):
        self.page.goto(url)

    def png(self):
        # The default hides the caret by adding a style, which the page forbids.
        return self.page.screenshot(caret="initial")

    @property
    def url(self):
        return self.page.url


class SeleniumTab(Tab):
    def __init__(self, driver):
        self.driver = driver

    def until(self, expression, patience=PATIENCE):
        from selenium.webdriver.support.wait import WebDriverWait

        return WebDriverWait(self.driver, patience, poll_frequency=0.02).until(lambda _: self.see(expression), expression)

    def see(self, expression):
        return self.driver.execute_script(f"return {expression}")

    def find(self, selector):
        return self.driver.find_element("css selector", selector)

    def click(self, selector):
        self.find(selector).click()

    def try_click(self, selector):
        self.click(selector)
        return True

    def fill(self, selector, words):
        field = self.find(selector)
        field.clear()
        field.send_keys(words)

    def go(self, url):
        self.driver.get(url)

    def png(self):
        return self.driver.get_screenshot_as_png()

    @property
    def url(self):
        return self.driver.current_url


@contextlib.contextmanager
def webkit(display, width=1280, height=800):
    """WebKitGTK's MiniBrowser with its own profile, on an X display. Full screen, because its toolbar would limit how narrow
    it can be."""
    from selenium import webdriver

    with tempfile.TemporaryDirectory() as home:
        options = webdriver.WebKitGTKOptions()
        options.binary_location = glob.glob("/usr/lib/*-linux-gnu/webkit2gtk-4.1/MiniBrowser")[0]
        for argument in ("--automation", "--full-screen"):
            options.add_argument(argument)
        env = os.environ | {"XDG_CONFIG_HOME": home, "DISPLAY": display}
        service = webdriver.WebKitGTKService("/usr/bin/WebKitWebDriver", env=env)
        driver = webdriver.WebKitGTK(options=options, service=service)
        try:
            driver.set_window_size(width, height)
            yield SeleniumTab(driver)
        finally:
            driver.quit()


def way(how, game="memory"):
    """The button on the home page that starts a game: `quick`, `friends`, `computer`, `alone`, or `set-up`."""
    return f"[data-game={game}] [data-way={how}]"


def open_room(tab, base, name, board="easy"):
    """Opens a room of Memory, which takes a seat, and chooses its board; returns its address."""
    tab.go(base)
    tab.press(way("friends"))
    give_name(tab, name)
    tab.until_shown("#start")
    choose(tab, "board", board)
    return tab.url


def give_name(tab, name):
    """Answers the dialog that asks for a name."""
    tab.until_shown("#name-dialog [name=name]")
    tab.fill("#name-dialog [name=name]", name)
    tab.press("#name-dialog .primary")


def choose(tab, name, value):
    """Lets the host choose an option for the first game of a room: presses its chip, and then the choice."""
    tab.press(f".chip[data-names~={name}]")
    tab.until_shown("#change-dialog")
    tab.see(f"(field => {{ if (field.matches('select')) field.value = '{value}'; else field.click() }})"
            f"(document.querySelector('#change-dialog select[name={name}], #change-dialog [name={name}][value=\"{value}\"]'))")
    tab.press("#change-dialog .primary")
    tab.until("!document.querySelector('#change-dialog').open")


def join_room(tab, url, name):
    """Takes a seat in a room that another player has opened."""
    tab.go(url)
    tab.until("document.querySelector('#join')?.checkVisibility() || document.querySelector('#sit')?.checkVisibility()")
    if tab.see("document.querySelector('#join').checkVisibility()"):
        tab.fill("#name-form [name=name]", name)
        tab.press("#join")
    else:
        tab.press("#sit")
        give_name(tab, name)
    tab.until_shown("#leave")


def play(players, everyone, interrupt=lambda flips: None, is_steady=True):
    """Plays a game of Memory to its end in the tabs `players`, by real clicks if the lines are steady, and checks that
    `everyone` then shows the same. Calls `interrupt` with the count of flips so far. Returns that count, and what all
    show."""
    known, flips = {}, 0
    end = time.monotonic() + 10 * PATIENCE
    while True:
        assert flips < 400 and time.monotonic() < end, "the game does not end"
        for mover in players:
            # With one player the others are computers, who move without help.
            mover.until(f"({IS_MINE}) || {IS_OVER}" + (f" || ({IS_ANOTHERS})" if len(players) > 1 else ""))
            if mover.see(IS_MINE):
                break
        if players[0].see(IS_OVER):
            break
        if not mover.see(IS_MINE):
            continue
        cards = mover.see(CARDS)
        known.update({cell: face for cell, (side, face) in enumerate(cards) if side in ("up", "won")})
        down = [cell for cell, (side, _) in enumerate(cards) if side == "down"]
        up = [cell for cell, (side, _) in enumerate(cards) if side == "up"]
        if len(up) == 2 or not down:
            continue
        cell = next_card(known, down, up)
        card = f"document.querySelector('[data-target=\"{cell}\"]')"
        is_up = f"{card}.dataset.side !== 'down'"
        # The turn may have passed on in between; and a player who was cut off may see a card only after it was up.
        if is_steady and not mover.try_click(f'[data-target="{cell}"]'):
            continue
        if not is_steady:
            mover.see(f"{card}.click()")
        mover.until(f"!document.querySelector('[data-asked=true]') && ({is_up} || !({IS_MINE}) || {LINE_IS_BACK})")
        side, face = mover.see(CARDS)[cell]
        if side != "down":
            known[cell] = face
        flips += 1
        interrupt(flips)
    for tab in everyone:
        tab.until(IS_OVER)
    seen = [tab.see(SEEN) for tab in everyone]
    assert all(one == seen[0] for one in seen), seen
    return flips, seen[0]


def next_card(known, down, up):
    """The next card for a player with a perfect memory."""
    if up:
        return next((cell for cell in down if known.get(cell) == known.get(up[0])), None) or next(
            (cell for cell in down if cell not in known), down[0])
    twins = (a for a in down for b in down if a != b and a in known and known.get(a) == known.get(b))
    return next(twins, None) or next((cell for cell in down if cell not in known), down[0])


def watch_replay(tab, url, seen):
    """Steps through the replay of the room at `url` and plays it to its end, which must show what the players saw; then
    checks it."""
    tab.go(url.replace("/room/", "/replay/"))
    tab.until("document.querySelectorAll('#replay-board [data-side=down]').length > 0")
    before = tab.see("document.querySelector('#replay-range').value")
    tab.press("#replay-forward")
    tab.until(f"Number(document.querySelector('#replay-range').value) === {before} + 1")
    tab.press("#replay-back")
    tab.until(f"Number(document.querySelector('#replay-range').value) === {before}")
    tab.see("(speed => { speed.value = '16'; speed.dispatchEvent(new Event('change', {bubbles: true})) })"
            "(document.querySelector('#replay-speed'))")
    tab.press("#replay-play")
    wanted = json.dumps(json.dumps(seen["cards"], ensure_ascii=False, separators=(",", ":")))
    tab.until(f"JSON.stringify({CARDS}) === {wanted}", 3 * PATIENCE)
    tab.press("#replay-check")
    tab.until("document.querySelector('#check-verdict').textContent === 'Everything checks out.'")

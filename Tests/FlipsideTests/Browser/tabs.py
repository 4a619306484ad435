"""One face for pages in Chromium and Firefox (Playwright) and in WebKit (Selenium), and how a game is played in any of
them: all waiting is for what the page shows."""

import contextlib, glob, json, os, tempfile, time

from playwright.sync_api import TimeoutError

PATIENCE = 30
CARDS = "[...document.querySelectorAll('[data-cell]')].map(c => [c.dataset.side, c.querySelector('.memory-front').textContent])"
SEEN = """({cards: %s, scores: [...document.querySelectorAll('#places li')].map(
  li => [li.dataset.place, li.querySelector('.score').textContent])})""" % CARDS
IS_OVER = "!document.querySelector('#end').hidden"
IS_MINE = "document.querySelector('#room').dataset.mine === 'true' && !document.querySelector('.memory-card.memory-miss')"
IS_ANOTHERS = "document.querySelector('.player.turn:not(.you)') && !document.querySelector('.memory-card.memory-miss')"
LINE_IS_BACK = "document.querySelector('#line').hidden"


class Tab:
    """A page: subclasses evaluate JavaScript, wait until it is true, click, fill and go somewhere."""

    def until_shown(self, selector, patience=PATIENCE):
        self.until(f"document.querySelector({selector!r})?.checkVisibility()", patience)

    def press(self, selector):
        """Clicks what is shown, once it is."""
        self.until_shown(selector)
        self.click(selector)


class PlaywrightTab(Tab):
    def __init__(self, page):
        self.page = page

    def until(self, expression, patience=PATIENCE):
        # Outlives the page's going somewhere else meanwhile.
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
        # As it is: to hide a caret, a style would be added that the page forbids.
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
    """WebKitGTK's MiniBrowser with a profile of its own, on an X display; full screen has no toolbar, so that it may be
    narrow."""
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
    """What is pressed on the home page to play a game: `quick`, `friends`, `computer`, `alone`, or `set-up`."""
    return f"[data-game={game}] [data-way={how}]"


def open_room(tab, base, name, board="easy"):
    """Opens a room of Memory, in which one sits then, and chooses its board; its address."""
    tab.go(base)
    tab.press(way("friends"))
    give_name(tab, name)
    tab.until_shown("#start")
    choose(tab, "board", board)
    return tab.url


def give_name(tab, name):
    """Answers the question that comes up where a name is needed."""
    tab.until_shown("#name-dialog [name=name]")
    tab.fill("#name-dialog [name=name]", name)
    tab.press("#name-dialog .primary")


def choose(tab, name, value):
    """Has the host choose something for the first game of a room: a press on its chip, on the tile, and it is used."""
    tab.press(f".chip[data-names~={name}]")
    tab.until_shown("#change-dialog")
    tab.see(f"(field => {{ if (field.matches('select')) field.value = '{value}'; else field.click() }})"
            f"(document.querySelector('#change-dialog select[name={name}], #change-dialog [name={name}][value=\"{value}\"]'))")
    tab.press("#change-dialog .primary")
    tab.until("!document.querySelector('#change-dialog').open")


def join_room(tab, url, name):
    """Sits down in a room that somebody else has opened."""
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
    """Plays a game of Memory to its end in the tabs `players`, by real clicks if the lines are steady, and holds that
    `everyone` shows the same then. Calls `interrupt` with the count of flips so far. Returns that count, and what all show."""
    known, flips = {}, 0
    end = time.monotonic() + 10 * PATIENCE
    while True:
        assert flips < 400 and time.monotonic() < end, "the game does not end"
        for mover in players:
            # With one player the others are computers, who take their turn and are done with it.
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
        card = f"document.querySelector('[data-cell=\"{cell}\"]')"
        is_up = f"{card}.dataset.side !== 'down'"
        # The turn may have passed on between two looks; and who was cut off may see a card only when it has been up.
        if is_steady and not mover.try_click(f'[data-cell="{cell}"]'):
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
    """What somebody with a perfect memory turns next."""
    if up:
        return next((cell for cell in down if known.get(cell) == known.get(up[0])), None) or next(
            (cell for cell in down if cell not in known), down[0])
    twins = (a for a in down for b in down if a != b and a in known and known.get(a) == known.get(b))
    return next(twins, None) or next((cell for cell in down if cell not in known), down[0])


def watch_replay(tab, url, seen):
    """Steps through the replay of the room at `url` and runs it to its end, which shows what the players saw; and checks it."""
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

"""From a press on the home page to a game: its progress, how often it asks the hub, and the choices made."""

import json, re

import pytest
from playwright.sync_api import expect

from accessibility import SIZES, expect_accessible
from tabs import PlaywrightTab, give_name, way
from visitors import PHONE, add_computer, code, stop_clock

# The page's requests to the hub on the way to a room, one word each.
ASKED = re.compile(r"/(api|ws|room)/")


def home(visitors, name="Ann", **options):
    page = visitors.new(name, **options)
    page.goto("/")
    expect(page.locator("#games [data-target]").first).to_be_visible()
    return page


def room_of(server, page):
    return json.loads(server.http("GET", "/api/rooms/" + code(page.url)))


def set_up(page, game="memory", **choice):
    """Chooses a game's options, by the values of its fields."""
    page.locator(way("set-up", game)).click()
    dialog = page.locator("#set-up-dialog")
    for name, value in choice.items():
        field = dialog.locator(f"[name={name}]")
        if field.first.evaluate("field => field.localName") == "select":
            field.select_option(value)
        else:
            dialog.locator(f"[name={name}][value='{value}']").check(force=True)
    dialog.get_by_role("button", name="Use this").click()
    expect(dialog).to_be_hidden()


class TestPresses:
    """A new visitor needs exactly these presses: a name is proposed."""

    @pytest.mark.parametrize("how, presses", [("alone", 2), ("computer", 2)])
    def test_to_a_custom_board(self, visitors, how, presses):
        page = home(visitors, None)
        press = counted(page)
        press(way(how))
        press("#name-dialog .primary")
        expect(page.locator("#board [data-target]")).to_have_count(16)
        assert press.count == presses

    def test_of_a_host_and_a_guest(self, visitors):
        ann, ben = home(visitors, None), visitors.new()
        press = counted(ann)
        press(way("friends"))
        press("#name-dialog .primary")
        expect(ann.locator(".player.you")).to_have_count(1)
        ben.goto(re.sub(r"\?.*", "", ann.url))
        join = counted(ben)
        join("#join")
        expect(ann.locator(".player")).to_have_count(2)
        press("#start")
        for page in ann, ben:
            expect(page.locator("#board [data-target]")).to_have_count(16)
        assert (press.count, join.count) == (3, 1)

    def test_of_two_who_look_for_an_opponent(self, visitors):
        pages = [home(visitors, None), home(visitors, None)]
        for page in pages:
            press = counted(page)
            press(way("quick"))
            press("#name-dialog .primary")
            expect(page.locator(".player.you")).to_have_count(1)
            assert press.count == 2
            # Rooms are listed up to a second later.
            if page is pages[0]:
                expect(pages[1].locator(f"#rooms a[href*='{code(page.url)}']")).to_have_count(1)
        # No one has to press anything else.
        for page in pages:
            expect(page.locator("#board [data-target]")).to_have_count(16)

    def test_to_watch(self, visitors):
        visitors.join(visitors.open_room("Ann", theme="numbers", seats=1), "Ann").do("start")
        page = home(visitors, None)
        press = counted(page)
        press("#rooms a")
        expect(page.locator("#board [data-target]")).to_have_count(16)
        assert press.count == 1


def counted(page):
    def press(selector):
        press.count += 1
        page.locator(selector).click()

    press.count = 0
    return press


class TestRoundTrips:
    """Each press causes as few successive requests as possible."""

    @pytest.mark.parametrize("how", ["computer", "quick"])
    def test_a_room_is_opened_and_entered_once(self, visitors, how):
        page, seen = home(visitors), []

        def note(method, url):
            found = re.search(r"/(?:api/|ws/)?(rooms?)(/|$)", url)
            # The page itself names the requests that a room makes besides its line, so they delay nothing.
            if found and not (method == "GET" and "/api/rooms/" in url):
                seen.append(f"{method} {found[1]}")

        page.on("request", lambda request: note(request.method, request.url))
        page.on("websocket", lambda line: note("WS", line.url))
        page.locator(way(how)).click()
        expect(page.locator(".player.you")).to_have_count(1)
        assert seen == ["POST rooms", "GET room", "WS rooms"]

    @pytest.mark.parametrize("how, said", [
        ("alone", ["hello", "sit", "start"]), ("computer", ["hello", "sit", "bot", "start"]), ("friends", ["hello", "sit"])])
    def test_the_visitors_command_goes_out_with_hello(self, visitors, how, said):
        page, before = home(visitors), []

        def connect(line):
            hub = line.connect_to_server()
            hub.on_message(lambda words: (before.append("…"), line.send(words)))
            line.on_message(lambda words: (before.append(json.loads(words)["type"]), hub.send(words)))

        page.route_web_socket("**/ws/rooms/*", connect)
        page.locator(way(how)).click()
        expect(page.locator(".player.you")).to_have_count(1)
        assert before[:before.index("…")] == said
        # After a reload it sends nothing again.
        expect(page).to_have_url(re.compile(r"/room/\w+$"))

    def test_a_visitor_without_a_seat_moves_to_another_room(self, visitors, server):
        page = visitors.new("Ann")
        full = visitors.open_quick_room("Ben", "reversi")
        for name in "Ben", "Cy":
            visitors.join(full, name)
        page.goto(full + "?quick&sit")
        page.wait_for_url(lambda url: code(url) != code(full))
        expect(page.locator(".player.you")).to_have_count(1)
        assert room_of(server, page)["visibility"] == "seeking"

    def test_a_missing_room_is_reported_and_not_retried(self, visitors):
        page, lines = visitors.new("Ann"), []
        page.clock.install()
        page.on("websocket", lambda line: lines.append(line))
        page.goto("/room/nowhere")
        expect(page.locator("#lost")).to_be_visible()
        expect(page.locator("#line, #room, #coming")).to_have_count(3)
        page.clock.run_for(60_000)
        for part in "#line", "#room", "#coming":
            expect(page.locator(part)).to_be_hidden()
        assert len(lines) == 1


@pytest.mark.shares_hub
class TestProgress:
    @pytest.mark.parametrize("how, words", [
        ("quick", "Looking for a game…"), pytest.param("alone", "Opening a room…", marks=pytest.mark.long)])
    def test_at_once_on_the_button_that_was_pressed(self, visitors, how, words):
        page = visitors.new("Ann")
        # The list is never live: it is fetched.
        page.route_web_socket("**/ws/lobby", lambda line: None)
        page.goto("/")
        expect(page.locator("#games [data-target]").first).to_be_visible()
        page.route("**/api/rooms*", lambda route: None)
        button = page.locator(way(how))
        button.click()
        expect(button).to_have_attribute("aria-busy", "true")
        expect(button).to_contain_text(words)
        expect(page.locator("#announcer")).to_contain_text(words)
        expect(button).to_be_focused()
        # A press on another button does nothing in the meantime.
        page.locator(way("computer", "reversi")).click()
        expect(page.locator(way("computer", "reversi"))).not_to_have_attribute("aria-busy", "true")
        if how == "alone":
            expect_accessible(page, SIZES)

    def test_until_the_room_is_open_though_the_page_was_still_loading(self, visitors):
        page, fonts, asked = visitors.new("Ann"), [], []
        page.route("**/fonts/*", lambda route: fonts.append(route))
        page.route("**/api/rooms", lambda route: asked.append(route) if route.request.method == "POST" else route.continue_())
        page.add_init_script("addEventListener('pageshow', () => setTimeout(() => { window.isShown = true }))")
        page.goto("/", wait_until="commit")
        button = page.locator(way("alone"))
        button.click()
        expect(button).to_have_attribute("aria-busy", "true")
        for route in fonts:
            route.continue_()
        page.wait_for_function("() => window.isShown")
        expect(button).to_have_attribute("aria-busy", "true")

    def test_while_the_room_loads(self, visitors, server):
        page, path = visitors.new("Ann"), visitors.open_room("Ann")
        page.route_web_socket("**/ws/rooms/*", lambda line: None)
        page.goto(path)
        expect(page.locator("#coming")).to_have_text("Loading the room…")
        expect(page.locator("#coming")).to_be_visible()

    def test_if_the_hub_does_not_answer(self, visitors):
        page = visitors.new("Ann")
        page.clock.install()
        page.goto("/")
        page.route("**/api/rooms", lambda route: None)
        button = page.locator(way("alone"))
        button.click()
        expect(button).to_contain_text("Opening a room…")
        page.clock.fast_forward(5_000)
        expect(button).to_contain_text("No answer yet…")
        page.clock.fast_forward(6_000)
        expect(page.locator("#toasts")).to_contain_text("Can’t reach the server")
        expect(button).to_have_text(re.compile("Alone"))
        page.unroute("**/api/rooms")
        page.locator("#toasts").get_by_role("button", name="Try again").click()
        expect(page.locator("#board [data-target]")).to_have_count(16)


@pytest.mark.shares_hub
class TestWithoutAConnection:
    @pytest.mark.parametrize("how", ["quick", pytest.param("alone", marks=pytest.mark.long)])
    def test_a_press_says_so_before_it_fails_and_offers_to_try_again(self, visitors, how):
        page, held = visitors.new("Ann"), []
        page.clock.install()
        page.goto("/")
        expect(page.locator("#games [data-target]").first).to_be_visible()
        # However long the test takes, the page waits for the hub.
        stop_clock(page)
        page.route("**/api/rooms*", lambda route: held.append(route))
        page.evaluate("Object.defineProperty(navigator, 'onLine', { get: () => window.isOnLine ?? false })")
        button = page.locator(way(how))
        button.click()
        # Nothing has failed yet.
        expect(button).to_contain_text("No connection")
        expect(page.locator("#announcer")).to_contain_text("No connection")
        page.wait_for_function("() => document.querySelector('[data-busy=true]')")
        for route in held:
            route.abort()
        expect(page.locator("#toasts")).to_contain_text("Can’t reach the server")
        page.unroute("**/api/rooms*")
        page.evaluate("window.isOnLine = true")
        page.locator("#toasts").get_by_role("button", name="Try again").click()
        page.wait_for_url("**/room/*")

    def test_a_line_that_the_page_has_lost_counts_even_if_the_browser_has_a_network(self, visitors):
        page = home(visitors)
        page.route("**/api/**", lambda route: None)
        # In one task: the page soon has its line again.
        said = page.locator(way("alone")).evaluate("""button => {
            dispatchEvent(new Event("offline"));
            button.click();
            return button.textContent;
        }""")
        assert "No connection" in said, said


class TestAChoice:
    """Choices on the home page for a game: they apply to every button, and are kept."""

    def test_applies_to_all_four_buttons_which_show_it(self, visitors, server):
        page = home(visitors)
        set_up(page, board="easy", theme="numbers", level="perfect")
        for how in "quick", "friends", "computer", "alone":
            expect(page.locator(way(how))).to_contain_text("2 × 5 · Numbers")
        expect(page.locator(way("computer"))).to_contain_text("Hard")
        expect_accessible(page, SIZES)
        for how in "quick", "friends", "computer", "alone":
            page.goto("/")
            expect(page.locator(way(how))).to_contain_text("2 × 5")
            page.locator(way(how)).click()
            expect(page.locator(".player.you")).to_have_count(1)
            options = room_of(server, page)["options"]
            assert options.items() >= dict(preset="easy", theme="numbers").items(), (how, options)

    def test_is_abbreviated_on_a_button_with_little_space(self, visitors):
        page = home(visitors)
        set_up(page, board="easy", theme="numbers", level="perfect", turnTime="15")
        expect(page.locator(way("friends"))).to_contain_text("2 × 5 · Numbers · …")
        expect(page.locator(way("computer"))).to_contain_text("2 × 5 · Numbers · Hard · …")

    def test_is_not_shown_if_it_equals_the_defaults(self, visitors):
        page = home(visitors)
        set_up(page, board="easy")
        set_up(page, board="classic")
        expect(page.locator(way("friends")).locator("small")).to_have_text("")

    def test_is_what_play_looks_for(self, visitors, server):
        small = visitors.join(visitors.open_quick_room("Ben", preset="easy", seats=2), "Ben")
        page = home(visitors)
        expect(page.locator("#rooms li")).to_have_count(1)
        set_up(page, board="hard")
        page.locator(way("quick")).click()
        expect(page.locator(".player.you")).to_have_count(1)
        assert code(page.url) != small.code
        assert room_of(server, page)["options"]["preset"] == "hard"
        # Without a choice, any room fits; with this choice, this one fits too.
        cy = home(visitors, "Cy")
        expect(cy.locator("#rooms li")).to_have_count(2)
        set_up(cy, board="easy")
        cy.locator(way("quick")).click()
        expect(cy.locator(".player.you")).to_have_count(1)
        assert code(cy.url) == small.code


class TestARoomForFriends:
    def test_is_found_only_by_its_link(self, visitors, server):
        page = home(visitors)
        page.locator(way("friends")).click()
        expect(page.locator(".player.you")).to_have_count(1)
        assert room_of(server, page)["visibility"] == "unlisted"
        assert json.loads(server.http("GET", "/api/rooms"))["rooms"] == []

    def test_is_listed_once_its_host_has_chosen_so(self, visitors, server):
        page = home(visitors)
        page.locator(way("friends")).click()
        expect(page.locator(".player.you")).to_have_count(1)
        chip = page.locator(".chip[data-names=visibility]")
        expect(chip).to_have_attribute("aria-haspopup", "dialog")
        before = chip.text_content()
        chip.click()
        dialog = page.locator("#change-dialog")
        expect(dialog.get_by_role("radio")).to_have_count(3)
        expect(dialog.get_by_role("radio", checked=True)).to_have_value("unlisted")
        expect_accessible(page, SIZES)
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        expect(chip).to_have_text(before)
        expect(chip).to_be_focused()
        # By keyboard, then by a press.
        page.keyboard.press("Enter")
        dialog.get_by_role("radio", checked=True).focus()
        page.keyboard.press("ArrowDown")
        expect(dialog).to_be_visible()
        page.keyboard.press("Enter")
        expect(dialog).to_be_hidden()
        expect(chip).not_to_have_text(before)
        chip.click()
        dialog.locator("label", has=page.locator("[value=seeking]")).click()
        expect(dialog).to_be_hidden()
        page.wait_for_function("async code => (await (await fetch('/api/rooms/' + code)).json()).visibility === 'seeking'",
                               arg=code(page.url))


@pytest.mark.shares_hub
def test_a_custom_board_asks_for_its_columns_and_rows(visitors, server):
    page = visitors.host("Ann")
    page.locator(".chip[data-names~=board]").click()
    dialog = page.locator("#change-dialog")
    expect(dialog.locator("select[name=columns]")).to_be_hidden()
    dialog.locator("label", has=page.locator("[name=board][value=custom]")).click()
    for name, count in ("columns", "5"), ("rows", "4"):
        expect(dialog.locator(f"select[name={name}]")).to_be_visible()
        dialog.locator(f"select[name={name}]").select_option(count)
    expect_accessible(page, SIZES)
    dialog.get_by_role("button", name="Use this").click()
    expect(page.locator("#facts")).to_contain_text("5")
    options = room_of(server, page)["options"]
    assert (options["columns"], options["rows"]) == (5, 4), options
    # The other choices need only a press, as before.
    page.locator(".chip[data-names~=board]").click()
    dialog.locator("label:visible", has=page.locator("[name=board][value=easy]")).click()
    expect(dialog).to_be_hidden()
    expect(page.locator("#facts")).to_contain_text("Easy")


@pytest.mark.shares_hub
class TestArrivals:
    """A player who waits for others notices their arrival."""

    def test_change_the_title_until_the_page_is_visible_and_are_read_aloud(self, visitors):
        ann = visitors.host("Ann")
        before = ann.title()
        ann.evaluate("""() => { window.isAway = true
          Object.defineProperty(document, 'hidden', { get: () => isAway })
          Object.defineProperty(document, 'visibilityState', { get: () => isAway ? 'hidden' : 'visible' })
          document.dispatchEvent(new Event('visibilitychange')) }""")
        visitors.join(ann.url, "Ben")
        expect(ann).to_have_title(re.compile("Ben"))
        expect(ann.locator("#announcer")).to_contain_text("Ben")
        assert ann.title() != before
        ann.evaluate("() => { isAway = false; document.dispatchEvent(new Event('visibilitychange')) }")
        expect(ann).to_have_title(before)

    def test_are_heard_unless_sound_is_off(self, visitors):
        ann = visitors.new("Ann")
        ann.add_init_script("""window.heard = 0; const { start } = OscillatorNode.prototype
          OscillatorNode.prototype.start = function (...at) { heard++; start.apply(this, at) }""")
        path = visitors.open_room("Ann")
        ann.goto(path)
        expect(ann.locator(".player.you")).to_have_count(1)
        ann.locator("#copy-link").click()
        ann.wait_for_function("() => heard > 0")
        ann.evaluate("heard = 0")
        visitors.join(path, "Ben")
        ann.wait_for_function("() => heard > 0")
        ann.locator("#sound").click()
        ann.evaluate("heard = 0")
        visitors.join(path, "Cy")
        expect(ann.locator("#announcer")).to_contain_text("Cy")
        assert ann.evaluate("heard") == 0

    def test_of_a_computer_or_oneself_are_not_announced(self, visitors):
        ann = visitors.host("Ann")
        before = ann.title()
        add_computer(ann)
        assert ann.title() == before
        assert "Computer" not in ann.locator("#announcer").text_content()


def seek(visitors, name, game="reversi"):
    """The page of a player who looks for an opponent; the test moves its clock."""
    page = visitors.new(name, PHONE)
    page.clock.install()
    page.goto("/")
    expect(page.locator("#games [data-target]").first).to_be_visible()
    page.locator(way("quick", game)).click()
    expect(page.locator(".player.you")).to_have_count(1)
    stop_clock(page)
    return page


class TestAQuickGame:
    """It starts by itself once all seats are taken; its host can stop that."""

    def test_starts_after_a_countdown(self, visitors, server):
        ann = seek(visitors, "Ann")
        ben = seek(visitors, "Ben")
        for page in ann, ben:
            expect(page.locator("#offer-words")).to_have_text(re.compile("starts in [123]"))
            expect(page.locator("#announcer")).to_contain_text("starts in")
            expect(page.locator("#room")).to_have_attribute("data-status", "waiting")
        expect(ben.locator("#offer-take")).to_be_hidden()
        expect(ann.locator("#offer-take")).to_have_text("Not yet")
        for page in ann, ben:
            page.clock.fast_forward(4_000)
        for page in ann, ben:
            expect(page.locator("#room")).to_have_attribute("data-status", "running")
            expect(page.locator("#offer")).to_be_hidden()
        started = [line for line in server.log(code(ann.url)) if b'"game-started"' in line]
        assert len(started) == 1

    def test_does_not_start_if_its_host_says_not_yet(self, visitors):
        ann, ben = seek(visitors, "Ann"), seek(visitors, "Ben")
        ann.locator("#offer-take").click()
        expect(ann.locator("#offer")).to_be_hidden()
        for page in ann, ben:
            page.clock.fast_forward(20_000)
        expect(ben.locator("#offer")).to_be_hidden()
        for page in ann, ben:
            expect(page.locator("#room")).to_have_attribute("data-status", "waiting")
        ann.locator("#start").click()
        for page in ann, ben:
            expect(page.locator("#room")).to_have_attribute("data-status", "running")

    def test_does_not_start_if_one_of_them_leaves(self, visitors):
        ann, ben = seek(visitors, "Ann"), seek(visitors, "Ben")
        expect(ann.locator("#offer-words")).to_contain_text("starts in")
        ben.locator("#leave").click()
        expect(ann.locator("#offer")).to_be_hidden()
        ann.clock.fast_forward(5_000)
        expect(ann.locator("#room")).to_have_attribute("data-status", "waiting")


@pytest.mark.shares_hub
class TestInviting:
    """Inviting others and continuing on another device are two things."""

    def test_shows_only_the_rooms_link(self, ann):
        ann.locator("#invite").click()
        dialog = ann.locator("#share-dialog")
        expect(dialog.locator("svg")).to_have_count(1)
        expect(dialog.get_by_role("button", name=re.compile("device"))).to_have_count(0)

    def test_continuing_elsewhere_is_not_offered_without_a_name(self, visitors, ann):
        page = visitors.spectator(ann)
        page.locator("#settings").click()
        expect(page.locator("#settings-dialog")).to_be_visible()
        expect(page.locator("#settings-dialog").get_by_role("button", name="Continue on another device")).to_be_hidden()

"""The hub's clock is set, and its process is stopped. The clock is Debian's libfaketime."""

import glob, json, os, signal, subprocess, time

import pytest

from flipside import Hub, Page, surroundings, until
from table import Table

FAKETIME = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
TURN, REVEAL = 20_000, 3_000
BOARD = dict(columns=8, rows=12, theme="numbers", reveal=REVEAL)


class ClockedHub(Hub):
    """A hub whose wall clock is off by a number of seconds; its other clocks are the system's."""

    def __init__(self, folder, *arguments):
        super().__init__(*arguments, log=folder / "hub.log")
        self.offset = folder / "offset"
        self.environment = surroundings() | {
            "LD_PRELOAD": FAKETIME[0], "FAKETIME_TIMESTAMP_FILE": str(self.offset), "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
        self.set(0)

    def set(self, seconds):
        # In one step: the hub may read the clock at any time.
        beside = self.offset.with_suffix(".new")
        beside.write_text(f"{seconds:+}")
        beside.rename(self.offset)

    def command(self):
        # libfaketime moves the environment of the first program that loads it, which confuses Swift: it looks for its
        # arguments next to the environment. So `env` is that program, and becomes the hub.
        return ["env", *super().command()]


@pytest.fixture
def hub(binary, served, tmp_path):
    hub = ClockedHub(tmp_path, binary, str(tmp_path / "data"), "--web", str(served))
    yield hub
    hub.end()
    print(hub.logged())


async def begin(server, turn=TURN):
    """Two players who have begun a game of Memory."""
    return await Table.begin(server, **BOARD, turnTime=turn // 1_000)


async def turn_two_up(table):
    """The first player turns up two cards that do not match; returns the time of the last request."""
    for cell in range(96):
        turned = time.monotonic()
        await table.pages[0].done("flip", cell=cell)
        if len((await view(table.watcher))["up"]) == 2:
            return turned


async def now(page):
    """The hub's time, from a ping."""
    await page.send("ping", n=7)
    return (await page.until(lambda m: m["type"] == "pong"))["now"]


async def view(page):
    """The current view."""
    await page.socket.send(json.dumps({"type": "hello"}))
    return (await page.until(lambda m: m["type"] == "welcome"))["view"]


def happened(page, type):
    return [event for _, event in page.events if event["type"] == type]


async def test_setting_the_clock_moves_no_deadline(hub):
    server = hub.start()
    table = await begin(server)
    page = table.watcher
    deadline = (await view(page))["deadline"]
    for number, step in enumerate([-600, 600, 3_600, -86_400], 1):
        before = deadline - await now(page)
        hub.set(step)
        left = deadline - await now(page)
        assert before - 5_000 < left <= before, f"set to {step} s, a turn of {before} ms has {left} ms"
        assert not happened(page, "turn-expired"), f"set to {step} s, the turn expired"
        assert server.metric("clock_steps_total") == number
        await until("a line", lambda: hub.logged().count("clock was set") == number)
    assert (await view(page))["deadline"] == deadline
    assert server.metric("clock_ahead_seconds") > 80_000


async def test_a_reveal_ends_even_if_the_clock_was_set_back(hub):
    table = await begin(hub.start())
    turned = await turn_two_up(table)
    hub.kill()
    up = (time.monotonic() - turned) * 1_000
    hub.set(-3_600)
    started = time.monotonic()
    page = await Page.join(hub.start(), table.code)
    up += (time.monotonic() - started) * 1_000
    left = page.welcome["view"]["revealUntil"] - page.welcome["now"]
    assert REVEAL - up - 500 <= left <= REVEAL, f"a reveal of {REVEAL} ms has {left} ms left"
    await page.until(lambda m: m["type"] == "hide-card")
    await until("a line", lambda: "behind the log" in hub.logged())


@pytest.mark.seconds(15)
async def test_a_stopped_process_takes_no_time_from_a_turn(hub):
    server = hub.start()
    table = await begin(server, turn=10_000)
    deadline = (await view(table.watcher))["deadline"]
    left = deadline - await now(table.watcher)
    hub.process.send_signal(signal.SIGSTOP)
    stopped = time.monotonic()
    # Only elapsed time shows that a process was stopped for long enough.
    time.sleep(left / 1_000 + 1)
    hub.process.send_signal(signal.SIGCONT)
    span = (time.monotonic() - stopped) * 1_000
    extended = (await table.watcher.until(lambda m: m["type"] in ("clock-extended", "turn-expired")))
    assert extended["type"] == "clock-extended", f"stopped for {span:.0f} ms, a turn of {left} ms expired"
    assert extended["ms"] > span - 100 and extended["deadline"] == deadline + extended["ms"], (extended, span)
    assert left - 3_000 < extended["deadline"] - await now(table.watcher) <= left + 1_000
    assert not happened(table.watcher, "turn-expired")
    assert server.metric("loop_stalls_total") >= 1
    await until("a line", lambda: "was blocked" in hub.logged())


@pytest.mark.seconds(10)
async def test_a_log_that_is_days_ahead_is_served_once_an_option_says_which_clock_is_right(hub, run):
    hub.set(3 * 86_400)
    table = await begin(hub.start())
    hub.kill()
    hub.set(0)
    said = subprocess.run(hub.command(), text=True, capture_output=True, timeout=30, env=hub.environment)
    assert said.returncode == 1 and "--clock" in said.stderr and said.stderr.count("\n") == 1, said
    for choice, days in [("log", 3), ("system", 0)]:
        hub.arguments += ("--clock", choice)
        server = hub.start()
        fresh = await begin(server)
        off = await now(fresh.watcher) - time.time() * 1_000
        assert abs(off - days * 86_400_000) < 600_000, f"--clock {choice}: off by {off} ms"
        # The room that a wrong clock led astray continues too.
        old = [await Page.join(server, table.code, token) for token in table.tokens]
        watcher = await Page.join(server, table.code)
        seen = await view(watcher)
        answer = await old[seen["mover"]].command("flip", cell=seen["cells"].index({"state": "down"}))
        assert answer["type"] == "ok", answer
        seen = await view(watcher)
        assert 0 < seen.get("revealUntil", seen.get("deadline")) - await now(watcher) <= TURN, seen
        hub.kill()
    # Logged once: the damage of the wrong clock is known.
    hub.arguments = hub.arguments[:-4]
    hub.start()
    hub.kill(signal.SIGTERM)
    verdict = run("verify", "--data", hub.folder)
    assert verdict.returncode == 0, verdict

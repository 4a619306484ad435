"""Measures the page in Chromium with the processor slowed down: measure_page.py BINARY WEB [TIMES]. Only prints figures,
without limits: they are of this machine at this minute."""

import asyncio, gzip, pathlib, statistics, sys, tempfile, threading, time

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Clients"))
from flipside import Hub
from late_line import LateLine
from record_room import Table
from tabs import PlaywrightTab, way
from visitors import DESKTOP, PHONE, Visitors, start

TIMES = float(sys.argv[3]) if len(sys.argv) > 3 else 4
FLIPS = 16
# Only the theme of numbers has so many pairs.
LARGEST = dict(preset="custom", columns=8, rows=12, theme="numbers")
# As fast as a machine can, while the last flip is still animated, and as fast as a quick person.
PAUSES = 0, 250
WATCH = """(() => { window.figures = {lcp: 0, what: '', cls: 0, long: [], events: [], frames: []}
  const watch = (type, act, more) => new PerformanceObserver(list => list.getEntries().forEach(act)).observe({type, buffered: true, ...more})
  watch('largest-contentful-paint', e => { figures.lcp = e.startTime; figures.what = e.element?.outerHTML.slice(0, 60) })
  watch('layout-shift', e => { if (!e.hadRecentInput) figures.cls += e.value })
  watch('longtask', e => figures.long.push(e.duration))
  watch('event', e => { if (e.name === 'click') figures.events.push(e.duration) }, {durationThreshold: 16}) })()"""
# From the touch (the event's own time) to the card's response, and to the frame that shows it.
ANSWERS = """(() => { window.answers = []; let touched = 0
  document.querySelector('#board').addEventListener('pointerdown', e => { touched = e.timeStamp }, true)
  new MutationObserver(changes => { if (!touched || !changes.some(c => c.target.dataset.asked === 'true')) return
    const since = touched, changed = performance.now(); touched = 0
    requestAnimationFrame(() => setTimeout(() => answers.push([changed - since, performance.now() - since])))
  }).observe(document.querySelector('#board'), {subtree: true, attributeFilter: ['data-asked']}) })()"""
FRAMES = """(() => { const frames = figures.frames = []
  const next = time => { frames.push(time); if (figures.frames === frames) requestAnimationFrame(next) }; requestAnimationFrame(next) })()"""

# A phone on a poor network: bytes a second, and the delay of each request in ms.
SLOW_LINE = dict(offline=False, latency=150, downloadThroughput=200_000, uploadThroughput=93_750)


# A round trip, in s; and the buttons on the home page, each with the element that shows that its game is there.
TRIP = 0.6
WAYS = {"alone": "#board [data-target]", "computer": "#board [data-target]", "friends": ".player.you", "quick": ".player.you"}


def starts(browser, hub):
    """From a press on the home page to a game or a seat, for a returning visitor on a slow line."""
    line = LateLine(hub.port, TRIP)
    for how, shown in WAYS.items():
        page = Visitors(browser, hub, port=line.port).new(f"Measure {how}", PHONE, idle=True)
        page.goto("/")
        page.locator("#rooms").wait_for(state="attached")
        # Until everything that loads late has loaded.
        page.wait_for_timeout(10_000)
        began = time.monotonic()
        page.locator(way(how)).click()
        page.locator(shown).first.wait_for()
        took = time.monotonic() - began
        print(f"  {how:8} {took:4.1f} s, {took / TRIP:4.1f} round trips")
        page.context.close()


def first_view(browser, base, path, view, ready, line=None):
    """Paint, shifts and bytes of a page that is new to the browser."""
    context = browser.new_context(service_workers="block", **view)
    page = context.new_page()
    page.add_init_script(WATCH)
    cdp = context.new_cdp_session(page)
    cdp.send("Network.enable")
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": TIMES})
    if line:
        cdp.send("Network.emulateNetworkConditions", line)
    sizes = {}
    cdp.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    page.goto(base + path)
    page.locator(ready).first.wait_for()
    # Late shifts and larger paints count too.
    page.wait_for_timeout(2_000)
    figures = page.evaluate("figures")
    print(f"  /{path.split('/')[0]:9} {view['viewport']['width']:4} px  largest paint {figures['lcp']:5.0f} ms  "
          f"shift {figures['cls']:.4f}  {sum(sizes.values()) / 1000:.0f} kB in {len(sizes)} requests  "
          f"long tasks {sum(figures['long']):.0f} ms  ({figures['what']})")
    context.close()


def finished(server):
    """The code of a room with a finished game of 96 cards. Played in a thread: this one runs Playwright's loop."""
    async def play():
        table = await Table().open(server, **LARGEST, reveal=200)
        await table.play()
        codes.append(table.code)
    codes = []
    player = threading.Thread(target=lambda: asyncio.run(play()))
    player.start()
    player.join()
    return codes[0]


def board(visitors, view, kind):
    """Responses and frames while cards are turned on the largest board."""
    page = visitors.host(f"Measure {kind}", view=view, context=dict(reduced_motion="no-preference", idle=True), **LARGEST)
    page.evaluate(WATCH)
    tab = PlaywrightTab(page)
    start(page)
    tab.until("document.querySelectorAll('[data-target]').length === 96")
    cdp = page.context.new_cdp_session(page)
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": TIMES})
    cdp.send("Performance.enable")
    page.wait_for_timeout(1_500)
    page.evaluate(FRAMES)
    page.wait_for_timeout(2_000)
    print(f"  {kind:8} at rest         {frames(page.evaluate('figures.frames'))}")
    page.evaluate(ANSWERS)
    for pause in PAUSES:
        turn(page, tab, cdp, kind, pause, page.touchscreen.tap if view.get("has_touch") else page.mouse.click)
    page.context.close()


def turn(page, tab, cdp, kind, pause, tap):
    """Flips, each `pause` ms after it becomes possible."""
    page.evaluate("answers.length = figures.events.length = 0")
    page.evaluate(FRAMES)
    spent = cpu(cdp)
    for cell in range(FLIPS):
        tab.until("document.querySelector('#room').dataset.mine === 'true'")
        page.wait_for_timeout(pause)
        tap(*page.evaluate(f"""() => {{ const cards = document.querySelectorAll('[data-side="down"]')
          const {{x, y, width, height}} = cards[{cell * 7} % cards.length].getBoundingClientRect()
          return [x + width / 2, y + height / 2] }}"""))
    took = page.evaluate("figures.frames.at(-1) - figures.frames[0]")
    answers, events = page.evaluate("answers"), page.evaluate("figures.events")
    changed, shown = ([pair[i] for pair in answers] for i in (0, 1))
    used = {name: value - spent[name] for name, value in cpu(cdp).items()}
    print(f"  {kind:8} a flip {pause:3} ms after it may be made: changed after {spread(changed)} ms, next frame done after "
          f"{spread(shown)} ms; event to paint {spread(events) if events else 'under 16'} ms ({len(answers)} flips)")
    print(f"  {kind:8} meanwhile       {frames(page.evaluate('figures.frames'))}; of {took / 1000:.1f} s: "
          + ", ".join(f"{name} {value * 1000:.0f} ms" for name, value in used.items()))


def cpu(cdp):
    metrics = {one["name"]: one["value"] for one in cdp.send("Performance.getMetrics")["metrics"]}
    return {name: metrics[name + "Duration"] for name in ("Script", "Layout", "RecalcStyle", "Task")}


def frames(times):
    gaps = [b - a for a, b in zip(times, times[1:])]
    return (f"{1000 * len(gaps) / sum(gaps):3.0f} frames a second, gaps of {spread(gaps)} ms, "
            f"{100 * sum(gap > 25 for gap in gaps) / len(gaps):.0f} % over 25 ms")


def spread(values):
    """Median, 95th percentile, maximum."""
    ordered = sorted(values)
    return f"{statistics.median(ordered):.0f}/{ordered[int(0.95 * (len(ordered) - 1))]:.0f}/{ordered[-1]:.0f}"


def files(web):
    """Bytes of all files by kind, uncompressed and with gzip."""
    for kind in ("html", "js", "css", "svg"):
        found = [path.read_bytes() for path in pathlib.Path(web).rglob(f"*.{kind}")]
        packed = sum(len(gzip.compress(body, 9)) for body in found)
        print(f"  {kind:5} {len(found):3} files {sum(map(len, found)) / 1000:6.1f} kB, by gzip {packed / 1000:6.1f} kB")


with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
    hub = Hub(sys.argv[1], folder, "--web", sys.argv[2])
    server = hub.start()
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    base = f"http://localhost:{hub.port}/"
    try:
        print(f"Chromium {browser.version}, the processor {TIMES:g} times slower; median/95th/most")
        print("Files:")
        files(sys.argv[2])
        code = server.open_room(server.register("Measure")[0], **LARGEST)
        over = finished(server)
        for title, line, views in ("First view:", None, (PHONE, DESKTOP)), ("On a slow line:", SLOW_LINE, (PHONE,)):
            print(title)
            for view in views:
                first_view(browser, base, "", view, way("friends"), line)
                first_view(browser, base, f"room/{code}", view, "#waiting, #name-form", line)
                first_view(browser, base, f"replay/{over}", view, "#replay-say:not(:empty)", line)
        print(f"From a press to a game, a round trip of {TRIP * 1000:.0f} ms:")
        starts(browser, hub)
        print("A board of 96 cards:")
        for kind, view in ("phone", PHONE), ("desktop", DESKTOP):
            board(Visitors(browser, hub), view, kind)
    finally:
        browser.close()
        hub.kill()

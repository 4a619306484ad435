"""A player and a spectator, each with a WebKit of their own, see a game of Memory to its end: webkit.py BINARY WEB, under
xvfb-run."""

import json, pathlib, sys, tempfile, time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Clients"))
from flipside import Hub
from tabs import join_room, open_room, play, watch_replay, webkit

# The driver shows no errors of the page: they are gathered from here on.
FAULTS = "window.faults ??= (addEventListener('error', e => faults.push(e.message)), []), faults"

began = time.monotonic()
with tempfile.TemporaryDirectory() as folder:
    hub = Hub(sys.argv[1], folder, "--web", sys.argv[2])
    hub.start()
    try:
        with webkit() as ann, webkit(390, 844) as ben:
            url = open_room(ann, f"http://localhost:{hub.port}/", "Ann")
            ann.see(FAULTS)
            ben.go(url)
            ben.see(FAULTS)
            ann.press("#start")
            flips, seen = play([ann], [ann, ben])
            assert ann.see("faults") == ben.see("faults") == [], (ann.see("faults"), ben.see("faults"))
            join_room(ben, url, "Ben")
            ben.until("document.querySelectorAll('.player').length === 2")
            watch_replay(ben, url, seen)
            version = ann.driver.capabilities["browserVersion"]
            print(version, flips, "flips", json.dumps(seen["scores"]), round(time.monotonic() - began, 1), "s")
    finally:
        hub.kill()

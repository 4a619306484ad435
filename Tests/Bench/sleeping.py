"""Unused rooms that have gone to sleep: the hub's memory for each."""
import http.client
import json
import re
import time
import urllib.request

from hub import Hub, table

# Rooms that are opened in parallel, each on its own connection.
UNDER_WAY = 50
# As many as one player may open.
ROOMS_OF_PLAYER = 100


def add_options(group):
    group.add_argument("--sleeping-rooms", type=int, default=100_000, help="how many (100000)")


def run(options):
    count = options.sleeping_rooms
    with Hub("--loops", "1") as hub:
        open_rooms(hub, ROOMS_OF_PLAYER)
        rows = [["rooms", "opened a second", "hub's MB when they had been opened", "asleep", "bytes each"]]
        fresh = restarted_bytes(hub)
        before = resting_bytes(hub)
        # The first ones fill the caches of the log and of SQLite, which are bounded.
        for name in (f"{count} that sleep", f"{count} more"):
            began = time.monotonic()
            open_rooms(hub, count)
            took, awake = time.monotonic() - began, hub.resident_bytes()
            asleep = resting_bytes(hub)
            rows.append([name, f"{count / took:.0f}", f"{awake / 1e6:.0f}", f"{asleep / 1e6:.0f}",
                         f"{(asleep - before) / count:.0f}"])
            before = asleep
        again = restarted_bytes(hub)
        rows.append(["a start over all", "", "", f"{again / 1e6:.0f}", f"{(again - fresh) / count / 2:.0f}"])
        table(*rows)


def open_rooms(hub, count):
    lines = [http.client.HTTPConnection("localhost", hub.port) for _ in range(UNDER_WAY)]
    body = json.dumps({"game": "memory", "visibility": "unlisted"})
    headers = {"Content-Type": "application/json"}
    for start in range(0, count, UNDER_WAY):
        if start % ROOMS_OF_PLAYER == 0:
            headers["Authorization"] = f"Bearer {hub.register()}"
        some = lines[:count - start]
        for line in some:
            line.request("POST", "/api/rooms", body, headers)
        for line in some:
            answer = line.getresponse()
            if answer.status != 201:
                raise SystemExit(f"The hub answered {answer.status}: {answer.read().decode()}")
            answer.read()
    for line in lines:
        line.close()


def resting_bytes(hub):
    """Once all rooms sleep, and free memory has been returned."""
    while awake_rooms(hub) > 0:
        time.sleep(1)
    time.sleep(12)
    return hub.resident_bytes()


def restarted_bytes(hub):
    hub.stop()
    hub.start()
    return resting_bytes(hub)


def awake_rooms(hub):
    with urllib.request.urlopen(hub.url + "/metrics") as answer:
        return int(re.search(r"^flipside_rooms_awake (\d+)$", answer.read().decode(), re.MULTILINE)[1])

"""Rooms of four in play: latency, and the hub's processor time a flip."""
import json
import re
import subprocess

from hub import PROGRAM, Hub, table


def add_options(group):
    group.add_argument("--rooms", type=int, nargs="+", default=[1, 100, 1_000], help="numbers of rooms (1 100 1000)")
    group.add_argument("--seconds", type=int, default=5, help="of each measurement (5)")
    group.add_argument("--rate", default="2", help="flips a second and room, besides as many as there can be (2)")


def run(options):
    rows = [["rooms of four", "flips a second", "p50 ms", "p99 ms", "p99.9 ms", "a sync's p99", "hub's µs a flip", "a delivery"]]
    for rate in (options.rate, "max"):
        for rooms in options.rooms:
            rows.append(measure(rooms, rate, options.seconds))
    table(*rows)


def measure(rooms, rate, seconds):
    with Hub() as hub:
        times, flips, cost = load(hub, rooms, rate, seconds)
        sync = hub.quantile("flipside_log_sync_seconds", 0.99) * 1e3
    return [f"{rooms}, {'as fast as can be' if rate == 'max' else rate + ' flips each'}", flips // seconds,
            *(f"{times.get(part, 0):.2f}" for part in ("p50", "p99", "p99.9")), f"{sync:.2f}", f"{cost:.0f}",
            f"{cost / 4:.1f}"]


def load(hub, rooms, rate, seconds, *more, spent=None):
    """One player and three spectators: each flip goes to four. Returns the times to each member in ms, the number of flips,
    and the hub's cost of one, in µs of its processor unless `spent` counts something else; for a cluster that of all its
    nodes. `more`: options of `flipside bench`."""
    bench = subprocess.Popen(
        [PROGRAM, "bench", hub.url, *more, "--rooms", str(rooms), "--members", "1", "--spectators", "3", "--flips", str(rate),
         "--seconds", str(seconds + 1), "--threads", "1", "--json", "-"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    spent = spent or (lambda: hub.processor_seconds() * 1e6)
    # From the end of the first second on, because it includes one-time allocations.
    flips, before, cost, said = 0, None, 0, ""
    for line in bench.stderr:
        found = re.match(r"(\d+) s: flips: .* (\d+) flips,", line)
        said = line if not found else ""
        if not found:
            continue
        if before is None:
            before = spent()
        else:
            flips += int(found[2])
            cost = spent() - before
    result = json.loads(bench.stdout.read() or "{}")
    if bench.wait() != 0:
        print(f"{rooms} rooms, {rate} flips: {said.strip()}")
    return result.get("milliseconds", {}).get("flipToMember", {}), flips, cost / max(1, flips)

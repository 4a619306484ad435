"""A game's latency while the hub is attacked, compared with that of a quiet hub; the hub has one processor."""
import json
import os
import statistics
import subprocess

from attackers import all_attacks
from hub import PROGRAM, Hub, table


def add_options(group):
    group.add_argument("--game-seconds", type=int, default=5, help="of each game (5)")
    group.add_argument(
        "--game-rounds", type=int, default=3, help="quiet and attacked in turn, of which medians are shown (3)")


def run(options):
    rows = [["attack", "p50, quiet", "p99, quiet", "p50 x", "p99 x", "memory + MB", "came a second", "cut a second"]]
    # Made for each hub, since they need its room.
    for index in range(len(all_attacks("")) + 1):
        rows.append(measure(index, options.game_seconds, options.game_rounds))
    table(*rows)


def measure(index, seconds, rounds):
    """The last attack comes from the load tester itself: spectators who do not read."""
    attacks = all_attacks("")
    is_watching = index == len(attacks)
    tls = not is_watching and attacks[index].tls
    quiet, attacked, memory, opened, cut = [], [], [], 0, 0
    for _ in range(rounds):
        with Hub(tls=tls, is_limited=True) as hub:
            os.sched_setaffinity(hub.process.pid, {0})
            quiet.append(game(hub, seconds))
            before = hub.resident_bytes()
            if is_watching:
                attacked.append(game(hub, seconds, "--slow-readers", "1000"))
            else:
                attack = all_attacks("" if tls else hub.open_room())[index]
                attack.start(hub.port)
                attacked.append(game(hub, seconds))
                attack.stop()
                opened, cut = opened + attack.opened.value, cut + attack.cut.value
            memory.append(hub.resident_bytes() - before)
    low, high = (statistics.median(one[part] for one in quiet) for part in ("p50", "p99"))
    times = [statistics.median(one[part] for one in attacked) for part in ("p50", "p99")]
    name = "watchers who do not read" if is_watching else attacks[index].name
    return [name, f"{low:.2f} ms", f"{high:.2f} ms", f"{times[0] / low:.1f}", f"{times[1] / high:.1f}",
            f"{statistics.median(memory) / 1e6:.0f}", opened // (rounds * seconds), cut // (rounds * seconds)]


def game(hub, seconds, *more):
    """Ten rooms of two players and two spectators: the time from a flip to each one's sight of the card."""
    bench = subprocess.run(
        ["taskset", "-c", str(os.cpu_count() - 1), PROGRAM, "bench", hub.url, "--rooms", "10", "--members", "2",
         "--spectators", "2", "--flips", "4", "--seconds", str(seconds), "--threads", "1", "--json", "-",
         *(["--ca", hub.certificate] if hub.url.startswith("https") else []), *more],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return json.loads(bench.stdout)["milliseconds"]["flipToMember"]

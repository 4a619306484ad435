"""One loop and two: the hub's processor time a message, and how evenly they share the work."""
import glob
import statistics
import time

from floor import ECHOES, build_both, ended, started
from hub import Hub, table


def add_options(group):
    group.add_argument("--loops-seconds", type=float, default=2, help="of each measurement (2)")
    group.add_argument("--loops-rounds", type=int, default=5, help="both in turn, of which medians are shown (5)")


def run(options):
    build_both()
    rows = [["", "one loop µs", "two loops µs", "x", "messages a second x", "of both loops, the idler's share"]]
    with LoopsHub(1) as one, LoopsHub(2) as two:
        for name, connections, under_way, size in ECHOES:
            if under_way == 0:
                continue
            costs, rates, shares = {one: [], two: []}, {one: [], two: []}, []
            for _ in range(options.loops_rounds):
                for hub in (one, two):
                    client = started("echo", hub.port, "/echo", connections, under_way, size, options.loops_seconds)
                    before, began = hub.by_thread(), time.monotonic()
                    count = ended(client)
                    rates[hub].append(count / (time.monotonic() - began))
                    spent = sorted(hub.by_thread()[it] - before.get(it, 0) for it in hub.by_thread())
                    costs[hub].append(sum(spent) / count * 1e6)
                    if hub is two:
                        shares.append(spent[-2] / (spent[-1] + spent[-2]))
            low, high = (statistics.median(costs[hub]) for hub in (one, two))
            slow, fast = (statistics.median(rates[hub]) for hub in (one, two))
            rows.append([name, f"{low:.2f}", f"{high:.2f}", f"{high / low:.2f}", f"{fast / slow:.2f}",
                         f"{statistics.median(shares):.2f}"])
    table(*rows)


class LoopsHub(Hub):
    def __init__(self, loops):
        super().__init__("--loops", str(loops))

    def by_thread(self):
        """Seconds of each."""
        spent = {}
        for path in glob.glob(f"/proc/{self.process.pid}/task/*/schedstat"):
            with open(path) as file:
                spent[path] = int(file.read().split()[0]) / 1e9
        return spent

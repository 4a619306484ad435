"""The hub's instructions a flip, under Valgrind's callgrind: the same from run to run, however busy the machine is."""
import glob
import re
import subprocess

from flips import load
from hub import Hub, table


def add_options(group):
    group.add_argument("--instructions-rooms", type=int, default=40, help="rooms of four, 2 flips a second each (40)")
    group.add_argument("--instructions-seconds", type=int, default=10, help="of each of three rounds (10)")


def run(options):
    rows = [["rooms of four, 2 flips a second each", "flips", "instructions a flip"]]
    for _ in range(3):
        with CountedHub() as hub:
            _, flips, cost = load(hub, options.instructions_rooms, "2", options.instructions_seconds, spent=hub.instructions)
        rows.append([options.instructions_rooms, flips, f"{cost:,.0f}"])
    table(*rows)


class CountedHub(Hub):
    """A hub in Valgrind: some fifty times slower, so give it little to do."""

    def start(self):
        # Valgrind cannot read Swift's debug information.
        program = f"{self.folder.name}/flipside"
        subprocess.run(["strip", "--strip-debug", "-o", program, self.command[0]], check=True)
        # One loop, so that its number of rooms does not depend on the machine.
        self.command = [
            "valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={self.folder.name}/counts", program,
            *self.command[1:], "--loops", "1"]
        super().start()

    def instructions(self):
        """Of all its threads since the start."""
        subprocess.run(["callgrind_control", "--dump", str(self.process.pid)], check=True, capture_output=True)
        counts = [re.search(r"^totals: (\d+)", open(file).read(), re.MULTILINE) for file in glob.glob(f"{self.folder.name}/counts.*")]
        return sum(int(count[1]) for count in counts if count)

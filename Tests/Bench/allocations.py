"""The hub's allocations, for a frame of an echo and for a delivery to an audience."""
import os
import struct
import tempfile

from audience import Audience
from floor import BUILT, PinnedHub, build, build_both, ended, started
from hub import table


def add_options(group):
    group.add_argument("--allocations-seconds", type=float, default=3, help="of each echo (3)")


def run(options):
    build_both()
    build("allocations.so", "-shared", "-fPIC")
    rows = [["what", "how many", "allocations", "each"]]
    with Counter() as counter:
        for name, under_way in (("frames echoed, 64 B", 1), ("the same, 16 under way", 16)):
            with PinnedHub(environment=counter.environment) as hub:
                client = started("echo", hub.port, hub.path, 100, under_way, 64, options.allocations_seconds)
                before = counter.count()
                frames = ended(client)
                rows.append(row(name, frames, counter.count() - before))
    # A flip itself needs some: more spectators need no more of them.
    for count in (100, 1_000, 5_000):
        with Counter() as counter, Audience(count, environment=counter.environment) as audience:
            # One-time allocations come with the first ones.
            audience.play(4)
            before = counter.count()
            audience.play(40)
            name = f"deliveries of 40 flips to {count} who watch"
            rows.append(row(name, int(audience.deliveries(40)), counter.count() - before))
    table(*rows)


def row(name, number, allocations):
    return [name, number, allocations, f"{allocations / number:.4f}"]


class Counter:
    """The eight bytes in which `allocations.c` counts."""

    def __init__(self):
        self.file = tempfile.NamedTemporaryFile()
        self.file.truncate(8)
        self.environment = {"LD_PRELOAD": str(BUILT / "allocations.so"), "ALLOCATIONS": self.file.name}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def count(self):
        return struct.unpack("Q", os.pread(self.file.fileno(), 8, 0))[0]

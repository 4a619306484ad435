"""scripts/bench: measures hubs of this build, each started for the purpose on a temporary folder.

Hub and load generator share this machine: the figures compare two builds side by side, and do not show what a hub alone
could do. `flipside bench URL` measures a hub that runs elsewhere.
"""

import argparse
import os

import allocations
import attacks
import audience
import flips
import floor
import handshakes
import idle
import instructions
import loops
import nodes
import pings
import sleeping

# By the names of their options; each module has `add_options(parser)` and `run(options)`.
MEASUREMENTS = {
    "flips": flips, "handshakes": handshakes, "idle": idle, "floor": floor, "audience": audience, "loops": loops,
    "allocations": allocations, "pings": pings, "sleeping": sleeping, "attacks": attacks,
    "nodes": nodes, "instructions": instructions,
}
# What is measured by default.
DEFAULTS = ["flips", "handshakes", "idle"]


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    for name, module in MEASUREMENTS.items():
        parser.add_argument(f"--{name}", action="store_true", help=module.__doc__.splitlines()[0])
        module.add_options(parser.add_argument_group(name))
    options = parser.parse_args()
    asked = [name for name in MEASUREMENTS if getattr(options, name)] or DEFAULTS
    print(f"{os.cpu_count()} processors")
    for name in asked:
        MEASUREMENTS[name].run(options)


if __name__ == "__main__":
    main()

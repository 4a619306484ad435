"""How much of the machine others use: slowness then says nothing about the cluster."""

import os, pathlib, time


def busy():
    """What all processes have used, in any namespace, in ticks."""
    user, nice, system, _, _, irq, softirq, *_ = map(int, pathlib.Path("/proc/stat").read_text().split("\n")[0].split()[1:])
    return user + nice + system + irq + softirq


def own():
    """What this namespace's processes have used, including those that have ended."""
    ticks = 0
    for folder in pathlib.Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            ticks += sum(map(int, fields[11:15]))
    return ticks


class Others:
    """Their share of all processors from now on."""

    def __init__(self):
        self.began, self.ticks = time.monotonic(), busy() - own()

    def share(self):
        ticks = (time.monotonic() - self.began) * os.sysconf("SC_CLK_TCK") * os.cpu_count()
        return max(0.0, (busy() - own() - self.ticks) / ticks)

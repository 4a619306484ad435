"""What is recorded after each fault, and the table of it."""

import os, statistics, time

from machine import Others

# In s, from when the balancer has closed a client's line; and the share of clients that may take longer. The first holds if
# others leave the machine to the trial.
BACK_WITHIN, MAY_BE_LATER, BACK_AT_LAST, OTHERS_SHARE = 1.0, 0.25, 5.0, 0.15
# More clients a second than this take longer: 500 for each processor, of which two nodes out of three are left.
GREETINGS = 500 * os.cpu_count() * 2 / 3


class Episode:
    """One fault, from its start until all rooms continue."""

    def __init__(self, kind):
        self.kind, self.began, self.note, self.others_use = kind, time.monotonic(), "", Others()
        # Nodes whose clients may notice; whether the database was away for all.
        self.own, self.is_everywhere = set(), False
        # Whether rooms may move to another home, or lose it: then members at other nodes reconnect too.
        self.moves_homes = kind != "none"
        self.stills, self.backs, self.moved, self.closed, self.violations = [], [], [], 0, 0
        # When the balancer said that the node is down, since the start.
        self.noticed = None
        # How much clocks were set back, for each room where they were, and the longest wait for an answer, in s.
        self.given_back, self.waited = [], 0.0

    def strikes(self, node):
        self.own.add(node.name)
        self.says(node.name)

    def strikes_all(self):
        """All nodes alike, through the database: no node goes, so no room moves."""
        self.is_everywhere, self.moves_homes = True, False

    def says(self, note):
        self.note = f"{self.note} {note}".strip()

    def line(self):
        back = f"{len(self.backs)} back, {figures(self.backs, 2)}" if self.backs else "none back"
        noticed = f"; noticed after {self.noticed - self.began:.1f} s" if self.noticed else ""
        given = f"{len(self.given_back)} clocks given back {figures(self.given_back, 1)}; " if self.given_back else ""
        return (f"{self.kind} {self.note}: rooms blocked {figures(self.stills, 1)}; {back}{noticed}; "
                f"closed by the balancer {self.closed}; {self.at_other_nodes()}; longest wait {self.waited:.1f} s; {given}"
                f"{self.busy()}over after {time.monotonic() - self.began:.0f} s")

    def at_other_nodes(self):
        return f"{len(self.moved)} of other nodes back, {figures(self.moved, 2)}" if self.moved else "none of other nodes"

    def busy(self):
        share = self.others_use.share()
        return f"the machine is {share:.0%} others'; " if share > OTHERS_SHARE else ""

    def lateness(self):
        """What is wrong with the times in which clients returned; None if nothing is."""
        within = max(BACK_WITHIN, (len(self.backs) + len(self.moved)) / GREETINGS)
        late = [seconds for seconds in self.backs if seconds > within]
        is_late = len(late) > MAY_BE_LATER * len(self.backs) and not self.busy()
        if not self.backs or not is_late and max(self.backs) <= BACK_AT_LAST:
            return None
        return (f"{len(late)} of {len(self.backs)} clients were back over {within:.1f} s after the balancer noticed, "
                f"the last {max(self.backs):.1f} s")


def figures(values, digits):
    return f"p50 {statistics.median(values):.{digits}f} max {max(values):.{digits}f} s"


def table(episodes):
    """All faults of a kind in a row."""
    rows = [("fault", "how many", "rooms blocked, s", "own clients back, s", "their number", "closed by the balancer",
             "others back, s", "their number", "longest wait, s", "clocks given back, s", "violations"),
            ("", "", "p50 / max", "p50 / max", "", "", "p50 / max", "", "", "p50 / max", "")]
    for kind in dict.fromkeys(episode.kind for episode in episodes):
        of_kind = [episode for episode in episodes if episode.kind == kind]
        stills = [still for episode in of_kind for still in episode.stills]
        backs = [back for episode in of_kind for back in episode.backs]
        moved = [span for episode in of_kind for span in episode.moved]
        given_back = [span for episode in of_kind for span in episode.given_back]
        rows.append((
            kind, str(len(of_kind)), spread(stills, 1), spread(backs, 2), str(len(backs)),
            str(sum(episode.closed for episode in of_kind)), spread(moved, 2), str(len(moved)),
            f"{max(episode.waited for episode in of_kind):.1f}", spread(given_back, 1),
            str(sum(episode.violations for episode in of_kind))))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def spread(values, digits):
    return f"{statistics.median(values):.{digits}f} / {max(values):.{digits}f}" if values else "-"

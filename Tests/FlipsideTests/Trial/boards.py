"""As much of a room's fold as players need to move, and checks of its turns."""

import json, random

RAYS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]


class Memory:
    """Which cards are up, won and known."""

    options = {"columns": 4, "rows": 3, "theme": "numbers", "reveal": 300}

    def __init__(self, event):
        self.won, self.up, self.known = set(), [], {}

    def apply(self, event):
        match event["type"]:
            case "show-card":
                self.up.append(event["cell"])
                self.known[event["cell"]] = event["face"]
            case "match":
                self.won |= set(event["cells"])
                self.up = []
            case "hide-card":
                self.up = []

    def move(self, seat, chance):
        """A command for the player whose turn it is; None if there is nothing to do yet."""
        down = [cell for cell in range(12) if cell not in self.won and cell not in self.up]
        if len(self.up) == 2 or not down:
            return None
        if len(self.up) == 1:
            twins = [cell for cell in down if self.known.get(cell) == self.known[self.up[0]]]
        else:
            twins = [a for a in down for b in down if a != b and a in self.known and self.known[a] == self.known.get(b)]
        # A player who sometimes forgets.
        return {"type": "flip", "cell": chance.choice(twins if twins and chance.random() < 0.8 else down)}

    def differs(self, view):
        """The differences between a welcome's view and this fold."""
        state = {cell: "won" if cell in self.won else "up" if cell in self.up else "down" for cell in range(12)}
        return [f"cell {cell}" for cell, card in enumerate(view["cells"]) if card["state"] != state[cell]]


class Reversi:
    """Whose discs lie where."""

    options = {}

    def __init__(self, event):
        first, other = event["first"], 1 - event["first"]
        self.cells = {28: first, 35: first, 27: other, 36: other}

    def apply(self, event):
        if event["type"] == "place-disc":
            for cell in [event["cell"], *event["flips"]]:
                self.cells[cell] = event["seat"]

    def flips(self, cell, seat):
        """Whether a disc there would flip any."""
        if cell in self.cells:
            return False
        for dx, dy in RAYS:
            x, y, between = cell % 8 + dx, cell // 8 + dy, 0
            while 0 <= x < 8 and 0 <= y < 8 and self.cells.get(y * 8 + x) == 1 - seat:
                x, y, between = x + dx, y + dy, between + 1
            if between and 0 <= x < 8 and 0 <= y < 8 and self.cells.get(y * 8 + x) == seat:
                return True
        return False

    def move(self, seat, chance):
        cells = [cell for cell in range(64) if self.flips(cell, seat)]
        return {"type": "place", "cell": chance.choice(cells)} if cells else None

    def differs(self, view):
        return [f"cell {cell}" for cell, owner in enumerate(view["cells"]) if owner != self.cells.get(cell)]


class Table:
    """A room's seats, its turn and its proposal. `fault` is called with any violation."""

    def __init__(self, game, fault):
        self.kind, self.fault = {"memory": Memory, "reversi": Reversi}[game], fault
        self.status, self.seated, self.proposal, self.board = "waiting", set(), None, None
        self.turn = self.deadline = None
        # The sum of all extensions, in ms.
        self.extended, self.games = 0, 0

    def apply(self, event):
        match event["type"]:
            case "seat-taken":
                self.seated.add(event["seat"])
            case "game-started":
                self.status, self.board, self.proposal = "running", self.kind(event), None
                self.games += 1
            case "turn":
                self.turn, self.deadline = event["seat"], event.get("deadline")
            case "clock-extended":
                self.extend(event)
            case "turn-expired":
                self.fault(f"a turn ran out: {self.late(event)}")
                self.deadline = None
            case "proposed":
                self.proposal = {"v": event["v"], "asked": set(event["asked"])}
            case "answered":
                if self.proposal:
                    self.proposal["asked"].discard(event["seat"])
            case "proposal-ended":
                self.proposal = None
            case "game-ended":
                self.status, self.proposal, self.deadline = "ended", None, None
                if event["reason"] not in ("finished", "stalled"):
                    self.fault(f"a game ended by {event['reason']}")
            case "away" | "player-left" | "room-closed" | "seat-freed" | "host-changed":
                self.fault(f"{event['type']}: {json.dumps(event)}")
            case "place-disc":
                self.deadline = None
            case "show-card" if self.board and len(self.board.up) == 1:
                self.deadline = None
        if self.board:
            self.board.apply(event)

    def extend(self, event):
        if event["ms"] <= 0:
            self.fault(f"an extension takes time away: {json.dumps(event)}")
        self.extended += event["ms"]
        if self.deadline is not None:
            self.deadline += event["ms"]
            if event.get("deadline", 0) > self.deadline:
                self.fault(f"an extension says {event.get('deadline')} for a turn until {self.deadline}")

    def late(self, event):
        early = self.deadline is None or event["t"] < self.deadline
        return f"at {event['t']}, deadline {self.deadline}" + (", EARLY" if early else "")

    def differs(self, room, view):
        """The differences between a welcome and the state after the events."""
        found = [] if room["status"] == self.status else [f"status {room['status']}, not {self.status}"]
        if self.board and view:
            # While two cards are up, the game waits for nobody.
            awaited = [self.turn] if self.status == "running" and len(getattr(self.board, "up", ())) < 2 else []
            if view["awaited"] != awaited:
                found.append(f"awaited {view['awaited']}, not {awaited}")
            if self.status == "running" and view.get("deadline") != self.deadline:
                found.append(f"deadline {view.get('deadline')}, not {self.deadline}")
            found += self.board.differs(view)
        return found

"""The rooms of a simulated hub, from `flipside simulate --trace`."""

import json, re

RECORDED = re.compile(r"\d+ \([^)]*\) log room/(\S+) \S+ (\{.*\})$")
WELCOMED = re.compile(r'\d+ \([^)]*\) \S+ > \d+ (\{"type":"welcome".*\})$')


def rooms_of(trace):
    """Each room's `code`, the `events` of its log, and all `welcomes` sent there."""
    rooms = {}
    for line in trace.splitlines():
        if recorded := RECORDED.match(line):
            code, event = recorded[1], json.loads(recorded[2])
            rooms.setdefault(code, {"code": code, "events": [], "welcomes": []})["events"].append(event)
        elif welcomed := WELCOMED.match(line):
            welcome = json.loads(welcomed[1])
            rooms[welcome["room"]["code"]]["welcomes"].append(welcome)
    return list(rooms.values())

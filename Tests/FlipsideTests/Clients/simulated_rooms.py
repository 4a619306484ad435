"""The rooms of a simulated hub, from `flipside simulate --trace`."""

import json, re

RECORDED = re.compile(r"\d+ \([^)]*\) log room/(\S+) \S+ (\{.*\})$")
SENT = re.compile(r'\d+ \([^)]*\) \S+ > (\d+) (\{"type":"(?:welcome|hand)".*\})$')


def rooms_of(trace):
    """Each room's `code`, the `lines` of its log, and all `welcomes` and `hands` sent there."""
    rooms, room_of = {}, {}
    for line in trace.splitlines():
        if recorded := RECORDED.match(line):
            code, event = recorded.groups()
            rooms.setdefault(code, {"code": code, "lines": [], "welcomes": [], "hands": []})["lines"].append(event)
        elif sent := SENT.match(line):
            connection, message = sent[1], json.loads(sent[2])
            if message["type"] == "welcome":
                room_of[connection] = rooms[message["room"]["code"]]
                room_of[connection]["welcomes"].append(message)
            elif connection in room_of:
                room_of[connection]["hands"].append(message)
    return list(rooms.values())

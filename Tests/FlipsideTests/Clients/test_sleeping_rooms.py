"""Only WebSockets and deadlines wake rooms: every HTTP request about one is answered while it sleeps."""

import json

import pytest

from cluster import wait_until
from flipside import Page

PATHS = "/api/rooms/{}", "/api/rooms/{}/log", "/room/{}", "/replay/{}", "/api/rooms"


def ask(server, code):
    """What the hub says about the room, and its log."""
    answers = [server.http("GET", path.format(code)) for path in PATHS]
    return json.loads(answers[0]), answers[1]


async def test_requests_about_a_sleeping_room_do_not_wake_it(make_hub):
    hub = make_hub()
    server = hub.start()
    token, ann = server.register("Ann")
    code = server.open_room(token)
    wait_until("the name", lambda: ask(server, code)[0]["names"])
    opened = ask(server, code)
    assert opened[0]["hostName"] == opened[0]["names"][ann] and opened[0]["present"] == 0
    hub.kill()
    server = hub.start()
    wait_until("the name", lambda: ask(server, code)[0]["names"])
    assert ask(server, code) == opened
    assert server.metric("rooms_awake") == 0
    page = await Page.join(server, code, token)
    assert server.metric("rooms_awake") == 1
    wait_until("who is there", lambda: ask(server, code)[0] == opened[0] | {"present": 1, "spectators": 1})
    await page.socket.close()


@pytest.mark.seconds(90)
@pytest.mark.xdist_group("cluster")
async def test_rooms_of_several_nodes_are_awake_only_where_they_have_members(cluster):
    """No other node holds anything of them, even after requests there, not even the one that keeps the rows."""
    token, _ = cluster[0].server.register("Ann")
    codes = [cluster[0].server.open_room(token, "reversi") for _ in range(6)]
    page = await Page.join(cluster[0].server, codes[0], token)
    await page.done("sit")

    def rows(node):
        rooms = json.loads(node.server.http("GET", "/api/rooms"))["rooms"]
        return [(room["code"], room["seats"]["taken"], room["present"]) for room in rooms]

    wait_until("the room in all lists", lambda: all(rows(node) == [(codes[0], 1, 1)] for node in cluster))
    for node in cluster:
        for code in codes:
            assert ask(node.server, code)[0]["host"] == page.welcome["you"]["player"]
    # The home that executes its commands, and the node that has its member.
    assert sum(node.server.metric("rooms_awake") for node in cluster) <= 2
    await page.socket.close()

"""Players whose room lives on another node than theirs, and that node dies."""

import json, signal

import pytest
from playwright.sync_api import expect

from cluster import Cluster, wait_until
from flipside import Page
from protocol_player import wait_for
from visitors import Visitors, code, start

pytestmark = [pytest.mark.seconds(30), pytest.mark.xdist_group("cluster")]


@pytest.fixture
def cluster(binary, web, database, tmp_path):
    cluster = Cluster(binary, web, database, tmp_path)
    try:
        yield cluster.start()
    finally:
        cluster.end()


@pytest.fixture
def visitors(chromium, cluster):
    """Visitors of the first node."""
    visitors = Visitors(chromium, cluster[0])
    yield visitors
    for context in chromium.contexts:
        context.close()
    assert not visitors.faults, visitors.faults


# Records everything that the header says about the line; a reloaded page would lose the list.
WATCH = """() => {
  const line = document.querySelector('#line'), said = window.said = []
  new MutationObserver(() => { if (!line.hidden) said.push(line.textContent) })
    .observe(line, {childList: true, attributes: true, characterData: true, subtree: true}) }"""


def test_both_keep_playing_when_their_rooms_home_dies_and_a_pending_flip_is_done_once(visitors, cluster):
    path, dying = visitors.open_room("Ann", seats=2, columns=4, rows=4, theme="numbers"), cluster[1]
    # A room lives on the node that its first visitor reaches.
    first = wait_for(Page.join(dying.server, code(path)))
    ann = visitors.new("Ann")
    ann.goto(path)
    expect(ann.locator(".player.you")).to_have_count(1)
    wait_for(first.socket.close())
    ben = visitors.guest(ann, "Ben")
    start(ann, ben)
    mover = ann if ann.locator("#board [data-target='0']:not([aria-disabled='true'])").count() else ben
    for page in (ann, ben):
        page.evaluate(WATCH)
    # The node receives nothing more, so the next request is in flight when it dies.
    dying.pause()
    versions = len(cluster[0].server.log(code(path)))
    mover.locator("#board [data-target='0']").click()
    dying.kill(signal.SIGKILL)

    def flips():
        events = [json.loads(line) for line in cluster[0].server.log(code(path))[versions:]]
        return [event for event in events if event["type"] == "show-card"]

    wait_until("the flip", lambda: flips())
    for page in (ann, ben):
        expect(page.locator("#board [data-target='0'][data-side='up']")).to_be_visible()
    mover.locator("#board [data-target='5']").click()
    wait_until("a second flip", lambda: len(flips()) == 2)
    assert [flip["cell"] for flip in flips()] == [0, 5]
    for page in (ann, ben):
        expect(page.locator("#line")).to_be_hidden()
        # One sentence at most, if the machine is so busy that this takes two seconds.
        assert len(set(page.evaluate("said"))) <= 1

"""Clients in JavaScript with Node's ws, and the page's own fold compared with the hub's."""

import json, os, pathlib, subprocess

import pytest

from simulated_rooms import rooms_of

HERE = pathlib.Path(__file__).parent


@pytest.fixture
def node(server, web):
    """Runs a client against the hub."""
    def node(script):
        done = subprocess.run(
            ["node", HERE / script, server.base, web], env=os.environ | {"NODE_PATH": "/usr/share/nodejs"}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=200)
        print(done.stdout)
        assert done.returncode == 0

    return node


@pytest.fixture
def hub(make_hub):
    hub = make_hub("--think-time", "0")
    hub.start()
    return hub


def test_a_game_is_played_its_chain_proven_and_each_welcome_folded(node):
    node("play.cjs")


def test_the_library_works_as_documented(node):
    node("library.mjs")


def test_the_pages_fold_equals_the_hubs_after_every_event(node):
    node("fold.cjs")


def test_a_board_with_more_pairs_than_its_theme_has_faces_is_dealt_as_the_page_says(node):
    node("boards.cjs")


@pytest.mark.seconds(10)
def test_the_page_finds_what_the_hub_has_shown_in_random_rooms(run, web, chance):
    """Many simulated rooms from one seed, with many options, and many clients that ask for all of a room again."""
    whims = "options,options,options,hello,hello,helper,leave,openRoom,sitAnywhere"
    trace = run("simulate", "--seed", chance.randrange(2**32), "--steps", 12_000, "--hubs", 1, "--rooms", 6,
                "--faults", "lull,desertion", "--drawn-to", whims, "--trace", "all")
    rooms = rooms_of(trace.stdout)
    assert trace.returncode == 0 and sum(len(room["welcomes"]) for room in rooms) > 10, trace.stdout[-2_000:]
    read = subprocess.run(["node", HERE / "read-logs.mjs", web], input=json.dumps(rooms), text=True, capture_output=True)
    assert read.returncode == 0, read.stderr

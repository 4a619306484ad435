"""Clients in JavaScript, by Node's ws, and the page's own fold beside the hub's."""

import os, pathlib, subprocess

import pytest

HERE = pathlib.Path(__file__).parent


@pytest.fixture
def node(server, web):
    """Runs a client against the hub."""
    def node(script):
        done = subprocess.run(
            ["node", HERE / script, server.base, web], env=os.environ | {"NODE_PATH": "/usr/share/nodejs"}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
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


def test_the_pages_fold_equals_the_hubs_word_after_every_event(node):
    node("fold.cjs")


def test_a_board_with_more_pairs_than_its_theme_has_faces_is_dealt_as_the_page_says(node):
    node("boards.cjs")

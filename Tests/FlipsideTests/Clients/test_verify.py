"""What `flipside verify` says about a whole game."""

import pytest

from altered_log import alter
from flipside import finish
from memory_game import Game

pytestmark = pytest.mark.xdist_group("verify")


@pytest.fixture(scope="module")
def data(make_module_hub, tmp_path_factory):
    """The data of a hub that still runs, with a complete game."""
    data = tmp_path_factory.mktemp("data")
    server = make_module_hub(data=data).start()
    finish(Game.played(server), 60)
    return data


def test_a_whole_game_holds(run, data):
    verdict = run("verify", "--data", data)
    assert verdict.returncode == 0 and "All holds: 1 rooms with 1 proven games" in verdict.stdout, verdict


def test_an_altered_record_is_found(run, data):
    alter(data / "log.sqlite", "show-card", b'"seat":', b'"seaT":')
    verdict = run("verify", "--data", data)
    assert verdict.returncode == 1 and "does not hold" in verdict.stdout + verdict.stderr, verdict

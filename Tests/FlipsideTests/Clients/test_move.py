"""A log is moved to PostgreSQL and back."""

import asyncio, json, signal

import pytest

from cluster import Cluster
from flipside import finish, Page
from memory_game import Game

pytestmark = pytest.mark.xdist_group("database")


def test_a_log_is_moved_and_moved_back(run, make_hub, database, tmp_path):
    hub = make_hub(data=tmp_path / "first")
    game = finish(Game.played(hub.start()), 60)
    refused = run("move", "--from", f"sqlite:{tmp_path / 'first'}", "--to", f"sqlite:{tmp_path / 'other'}")
    assert refused.returncode == 1 and "Another process writes" in refused.stderr, refused
    hub.end()

    address = database.new()
    moved = run("move", "--from", f"sqlite:{tmp_path / 'first'}", "--to", address)
    assert moved.returncode == 0 and "heads as they were" in moved.stdout, moved
    assert moved.stderr == "100 % of the records carried over\n", moved
    again = run("move", "--from", f"sqlite:{tmp_path / 'first'}", "--to", address)
    assert again.returncode == 1 and "already holds a log" in again.stderr, again

    # Side by side they report the same.
    verdict = run("verify", "--log", address)
    assert verdict.returncode == 0 and "All holds: 1 rooms with 1 proven games" in verdict.stdout, verdict
    assert verdict.stdout == run("verify", "--data", tmp_path / "first").stdout
    replayed = run("replay", game.code, "--ndjson", "--log", address)
    assert replayed.stdout.encode().splitlines() == game.log and "All holds" in replayed.stderr, replayed.stderr

    back = run("move", "--from", address, "--to", f"sqlite:{tmp_path / 'second'}")
    assert back.returncode == 0, back
    hub = make_hub(data=tmp_path / "second")
    server = hub.start()
    assert server.log(game.code) == game.log

    async def resume():
        last = json.loads(game.log[-1])
        page = await Page.join(server, game.code, after=last["v"], head=game.events and page_head(game))
        return page.welcome["type"]

    assert finish(resume(), 30) == "resume"


def test_a_log_keeps_its_id_wherever_it_moves(run, make_hub, binary, served, database, tmp_path):
    def carry(source, target):
        moved = run("move", "--from", source, "--to", target)
        assert moved.returncode == 0, moved

    first, second = (f"sqlite:{tmp_path / name}" for name in ("first", "second"))
    hub = make_hub(data=tmp_path / "first")
    begun = hub.start().log_id()
    hub.kill(signal.SIGTERM)
    cluster = Cluster(binary, served, database, tmp_path, 1)
    carry(first, cluster.address)
    try:
        assert cluster.start()[0].server.log_id() == begun
        cluster[0].kill(signal.SIGTERM)
    finally:
        cluster.end()
    carry(cluster.address, second)
    assert make_hub(data=tmp_path / "second").start().log_id() == begun


def page_head(game):
    from memory_game import chained
    return chained(game.code, game.log).hex()


@pytest.mark.parametrize("given", ["sqlite:", "data", "mysql://ada:s3cret@db/games", ""])
def test_a_bad_address_is_named(run, given):
    for options in (["--from", given, "--to", "sqlite:x"], ["--from", "sqlite:x", "--to", given]):
        refused = run("move", *options)
        assert refused.returncode == 1 and "it must be sqlite:FOLDER or postgresql://" in refused.stderr, refused
        assert "s3cret" not in refused.stderr


def test_an_unreachable_database_is_named_without_its_password(run):
    refused = run("verify", "--log", "postgresql://ada:s3cret@127.0.0.1:1/games")
    assert refused.returncode == 1 and "postgresql://127.0.0.1:1/games" in refused.stderr, refused
    assert "s3cret" not in refused.stderr and "ada" not in refused.stderr

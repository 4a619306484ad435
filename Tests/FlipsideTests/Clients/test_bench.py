"""`flipside bench` loads a hub as requested, over TLS too, and says what it could not do."""

import json

import pytest

from cluster import Cluster


@pytest.fixture
def figures(run):
    """The result of a load test of two rooms."""
    def figures(url, *options):
        done = run("bench", url, "--rooms", "2", "--members", "3", "--flips", "5", "--seconds", "1", "--json", "-", *options)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return figures


def test_the_requested_load_arrives(hub, figures):
    found = figures(
        f"http://localhost:{hub.port}", "--spectators", "2", "--newcomers", "4", "--slow-readers", "2", "--reconnect", "20",
        "--threads", "2")
    assert (found["rooms"], found["players"], found["spectators"], found["newcomers"]) == (2, 6, 4, 4)
    assert found["slowReaders"] == {"there": 2, "cut": 0} and found["lost"] == 0 and found["faults"] == {}
    flips = found["flips"]
    assert flips["done"] == flips["due"] == 10 and flips["refused"] == 0
    # To three players and two spectators; newcomers may see some too.
    assert flips["deliveries"] >= 50 and found["milliseconds"]["flipToMember"]["count"] == flips["deliveries"]
    assert found["milliseconds"]["flipToAnswer"]["count"] == 10
    assert found["reconnect"]["back"] == found["reconnect"]["gone"] == found["reconnect"]["resumed"] == 20


def test_it_speaks_tls_and_trusts_the_given_authority(make_hub, certificate, figures, run):
    hub = make_hub(certificate=certificate)
    hub.start()
    found = figures(f"https://localhost:{hub.port}", "--ca", str(certificate.cert))
    assert found["flips"]["done"] == found["flips"]["due"]
    refused = run("bench", f"https://localhost:{hub.port}", "--rooms", "1", "--seconds", "1")
    assert refused.returncode == 1 and "does not prove that it is localhost" in refused.stderr + refused.stdout


def test_a_limit_that_it_hits_is_named_with_the_option_that_raises_it(make_hub, run):
    # With a trusted proxy, this machine has the same limits as any other.
    hub = make_hub("--trusted-proxy", "192.0.2.1", "--connections-per-address", "5")
    hub.start()
    done = run("bench", f"http://localhost:{hub.port}", "--rooms", "2", "--members", "4", "--seconds", "1")
    assert done.returncode == 1
    assert "rooms could not be opened" in done.stderr and "`--connections-per-address`" in done.stderr


def test_a_hub_that_does_not_answer_is_named(run):
    done = run("bench", "http://127.0.0.1:1", "--rooms", "1", "--seconds", "1")
    assert done.returncode == 1 and "127.0.0.1 port 1 cannot be reached: Connection refused" in done.stdout + done.stderr


@pytest.mark.xdist_group("cluster")
def test_in_a_cluster_each_client_reaches_its_node(binary, served, database, tmp_path, figures):
    cluster = Cluster(binary, served, database, tmp_path)
    try:
        cluster.start()
        nodes = ",".join(node.server.base for node in cluster)

        def passed_on():
            return sum(node.server.metric("node_link_sent_broadcasts_total") for node in cluster)

        for place, goes_over_links in ("together", False), ("spread", True):
            before = passed_on()
            found = figures(nodes, "--place", place)
            assert found["players"] == 6 and found["flips"]["done"] == found["flips"]["due"] == 10 and not found["faults"]
            assert (passed_on() > before) == goes_over_links, place
    finally:
        cluster.end()


def test_a_log_alone_is_measured(database, tmp_path, run):
    for log in f"sqlite:{tmp_path}", database.new():
        done = run("bench", "log", log, "--batch", "3", "--seconds", "1")
        assert done.returncode == 0 and int(done.stdout.split()[0]) > 0, done.stderr
    done = run("bench", "log", "mysql://somewhere")
    assert done.returncode == 1 and "sqlite:FOLDER or postgresql://" in done.stderr


def test_the_games_alone_are_measured(run):
    done = run("bench", "games", "--games", "1", "--plies", "3")
    assert done.returncode == 0 and "leaves a second" in done.stdout, done.stderr

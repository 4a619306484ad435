"""Fixtures of the tests over sockets."""

import pytest

from cluster import Cluster


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    """A page of one line: to read and to join the real one is most of what a hub does at its start. A file whose tests ask
    for the real one has a fixture of this name."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "index.html").write_text("<!doctype html>\n")
    return folder


@pytest.fixture
def complaint(run, served):
    """What a hub that cannot start on a folder says, with status 1."""
    def complaint(folder):
        result = run("serve", "--listen", "127.0.0.1:0", "--data", folder, "--web", served)
        assert result.returncode == 1 and not result.stdout, result
        return result.stderr

    return complaint


@pytest.fixture
def cluster_log(database):
    """Where nodes have their log. A file whose tests ask for another place has a fixture of this name."""
    return database


@pytest.fixture
def cluster(binary, served, cluster_log, tmp_path):
    """Three nodes that serve."""
    cluster = Cluster(binary, served, cluster_log, tmp_path)
    try:
        yield cluster.start()
    finally:
        cluster.end()

"""Fixtures for tests over sockets."""

import pytest

from cluster import Cluster


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    """A page of one line: reading and joining the real one is most of a hub's work at its start. A file whose tests need the
    real one overrides this fixture."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "index.html").write_text("<!doctype html>\n")
    return folder


@pytest.fixture
def complaint(run, served):
    """What a hub that cannot start on a folder prints, with status 1."""
    def complaint(folder):
        result = run("serve", "--listen", "127.0.0.1:0", "--data", folder, "--web", served)
        assert result.returncode == 1 and not result.stdout, result
        return result.stderr

    return complaint


@pytest.fixture
def cluster_log(database):
    """Where nodes have their log. A file whose tests need another place overrides this fixture."""
    return database


@pytest.fixture
def cluster(binary, served, cluster_log, tmp_path):
    """Three running nodes."""
    cluster = Cluster(binary, served, cluster_log, tmp_path)
    try:
        yield cluster.start()
    finally:
        cluster.end()

"""Fixtures of the tests over sockets."""

import pytest

from database import Database


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    """A page of one line: to read and to join the real one is most of what a hub does at its start. A file whose tests ask
    for the real one has a fixture of this name."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "index.html").write_text("<!doctype html>\n")
    return folder


@pytest.fixture(scope="session")
def database():
    """A PostgreSQL server."""
    database = Database()
    yield database
    database.remove()

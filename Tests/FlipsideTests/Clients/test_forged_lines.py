"""Text from outside stays within its line of the log."""

import http.client, json, re

import pytest

from cluster import Cluster, wait_until

FORGED = "2026-01-01T00:00:00.000Z critical hub: all is lost"


@pytest.fixture
def node(binary, served, database, tmp_path):
    """A node that listens for others."""
    cluster = Cluster(binary, served, database, tmp_path, 1)
    try:
        yield cluster.start()[0]
    finally:
        cluster.end()


@pytest.mark.parametrize("hello", [
    {"protocol": "flipside.node.v1", "node": "b\n" + FORGED, "run": "1", "reads": [], "nonce": "00" * 32},
    {"protocol": "x\n" + FORGED}], ids=["node", "protocol"])
def test_a_stranger_at_the_node_port_writes_no_line_of_its_own(node, hello):
    client = http.client.HTTPConnection("127.0.0.1", node.link_port, timeout=20)
    client.request("POST", "/hello", body=json.dumps(hello))
    client.getresponse().read()
    client.request("GET", "/link", headers={"Authorization": "Flipside-Node 00"})
    client.getresponse().read()
    wait_until("a line", lambda: "claims to be a node" in node.logged(), node.logged)
    lines = [line for line in node.logged().splitlines() if "all is lost" in line]
    assert lines and not [line for line in lines if line.startswith(FORGED)], lines
    # Nor does any value end before its closing quote.
    assert all(re.search(r'"[^"]*\\u\{a\}2026[^"]*all is lost[^"]*"', line) for line in lines), lines

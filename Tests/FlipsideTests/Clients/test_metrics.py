"""A hub's metrics after some play, over TLS: checked by Prometheus's own rules, and against what has happened."""

import json, re, shutil, ssl, subprocess

import pytest

from flipside import finish, Page, Server

pytestmark = pytest.mark.xdist_group("metrics")


@pytest.fixture(scope="module")
def text(make_module_hub, certificate):
    """The metrics of a hub with a started game and a spectator, after some refusals to both."""
    server = make_module_hub(certificate=certificate).start()
    old = ssl.create_default_context(cafile=certificate.cert)
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    Server(server.base, old).http("GET", "/healthz")
    finish(play(server), 60)
    return server.http("GET", "/metrics").decode()


async def play(server):
    token, _ = server.register("Ann")
    code = server.open_room(token)
    page, watcher = await Page.join(server, code, token), await Page.join(server, code)
    await page.done("sit")
    await page.done("start")
    await page.done("flip", cell=0)
    assert (await page.command("flip", cell=0))["code"] == "card-is-up"
    assert (await watcher.command("sit"))["code"] == "no-name"
    assert server.refusal("GET", "/api/rooms/wrong")[0] == 404
    for socket in (page.socket, watcher.socket):
        await socket.close()


def samples(text):
    """Each sample by its name and labels, as written."""
    return {name: float(value) for name, value in re.findall(r"^([a-z_]+(?:\{[^}]*\})?) (\S+)$", text, re.M)}


@pytest.fixture
def promtool(root):
    return shutil.which("promtool") or root / ".build/promtool"


def test_promtool_finds_no_fault(promtool, text):
    said = subprocess.run([promtool, "check", "metrics"], input=text, capture_output=True, text=True)
    assert (said.returncode, said.stdout, said.stderr) == (0, "", "")


def test_promtool_parses_the_dashboards_expressions(promtool, root, tmp_path):
    dashboard = json.loads((root / "scripts/grafana-dashboard.json").read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]
    # What Grafana fills in.
    filled = [expression.replace("$__rate_interval", "1m") for expression in asked]
    rules = [{"record": f"asked:{number}", "expr": expression} for number, expression in enumerate(filled)]
    file = tmp_path / "rules.yml"
    # JSON is YAML too.
    file.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))
    said = subprocess.run([promtool, "check", "rules", file], capture_output=True, text=True)
    assert said.returncode == 0 and f"{len(asked)} rules found" in said.stdout, said


@pytest.mark.parametrize("name, count", {
    'flipside_commands_total{command="flip"}': 2, 'flipside_commands_total{command="sit"}': 2,
    'flipside_commands_total{command="say"}': 0, 'flipside_refusals_total{code="card-is-up"}': 1,
    'flipside_refusals_total{code="no-name"}': 1, 'flipside_refusals_total{code="no-such-room"}': 1,
    'flipside_limits_total{limit="messages-per-second"}': 0, "flipside_command_broadcast_seconds_count": 3,
    # Two hellos, and five commands.
    "flipside_received_messages_total": 7, 'flipside_websocket_handshake_seconds_count{transport="tls"}': 2,
    'flipside_websocket_handshake_seconds_count{transport="plain"}': 0,
    'flipside_tls_handshake_seconds_count{version="TLSv1.2"}': 1, "flipside_log_available": 1,
}.items())
def test_events_are_counted(text, name, count):
    assert samples(text)[name] == count


@pytest.mark.parametrize("name", [
    "flipside_log_append_seconds_count", "flipside_log_sync_seconds_sum", "flipside_loop_lag_seconds_count",
    "flipside_received_bytes_total", "flipside_sent_bytes_total", "flipside_sent_messages_total",
    "flipside_command_broadcast_seconds_sum", 'flipside_tls_handshake_seconds_count{version="TLSv1.3"}',
    "process_resident_memory_bytes", "process_open_fds", "process_start_time_seconds",
])
def test_figures_that_cannot_be_zero_are_not(text, name):
    assert samples(text)[name] > 0


def test_buckets_only_grow(text):
    found = samples(text)
    sums = [name for name in found if "_seconds_count" in name]
    assert len(sums) == 8
    for name in sums:
        buckets = [value for bucket, value in found.items() if bucket.startswith(
            name.replace("_count", "_bucket").removesuffix("}") + ("," if "{" in name else "{") + 'le="')]
        assert len(buckets) == 20 and buckets == sorted(buckets) and buckets[-1] == found[name]


def test_no_name_token_or_code_is_shown(text):
    assert "Ann" not in text and set(re.findall(r'(\w+)="', text)) == {
        "command", "code", "limit", "le", "reason", "transport", "version"}

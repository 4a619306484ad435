"""Log lines that nothing takes: play continues while the standard error is full, gone or not read."""

import http.client, json, os, re, signal, subprocess

import pytest

from cluster import wait_until
from flipside import Server


@pytest.fixture
def serve(binary, served, tmp_path):
    """Starts a hub whose standard error is `errors`: the process, and its server."""
    started = []

    def serve(errors, *arguments, **options):
        command = [binary, "serve", "--listen", "127.0.0.1:0", "--data", tmp_path / "data", "--web", served, *arguments]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, **options)
        started.append(process)
        port = re.search(r":(\d+)$", process.stdout.readline().strip())[1]
        return process, Server(f"http://127.0.0.1:{port}")

    yield serve
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()


def dropped(server):
    return int(server.metric("log_lines_dropped_total"))


def plays_on(server):
    return server.open_room(server.register("Ann")[0])


def ends(process):
    process.send_signal(signal.SIGTERM)
    return process.wait(30) == 0


def test_the_reader_has_gone(serve):
    reader, writer = os.pipe()
    process, server = serve(writer)
    os.close(writer)
    os.close(reader)
    process.send_signal(signal.SIGHUP)
    assert plays_on(server)
    wait_until("a line that is dropped", lambda: dropped(server) > 0)
    assert ends(process)


@pytest.mark.parametrize("format", ["text", "json"])
def test_their_disk_is_full(serve, format):
    with open("/dev/full", "w") as full:
        process, server = serve(full, "--log-format", format)
    process.send_signal(signal.SIGHUP)
    assert plays_on(server)
    wait_until("a line that is dropped", lambda: dropped(server) > 0)
    assert ends(process)


def test_no_one_reads_them(serve):
    reader, writer = os.pipe()
    process, server = serve(writer, "--access-log", "on")
    os.close(writer)
    client = http.client.HTTPConnection(server.base.removeprefix("http://"), timeout=20)
    # A pipe holds 64 KiB, and 4,096 lines wait; each request has a line of some hundred bytes.
    for _ in range(10_000):
        client.request("GET", "/api/rooms")
        client.getresponse().read()
    assert plays_on(server)
    assert dropped(server) > 0
    # A reader starts: the next line says how many are missing.
    os.set_blocking(reader, False)
    said = b""

    def has_said():
        nonlocal said
        try:
            said += os.read(reader, 1 << 16)
        except BlockingIOError:
            server.http("GET", "/healthz")
        return b"lines of this log were dropped count=" in said

    wait_until("a line that says so", has_said)
    os.close(reader)
    assert ends(process)


@pytest.mark.parametrize("closed", [[2], [0, 2]])
def test_there_is_no_standard_error(serve, closed):
    process, server = serve(None, preexec_fn=lambda: [os.close(number) for number in closed])
    process.send_signal(signal.SIGHUP)
    assert plays_on(server)
    for number in closed:
        assert os.readlink(f"/proc/{process.pid}/fd/{number}") == "/dev/null"
    assert ends(process)


def test_a_hub_whose_addresses_cannot_be_printed_says_so_and_serves(binary, served, tmp_path):
    with open("/dev/full", "w") as full:
        process = subprocess.Popen(
            [binary, "serve", "--listen", "127.0.0.1:0", "--data", tmp_path / "data", "--web", served], stdout=full,
            stderr=subprocess.PIPE, text=True)
    with process:
        said = process.stderr.readline()
        while "addresses" not in said:
            assert said, "it has ended"
            said = process.stderr.readline()
        assert "No space left on device" in said
        assert ends(process)


@pytest.fixture
def room(serve, tmp_path):
    """Strings that identify a room in a log."""
    process, server = serve(None)
    code = plays_on(server)
    assert ends(process)
    return code, ("--log", f"sqlite:{tmp_path / 'data'}")


def test_output_that_cannot_be_written_is_an_error(room, binary):
    code, log = room
    for arguments in ("replay", code), ("replay", code, "--ndjson"), ("verify",):
        with open("/dev/full", "w") as full:
            ended = subprocess.run([binary, *arguments, *log], stdout=full, stderr=subprocess.PIPE, text=True)
        assert ended.returncode == 1 and "No space left on device" in ended.stderr, (arguments, ended)


def test_a_table_that_cannot_be_written_ends_top(serve, binary):
    process, server = serve(None)
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [binary, "top", "--interval", "0.1", server.base], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert ended.returncode == 1 and "No space left on device" in ended.stderr, ended

"""`flipside top`, on running hubs and on folders without one."""

import http.server, threading

import pytest

ONCE = "top", "--once", "--interval", "0.1"


def test_it_shows_a_hub_by_its_address(run, server):
    said = run(*ONCE, server.base)
    assert said.returncode == 0, said
    assert said.stdout.startswith(f"Flipside at {server.base}\n\nnow           rooms 0   in rooms 0 ")
    assert "log           takes writes" in said.stdout and "\x1b" not in said.stdout


def test_it_shows_the_hub_that_runs_on_a_folder(run, make_hub):
    hub = make_hub("--host-name", "play.example.org")
    hub.start()
    said = run(*ONCE, "--data", hub.folder)
    assert said.returncode == 0 and said.stdout.startswith(f"Flipside at {hub.folder}\n"), said


def test_it_accepts_a_certificate_of_the_named_authority(run, make_hub, certificate):
    server = make_hub(certificate=certificate).start()
    url = server.base.replace("127.0.0.1", "localhost")
    assert "takes writes" in run(*ONCE, "--ca", certificate.cert, url).stdout
    said = run(*ONCE, url)
    assert said.returncode == 1 and "its certificate does not prove that it is localhost" in said.stderr, said


@pytest.mark.parametrize("status, text, sentence", [
    (200, "<!doctype html>", "line 1 of its answer is not in Prometheus' text format"),
    (200, "go_goroutines 7\n", "`flipside_rooms_awake` is missing"),
    (403, "flipside_rooms_awake 1\n", "it answers 403"),
])
def test_it_says_why_there_is_nothing_to_show(run, status, text, sentence):
    with answering(status, text) as url:
        said = run(*ONCE, url)
    assert said.returncode == 1 and sentence in said.stderr, said


def test_it_sends_a_key_if_one_is_required(run, tmp_path):
    key = tmp_path / "key"
    key.write_text("a-key\nand more\n")
    with answering(200, "flipside_rooms_awake 1\n", wanted="Bearer a-key") as url:
        assert "rooms 1 " in run(*ONCE, "--key-file", key, url).stdout
        assert "it answers 401" in run(*ONCE, url).stderr


def test_it_says_that_no_one_answers(run, tmp_path):
    assert "does not answer" in run(*ONCE, "http://127.0.0.1:1").stderr
    assert f"No hub runs on {tmp_path}" in run(*ONCE, "--data", tmp_path).stderr


class answering:
    """A server that gives every request the same answer, if it has the right key."""

    def __init__(self, status, text, wanted=None):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                is_known = wanted in (None, self.headers["Authorization"])
                self.send_response(status if is_known else 401)
                self.send_header("Content-Length", len(text))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever).start()
        return f"http://127.0.0.1:{self.server.server_port}"

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

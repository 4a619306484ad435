"""A hub that cannot start says why in one sentence."""

import os, pathlib, resource, shutil, signal, ssl, subprocess, tempfile

import pytest

from cluster import wait_until


@pytest.fixture
def refusal(run, served, tmp_path):
    """The words of a hub that does not start."""
    def refusal(*arguments):
        result = run("serve", "--listen", "127.0.0.1:0", "--data", tmp_path / "other", "--web", served, *arguments)
        assert result.returncode == 1, result
        return result.stdout + result.stderr

    return refusal


@pytest.mark.parametrize("arguments, sentence", [
    (["--listen", "nonsense"], "an address to listen on"), (["--listen", "[::1:80"], "an address to listen on"),
    (["--tls-cert", "x"], "given together"),
    (["--web", "/nonexistent"], "no index.html"), (["--loops", "0"], "a number from 1"),
    (["--clock", "mine"], "one of log, system"), (["--data", ""], "--data is empty"),
    (["--tls-cert", "/nonexistent", "--tls-key", "/nonexistent"], "cannot be read"),
])
def test_a_bad_option_is_named(refusal, arguments, sentence):
    assert sentence in refusal(*arguments)


def test_a_second_hub_on_the_same_data_is_refused(refusal, hub):
    assert "Another process writes" in refusal("--data", hub.folder)


def test_a_second_hub_on_the_same_port_is_refused(refusal, hub):
    assert "in use" in refusal("--listen", f"127.0.0.1:{hub.port}")


def certificate(folder, *options, ago=None):
    """A certificate for localhost, made `ago` and valid for two days, and its key."""
    pair = folder / "own.pem", folder / "own.key"
    subprocess.run([
        *(["faketime", "-f", ago] if ago else []), "openssl", "req", "-x509", *options, "-nodes", "-days", "2", "-subj",
        "/CN=localhost", "-out", pair[0], "-keyout", pair[1]], check=True, capture_output=True)
    pair[1].chmod(0o600)
    return pair


ELLIPTIC = "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"


@pytest.mark.parametrize("options, sentence", [
    (["-newkey", "rsa:1024"], "has a key that is too short: RSA needs 2,048 bits or more"),
    (["-newkey", "rsa:2048", "-sha1", "-CA", "ca.pem", "-CAkey", "ca.key"],
     "has a signature that is too weak: it needs SHA-256 or better"),
])
def test_a_weak_certificate_is_refused_for_what_is_weak(refusal, tmp_path, monkeypatch, options, sentence):
    monkeypatch.chdir(tmp_path)
    for one, path in zip(certificate(tmp_path, *ELLIPTIC), ("ca.pem", "ca.key")):
        one.rename(path)
    cert, key = certificate(tmp_path, *options)
    assert sentence in refusal("--tls-cert", cert, "--tls-key", key)


def logged(hub):
    """Everything it has logged by the time it stops."""
    hub.kill(signal.SIGTERM)
    return hub.logged()


@pytest.mark.parametrize("ago, words", [
    (None, None), ("-5d", "a certificate has expired: clients refuse it"),
    ("+5d", "a certificate is not valid yet: clients refuse it")])
def test_a_certificate_that_does_not_count_is_named(make_hub, tmp_path, ago, words):
    cert, key = certificate(tmp_path, *ELLIPTIC, ago=ago)
    hub = make_hub("--tls-cert", cert, "--tls-key", key)
    hub.start()
    hub.server.tls.check_hostname, hub.server.tls.verify_mode = False, ssl.CERT_NONE
    end = subprocess.run(["openssl", "x509", "-in", cert, "-noout", "-enddate"], check=True, capture_output=True, text=True)
    assert hub.server.metric("tls_certificate_expiry_seconds") == ssl.cert_time_to_seconds(end.stdout.strip().split("=")[1])
    lines = [line for line in logged(hub).splitlines() if str(cert) in line]
    assert [words in line for line in lines] == ([True] if words else []), lines


def test_a_key_that_any_user_may_read_is_named(make_hub, tmp_path):
    cert, key = certificate(tmp_path, *ELLIPTIC)
    key.chmod(0o644)
    hub = make_hub("--tls-cert", cert, "--tls-key", key, "--log-level", "notice")
    hub.start()
    wait_until("a line", lambda: f'reason="{key} has mode 0644"' in hub.logged(), hub.logged)
    # A key is shared with a group on purpose.
    key.chmod(0o640)
    hub.process.send_signal(signal.SIGHUP)
    wait_until("the certificates", lambda: "certificates read again" in hub.logged(), hub.logged)
    assert logged(hub).count("any user of this machine may read a key: chmod o= would keep them out") == 1


def test_an_unknown_variable_is_named_with_the_nearest(make_hub):
    hub = make_hub()
    hub.environment = os.environ | {"FLIPSIDE_LOPS": "s3cret"}
    hub.start()
    said = logged(hub)
    assert "nearest=FLIPSIDE_LOOPS variable=FLIPSIDE_LOPS" in said and "s3cret" not in said


def test_it_has_a_loop_for_each_processor_that_it_may_use(make_hub):
    hub = make_hub()
    os.sched_setaffinity(0, before := os.sched_getaffinity(0))
    try:
        os.sched_setaffinity(0, {min(before)})
        hub.start()
    finally:
        os.sched_setaffinity(0, before)
    names = [path.read_text().strip() for path in pathlib.Path(f"/proc/{hub.process.pid}/task").glob("*/comm")]
    assert sorted(name for name in names if name.startswith("loop-")) == ["loop-0"]


@pytest.fixture
def poor(binary):
    """Starts a hub as a user without rights and with a limited resource: its status and output, or None if it serves."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="flipside-poor-", dir="/tmp"))
    (folder / "page").mkdir()
    (folder / "page/index.html").write_text("<!doctype html>\n")
    who = {"user": 65534, "group": 65534, "extra_groups": []} if os.getuid() == 0 else {}
    if who:
        os.chown(folder, 65534, 65534)

    def start(limit, value, *arguments):
        process = subprocess.Popen(
            [binary, "serve", "--listen", "127.0.0.1:0", "--data", folder / "data", "--web", folder / "page", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder,
            preexec_fn=lambda: resource.setrlimit(limit, (value, value)), **who)
        with process:
            if process.stdout.readline():
                process.kill()
                return None
            said = [line for line in process.stderr.read().splitlines() if line.startswith("Error: ")]
            return process.wait(60), said

    yield start
    shutil.rmtree(folder)


@pytest.mark.parametrize("count", [16, 64])
def test_too_few_descriptors_are_named(poor, count):
    status, said = poor(resource.RLIMIT_NOFILE, count, "--loops", "2")
    assert status == 1 and said == [
        f"Error: the system lets this process have {count} descriptors, but it needs 133 or more: raise the limit (ulimit -n, or "
        "a unit's LimitNOFILE)"]


@pytest.mark.skipif(os.getuid() != 0, reason="the limit counts all threads of the user, and of root none")
@pytest.mark.parametrize("loops", [1, 3])
def test_too_few_threads_are_named(poor, loops):
    for count in range(2, 40):
        ended = poor(resource.RLIMIT_NPROC, count, "--loops", str(loops))
        if not ended:
            break
        assert ended[0] == 1 and len(ended[1]) == 1 and "no more threads" in ended[1][0], (count, ended)
    assert not ended and count > 4


@pytest.mark.parametrize("megabytes", [200, 300, 400, 600])
def test_too_little_address_space_is_named(poor, megabytes):
    ended = poor(resource.RLIMIT_AS, megabytes << 20, "--loops", "8")
    assert not ended or ended[0] == 1 and len(ended[1]) == 1 and "no more threads" in ended[1][0], ended

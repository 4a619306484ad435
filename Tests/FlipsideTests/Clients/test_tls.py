"""What a hub accepts from TLS clients and what it shows them, tested with `openssl s_client`."""

import http.client, re, signal, ssl, subprocess

import pytest

from flipside import Server, until

KEYS = {"ECDSA": ("ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"), "RSA": ("rsa:2048",)}
# RFC 9325 section 4.2, with both sizes of AES, and ChaCha20 (RFC 7905).
AEAD = [f"ECDHE-{key}-{cipher}" for key in KEYS for cipher in (
    "AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305")]
AEAD_1_3 = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"]
# No AEAD, or no forward secrecy.
OTHERS = [f"ECDHE-{key}-{cipher}" for key in KEYS for cipher in (
    "AES128-SHA", "AES256-SHA", "AES128-SHA256", "AES256-SHA384")] + ["AES128-GCM-SHA256", "AES256-SHA"]


def make_pair(folder, *names, key="ECDSA", subject=None, signed_by=None):
    """A certificate for `names` and its key, signed by another pair or by itself."""
    folder.mkdir(exist_ok=True)
    pair = folder / "cert.pem", folder / "key.pem"
    subprocess.run([
        "openssl", "req", "-x509", "-newkey", *KEYS[key], "-nodes", "-days", "2", "-subj", f"/CN={subject or names[0]}",
        "-addext", "subjectAltName=" + ",".join(f"DNS:{name}" for name in names),
        *(["-CA", signed_by[0], "-CAkey", signed_by[1]] if signed_by else []), "-out", pair[0], "-keyout", pair[1]],
        check=True, capture_output=True)
    return pair


def serving(*pairs):
    """The options for a hub with these pairs."""
    return [word for cert, key in pairs for word in ("--tls-cert", cert, "--tls-key", key)]


def s_client(port, *options):
    return ["openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-brief", *options]


def told(port, *options):
    """What a client with these options prints about its session; None: no session."""
    client = subprocess.run(
        s_client(port, *options), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    assert (client.returncode == 0) == ("CONNECTION ESTABLISHED" in client.stderr), client.stderr
    return client.stderr if client.returncode == 0 else None


def agreed(port, *options):
    """The version and the suite that a client with these options agrees on with the hub; None: no session."""
    said = told(port, *options)
    return said and tuple(re.search(f"{what}: (\\S+)", said)[1] for what in ("Protocol version", "Ciphersuite"))


def shown(port, *options):
    """The owner of the certificate that such a client gets."""
    return re.search("Peer certificate: CN = (.+)", told(port, *options))[1]


@pytest.fixture(scope="module")
def ports(make_module_hub, tmp_path_factory):
    """A hub with a certificate of either kind of key: their ports."""
    folder, ports = tmp_path_factory.mktemp("tls"), {}
    for key in KEYS:
        pair = make_pair(folder / f"{key}-tls", "localhost", key=key)
        hub = make_module_hub(*serving(pair), data=folder / key)
        hub.start()
        ports[key] = hub.port
    return ports


def port_for(ports, suite):
    return ports["ECDSA" if "ECDSA" in suite else "RSA"]


@pytest.mark.parametrize("suite", AEAD)
def test_each_suite_with_authenticated_encryption_is_accepted(ports, suite):
    assert agreed(port_for(ports, suite), "-tls1_2", "-cipher", suite) == ("TLSv1.2", suite)


@pytest.mark.parametrize("suite", AEAD_1_3)
def test_each_suite_of_tls_1_3_is_accepted(ports, suite):
    assert agreed(ports["ECDSA"], "-ciphersuites", suite) == ("TLSv1.3", suite)


@pytest.mark.parametrize("suite", OTHERS)
def test_no_other_suite_is_accepted(ports, suite):
    assert agreed(port_for(ports, suite), "-tls1_2", "-cipher", f"{suite}:@SECLEVEL=0") is None


@pytest.mark.parametrize("version", ["-tls1", "-tls1_1"])
def test_no_older_version_is_accepted(ports, version):
    assert agreed(ports["RSA"], version, "-cipher", "ALL:@SECLEVEL=0") is None


@pytest.mark.parametrize("version, suites", [
    (["-tls1_2", "-cipher"], ["ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-ECDSA-AES128-GCM-SHA256"]),
    (["-ciphersuites"], ["TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_256_GCM_SHA384"]),
])
def test_clients_that_prefer_chacha_get_it_and_others_get_aes(ports, version, suites):
    assert "CHACHA20" in agreed(ports["ECDSA"], *version, ":".join(suites))[1]
    assert "AES" in agreed(ports["ECDSA"], *version, ":".join(reversed(suites)))[1]


def test_no_client_renegotiates(ports):
    # An R on a line of its own starts it; the line disappears when it is refused.
    with subprocess.Popen(
            s_client(ports["RSA"], "-tls1_2"), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True) as client:
        try:
            client.stdin.write("R\n")
            client.stdin.flush()
            assert client.wait(60) != 0
        finally:
            client.kill()
        assert "no renegotiation" in client.stderr.read()


@pytest.fixture
def pairs(tmp_path):
    """Pairs for three names; the last one's CN is a name that its subjectAltName lacks."""
    return [
        make_pair(tmp_path / "first", "localhost"), make_pair(tmp_path / "second", "play.example.org", "example.org"),
        make_pair(tmp_path / "third", "*.example.net", subject="cn.example.com")]


@pytest.fixture
def hub(make_hub, pairs):
    hub = make_hub(*serving(*pairs))
    hub.start()
    return hub


@pytest.mark.parametrize("asked, certificate", [
    (["-noservername"], "localhost"),
    (["-servername", "nobody.example"], "localhost"),
    (["-servername", "play.example.org"], "play.example.org"),
    (["-servername", "PLAY.example.org", "-tls1_2"], "play.example.org"),
    (["-servername", "example.org"], "play.example.org"),
    (["-servername", "other.example.org"], "localhost"),
    (["-servername", "any.example.net"], "cn.example.com"),
    # A wildcard covers one label (RFC 9525 section 6.3), and CN is not a host's name (section 2).
    (["-servername", "one.any.example.net"], "localhost"),
    (["-servername", "example.net"], "localhost"),
    (["-servername", "cn.example.com"], "localhost"),
])
def test_the_certificate_is_that_of_the_name(hub, asked, certificate):
    assert shown(hub.port, *asked) == certificate


async def test_all_certificates_are_read_again_or_none(hub, pairs, tmp_path):
    folders = [cert.parent for cert, _ in pairs]
    key = pairs[1][1].read_text()
    make_pair(folders[0], "localhost", subject="new first")
    pairs[1][1].write_text("no key")
    hub.process.send_signal(signal.SIGHUP)
    await until("a line that says which", lambda: f"{pairs[1][1]} holds no private key" in hub.logged())
    assert shown(hub.port, "-noservername") == "localhost"
    assert shown(hub.port, "-servername", "play.example.org") == "play.example.org"
    pairs[1][1].write_text(key)
    make_pair(folders[2], "*.example.net", subject="new third")
    hub.process.send_signal(signal.SIGHUP)
    await until("the new first", lambda: shown(hub.port, "-noservername") == "new first")
    assert shown(hub.port, "-servername", "any.example.net") == "new third"


@pytest.fixture
def authority(tmp_path):
    return make_pair(tmp_path / "authority", "authority")


@pytest.fixture
def guarded(make_hub, certificate, authority):
    """A hub that asks for certificates."""
    hub = make_hub("--tls-client-ca", authority[0], certificate=certificate)
    hub.start()
    return hub


def ask(hub, certificate, version, client=None):
    """The hub's answer to a client with this certificate."""
    context = ssl.create_default_context(cafile=certificate.cert)
    context.maximum_version = version
    if client:
        context.load_cert_chain(*client)
    return Server(hub.server.base, context).http("GET", "/readyz")


VERSIONS = [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_client_with_a_certificate_of_the_authority_gets_in(guarded, certificate, authority, tmp_path, version):
    client = make_pair(tmp_path / "client", "client", signed_by=authority)
    assert ask(guarded, certificate, version, client) == b"ready\n"


@pytest.mark.parametrize("version", VERSIONS)
def test_a_client_with_another_or_none_does_not(guarded, certificate, tmp_path, version):
    for client in None, make_pair(tmp_path / "stranger", "client"):
        with pytest.raises(OSError):
            ask(guarded, certificate, version, client)


@pytest.mark.parametrize("method, path", [("GET", "/room/abc?v=1"), ("POST", "/api/rooms"), ("HEAD", "/readyz")])
def test_plain_http_is_redirected_to_tls(make_hub, certificate, method, path):
    hub = make_hub("--redirect-http", "127.0.0.1:0", certificate=certificate)
    hub.start()
    port = re.search(r"redirects from http://localhost:(\d+)$", hub.process.stdout.readline().strip())[1]
    plain = http.client.HTTPConnection("127.0.0.1", int(port), timeout=20)
    plain.request(method, path, headers={"Host": "localhost:80"})
    answer = plain.getresponse()
    assert (answer.status, answer.getheader("Location")) == (308, f"https://localhost:{hub.port}{path}")
    assert answer.read() == b""


# The authority's statement, its age, and whether the hub shows it; the last may be the reason why not.
RESPONSES = {
    "good": ("V", "+0d", None),
    "stale": ("V", "-3d", "has expired"),
    "revoked": ("R", "+0d", "does not say that its certificate is good"),
    "none": (None, "+0d", "is not an OCSP response"),
}


def respond(authority, pair, folder, status, ago):
    """The authority states the status of a certificate, valid for two days."""
    beside = pair[0].with_name(pair[0].name + ".ocsp")
    if status is None:
        return beside.write_bytes(b"no response")
    serial = subprocess.run(
        ["openssl", "x509", "-in", pair[0], "-noout", "-serial"], check=True, capture_output=True, text=True)
    revoked = "250101000000Z" if status == "R" else ""
    number = serial.stdout.strip().split("=")[1]
    index = folder / "index.txt"
    index.write_text("\t".join([status, "491231235959Z", revoked, number, "unknown", "/CN=x"]) + "\n")
    subprocess.run([
        "faketime", "-f", ago, "openssl", "ocsp", "-index", index, "-CA", authority[0], "-rsigner", authority[0],
        "-rkey", authority[1], "-issuer", authority[0], "-cert", pair[0], "-respout", beside, "-ndays", "2", "-noverify"],
        check=True, capture_output=True)


def is_stapled(hub):
    client = subprocess.run(
        ["openssl", "s_client", "-connect", f"127.0.0.1:{hub.port}", "-status"], stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=60)
    assert ("Cert Status: good" in client.stdout) != ("OCSP response: no response sent" in client.stdout), client.stdout
    return "Cert Status: good" in client.stdout


@pytest.mark.parametrize("kind", RESPONSES)
async def test_the_authoritys_statement_is_shown_if_it_holds(make_hub, authority, tmp_path, kind):
    status, ago, reason = RESPONSES[kind]
    pair = make_pair(tmp_path / "own", "localhost", signed_by=authority)
    hub = make_hub(*serving(pair))
    hub.start()
    assert not is_stapled(hub) and "OCSP" not in hub.logged()
    respond(authority, pair, tmp_path, status, ago)
    hub.process.send_signal(signal.SIGHUP)
    if reason:
        await until("the reason", lambda: reason in hub.logged())
        assert not is_stapled(hub)
        assert hub.logged().count("OCSP response is not stapled") == 1
    else:
        await until("what the authority says", lambda: is_stapled(hub))

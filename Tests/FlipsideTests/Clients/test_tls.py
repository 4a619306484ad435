"""What a hub takes of clients that speak TLS, asked by `openssl s_client`."""

import re, subprocess

import pytest

KEYS = {"ECDSA": ("ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"), "RSA": ("rsa:2048",)}
# RFC 9325 section 4.2, with both sizes of AES, and ChaCha20 (RFC 7905).
AEAD = [f"ECDHE-{key}-{cipher}" for key in KEYS for cipher in (
    "AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305")]
AEAD_1_3 = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"]
# No AEAD, or no forward secrecy.
OTHERS = [f"ECDHE-{key}-{cipher}" for key in KEYS for cipher in (
    "AES128-SHA", "AES256-SHA", "AES128-SHA256", "AES256-SHA384")] + ["AES128-GCM-SHA256", "AES256-SHA"]


def make_pair(folder, key, name="localhost"):
    """A certificate for `name`, signed by itself, and its key."""
    pair = folder / f"{name}.{key}.pem", folder / f"{name}.{key}.key"
    subprocess.run([
        "openssl", "req", "-x509", "-newkey", *KEYS[key], "-nodes", "-days", "2", "-subj", f"/CN={name}",
        "-addext", f"subjectAltName=DNS:{name}", "-out", pair[0], "-keyout", pair[1]], check=True, capture_output=True)
    return pair


def s_client(port, *options):
    return ["openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-brief", *options]


def agreed(port, *options):
    """The version and the suite that a client with these options agrees on with the hub; None: on none."""
    client = subprocess.run(
        s_client(port, *options), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    version, suite = (re.search(f"{what}: (\\S+)", client.stderr) for what in ("Protocol version", "Ciphersuite"))
    assert (client.returncode == 0) == (version is not None), client.stderr
    return version and (version[1], suite[1])


@pytest.fixture(scope="module")
def ports(make_module_hub, tmp_path_factory):
    """A hub with a certificate of either kind of key: their ports."""
    folder, ports = tmp_path_factory.mktemp("tls"), {}
    for key in KEYS:
        cert, private = make_pair(folder, key)
        hub = make_module_hub("--tls-cert", cert, "--tls-key", private, data=folder / key)
        hub.start()
        ports[key] = hub.port
    return ports


def port_for(ports, suite):
    return ports["ECDSA" if "ECDSA" in suite else "RSA"]


@pytest.mark.parametrize("suite", AEAD)
def test_each_suite_that_is_authenticated_encryption_is_taken(ports, suite):
    assert agreed(port_for(ports, suite), "-tls1_2", "-cipher", suite) == ("TLSv1.2", suite)


@pytest.mark.parametrize("suite", AEAD_1_3)
def test_each_suite_of_tls_1_3_is_taken(ports, suite):
    assert agreed(ports["ECDSA"], "-ciphersuites", suite) == ("TLSv1.3", suite)


@pytest.mark.parametrize("suite", OTHERS)
def test_no_other_suite_is_taken(ports, suite):
    assert agreed(port_for(ports, suite), "-tls1_2", "-cipher", f"{suite}:@SECLEVEL=0") is None


@pytest.mark.parametrize("version", ["-tls1", "-tls1_1"])
def test_no_older_version_is_taken(ports, version):
    assert agreed(ports["RSA"], version, "-cipher", "ALL:@SECLEVEL=0") is None


@pytest.mark.parametrize("options", [
    ("-tls1_2", "-cipher", "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-ECDSA-AES128-GCM-SHA256"),
    ("-ciphersuites", "TLS_CHACHA20_POLY1305_SHA256:TLS_AES_256_GCM_SHA384"),
])
def test_who_prefers_chacha_has_it_and_others_have_aes(ports, options):
    assert "CHACHA20" in agreed(ports["ECDSA"], *options)[1]
    *rest, suites = options
    assert "AES" in agreed(ports["ECDSA"], *rest, ":".join(reversed(suites.split(":"))))[1]


def test_no_client_renegotiates(ports):
    # An R on a line of its own has it begin; it goes when it is refused.
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

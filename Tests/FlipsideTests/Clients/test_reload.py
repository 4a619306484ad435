"""A new certificate on SIGHUP, without a restart."""

import shutil, signal, socket, ssl

import pytest

from flipside import Page, Server, until


@pytest.fixture
def pairs(make_certificate):
    """Two certificates, one for the hub after the other."""
    return make_certificate(), make_certificate()


@pytest.fixture
def own(pairs, tmp_path):
    """The hub's files."""
    shutil.copytree(pairs[0].cert.parent, tmp_path / "tls")
    return type(pairs[0])(tmp_path / "tls/cert.pem", tmp_path / "tls/key.pem")


@pytest.fixture
def hub(make_hub, own):
    hub = make_hub(certificate=own)
    hub.start()
    return hub


@pytest.fixture
def server(hub, pairs):
    trusting = ssl.create_default_context()
    for pair in pairs:
        trusting.load_verify_locations(pair.cert)
    return Server(f"https://localhost:{hub.port}", trusting)


def served(hub):
    """The certificate that a new connection gets."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", hub.port), timeout=20) as plain:
        with context.wrap_socket(plain) as secure:
            return ssl.DER_cert_to_PEM_cert(secure.getpeercert(True)).strip()


def text(pair):
    return pair.cert.read_text().strip()


def reload(hub, own, pair):
    for source, target in zip(pair, own):
        shutil.copy(source, target)
    hub.process.send_signal(signal.SIGHUP)


async def test_new_connections_get_the_new_certificate(hub, own, pairs):
    assert served(hub) == text(pairs[0])
    reload(hub, own, pairs[1])
    await until("the new certificate", lambda: served(hub) == text(pairs[1]))


async def test_open_connections_stay_open(hub, server, own, pairs):
    token, _ = server.register("Ada")
    page = await Page.join(server, server.open_room(token), token)
    reload(hub, own, pairs[1])
    await until("the new certificate", lambda: served(hub) == text(pairs[1]))
    await page.done("sit")


async def test_a_broken_pair_is_refused_and_the_old_one_stays(hub, own, pairs):
    own.key.write_text("no key")
    hub.process.send_signal(signal.SIGHUP)
    await until("a complaint", lambda: "certificate" in hub.logged())
    assert served(hub) == text(pairs[0])
    assert hub.process.poll() is None

"""A new certificate on SIGHUP, without a restart: reload.py BINARY WEB CERTIFICATE KEY OTHER-CERTIFICATE OTHER-KEY."""

import asyncio, os, pathlib, shutil, signal, socket, ssl, sys, tempfile

from flipside import Hub, Page, Server

BINARY, WEB, *FILES = map(os.path.abspath, sys.argv[1:])


def served(port):
    """The certificate that a new connection is shown."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", port), timeout=20) as plain:
        with context.wrap_socket(plain) as secure:
            return ssl.DER_cert_to_PEM_cert(secure.getpeercert(True)).strip()


async def until_served(port, wanted):
    for _ in range(300):
        if (found := served(port)) == wanted:
            return
        await asyncio.sleep(0.02)
    raise AssertionError(found)


async def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        own = [folder / "cert.pem", folder / "key.pem"]
        first, second = (pathlib.Path(FILES[index]).read_text().strip() for index in (0, 2))
        for source, target in zip(FILES[:2], own):
            shutil.copy(source, target)
        hub = Hub(BINARY, str(folder / "data"), "--web", WEB, "--tls-cert", str(own[0]), "--tls-key", str(own[1]))
        hub.start()
        trusting = ssl.create_default_context()
        for pem in (first, second):
            trusting.load_verify_locations(cadata=pem)
        server = Server(f"https://localhost:{hub.port}", trusting)
        try:
            assert served(hub.port) == first
            token, _ = server.register("Ada")
            page = await Page.join(server, server.open_room(token), token)
            for source, target in zip(FILES[2:], own):
                shutil.copy(source, target)
            hub.process.send_signal(signal.SIGHUP)
            await until_served(hub.port, second)
            # Connections that were open go on.
            assert (await page.command("sit"))["type"] == "ok"
            # A pair that is none is refused, and the one before stays.
            own[1].write_text("no key")
            hub.process.send_signal(signal.SIGHUP)
            assert (await page.command("start"))["type"] == "ok"
            for _ in range(20):
                assert served(hub.port) == second
            assert hub.process.poll() is None
        finally:
            hub.kill()


asyncio.run(asyncio.wait_for(main(), 120))

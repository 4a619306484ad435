"""Proxies as processes, each configured as in Running.md, with ports and files filled in."""

import getpass, os, re, socket, subprocess, time, typing


class Setup(typing.NamedTuple):
    """One of the document's configurations."""

    language: str
    # The number among those in this language.
    index: int
    arguments: typing.Callable
    hub_speaks_tls: bool = False
    # Extra lines that a test needs: where they go, and their text.
    more: tuple = ("", "")


SETUPS = {
    "nginx": Setup("nginx", 0, lambda file, folder: [
        "/usr/sbin/nginx", "-p", folder, "-c", file, "-e", "stderr", "-g", f"daemon off; pid {folder}/pid; "
        # Workers of root's server would run as another user, who cannot read a test's folder.
        f"user {getpass.getuser()};"],
        more=("http {", "http { access_log off; " + " ".join(
            f"{name}_temp_path {name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")))),
    "haproxy": Setup("haproxy", 0, lambda file, folder: ["/usr/sbin/haproxy", "-db", "-f", file]),
    "haproxy-tcp": Setup("haproxy", 1, lambda file, folder: ["/usr/sbin/haproxy", "-db", "-f", file], hub_speaks_tls=True),
    "caddy": Setup("caddy", 0, lambda file, folder: ["/usr/bin/caddy", "run", "--adapter", "caddyfile", "--config", file]),
}


class Proxy:
    """A proxy as a process, in a folder of its own."""

    def __init__(self, setup, text, hub, certificate, folder):
        self.folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        pair = folder / "pair.pem"
        pair.write_text(certificate.cert.read_text() + certificate.key.read_text())
        site = "{\nadmin off\nauto_https disable_redirects\n}\n" + (
            f"https://localhost:{self.port} {{\nbind 127.0.0.1\ntls {certificate.cert} {certificate.key}\n")
        for placed, filled in (
            setup.more, ("127.0.0.1:8080", f"127.0.0.1:{hub.port}"), ("bind :443", f"bind 127.0.0.1:{self.port}"),
            ("listen 443", f"listen 127.0.0.1:{self.port}"), ("play.example.org {\n", site),
            ("/etc/ssl/play/cert.pem", str(certificate.cert)), ("/etc/ssl/play/key.pem", str(certificate.key)),
            ("/etc/ssl/play.pem", str(pair)),
        ):
            text = text.replace(placed, filled)
        file = folder / "configuration"
        file.write_text(text)
        environment = os.environ | {name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
        self.log = (folder / "log").open("w")
        self.process = subprocess.Popen(
            setup.arguments(str(file), str(folder)), stdout=self.log, stderr=self.log, env=environment)

    def wait(self):
        """Waits until it accepts connections."""
        for _ in range(600):
            assert self.process.poll() is None, self.logged()
            try:
                return socket.create_connection(("127.0.0.1", self.port), timeout=20).close()
            except ConnectionRefusedError:
                time.sleep(0.05)
        raise AssertionError("the proxy does not listen: " + self.logged())

    def logged(self):
        return (self.folder / "log").read_text()

    def end(self):
        # Its children exit with it.
        self.process.terminate()
        self.process.wait(30)
        self.log.close()


def configuration(root, setup):
    """The configuration in Running.md."""
    document = (root / "Sources/Hub/Hub.docc/Running.md").read_text()
    return re.findall(rf"^```{setup.language}\n(.*?)^```", document, re.M | re.S)[setup.index]

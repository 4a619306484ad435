"""WebSocket handshakes: the hub's processor time for one."""
from hub import Hub, table
from websocket import connect, trusting


def add_options(group):
    group.add_argument("--handshakes-plain", type=int, default=5_000, help="how many (5000)")
    group.add_argument("--handshakes-tls", type=int, default=1_000, help="how many, with TLS 1.3 (1000)")


def run(options):
    table(["handshakes", "hub's µs each"],
          ["plain", measure(options.handshakes_plain, tls=False)],
          ["TLS 1.3", measure(options.handshakes_tls, tls=True)])


def measure(count, tls):
    with Hub(tls=tls) as hub:
        context = trusting(hub.certificate) if tls else None
        for _ in range(50):
            connect(hub.port, "/echo", context).close()
        before = hub.processor_seconds()
        for _ in range(count):
            connect(hub.port, "/echo", context).close()
        return f"{(hub.processor_seconds() - before) / count * 1e6:.1f}"

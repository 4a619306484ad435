"""What all Python tests share: hubs, their certificate, and the order they run in."""

import collections, contextlib, inspect, os, pathlib, random, re, subprocess, sys, typing

import pytest

from database import Database
from flipside import finish, Hub, surroundings

ROOT = pathlib.Path(__file__).parents[2]
# How long an async test may take.
TEST_TIMEOUT = 240


class Certificate(typing.NamedTuple):
    """A certificate for localhost and its key, as PEM files."""

    cert: pathlib.Path
    key: pathlib.Path

    @property
    def options(self):
        """The options that make a hub use it."""
        return "--tls-cert", str(self.cert), "--tls-key", str(self.key)


@pytest.fixture(scope="session")
def root():
    """The project's folder."""
    return ROOT


@pytest.fixture(scope="session")
def web():
    """The page's folder."""
    return ROOT / "web"


@pytest.fixture(scope="session")
def served(web):
    """The folder that hubs serve as their page."""
    return web


@pytest.fixture(scope="session")
def binary():
    """The program under test: FLIPSIDE_BINARY, or the debug build."""
    return os.environ.get("FLIPSIDE_BINARY") or str(ROOT / ".build/debug/flipside")


@pytest.fixture(scope="session")
def database():
    """A PostgreSQL server."""
    database = Database()
    yield database
    database.remove()


@pytest.fixture(scope="session")
def make_certificate(tmp_path_factory):
    """Makes certificates for localhost."""
    def make():
        folder = tmp_path_factory.mktemp("certificate")
        subprocess.run([ROOT / "scripts/dev-cert", folder], check=True, capture_output=True)
        return Certificate(folder / "cert.pem", folder / "key.pem")

    return make


@pytest.fixture(scope="session")
def certificate(make_certificate):
    """A certificate for localhost."""
    return make_certificate()


@contextlib.contextmanager
def hubs_in(folder, binary, served):
    """Yields a function that makes hubs, with data and logs in `folder`; they end with the context."""
    hubs = []

    def make(*options, data=folder / "data", certificate=None):
        options += certificate.options if certificate else ()
        log = folder / f"hub-{len(hubs)}.log"
        hubs.append(Hub(binary, str(data), "--web", str(served), *map(str, options), log=log))
        return hubs[-1]

    yield make
    for hub in hubs:
        hub.end()
        # pytest shows this output only if the test failed.
        sys.stderr.write(hub.logged())


@pytest.fixture
def make_hub(binary, served, tmp_path):
    """Makes hubs that are not started yet, on ports that the system chooses. They end with the test, however it ends; if it
    failed, their logs are shown."""
    with hubs_in(tmp_path, binary, served) as make:
        yield make


@pytest.fixture(scope="module")
def make_module_hub(binary, served, tmp_path_factory):
    """Makes hubs that all tests of a file share."""
    with hubs_in(tmp_path_factory.mktemp("hub"), binary, served) as make:
        yield make


@pytest.fixture(scope="session")
def make_session_hub(binary, served, tmp_path_factory):
    """Makes hubs that all tests of a worker share."""
    with hubs_in(tmp_path_factory.mktemp("hub"), binary, served) as make:
        yield make


@pytest.fixture
def hub(make_hub):
    """A running hub. A file whose tests need another one, or share one, overrides this fixture."""
    hub = make_hub()
    hub.start()
    return hub


@pytest.fixture
def server(hub):
    """The address of that hub."""
    return hub.server


@pytest.fixture
def run(binary):
    """Runs the program with other arguments, until it ends."""
    def run(*arguments, **options):
        options = {"env": surroundings()} | options
        return subprocess.run([binary, *map(str, arguments)], capture_output=True, text=True, timeout=60, **options)

    return run


@pytest.fixture
def chance(request):
    """The random source of a random test; prints its seed, which --seed accepts."""
    seed = request.config.getoption("seed")
    seed = random.randrange(2**32) if seed is None else seed
    print("seed", seed)
    return random.Random(seed)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Runs an async test."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    finish(pyfuncitem.obj(**arguments), TEST_TIMEOUT)
    return True


def pytest_addoption(parser):
    parser.addoption("--seed", type=int, help="what random tests print when they fail")
    parser.addoption("--filter", type=re.compile, help="run the tests whose file or name this regular expression finds")


def pytest_collection_modifyitems(config, items):
    """Selects the requested tests, and starts the longest first, so that none is left alone at the end."""
    wanted, with_long = config.getoption("filter") or re.compile(""), os.environ.get("FLIPSIDE_LONG_TESTS")
    chosen = [item for item in items if wanted.search(item.nodeid) and (with_long or not item.get_closest_marker("long"))]
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = alternating(chosen)
    items.sort(key=seconds, reverse=True)
    # A worker holds two tests at a time, so each of the longest is followed by a short one.
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 1))
    longest, others = items[:workers], items[workers:]
    items[:] = longest + others[-workers:] + others[:-workers]


def alternating(items):
    """Tests in browsers compute, and most others wait: their files alternate, so that the processors are busy to the end."""
    begins, counts = {}, collections.Counter()
    for item in items:
        begins.setdefault(item.path, counts[item.path.parent])
        counts[item.path.parent] += 1
    return sorted(items, key=lambda item: begins[item.path] / counts[item.path.parent])


def seconds(item):
    mark = item.get_closest_marker("seconds")
    return mark.args[0] if mark else 0

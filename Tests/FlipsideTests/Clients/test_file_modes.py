"""Who may read the files of a hub."""

import contextlib, os, signal, stat

import pytest

from flipside import until
from table import Table


def modes(data):
    found = {}
    for path in data.iterdir():
        # A draft may have been renamed in the meantime.
        with contextlib.suppress(FileNotFoundError):
            found[path.name] = stat.S_IMODE(path.stat().st_mode)
    return found


@pytest.fixture
def serve(make_hub, run):
    """Runs a hub on `data`, in play, until it is stopped; returns the modes of all files it made, and its warnings about its
    folder."""
    async def serve(data, umask):
        hub = make_hub(data=data)
        # The test made the log file itself.
        hub.log.touch()
        before = os.umask(umask)
        try:
            server = hub.start()
        finally:
            os.umask(before)
        table = await Table.begin(server, players=1, theme="numbers", columns=2, rows=3)
        await until("a sign of life", (data / "alive").exists)
        found = modes(data)
        assert {"log.sqlite", "log.sqlite-wal", "log.sqlite-shm", "alive", "operator"} <= set(found), found
        # The user who runs the hub can read alongside it.
        for arguments in (["verify"], ["replay", table.code]):
            said = run(*arguments, "--data", data)
            assert said.returncode == 0 and "All holds" in said.stdout, said
        hub.kill(signal.SIGTERM)
        return found | modes(data), [line for line in hub.logged().splitlines() if "data folder" in line]

    return serve


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o277, 0o777], ids=oct)
async def test_every_file_is_only_for_the_hubs_user(serve, tmp_path, umask):
    data = tmp_path / "data"
    found, said = await serve(data, umask)
    assert set(found.values()) == {0o600}, found
    assert stat.S_IMODE(data.stat().st_mode) == 0o700 and said == [], (data.stat(), said)


@pytest.mark.seconds(8)
async def test_files_that_others_may_read_are_named_at_the_start(serve, tmp_path):
    """As left by a hub that made its files for everyone, in a folder that someone else made."""
    data = tmp_path / "data"
    await serve(data, 0)
    for path in data.iterdir():
        path.chmod(0o644)
    (data / "tls").mkdir(0o755)
    (data / "tls").chmod(0o755)
    (data / "backup.sqlite").write_text("not the hub's")
    (data / "backup.sqlite").chmod(0o644)
    data.chmod(0o755)
    old = sorted(name for name in modes(data) if name not in ("tls", "backup.sqlite"))
    found, said = await serve(data, 0)
    assert {name: found.pop(name) for name in ("tls", "backup.sqlite")} == {"tls": 0o755, "backup.sqlite": 0o644}
    assert set(found.values()) == {0o600}, found
    for path, mode, help in [(data, "0755", "chmod 700"), (data / "backup.sqlite", "0644", "chmod 600")]:
        assert any({f"path={path}", f"mode={mode}"} <= set(line.split()) and help in line for line in said), said
    for name in old:
        assert any(f"path={data / name}" in line.split() and "0600 now" in line for line in said), (name, said)
    assert len(said) == 2 + len(old), said
    # Files that it has fixed are not named again.
    _, said = await serve(data, 0)
    assert len(said) == 2, said

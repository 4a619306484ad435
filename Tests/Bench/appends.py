"""Appends of one node compared with pgbench: the same statement, rows and batches on one server, in turn."""
import os
import re
import statistics
import subprocess
import tempfile

from hub import PROGRAM, table

# The session settings that the log uses and plans depend on (DatabaseSchema.swift), and the class of its locks there.
SETTINGS = "-c enable_seqscan=off -c enable_bitmapscan=off -c enable_sort=off -c jit=off"
LOCK_CLASS = 0x464C_4950
SHOWN = b'{"v":1234,"t":1764000000000,"type":"show-card","cell":17,"face":"21","seat":0}'
# The server accepts any hash for the one before, so nothing needs computing where pgbench could not.
HASH = bytes(range(32))
# Values are sent with each call, like the log's. A stream's name is part of the statement.
VALUES = {"v": 1, "id": b"0123456789abcdef/f12", "head": HASH, "time": 1_764_000_000_000, "shown": SHOWN}
CALL = """SELECT * FROM flipside.append(:id::bytea || int8send(:v), ARRAY['\\x{name}'::bytea], ARRAY[:v::bigint], \
ARRAY[:head::bytea], ARRAY[1::bigint], ARRAY[:time::bigint], ARRAY['show-card'], ARRAY[:shown::bytea], \
ARRAY[NULL::bytea], ARRAY[:head::bytea]);"""


def run(server, batches, seconds, rounds):
    rows = [["commits in a transaction", "pgbench a second", "one node's log", "of it", "lowest", "highest",
             "µs a commit: pgbench, server", "the log, server"]]
    for batch in batches:
        address = server.new()
        name = re.search(r"/(\w+)\?", address)[1]
        bare, ours = [], []
        for number in range(rounds):
            # The log creates the tables.
            ours.append(measured(server, name, lambda: log(address, batch, seconds)))
            bare.append(measured(server, name, lambda: pgbench(server, name, batch, seconds, number)))
        ratios = [one[0] / other[0] for one, other in zip(ours, bare)]
        (there, *them), (here, *us) = ([statistics.median(column) for column in zip(*all)] for all in (bare, ours))
        rows.append([batch, f"{there:.0f}", f"{here:.0f}", f"{statistics.median(ratios):.0%}", f"{min(ratios):.0%}",
                     f"{max(ratios):.0%}", *(", ".join(f"{cost:.0f}" for cost in costs) for costs in (them, us))])
    table(*rows)


def measured(server, database, work):
    """What `work` prints, commits a second, and the processor time for each commit, in µs: the client's, the server's."""
    def state():
        spent = os.times()
        try:
            count = server.sql("SELECT sum(version) FROM flipside.streams", database)
        except subprocess.CalledProcessError:
            # The table does not exist yet.
            count = ""
        return int(count or 0), spent.children_user + spent.children_system, server.processor_seconds()

    before = state()
    rate = work()
    count, client, backend = (after - one for after, one in zip(state(), before))
    return rate, client / count * 1e6, backend / count * 1e6


def log(address, batch, seconds):
    done = subprocess.run(
        [PROGRAM, "bench", "log", address, "--batch", str(batch), "--seconds", str(seconds)],
        capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"The log was not appended to: {done.stderr}")
    return int(done.stdout.split()[0])


def pgbench(server, database, batch, seconds, number):
    """One connection with prepared statements, which sends a transaction as a whole before it waits."""
    names = [f"bench/{number:05}{room:06}".encode().hex() for room in range(batch)]
    server.sql("INSERT INTO flipside.streams (name, version, head) VALUES "
               + ",".join(f"('\\x{name}', 1, '\\x{HASH.hex()}')" for name in names), database)
    key = server.sql("SELECT to_regnamespace('flipside')::oid::int8", database)
    lines = ["\\startpipeline", "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;",
             f"SELECT flipside.enter('\\x{b'bench'.hex()}'::bytea, {LOCK_CLASS}, {key});",
             *(CALL.format(name=name) for name in names), "COMMIT;", "\\endpipeline", "\\set v :v + 1"]
    values = [f"-D{name}=" + (f"\\x{value.hex()}" if isinstance(value, bytes) else str(value))
              for name, value in VALUES.items()]
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write("\n".join(lines) + "\n")
        script.flush()
        done = subprocess.run(
            [server.bin / "pgbench", "-n", "-M", "prepared", "-c", "1", "-T", str(seconds + 1), "-P", "1", *values,
             "-f", script.name, "-h", server.folder, "-U", "flipside", database], check=True, capture_output=True,
            text=True, env={**os.environ, "PGOPTIONS": SETTINGS})
    # A line a second; the first one includes the preparation.
    rates = re.findall(r"^progress: .*? ([\d.]+) tps", done.stderr, re.MULTILINE)[1:]
    written = int(server.sql(f"SELECT version FROM flipside.streams WHERE name = '\\x{names[0]}'", database)) - 1
    if not rates or written < sum(map(float, rates)) * 0.9:
        raise SystemExit(f"pgbench did not append:\n{done.stdout}{done.stderr}")
    return statistics.mean(map(float, rates)) * batch

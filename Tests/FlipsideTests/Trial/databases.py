"""A PostgreSQL server and its synchronous replica, which takes over if the first is lost."""

import asyncio, os, pathlib, pwd, shutil, signal, time

from network import Place, run

PROGRAMS = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))
# Only processes fail here, not the machine: what they have written stays.
SETTINGS = """
listen_addresses = '*'
unix_socket_directories = ''
max_connections = 80
fsync = off
wal_keep_size = '256MB'
# How soon a replica that has lost its primary tries again: commits wait for that.
wal_retrieve_retry_interval = '200ms'
"""


class Server:
    """One server, with its files."""

    def __init__(self, number, folder):
        self.place = Place(f"database-{number}", f"10.77.0.{20 + number}")
        self.data, self.log = folder / f"postgresql-{number}", folder / f"postgresql-{number}.log"
        self.log.touch()
        # It refuses to run as root.
        self.user = pwd.getpwnam("postgres")
        os.chown(self.log, self.user.pw_uid, self.user.pw_gid)
        self.clear()

    def clear(self):
        """Leaves it with an empty folder."""
        shutil.rmtree(self.data, ignore_errors=True)
        self.data.mkdir(mode=0o700)
        os.chown(self.data, self.user.pw_uid, self.user.pw_gid)

    def run(self, program, *arguments):
        as_server = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        return run(*self.place.command(*as_server, PROGRAMS / program, *arguments))

    def control(self, *arguments):
        return self.run("pg_ctl", "-D", self.data, "-w", "-t", "50", "-l", self.log, *arguments)

    def sql(self, statement):
        return run(PROGRAMS / "psql", "-h", self.place.address, "-U", "flipside", "-d", "postgres", "-Atqc", statement)

    def kill_one(self):
        """Kills one of its processes: the others exit, and it restarts, as after any crash."""
        postmaster = int((self.data / "postmaster.pid").read_text().split()[0])
        children = pathlib.Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        writers = [int(pid) for pid in children if b"background writer" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()]
        os.kill(writers[0], signal.SIGKILL)


class Databases:
    def __init__(self, folder):
        self.primary, self.replica = Server(1, folder), Server(2, folder)
        self.servers = [self.primary, self.replica]
        hosts = ",".join(f"{server.place.address}:5432" for server in self.servers)
        # The network belongs to the trial, and the servers have no certificates.
        self.address = f"postgresql://flipside@{hosts}/postgres?sslmode=disable"

    def begin(self):
        options = ["-A", "trust", "-U", "flipside", "-E", "UTF8", "--no-locale", "--no-sync"]
        self.primary.run("initdb", "-D", self.primary.data, *options)
        with (self.primary.data / "postgresql.conf").open("a") as settings:
            settings.write(SETTINGS)
        with (self.primary.data / "pg_hba.conf").open("a") as access:
            access.write("host all all 10.77.0.0/24 trust\nhost replication all 10.77.0.0/24 trust\n")
        self.primary.control("start")
        self.follow()

    def follow(self):
        """Makes the second server a fresh replica of the first; from then on commits wait for it."""
        self.replica.clear()
        source = f"host={self.primary.place.address} user=flipside application_name=replica"
        self.replica.run("pg_basebackup", "-D", self.replica.data, "-d", source, "-R", "-c", "fast", "--no-sync")
        # As the first, it waits for no replica until there is another one.
        with (self.replica.data / "postgresql.auto.conf").open("a") as settings:
            settings.write("synchronous_standby_names = ''\n")
        self.replica.control("start")
        self.primary.sql("ALTER SYSTEM SET synchronous_standby_names = 'replica'")
        self.primary.sql("SELECT pg_reload_conf()")
        self.wait_synchronous()

    def wait_synchronous(self, seconds=30):
        """Waits until everything that was acknowledged is on both."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.primary.sql("SELECT sync_state FROM pg_stat_replication") == "sync":
                return
            time.sleep(0.1)
        raise RuntimeError("the replica never followed")

    def promote(self):
        """The first is gone: the replica takes over."""
        self.replica.control("promote")
        self.primary, self.replica = self.replica, self.primary

async def in_thread(function, *arguments):
    """Runs a blocking function alongside the clients."""
    return await asyncio.get_running_loop().run_in_executor(None, function, *arguments)

"""A PostgreSQL server for tests: in a folder, on a socket inside it, and gone with the process that started it."""

import os, pathlib, pwd, shutil, subprocess, tempfile, time


def programs():
    """The folder of the newest server's programs, 15 or later; None if there is none."""
    root = pathlib.Path("/usr/lib/postgresql")
    versions = [int(folder.name) for folder in root.glob("*") if folder.name.isdigit() and int(folder.name) >= 15]
    return root / str(max(versions)) / "bin" if versions else None


class Database:
    def __init__(self, source=None, is_synced=False):
        """`source`: the server it is a replica of, which does not wait for it. With `is_synced` it survives a power cut."""
        self.bin = programs()
        assert self.bin, "no PostgreSQL server is installed: scripts/setup --tests installs one"
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="flipside-pg-", dir="/tmp"))
        # The server refuses to run as root.
        self.user = pwd.getpwnam("postgres") if os.getuid() == 0 else None
        if self.user:
            os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
        data = ["-D", self.folder / "data"]
        if source:
            self.run("pg_basebackup", *data, "-d", f"host={source.folder} user=flipside", "-R", "-c", "fast", "--no-sync")
        else:
            self.run("initdb", *data, "-A", "trust", "-U", "flipside", "-E", "UTF8", "--no-locale", "--no-sync")
        self.is_synced = is_synced
        self.start()
        self.count = 0

    def run(self, program, *arguments):
        who = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}
        subprocess.run([self.bin / program, *map(str, arguments)], check=True, cwd=self.folder, stdout=subprocess.DEVNULL, **who)

    def start(self):
        options = f"-c listen_addresses= -c unix_socket_directories={self.folder} -c max_connections=200"
        options += "" if self.is_synced else " -c fsync=off"
        self.run("pg_ctl", "-D", self.folder / "data", "-w", "-l", self.folder / "log", "-o", options, "start")

    def stop(self, mode="immediate"):
        self.run("pg_ctl", "-D", self.folder / "data", "-w", "-m", mode, "stop")

    def remove(self):
        if (self.folder / "data" / "postmaster.pid").exists():
            self.stop()
        shutil.rmtree(self.folder)

    def sql(self, statement, database="postgres"):
        """What psql prints, unformatted."""
        command = ["psql", "-h", self.folder, "-U", "flipside", "-d", database, "-Atqc", statement]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def new(self):
        """The address of an empty database."""
        self.count += 1
        self.sql(f"CREATE DATABASE games{self.count}")
        return f"postgresql://flipside@/games{self.count}?host={self.folder}"

    @staticmethod
    def name(address):
        """The database's name in such an address."""
        return address.split("/")[3].split("?")[0]


class ReplicatedDatabase:
    """A server and its asynchronous replica, which can be held back and then take over."""

    def __init__(self):
        self.primary = Database()
        self.replica = Database(self.primary)

    def new(self):
        """The address of an empty database, on whichever of the two accepts writes."""
        name = Database.name(self.primary.new())
        return f"postgresql://flipside@/{name}?host={self.primary.folder},{self.replica.folder}"

    def hold_back(self):
        """Everything written so far is on the replica; later writes do not reach it."""
        place = self.primary.sql("SELECT pg_current_wal_flush_lsn()")
        self.wait(f"pg_last_wal_replay_lsn() >= '{place}'")
        self.replica.sql("ALTER SYSTEM SET primary_conninfo = ''")
        self.replica.sql("SELECT pg_reload_conf()")
        self.wait("NOT EXISTS (SELECT FROM pg_stat_wal_receiver)")

    def wait(self, condition, seconds=30):
        """Waits until the condition holds on the replica."""
        end = time.monotonic() + seconds
        while self.replica.sql(f"SELECT {condition}") != "t":
            assert time.monotonic() < end, f"never came: {condition}"
            time.sleep(0.05)

    def fail_over(self):
        self.primary.stop("immediate")
        self.replica.run("pg_ctl", "-D", self.replica.folder / "data", "-w", "promote")

    def remove(self):
        self.replica.remove()
        self.primary.remove()

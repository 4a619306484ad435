"""A PostgreSQL server of the tests' own: in a folder, on a socket in it, gone with the process that started it."""

import os, pathlib, pwd, shutil, subprocess, tempfile


def programs():
    """The folder of the newest server's programs, 15 or later; None where there is none."""
    root = pathlib.Path("/usr/lib/postgresql")
    versions = [int(folder.name) for folder in root.glob("*") if folder.name.isdigit() and int(folder.name) >= 15]
    return root / str(max(versions)) / "bin" if versions else None


class Database:
    def __init__(self):
        self.bin = programs()
        assert self.bin, "no PostgreSQL server is installed: scripts/setup --tests installs one"
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="flipside-pg-", dir="/tmp"))
        # The server refuses to run as root.
        self.user = pwd.getpwnam("postgres") if os.getuid() == 0 else None
        if self.user:
            os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
        self.run("initdb", "-D", self.folder / "data", "-A", "trust", "-U", "flipside", "-E", "UTF8", "--no-locale", "--no-sync")
        self.start()
        self.count = 0

    def run(self, program, *arguments):
        who = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}
        subprocess.run([self.bin / program, *map(str, arguments)], check=True, cwd=self.folder, stdout=subprocess.DEVNULL, **who)

    def start(self):
        options = f"-c listen_addresses= -c unix_socket_directories={self.folder} -c fsync=off -c max_connections=200"
        self.run("pg_ctl", "-D", self.folder / "data", "-w", "-l", self.folder / "log", "-o", options, "start")

    def stop(self, mode="immediate"):
        self.run("pg_ctl", "-D", self.folder / "data", "-w", "-m", mode, "stop")

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder)

    def sql(self, statement, database="postgres"):
        """What psql prints, without decoration."""
        command = ["psql", "-h", self.folder, "-U", "flipside", "-d", database, "-Atqc", statement]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def new(self):
        """The address of a database that holds nothing."""
        self.count += 1
        self.sql(f"CREATE DATABASE games{self.count}")
        return f"postgresql://flipside@/games{self.count}?host={self.folder}"

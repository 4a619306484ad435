"""Fills the disk under a hub in the middle of a game, and makes room again: full_disk.py BINARY WEB.

The hub runs in a mount namespace of its own, where its data is a small file system in memory; status 77 where the system
allows no such thing."""

import asyncio, json, os, subprocess, sys, tempfile, urllib.error

from flipside import Hub, Page

BINARY, WEB = map(os.path.abspath, sys.argv[1:])


class SmallDiskHub(Hub):
    """Runs on a disk of a few MiB, which this process reaches through the hub's root folder in /proc."""

    SIZE = 4 << 20

    def command(self):
        mount = f"mount -t tmpfs -o size={self.SIZE} none {self.folder} && exec \"$@\""
        return ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, "sh", *super().command()]

    @property
    def filler(self):
        return f"/proc/{self.process.pid}/root{self.folder}/filler"

    def fill(self):
        with open(self.filler, "wb", buffering=0) as file:
            for size in (1 << 16, 1 << 12, 1):
                try:
                    while True:
                        file.write(bytes(size))
                except OSError:
                    pass


def status(server, path):
    try:
        server.http("GET", path)
        return 200
    except urllib.error.HTTPError as error:
        return error.code


async def until_status(server, path, wanted):
    """Readiness follows the log's own checks: it is asked until it says so."""
    for _ in range(300):
        if (found := status(server, path)) == wanted:
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"{path} answers {found}, not {wanted}")


async def refused_until_full(hub, page):
    """Chat of events until the log takes no more: the first refusal."""
    hub.fill()
    for turn in range(2_000):
        answer = await page.command("options", options={"turnTime": 5 + turn % 2})
        if answer["type"] == "error":
            return answer
    raise AssertionError("the disk is full and the hub still writes")


async def main():
    with tempfile.TemporaryDirectory() as folder:
        hub = SmallDiskHub(BINARY, folder, "--web", WEB)
        server = hub.start()
        try:
            token, _ = server.register("Ada")
            code = server.open_room(token, theme="numbers", columns=2, rows=3, turnTime=0)
            page, watcher = await Page.join(server, code, token), await Page.join(server, code)
            assert (await page.command("sit"))["type"] == "ok"
            answer = await refused_until_full(hub, page)
            assert answer["code"] == "log-unavailable", answer
            await until_status(server, "/readyz", 503)
            assert status(server, "/healthz") == 200
            # Rows are written once a second: by now that has failed, too.
            await asyncio.sleep(2.5)
            # Watching and reading go on: the page, the list, the log, a late joiner, a resume.
            for path in ("/", "/api/rooms", f"/api/rooms/{code}", f"/api/rooms/{code}/log"):
                assert status(server, path) == 200, path
            late = await Page.join(server, code, token, after=1)
            assert late.welcome["type"] == "resume", late.welcome
            before = len(server.log(code))
            assert (await page.command("start"))["code"] == "log-unavailable"
            os.remove(hub.filler)
            await until_status(server, "/readyz", 200)
            # Without a restart, on the same connections, with nothing lost and nothing that was refused.
            assert (await page.command("start"))["type"] == "ok"
            assert len(server.log(code)) == before + 2
            for cell in (0, 1):
                assert (await page.command("flip", cell=cell))["type"] == "ok"
            seen = [event["v"] for _, event in watcher.events]
            while not seen or seen[-1] < before + 4:
                await watcher.next()
                seen = [event["v"] for _, event in watcher.events]
            assert seen == list(range(seen[0], seen[0] + len(seen))), seen
            verdict = subprocess.run(
                ["nsenter", "--user", "--mount", "--preserve-credentials", "-t", str(hub.process.pid), BINARY, "verify",
                 "--data", folder], capture_output=True, text=True)
            assert verdict.returncode == 0 and "All holds" in verdict.stdout, verdict
        finally:
            hub.kill()


if subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "true"], capture_output=True).returncode:
    sys.exit(77)
asyncio.run(asyncio.wait_for(main(), 120))

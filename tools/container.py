"""The container file is built and started, where containers are to be had.

    python -m tools.container

Builds the image, makes an office in a volume of its own, starts the site as the image does, asks
it for a page and for its health, does what waits by the worker's command, and takes all of it away.
With neither podman nor docker, or without their daemon, it says so and ends with 2.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parent.parent
_PATIENCE = 120


def engine() -> str | None:
    """The program that runs containers here; None: there is none that works."""
    for name in ("podman", "docker"):
        if shutil.which(name):
            asked = subprocess.run([name, "info"], capture_output=True, check=False)
            if asked.returncode == 0:
                return name
    return None


def main() -> int:
    """The command."""
    name = engine()
    if name is None:
        print("No containers here: neither podman nor docker works.", file=sys.stderr)
        return 2
    mark = f"ratingbook-{os.getpid()}"
    volume = ("--volume", f"{mark}:/srv/office")

    def do(*command: str) -> str:
        done = subprocess.run([name, *command], check=True, capture_output=True, text=True)
        return done.stdout.strip()

    subprocess.run(
        [name, "build", "--file", "Containerfile", "--tag", mark, "."], cwd=ROOT, check=True
    )
    try:
        do("volume", "create", mark)
        office = ("run", "--rm", *volume, mark, "ratingbook", "office")
        do(*office, "init", "--as", "tina")
        do("run", "--detach", "--name", mark, *volume, "--publish", "127.0.0.1::8000", mark)
        at = do("port", mark, "8000").splitlines()[0]
        assert "<h1" in _page(f"http://{at}/")
        assert json.loads(_page(f"http://{at}/status.json"))
        # The health is asked for by the command that the image names.
        health = json.loads(do("image", "inspect", mark))[0]
        said = health.get("Healthcheck") or health["Config"]["Healthcheck"]
        do("exec", mark, *said["Test"][1:])
        assert do("exec", mark, "id", "-u") == "10001"
        do("exec", mark, "ratingbook", "office", "work", "--once")
        begun = time.monotonic()
        do("stop", "--time", "30", mark)
        assert time.monotonic() - begun < 30, "the server does not end when it is told to"
    finally:
        for gone in (("rm", "--force", mark), ("volume", "rm", mark), ("rmi", mark)):
            with suppress(subprocess.CalledProcessError):
                do(*gone)
    print("The image is built, and its office is served.")
    return 0


def _page(address: str) -> str:
    begun = time.monotonic()
    while True:
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                return str(answer.read().decode())
        except OSError:
            if time.monotonic() - begun > _PATIENCE:
                raise
            time.sleep(0.5)


if __name__ == "__main__":
    sys.exit(main())

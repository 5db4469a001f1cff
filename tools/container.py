"""The container file is built and started, where containers are to be had.

    python -m tools.container

Builds the image, makes an office in a volume of its own, starts the site as the image does, with
nothing to write into but its volumes and `/tmp`, asks it for a page, its style sheet and its
health, does what waits by the worker's command, and ends both as the units do.  All of it is
taken away but the layers that the engine keeps for the next build.  With neither podman nor
docker, or without their daemon, it says so and ends with 2.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parent.parent
_PATIENCE = 120
_END_SECONDS = 30


def engine() -> str | None:
    """The program that runs containers here; None: there is none that works."""
    for name in ("podman", "docker"):
        if shutil.which(name):
            asked = subprocess.run([name, "info"], capture_output=True, check=False)
            if asked.returncode == 0:
                return name
    return None


def building(name: str, tag: str) -> list[str]:
    """The command that builds the image."""
    # podman leaves the health out of an image of its own format; docker knows the other alone.
    form = ["--format", "docker"] if name == "podman" else []
    return [name, "build", *form, "--file", "Containerfile", "--tag", tag, "."]


def main() -> int:
    """The command."""
    name = engine()
    if name is None:
        print("No containers here: neither podman nor docker works.", file=sys.stderr)
        return 2
    mark = f"ratingbook-{os.getpid()}"
    site, work, cache = f"{mark}-site", f"{mark}-work", f"{mark}-cache"
    places = ("--volume", f"{mark}:/srv/office", "--volume", f"{cache}:/var/cache/ratingbook")
    inside = ("--read-only", "--tmpfs", "/tmp", "--cap-drop", "all", *places)

    def do(*command: str) -> str:
        done = subprocess.run([name, *command], stdout=subprocess.PIPE, text=True, check=True)
        return done.stdout.strip()

    subprocess.run(building(name, mark), cwd=ROOT, check=True)
    try:
        do("volume", "create", mark)
        do("volume", "create", cache)
        do("run", "--rm", *inside, mark, "ratingbook", "office", "init", "--as", "tina")
        do("run", "--detach", "--name", site, *inside, "--publish", "127.0.0.1::8000", mark)
        worker = (mark, "ratingbook", "office", "work")
        do("run", "--detach", "--name", work, *inside, "--no-healthcheck", *worker)
        at = f"http://{do('port', site, '8000').splitlines()[0]}"
        page = _page(f"{at}/")
        assert "<h1" in page
        style = re.search(r'"(/static/[^"]+\.css)"', page)
        assert style
        assert ":root" in _page(at + style[1])
        assert json.loads(_page(f"{at}/status.json"))["is_well"]
        # The health is asked for by the command that the image names.
        health = json.loads(do("image", "inspect", mark))[0]
        said = health.get("Healthcheck") or health["Config"]["Healthcheck"]
        do("exec", site, *said["Test"][1:])
        assert do("exec", site, "id", "-u") == "10001"
        # What is compiled outlasts the container.
        do("exec", site, "touch", "/var/cache/ratingbook/tried")
        do("exec", site, "ratingbook", "office", "work", "--once")
        for each in (site, work):
            begun = time.monotonic()
            do("stop", "--time", str(_END_SECONDS), each)
            assert time.monotonic() - begun < _END_SECONDS, (
                f"{each} does not end when it is told to"
            )
            assert do("inspect", "--format", "{{.State.ExitCode}}", each) == "0"
    finally:
        for gone in (
            ("rm", "--force", site, work), ("volume", "rm", mark, cache), ("rmi", mark)
        ):  # fmt: skip
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

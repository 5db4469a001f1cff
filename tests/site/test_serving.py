"""``office serve``: the site as people start it, and end it."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ratingbook.cli.app import app

_PATIENCE = 120
PROGRAM = "from ratingbook.cli import main; main()"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def asked(address: str, process: subprocess.Popen[str]) -> str:
    begun = time.monotonic()
    while True:
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                return str(answer.read().decode())
        except OSError:
            assert process.poll() is None, process.communicate()
            assert time.monotonic() - begun < _PATIENCE
            time.sleep(0.1)


def children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(each) for each in found.read_text().split()] if found.exists() else []


def test_the_site_is_served_and_ended_with_its_worker(empty):
    port = free_port()
    command = ["office", "serve", "--port", str(port), "--home", str(empty.folder)]
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *command], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        assert "<h1" in asked(f"http://127.0.0.1:{port}/", process)
        assert ":root" in asked(f"http://127.0.0.1:{port}/static/site/site.css", process)
        beside = children(process.pid)
        # Both have begun before it is ended.
        met = Path(tempfile.gettempdir()) / f"ratingbook-{os.getuid()}"
        while len(list(met.glob(f"{process.pid}-*/*.held"))) < 2:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=_PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 0, told
    assert f"http://127.0.0.1:{port}/" in told
    assert len(beside) >= 2
    begun = time.monotonic()
    while any(Path(f"/proc/{each}").exists() for each in beside):
        assert time.monotonic() - begun < _PATIENCE
        time.sleep(0.05)
    assert not list(met.glob(f"{process.pid}-*"))
    key = empty.folder / "site.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_the_key_of_the_site_is_made_once(tmp_path):
    from ratingbook.site.opening import secret_of

    first = secret_of(tmp_path)
    assert len(first) >= 50
    assert secret_of(tmp_path) == first
    assert [each.name for each in tmp_path.iterdir()] == ["site.key"]


def test_a_port_in_use_is_said_plainly(empty):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = CliRunner().invoke(
            app, ["office", "serve", "--port", port, "--home", str(empty.folder)]
        )
    assert done.exit_code == 1
    assert f"127.0.0.1:{port}" in done.stderr
    assert "another --port" in done.stderr


def test_a_key_that_cannot_be_kept_is_said(tmp_path):
    """Where a file stands in the place of the folder not even root can write."""
    from ratingbook.office.refused import OfficeRefused
    from ratingbook.site.opening import secret_of

    place = tmp_path / "office"
    place.write_text("no folder", "utf-8")
    with pytest.raises(OfficeRefused, match="key of the site"):
        secret_of(place)

"""What runs an office in production: the container file and the units say what there is."""

from __future__ import annotations

import configparser
import json
import os
import re
import shlex
import socket
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from typer.testing import CliRunner

from ratingbook.cli.app import app
from tests.site.test_serving import asked, free_port

ROOT = Path(__file__).parents[2]
PATIENCE = 60
UNITS = sorted((ROOT / "deploy").glob("*.service"))


def lines() -> list[tuple[str, str]]:
    """The instructions of the container file."""
    text = (ROOT / "Containerfile").read_text("utf-8").replace("\\\n", " ")
    found = [each.strip() for each in text.splitlines() if each and not each.startswith("#")]
    return [(head, rest.strip()) for head, _, rest in (each.partition(" ") for each in found)]


def said(head: str) -> list[str]:
    return [rest for name, rest in lines() if name == head]


def command(head: str) -> list[str]:
    """The command of an instruction, written as JSON."""
    text = said(head)[-1]
    found: list[str] = json.loads(text[text.index("[") :])
    return found


def environment() -> dict[str, str]:
    return dict(each.split("=", 1) for each in said("ENV"))


def unit(path: Path) -> configparser.SectionProxy:
    read = configparser.RawConfigParser(strict=False, interpolation=None)
    read.optionxform = str  # type: ignore[assignment,method-assign]
    read.read(path, "utf-8")
    return read["Service"]


def test_the_container_has_an_own_user_and_nothing_without_a_hash():
    text = (ROOT / "Containerfile").read_text("utf-8")
    assert said("USER") == ["10001"]
    assert lines()[-1][0] == "CMD"
    installed = re.findall(r"pip install.*", text.replace("\\\n", " "))
    assert installed
    for each in installed:
        assert "--require-hashes" in each or "--no-deps wheels/" in each
    # The same base throughout, by its whole name, and none that is only the newest.
    bases = {each.split(" AS ")[0] for each in said("FROM")}
    assert len(bases) == 1
    assert re.fullmatch(r"docker\.io/library/python:3\.\d+-slim-\w+", bases.pop())
    assert environment()["RATINGBOOK_OFFICE"] == said("VOLUME")[0] == "/srv/office"


def test_what_is_copied_is_there_and_let_through():
    let = re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text("utf-8"), re.M)
    for each in said("COPY"):
        if each.startswith("--from"):
            continue
        for name in each.split()[:-1]:
            assert (ROOT / name).exists(), name
            assert name.split("/")[0] in let, name


def test_the_locks_hold_all_that_an_office_needs_in_the_versions_that_are_tested():
    def versions(name: str) -> dict[str, str]:
        text = (ROOT / "requirements" / name).read_text("utf-8")
        return dict(re.findall(r"^([\w.-]+)==([\w.]+)", text, re.M))

    office, tested = versions("office.txt"), versions("dev.txt")
    assert office.items() <= tested.items()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["office"]]
    names = {re.split(r"[^\w-]", each)[0] for each in wanted}
    assert len(names) >= 20
    assert names <= office.keys()


def test_what_the_container_starts_serves_the_office_and_tells_its_health(empty, tmp_path):
    port = free_port()
    variables = {**environment(), "RATINGBOOK_OFFICE": str(empty.folder)}
    variables["XDG_CACHE_HOME"] = str(tmp_path)
    variables["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    start = [str(port) if each == "8000" else each for each in command("CMD")]
    health = [each.replace(":8000/", f":{port}/") for each in command("HEALTHCHECK")]
    assert start != command("CMD")
    assert health != command("HEALTHCHECK")
    # As in the container nothing else of this environment is there, but where the sources lie.
    variables |= {name: os.environ[name] for name in ("PYTHONPATH", "HOME") if name in os.environ}
    with pytest.raises(subprocess.CalledProcessError):
        subprocess.run(health, env=variables, check=True, capture_output=True)
    process = subprocess.Popen(
        start, env=variables, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        assert "<h1" in asked(f"http://127.0.0.1:{port}/", process)
        style = f"http://127.0.0.1:{port}/static/site/site.css"
        assert ":root" in asked(style, process)
        with urlopen(style, timeout=PATIENCE) as answer:
            kept = dict(answer.headers)
        assert kept["cache-control"] == "max-age=60, public"
        with pytest.raises(HTTPError) as same:
            urlopen(Request(style, headers={"If-None-Match": kept["etag"]}), timeout=PATIENCE)
        with same.value:
            assert same.value.code == 304
        subprocess.run(health, env=variables, check=True, timeout=PATIENCE)
        assert stranger(port) == 400
        begun = time.monotonic()
        process.terminate()
        process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert time.monotonic() - begun < 30
    assert process.returncode == 0


def stranger(port: int) -> int:
    """How the site answers to a name that is not its own."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as link:
        link.sendall(b"GET / HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n")
        return int(link.makefile("rb").readline().split()[1])


def test_the_units_start_what_the_container_starts():
    commands = {path.stem: shlex.split(unit(path)["ExecStart"]) for path in UNITS}
    site = commands["ratingbook-site"]
    assert site[0] == "/opt/ratingbook/bin/granian"
    # Beside a proxy on the same machine nobody else has to reach it.
    local = ["127.0.0.1" if each == "0.0.0.0" else each for each in command("CMD")]
    assert ["granian", *site[1:]] == local
    work = commands["ratingbook-work"]
    assert work == ["/opt/ratingbook/bin/ratingbook", "office", "work"]


def test_the_page_starts_containers_as_the_units_do():
    page = (ROOT / "docs" / "production.md").read_text("utf-8")
    runs = {
        words[words.index("--name") + 1]: words
        for words in map(shlex.split, re.findall(r"^podman run -d .+$", page, re.M))
    }
    assert runs.keys() == {"site", "work"}
    for name, words in runs.items():
        found = unit(ROOT / "deploy" / f"ratingbook-{name}.service")
        # Else it is killed after ten seconds, with a job at hand.
        assert words[words.index("--stop-timeout") + 1] == found["TimeoutStopSec"]
        assert f"cache:{environment()['XDG_CACHE_HOME']}" in words
        assert f"office:{environment()['RATINGBOOK_OFFICE']}" in words
    assert runs["work"][-3:] == ["ratingbook", "office", "work"]
    assert "--no-healthcheck" in runs["work"]


def test_what_is_written_to_is_made_for_the_user_of_the_container():
    [made] = re.findall(r"install --directory --owner=office .+", "\n".join(said("RUN")))
    written = {environment()[name] for name in ("RATINGBOOK_OFFICE", "XDG_CACHE_HOME")}
    assert written <= set(made.split())
    for path in UNITS:
        cache = f"Environment=XDG_CACHE_HOME={environment()['XDG_CACHE_HOME']}"
        assert cache in path.read_text("utf-8").splitlines()


def test_the_health_is_kept_in_the_image_by_either_engine():
    from tools.container import building

    page = (ROOT / "docs" / "production.md").read_text("utf-8")
    assert "\npodman build --format docker --tag ratingbook .\n" in page
    rest = ["--file", "Containerfile", "--tag", "x", "."]
    assert building("podman", "x") == ["podman", "build", "--format", "docker", *rest]
    assert building("docker", "x") == ["docker", "build", *rest]


@pytest.mark.parametrize("path", UNITS, ids=[path.stem for path in UNITS])
def test_a_unit_writes_into_the_office_alone(path):
    found = unit(path)
    text = path.read_text("utf-8")
    assert f"Environment=RATINGBOOK_OFFICE={found['ReadWritePaths']}" in text
    assert (found["User"], found["ProtectSystem"]) == ("office", "strict")
    assert found["NoNewPrivileges"] == "yes"


def test_the_worker_of_the_units_does_what_waits(empty):
    done = CliRunner().invoke(app, ["office", "work", "--once", "--home", str(empty.folder)])
    assert done.exit_code == 0, done.output


def test_the_commands_that_the_page_names_are_there():
    page = (ROOT / "docs" / "production.md").read_text("utf-8")
    named = set(re.findall(r"ratingbook office ((?:\w+ )?\w+)", page))
    assert {"init", "work", "health", "migrate"} <= {each.split()[0] for each in named}
    for each in sorted(named):
        words = each.split()
        shown = CliRunner().invoke(app, ["office", words[0], "--help"])
        assert shown.exit_code == 0, each


def test_without_containers_their_trial_says_so(monkeypatch, capsys):
    from tools import container

    monkeypatch.setattr("shutil.which", lambda name: None)
    assert container.main() == 2
    assert "neither podman nor docker" in capsys.readouterr().err

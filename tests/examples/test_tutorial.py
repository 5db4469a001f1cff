"""``docs/tutorial.md``, played: its blocks give the files, its commands what they print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from ratingbook.rules import registry

ROOT = Path(__file__).resolve().parents[2]
FINISHED = ROOT / "examples" / "tutorial"
PAGE = (ROOT / "docs" / "tutorial.md").read_text("utf-8")

FENCE = re.compile(r"^```(?P<kind>.*)\n(?P<body>(?:.*\n)*?)```$", re.M)
CAPTION = re.compile(r":caption: (?P<path>[^,\n]+)(?P<continued>, continued)?\n\n")
ELSEWHERE = ("python -m pytest", "pip wheel")
"""Commands that are not run here: the package's own tests have a test, see ``test_packages``."""


class Block(NamedTuple):
    """A block of the page; ``path`` is empty where it holds commands."""

    kind: str
    path: str
    continued: bool
    body: str


def blocks() -> Iterator[Block]:
    """The blocks that are typed or run, in the order of the page."""
    for fence in FENCE.finditer(PAGE):
        kind, body = fence["kind"], fence["body"]
        if kind == "console":
            yield Block(kind, "", False, body)
        elif kind.startswith("{code-block}"):
            caption = CAPTION.match(body)
            assert caption is not None, body
            continued = caption["continued"] is not None
            yield Block(kind.split()[1], caption["path"], continued, body[caption.end() :])


def typed(text: str, block: Block) -> str:
    """A file after a block: begun, continued, or with lines added and removed."""
    if block.kind == "diff":
        for hunk in block.body.split("@@\n"):
            lines = hunk.splitlines(keepends=True)
            old = "".join(line[1:] or "\n" for line in lines if line[0] != "+")
            new = "".join(line[1:] or "\n" for line in lines if line[0] != "-")
            assert text.count(old) == 1, f"{block.path}: {old!r} stands there {text.count(old)}×"
            text = text.replace(old, new)
        return text
    return f"{text}\n\n{block.body}" if block.continued else block.body


def install(folder: Path) -> None:
    """What ``pip install -e .`` does for the package, as far as it is found by its entry points."""
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    info = folder / f"nowhere_rating-{project['version']}.dist-info"
    info.mkdir(exist_ok=True)
    head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(head)
    points = project["entry-points"][registry.GROUP].items()
    lines = "".join(f"{name} = {value}\n" for name, value in points)
    (info / "entry_points.txt").write_text(f"[{registry.GROUP}]\n{lines}")


def run(command: str, folder: Path) -> str:
    """What a command prints, in the folder of the reader."""
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    found = os.pathsep.join((str(folder), str(folder / "src")))
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env={**os.environ, "PATH": programs, "PYTHONPATH": found},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stderr}"
    return done.stdout


def play(block: Block, folder: Path) -> None:
    """Type a block, or run its commands and compare what they print."""
    if block.path:
        file = folder / block.path
        before = file.read_text("utf-8") if file.exists() else ""
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(typed(before, block), "utf-8")
        return
    for part in re.split(r"^\$ ", block.body, flags=re.M)[1:]:
        command, _, printed = part.partition("\n")
        if command.startswith("pip install"):
            install(folder)
        elif not command.startswith(ELSEWHERE):
            lines = [line.rstrip() for line in run(command, folder).splitlines()]
            assert not printed or lines == printed.splitlines(), command


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a reader who has come to the end of the page."""
    folder = tmp_path_factory.mktemp("nowhere")
    for block in blocks():
        play(block, folder)
    return folder


def test_the_blocks_are_the_files_of_the_example(played: Path):
    written = {block.path for block in blocks() if block.path}
    finished = {
        str(path.relative_to(FINISHED))
        for path in FINISHED.rglob("*")
        if path.suffix in {".py", ".toml", ".csv"}
        and not any(part.startswith(".") for part in path.relative_to(FINISHED).parts)
    }
    assert written == finished
    for path in sorted(written):
        assert (played / path).read_text("utf-8") == (FINISHED / path).read_text("utf-8"), path


def test_the_history_at_the_end_crosses_both_editions(played: Path):
    command = "ratingbook history games.csv --players players.csv --rulebook nowhere --out new"
    said = run(f"{command} 2>&1", played)
    assert "nowhere-2023" in said
    assert "nowhere-2026" in said


def test_the_first_rating_comes_after_sixty_lines():
    before = PAGE.partition("$ ratingbook")[0]
    bodies = [fence["body"] for fence in FENCE.finditer(before)]
    files = [body[found.end() :] for body in bodies if (found := CAPTION.match(body))]
    assert sum(bool(line.strip()) for body in files for line in body.splitlines()) <= 60


def test_the_regulation_is_that_of_the_edition(played: Path):
    items = re.findall(r"^\d\. ((?:.+\n)(?:   .+\n)*)", PAGE, re.M)
    command = (
        "from nowhere_rating.edition_2023 import PARAGRAPHS\n"
        "print(*(each.text for each in PARAGRAPHS), sep='\\n')"
    )
    texts = run(f'python -c "{command}"', played).splitlines()
    assert [" ".join(item.split()) for item in items] == texts

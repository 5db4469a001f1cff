"""What a file is called says what is written into it, in every command with ``-o``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Done

REPORT = Path(__file__).parents[2] / "examples" / "reports" / "spring-open.trf"
CALLS: dict[str, tuple[str | Path, ...]] = {
    "check": ("check", REPORT),
    "whatif": ("whatif", "--rulebook", "fide-2009", "--rating", "2000", "2100=1"),
    "formats": ("formats",),
    "rulebooks": ("rulebooks", "elo"),
    "rate": ("rate", REPORT, "--rulebook", "fide-2009"),
}
WRITTEN = {".txt": "", ".json": "{", ".html": "<!doctype html>", ".csv": "id,"}
"""How a file of this name begins."""


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(
    "suffix", [".txt", ".json", ".html", ".csv", ".md", ".pdf", ".xlsx", ".htmk"]
)
def test_it_holds_what_it_is_called_or_is_not_written(
    name: str, suffix: str, tmp_path: Path, run: Callable[..., Done]
) -> None:
    out = tmp_path / f"x{suffix}"
    done = run(*CALLS[name], "-o", out)
    if out.exists():
        text = out.read_text("utf-8").lower().lstrip("[\n ")
        assert suffix in WRITTEN, "this is text in a file of another kind"
        assert WRITTEN[suffix] in text[:200]
    else:
        assert (done.status, "it writes .txt" in " ".join(done.err.split())) == (2, True), done.err


@pytest.mark.parametrize(
    ("format_", "suffix", "status"),
    [("json", ".html", 2), ("html", ".json", 2), ("csv", ".html", 2), ("html", ".htm", 0),
     ("jsonl", ".json", 0), ("json", ".out", 0), ("csv", ".2026-10-01", 0)],
)  # fmt: skip
def test_the_name_and_the_format_agree(
    format_: str, suffix: str, status: int, tmp_path: Path, run: Callable[..., Done]
) -> None:
    done = run(*CALLS["rate"], "--format", format_, "-o", tmp_path / f"x{suffix}")
    assert done.status == status, done.err


@pytest.mark.parametrize("name", ["list", "list.2026-10-01", "list.txt", ".list"])
def test_a_name_without_a_suffix_is_any_file(
    name: str, tmp_path: Path, run: Callable[..., Done]
) -> None:
    done = run(*CALLS["whatif"], "-o", tmp_path / name)
    assert (done.status, (tmp_path / name).exists()) == (0, True), done.err


def test_a_suffix_that_nobody_knows_is_written_where_the_format_is_said(
    tmp_path: Path, run: Callable[..., Done]
) -> None:
    done = run(*CALLS["rate"], "-o", tmp_path / "x.htmk")
    said = " ".join(done.err.split())
    assert (done.status, "it writes .txt, .html" in said, "with --format" in said) == (2, 1, 1)


@pytest.mark.parametrize("option", ["-o", "--html"])
def test_the_lab_writes_a_page_into_a_page_only(
    option: str, tmp_path: Path, run: Callable[..., Done]
) -> None:
    out = tmp_path / ("x.html" if option == "-o" else "x.md")
    done = run("lab", "compare", REPORT, "--rulebook", "elo", option, out)
    assert (done.status, out.exists()) == (2, False)

"""A wheel and an sdist that work from an empty folder, in an environment of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
REPORT = ROOT / "examples" / "reports" / "spring-open.trf"
BARE = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}


def run(*command: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, env=BARE, capture_output=True, text=True,
        check=False, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The sdist of the sources, and the wheel that is made of the sdist, not of the checkout."""
    folder = tmp_path_factory.mktemp("built")
    make = "import sys; from hatchling.build import {0} as f; print(f(sys.argv[1]))"
    sources = folder / "sources"
    kept = shutil.ignore_patterns(".git", ".venv", "build", "_build", "generated", "__pycache__",
                                  ".*_cache", ".hypothesis")  # fmt: skip
    shutil.copytree(ROOT, sources, ignore=kept)
    run(sys.executable, "-c", make.format("build_sdist"), folder, cwd=sources)
    (sdist,) = folder.glob("*.tar.gz")
    (folder / "unpacked").mkdir()
    run("tar", "-xzf", sdist, cwd=folder / "unpacked")
    (unpacked,) = (folder / "unpacked").iterdir()
    run(sys.executable, "-c", make.format("build_wheel"), folder, cwd=unpacked)
    (wheel,) = folder.glob("*.whl")
    return sdist, wheel


@pytest.fixture(scope="module")
def command(built: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of the wheel; what it builds on is that of this environment, without it."""
    folder = tmp_path_factory.mktemp("env")
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    (site,) = folder.glob("[Ll]ib/**/site-packages")
    with zipfile.ZipFile(built[1]) as wheel:
        wheel.extractall(site)
    import typer

    # After the wheel's own packages in the search, so that nothing of the checkout is found.
    (site / "dependencies.pth").write_text(str(Path(typer.__file__).parents[1]), "utf-8")
    return next(folder.glob("[Bb*]*/python*"))


def test_the_sdist_has_what_a_build_needs(built):
    with tarfile.open(built[0]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "src/ratingbook/__init__.py"} <= names


def test_the_wheel_has_its_pages_and_its_marker(built):
    with zipfile.ZipFile(built[1]) as wheel:
        names = set(wheel.namelist())
    assert "ratingbook/py.typed" in names
    assert {f"ratingbook/cli/templates/report.{end}" for end in ("html", "css", "js")} <= names
    assert not any(name.startswith(("tests/", "docs/")) for name in names)


def test_the_command_rates_in_an_empty_folder(command, tmp_path):
    shutil.copy(REPORT, tmp_path / "open.trf")
    code = "from ratingbook.cli import main; main()"
    where = run(command, "-c", "import ratingbook; print(ratingbook.__file__)", cwd=tmp_path)
    assert str(command.parent.parent) in where.stdout
    rated = run(command, "-c", code, "rate", "open.trf", "--rulebook", "fide", cwd=tmp_path)
    assert "Foxtrot, Fay" in rated.stdout
    page = run(command, "-c", code, "rate", "open.trf", "--rulebook", "fide", "--format", "html",
               cwd=tmp_path)  # fmt: skip
    assert "<!DOCTYPE html>" in page.stdout
    editions = run(command, "-c", code, "rulebooks", cwd=tmp_path)
    assert "fide-2024" in editions.stdout

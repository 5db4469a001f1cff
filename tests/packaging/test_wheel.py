"""A wheel and an sdist that work from an empty folder, in an environment of their own."""

from __future__ import annotations

import json
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
    catalogues = {name for name in names if name.endswith("/LC_MESSAGES/django.mo")}
    assert {f"ratingbook/site/locale/{each}/LC_MESSAGES/django.mo" for each in ("de", "ru")} <= (
        catalogues
    )
    assert {name.replace(".mo", ".po") for name in catalogues} <= names
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


def test_the_wheel_goes_from_a_file_to_a_list_a_correction_and_a_page(command, tmp_path):
    shutil.copy(REPORT, tmp_path / "open.trf")
    shutil.copy(REPORT.with_name("spring-open-players.csv"), tmp_path / "players.csv")
    (tmp_path / "fixes.csv").write_text("event,round,white,black,score\nSpring Open,1,5,11,0\n")

    def does(*words: object) -> str:
        code = "from ratingbook.cli import main; main()"
        return run(command, "-c", code, *words, cwd=tmp_path).stdout

    rated = does("rate", "open.trf", "--rulebook", "fide-2009", "--players", "players.csv",
                 "--format", "json")  # fmt: skip
    does("history", "open.trf", "--rulebook", "fide-2009", "--players", "players.csv",
         "--id", "local", "--out", "pool")  # fmt: skip
    listed = json.loads(does("list", "pool", "--date", "2010-05-01", "--format", "json"))
    rows = {each["id"]: each["after"] for each in json.loads(rated)["players"] if each["published"]}
    assert {each["id"]: each["rating"] for each in listed["players"]} == rows
    assert "11" in does("history", "pool", "--correct", "fixes.csv", "--preview")
    does("history", "pool", "--correct", "fixes.csv", "--out", "mended")
    does("history", "mended", "--player", "5", "-o", "page.html")
    assert "Echo, Emil" in (tmp_path / "page.html").read_text("utf-8")


def test_the_wheel_opens_an_office_whose_list_is_verified_elsewhere(command, tmp_path):
    """Its migrations, pages, styles and catalogues are there."""
    shutil.copy(REPORT, tmp_path / "open.trf")

    def does(*words: object, folder: Path = tmp_path) -> str:
        code = "from ratingbook.cli import main; main()"
        return run(command, "-c", code, *words, cwd=folder).stdout

    home = ("--home", "office", "--as", "anna")
    does("office", "init", *home)
    does("office", "pool", "add", "standard", "--rulebook", "fide-2009",
         "--policy", "assume=1500", *home)  # fmt: skip
    does("office", "receive", "open.trf", *home)
    does("office", "link", 1, "all", "new", *home)
    does("office", "run", "--pool", "standard", "--until", "2010-07-01", *home)
    does("office", "approve", 1, *home)
    does("office", "publish", 1, *home)
    does("office", "bundle", 1, "list.zip", *home)
    (tmp_path / "elsewhere").mkdir()
    shutil.move(tmp_path / "list.zip", tmp_path / "elsewhere" / "list.zip")
    verified = does("verify", "list.zip", "--format", "json", folder=tmp_path / "elsewhere")
    assert json.loads(verified)["equal"]
    page = (
        "from pathlib import Path; from ratingbook.office.home import start_django; "
        "start_django(); from ratingbook.site.opening import open_site; "
        "open_site(Path('office')); from django.test import Client; "
        "client = Client(headers={'host': 'localhost', 'accept-language': 'de'}); "
        "answer = client.get('/players/1'); print(answer.status_code, answer.content.decode()); "
        "print(client.get('/').status_code)"
    )
    shown = run(command, "-W", "error", "-c", page, cwd=tmp_path).stdout
    assert (shown[:3], shown.split()[-1]) == ("200", "200")
    assert '<html lang="de"' in shown

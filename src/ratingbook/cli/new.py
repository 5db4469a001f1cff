"""``ratingbook new``: the package of a federation's own rule book, which works at once."""

from __future__ import annotations

import tempfile
from importlib.resources import files
from pathlib import Path
from string import Template

from rich.text import Text

from ratingbook.cli.screen import output
from ratingbook.desk.written import clean
from ratingbook.model.patterns import pattern
from ratingbook.rules import registry

_NAME = pattern(r"(?P<series>[a-z][a-z0-9]*(?:-[a-z0-9]+)*)-(?P<year>(?:19|20)[0-9]{2})")
_LONGEST = 40
_TEMPLATES = ("cli", "templates", "rulebook")
_FILES = {
    "pyproject.toml": "pyproject.toml",
    "README.md": "README.md",
    "games.csv": "games.csv",
    "players.csv": "players.csv",
    "init.py": "src/{package}/__init__.py",
    "rules.py": "src/{package}/rules.py",
    "edition.py": "src/{package}/edition.py",
    "test_rules.py": "tests/test_rules.py",
}
"""The templates, and where in the package what is made of each stands."""


class BadName(ValueError):
    """No package can be made of this name, or not there."""


class _Text(Template):
    delimiter = "%"


def begin(name: str, out: Path | None) -> None:
    """Write the package, whole or not at all; raises :class:`BadName`."""
    words = _words(name)
    folder = Path(words["project"]) if out is None else out
    _check_place(folder)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".ratingbook-") as room:
        made = Path(room) / "made"
        for template, place in _FILES.items():
            path = made / place.format(package=words["package"])
            path.parent.mkdir(parents=True, exist_ok=True)
            source = files("ratingbook").joinpath(*_TEMPLATES, f"{template}.txt")
            text = _Text(source.read_text("utf-8")).substitute(words)
            path.write_text(text, "utf-8", newline="\n")
        (made / "src" / words["package"] / "py.typed").touch()
        # Somebody may have made the folder meanwhile.
        _check_place(folder)
        made.rename(folder)
    _tell(folder, name)


def _words(name: str) -> dict[str, str]:
    match = _NAME.fullmatch(name)
    if match is None or len(name) > _LONGEST:
        raise BadName(
            f"{name!r} is no name of a rule book: that is the federation and the year of its "
            "rules, in small letters, such as dwz-2024"
        )
    series = match["series"]
    if name in registry.names():
        raise BadName(f"there is a rule book {name} already; `ratingbook rulebooks {name}` has it")
    if series in registry.families() or series in registry.names():
        raise BadName(
            f"there are rule books {series} already, and {name} would be one of their series; "
            "name the federation otherwise"
        )
    package = f"{series.replace('-', '_')}_rating"
    return {
        "name": name,
        "series": series,
        "year": match["year"],
        "federation": series.upper(),
        "package": package,
        "project": package.replace("_", "-"),
        "variable": name.replace("-", "_"),
    }


def _check_place(folder: Path) -> None:
    if folder.exists() or folder.is_symlink():
        raise BadName(f"there is {folder} already, and it stays as it is; -o names another folder")
    if not folder.parent.is_dir():
        raise BadName(f"there is no folder {folder.parent}")


def _tell(folder: Path, name: str) -> None:
    console = output()
    console.print(Text(f"{clean(folder)} has the rule book {name}. It works at once:", "bold"))
    for command in (
        f"cd {clean(folder)}",
        "pip install -e .",
        f"ratingbook rate games.csv --rulebook {name} --players players.csv --explain birch",
    ):
        console.print(f"  {command}", soft_wrap=True)
    console.print("README.md says what stands where, and what comes next.")

"""The page of ``ratingbook lab compare``: one file, without scripts, that asks for nothing."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from ratingbook import __version__
from ratingbook.cli.pages import environment, inline
from ratingbook.desk.written import clean
from ratingbook.lab.compare import Comparison, title_of
from ratingbook.lab.report import page_of

_LIBRARIES = ("numpy", "numba", "pyarrow", "altair", "vl-convert-python")


@dataclass(frozen=True)
class Source:
    """A file that was read."""

    name: str
    what: str
    sha256: str


def page(
    made: Comparison, rulebooks: Iterable[str], files: Mapping[str, Sequence[Path]], command: str
) -> str:
    """The page of a comparison of these rule books; ``files`` by what they hold."""
    style, style_hash = inline("style.css", "lab.css")
    return (
        environment()
        .get_template("lab.html")
        .render(
            page=page_of(made),
            command=command,
            sources=[_source(path, what) for what, paths in files.items() for path in paths],
            books=list(_titles(rulebooks)),
            versions=", ".join(
                [
                    f"ratingbook {__version__}",
                    f"Python {platform.python_version()}",
                    *(f"{name} {version(name)}" for name in _LIBRARIES),
                ]
            ),
            version=__version__,
            style=style,
            style_hash=style_hash,
            clean=clean,
        )
    )


def _titles(rulebooks: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Each rule book once, whatever its parameters."""
    for name in dict.fromkeys(each.partition(":")[0].strip() for each in rulebooks):
        yield name, title_of(name)


def _source(path: Path, what: str) -> Source:
    """A file with its hash; of a folder what is in it."""
    if path.is_dir():
        files = sorted(each for each in path.rglob("*") if each.is_file())
        digest = hashlib.sha256()
        for each in files:
            digest.update(each.relative_to(path).as_posix().encode() + b"\0")
            digest.update(hashlib.sha256(each.read_bytes()).digest())
        return Source(path.name, f"{what}: a folder of {len(files)} files", digest.hexdigest())
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
    return Source(path.name, f"{what}, {path.stat().st_size:,} bytes", digest.hexdigest())

"""The pages on lists name every finding, with its severity, and no other."""

from __future__ import annotations

import re
from pathlib import Path

from ratingbook.desk import list_files
from ratingbook.formats import lists

PAGES = Path(__file__).parents[3] / "docs" / "formats"
KIND = re.compile(r'"((?:list|fide-list|iecg-list|go-list)\.[a-z-]+)",\s*(?:Severity\.([A-Z]+))')
ADDED = re.compile(r'Severity\.([A-Z]+),\s*"(list\.[a-z-]+)"')


def test_the_pages_name_every_finding() -> None:
    sources = [*Path(lists.__file__).parent.rglob("*.py"), Path(list_files.__file__)]
    text = "\n".join(path.read_text("utf-8") for path in sources)
    made = {code: grave.lower() for code, grave in KIND.findall(text)}
    made |= {code: grave.lower() for grave, code in ADDED.findall(text)}
    pages = "\n".join(
        (PAGES / f"{name}-list.md").read_text("utf-8") for name in ("fide", "iccf", "iecg", "go")
    )
    told = dict(re.findall(r"^\| `([a-z.-]+)` \| ([a-z]+) \|", pages, re.M))
    assert told == made
    assert len(made) > 30

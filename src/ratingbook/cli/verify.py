"""``ratingbook verify``: the ratings of a published list, made again from its bundle."""

from __future__ import annotations

import json
from pathlib import Path

from rich.text import Text

from ratingbook.cli.screen import errors, output, print_findings, write
from ratingbook.desk.written import clean
from ratingbook.office.bundle import verify


def run(path: Path, key: str | None, *, as_json: bool) -> bool:
    """Verify a bundle, signed by a key if one is given; True if anything differs."""
    found = verify(path, key)
    refused = found.findings.refused
    of = found.manifest.get("list", {})
    if as_json:
        said = {
            "equal": not refused, "pool": found.manifest.get("pool"), "list": of,
            "ratings": found.rows, "digest": found.manifest.get("digest"),
            **found.findings.as_dict(),
        }  # fmt: skip
        write(json.dumps(said, ensure_ascii=False, indent=2))
        return refused
    if found.manifest:
        line = f"{of.get('title')}, {of.get('date')}, revision {of.get('revision')}: "
        if not refused:
            line += f"equal, {found.rows} ratings made again"
        else:
            line += "differs" if found.is_compared else "refused; the numbers were not compared"
        output().print(Text(clean(line)))
    print_findings(found.findings, errors())
    return refused

"""``ratingbook verify``: the ratings of a published list, made again from its bundle."""

from __future__ import annotations

import json
from pathlib import Path

from rich.text import Text

from ratingbook.cli.screen import errors, output, print_findings, write
from ratingbook.desk.written import clean
from ratingbook.office.bundle import Verified, verify


def run(path: Path, key: str | None, *, as_json: bool) -> bool:
    """Verify a bundle, signed by a key if one is given; True if anything differs."""
    found = verify(path, key)
    refused = found.findings.refused
    of = found.manifest.get("list", {})
    if as_json:
        said = {
            "equal": not refused, "pool": found.manifest.get("pool"), "list": of,
            "ratings": found.rows, "digest": found.manifest.get("digest"),
            "facts": {
                "by_hash": found.facts.by_hash, "in_part": found.facts.in_part,
                "whole": found.facts.whole,
            },
            "proved": [] if refused else _proved(found),
            "not_proved": [] if refused else _not_proved(found),
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
        if not refused:
            for each in (*_proved(found), *_not_proved(found)):
                output().print(Text(clean(each)))
    print_findings(found.findings, errors())
    return refused


def _proved(found: Verified) -> list[str]:
    """What follows from the bundle, if its head is the one that the office has published."""
    said = [
        "Proved: by the rules that it names, the games and decisions of the bundle give these "
        "numbers, and the list prints them.",
        f"Proved, where the office shows the head {found.manifest['head']} with its list: ",
    ]
    if found.facts.is_hash_alone:
        said[1] += "whoever has the facts whole can tell whether they were changed."
    else:
        said[1] += (
            "these numbers and this list are what it published, and the facts up to "
            f"{found.facts.count} came in this order and were not changed since."
        )
    return said


def _not_proved(found: Verified) -> list[str]:
    facts = found.facts
    said = [
        "Not proved: that the games are those of the reports, which are in no bundle; and the names"
        " on the list, of which only numbers are reckoned."
    ]
    if facts.in_part:
        said.append(
            f"Of {facts.in_part} facts the bundle has kind and time, and of some what they say. "
            "Who acted, why, and what was said of persons is left out: that it was not changed is "
            "proved, what it was is not."
        )
    if facts.by_hash or facts.is_hash_alone:
        which = f"the facts up to {facts.by_hash}" if facts.by_hash else "all facts"
        said.append(
            f"For {which}, of which nothing could be left out when they were written, stands the "
            "hash of the last: the bundle shows nothing of them."
        )
    if facts.whole:
        said.append(
            "It holds whole facts: who acted, why, and names, also of persons who were suppressed. "
            "It is not for the public."
        )
    return said

"""``ratingbook formats``: what is read, and what is written."""

from __future__ import annotations

import json

from rich.text import Text

from ratingbook.cli.screen import output, plain_table, write
from ratingbook.formats.catalogue import FORMATS, TARGETS
from ratingbook.formats.lists.convert import LIST_TARGETS
from ratingbook.formats.lists.kinds import KINDS


def show(*, as_json: bool) -> None:
    """Print the formats of reports and of rating lists."""
    written: dict[str, list[str]] = {
        known.name: [key for key, each in TARGETS.items() if each.name == known.name]
        for known in FORMATS.values()
    }
    written |= {
        kind.name: [k for k, each in LIST_TARGETS.items() if each.register in (None, kind.register)]
        for kind in KINDS
    }
    if as_json:
        reports = [
            {"name": f.name, "game": f.game, "recognised_by": f.sign, "written_as": written[f.name]}
            for f in FORMATS.values()
        ]
        lists = [{"name": kind.name, "written_as": written[kind.name]} for kind in KINDS]
        write(json.dumps({"reports": reports, "lists": lists}, ensure_ascii=False, indent=2))
        return
    table = plain_table("report", "game", "recognised by", "written as")
    for f in FORMATS.values():
        keys = ", ".join(written[f.name]) or "–"
        table.add_row(Text(f.name, "bold"), f.game or "any", f.sign, keys)
    output().print(table)
    output().print()
    table = plain_table("rating list", "written as")
    for kind in KINDS:
        table.add_row(Text(kind.name, "bold"), ", ".join(written[kind.name]))
    output().print(table)

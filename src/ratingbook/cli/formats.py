"""``ratingbook formats``: what is read, and what is written."""

from __future__ import annotations

import json

from rich.text import Text

from ratingbook.cli.screen import errors, output, plain_table, print_findings, write
from ratingbook.formats.lists.convert import LIST_TARGETS
from ratingbook.formats.lists.kinds import KINDS
from ratingbook.formats.registry import formats, installed


def show(*, as_json: bool) -> None:
    """Print the formats of reports and of rating lists."""
    known = formats().values()
    print_findings(installed()[1], errors())
    written = {each.name: list(each.writers) for each in known} | {
        kind.name: [k for k, each in LIST_TARGETS.items() if each.register in (None, kind.register)]
        for kind in KINDS
    }
    if as_json:
        reports = [
            {
                "name": f.name,
                "game": f.game,
                "recognised_by": f.sign,
                "written_as": written[f.name],
                **({"package": f.package} if f.package else {}),
            }
            for f in known
        ]
        lists = [{"name": kind.name, "written_as": written[kind.name]} for kind in KINDS]
        write(json.dumps({"reports": reports, "lists": lists}, ensure_ascii=False, indent=2))
        return
    table = plain_table("report", "game", "recognised by", "written as")
    for f in known:
        keys = ", ".join(written[f.name]) or "–"
        table.add_row(Text(f.name, "bold"), f.game or "any", f.sign, keys)
    output().print(table)
    output().print()
    table = plain_table("rating list", "written as")
    for kind in KINDS:
        table.add_row(Text(kind.name, "bold"), ", ".join(written[kind.name]))
    output().print(table)

"""The table that ``rate`` prints: the columns of the page, aligned."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from rich.console import Console
from rich.text import Text

from ratingbook.cli.screen import aligned, plain_table
from ratingbook.desk.account import Account, each_account
from ratingbook.desk.cross_table import CrossTable, cross_tables
from ratingbook.desk.rated import Rated
from ratingbook.desk.whole_event import whole_events
from ratingbook.desk.written import clean, fixed, points, rating_number

_NO_STATUS = "established"
"""What goes without saying."""
_LONGEST = 100
"""Letters of a name: what is longer is none, and would hide the others."""
Key = tuple[str, str | None]


def accounts_of(rated: Rated) -> tuple[tuple[CrossTable, ...], Mapping[Key, Account]]:
    """The cross tables of a report, and the account of each row."""
    if rated.report is None:
        return (), {}
    rating = rated.rating
    rows = whole_events(rating.rows, rating.book)
    tables = tuple(cross_tables(rated.report, rows))
    told = {
        key: account if account.rated.explanation else replace(account, games=())
        for key, account in each_account(rows, tables, rating.book)
    }
    return tables, told


def print_rows(
    title: str,
    tables: Sequence[CrossTable],
    told: Mapping[Key, Account],
    console: Console,
) -> None:
    """One line for each row; in the order of the file's final table where there is one."""
    keys = _in_order(tables, told)
    own = [told[key] for key in keys]
    rows = [each.rated.row for each in own]
    places = {(line.entry.id, table.section): line for table in tables for line in table.lines}
    lines = [places.get(key) or places.get((key[0], None)) for key in keys]
    # Of several events of a period each has a table of its own.
    scored: dict[Key, float] = defaultdict(float)
    for cross in tables:
        for line in cross.lines:
            scored[line.entry.id, cross.section] += line.points
    of_event = [
        scored.get(key, scored.get((key[0], None), row.score))
        for key, row in zip(keys, rows, strict=True)
    ]
    ranked = len(tables) == 1 and tables[0].in_order_of_report
    columns: list[tuple[str, Sequence[str | Text]]] = []
    if ranked and any(str(line.number) != line.entry.id for line in lines if line):
        columns.append((">#", [str(line.number) if line else "" for line in lines]))
    if any(row.id != row.name for row in rows):
        columns.append((">id", [clean(row.id) for row in rows]))
    columns.append(("name", [_cut(row.name) for row in rows]))
    if any(row.section for row in rows):
        columns.append(("section", [_cut(row.section or "") for row in rows]))
    if any(each.coefficients for each in own):
        name = next(each.name_of_k for each in own)
        ks = [", ".join(map(rating_number, each.coefficients)) or "–" for each in own]
        columns.append((f">{name}", aligned(ks)))
    after = [
        text if row.published or row.after is None else f"({text})"
        for row in rows
        for text in [rating_number(row.after)]
    ]
    changes = aligned([rating_number(row.change, signed=True) for row in rows])
    columns += [
        (">before", aligned([rating_number(row.before) for row in rows])),
        (">after", [Text(text, style="bold") for text in aligned(after)]),
        (
            ">change",
            [
                Text(text, style=_colour(row.change))
                for text, row in zip(changes, rows, strict=True)
            ],
        ),
    ]
    if of_event != [row.score for row in rows]:
        columns.append((">points", aligned([points(value) for value in of_event])))
    columns += [
        (">rated", [f"{points(row.score)}/{row.games}" if row.games else "–" for row in rows]),
        (">exp.", ["–" if row.expected is None else fixed(row.expected, 2) for row in rows]),
    ]
    if any(row.performance is not None for row in rows):
        columns.append((">Rp", [rating_number(row.performance) for row in rows]))
    means = [told[key].average for key in keys]
    if any(mean is not None for mean in means):
        averages = ["–" if mean is None else fixed(mean, 0) for mean in means]
        columns.append((">opp.", averages))
    if any(row.status != _NO_STATUS for row in rows):
        columns.append(("status", ["" if r.status == _NO_STATUS else r.status for r in rows]))
    printed = plain_table(*(name for name, _ in columns), title=title)
    for cells in zip_longest(*(cells for _, cells in columns), fillvalue=""):
        printed.add_row(*(cell if isinstance(cell, Text) else Text(cell) for cell in cells))
    console.print(printed)
    if any(row.after is not None and not row.published for row in rows):
        console.print(Text("(…) not published", style="dim"))


def _cut(name: str | None) -> str:
    """A name as far as a row shows it."""
    text = clean(name or "")
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _in_order(tables: Sequence[CrossTable], told: Mapping[Key, Account]) -> list[Key]:
    """The rows as the tables have them where the file has places; else as they were rated."""
    if not all(table.in_order_of_report for table in tables):
        return list(told)
    rows = [line.rated.row for table in tables for line in table.lines if line.rated]
    return list(dict.fromkeys([*((row.id, row.section) for row in rows), *told]))


def _colour(change: float | None) -> str:
    return "green" if (change or 0) > 0 else "red" if (change or 0) < 0 else ""

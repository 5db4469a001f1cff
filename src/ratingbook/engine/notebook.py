"""Tables as a notebook shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

SHOWN = 20
"""Rows of a table, at most."""


def html_table(rows: Sequence[Mapping[str, Any]], caption: str, total: int | None = None) -> str:
    """The first rows, of ``total``; every value is text, never markup."""
    if not rows:
        return f"<p>{escape(caption)}</p>"
    head = "".join(f"<th>{escape(str(name))}</th>" for name in rows[0])
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell(value))}</td>" for value in row.values()) + "</tr>"
        for row in rows[:SHOWN]
    )
    left = (len(rows) if total is None else total) - SHOWN
    more = f"<p>… {left:,} more rows</p>" if left > 0 else ""
    return (
        f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>{more}"
    )


def ratings_html(ratings: pa.Table, about: object) -> str:
    """The best of a table of ratings."""
    best = ratings.sort_by([("rating", "descending")]).slice(0, SHOWN).to_pylist()
    return html_table(best, repr(about).strip("<>"), len(ratings))


def cell(value: object) -> str:
    """A value for people: – for none; four digits, and of ratings all the three decimals."""
    if value is None:
        return "–"
    if not isinstance(value, float) or not value % 1:
        return str(value)
    return f"{value:.3f}".rstrip("0").rstrip(".") if abs(value) >= 1 else f"{value:.4g}"

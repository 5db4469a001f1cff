"""The rounds of a line of a cross table.

A page has some four hundred of them: written here, they take a tenth of what a template takes.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from django import template
from django.utils.safestring import SafeString, mark_safe

from ratingbook.site.languages import SPOKEN

if TYPE_CHECKING:
    from ratingbook.site.shown.event import Cell

register = template.Library()
_AS_A_GRID = ("grid", "aga")


@register.simple_tag
def rounds(cells: Iterable[Iterable[Cell]], notation: str) -> SafeString:
    """A cell of the table for each round, with a link to the opponent's line where it is rated."""
    write = _in_a_grid if notation in _AS_A_GRID else _in_one
    letters = {each: SPOKEN.gettext(each)[:1] for each in ("white", "black")}
    written = (
        f'<td class="r r{number}" role="cell">{"".join(write(x, letters) for x in some)}</td>'
        for number, some in enumerate(cells, 1)
    )
    # All that comes from a report is escaped below.
    return mark_safe("".join(written))


def _in_one(cell: Cell, letters: dict[str, str]) -> str:
    del letters
    text = escape(cell.text)
    if not cell.is_rated:
        return _off(cell, text)
    return f'<a class="g one{_black(cell)}" {_to(cell)}>{text}</a>'


def _in_a_grid(cell: Cell, letters: dict[str, str]) -> str:
    if not cell.is_rated:
        return _off(cell, f"{cell.opponent} {cell.result}" if cell.opponent else escape(cell.text))
    letter = escape(letters.get(cell.colour, cell.colour[:1]))
    return (
        f'<a class="g{_black(cell)}" {_to(cell)}>'
        f"<span>{cell.opponent}</span><i>{letter}</i><b>{cell.result}</b></a>"
    )


def _off(cell: Cell, text: str) -> str:
    return f'<span class="g off" title="{escape(cell.title)}">{text}</span>'


def _to(cell: Cell) -> str:
    return f'href="#p{cell.opponent}" title="{escape(cell.title)}"'


def _black(cell: Cell) -> str:
    return " black" if cell.colour == "black" else ""

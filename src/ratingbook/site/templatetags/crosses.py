"""The lines of a cross table.

A page has some forty of them with four hundred rounds: written here, they take a tenth of what a
template takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ratingbook.desk.cross_table import SUBSTITUTED
from ratingbook.desk.written import clean, points, rating_with
from ratingbook.site.languages import SPOKEN, decimal_point
from ratingbook.site.paths import of_persons
from ratingbook.site.templatetags.written import change_with, day

if TYPE_CHECKING:
    from ratingbook.site.shown.event import Cell, LineShown, OnList, SectionShown

register = template.Library()
_AS_A_GRID = ("grid", "aga")
_ENDS = '<td class="n wide opt2" role="cell">'


@register.simple_tag
def lines(section: SectionShown, notation: str) -> SafeString:
    """A row for each line, with a cell for each round that leads to the opponent's line."""
    write = _in_a_grid if notation in _AS_A_GRID else _in_one
    letters = {each: SPOKEN.gettext(each)[:1] for each in ("white", "black")}
    words = _Words(section)
    # All that comes from a report is escaped.
    return mark_safe(
        "".join(
            f"{_before_rounds(line, section, words)}{_rounds(line.cells, write, letters)}</tr>\n"
            for line in section.lines
        )
    )


class _Words:
    """What all lines of a table say, looked up once."""

    def __init__(self, section: SectionShown) -> None:
        self.point_word, self.points = (ngettext("point", "points", n) for n in (1, 2))
        self.half = _("½ point")
        self.first, self.point = _("first"), decimal_point()
        self.begun = _("from {n}")
        self.unpublished = f'<span class="tag">{escape(_("not published yet"))}</span>'
        self.player = of_persons("player")
        of_lists = {each.key for line in section.lines for each in line.lists}
        self.why = {
            key: of_persons("explanation", section.pool, key)
            for key in of_lists | {line.key for line in section.lines if line.key}
        }
        self.days = {
            each: f' <small class="quiet">{escape(day(each))}</small>' for each in section.days
        }


def _before_rounds(line: LineShown, section: SectionShown, words: _Words) -> str:
    point, decimals = words.point, section.decimals
    name, got = f"<bdi>{escape(clean(line.name))}</bdi>", points(line.points)
    if line.person:
        name = f'<a href="{escape(words.player(line.person))}">{name}</a>'
    title = f' <span class="tag">{escape(clean(line.title))}</span>' if line.title else ""
    ratings = [
        tuple(rating_with(rating, places, point) for rating in (each.before, each.after))
        for each, places in _numbers_of(line, decimals)
    ]
    if line.began is not None and not line.lists:
        began = words.begun.format(n=rating_with(line.began, decimals, point))
        ratings = [(escape(began), ratings[0][1])]
    before, after = ("<br>".join(some) for some in zip(*ratings, strict=True))
    each_list = ", ".join(f"{was} → <b>{now}</b>" for was, now in ratings)
    performance = rating_with(line.performance, 0, point)
    scored = f"{got} {words.point_word if line.points == 1 else words.points}"
    if line.points == 1 / 2:
        scored = words.half
    sub = "" if line.performance is None else f" · Rp {performance}"
    more = ""
    if section.with_average:
        more += f"{_ENDS}{rating_with(line.average, 1, point)}</td>"
    if section.with_performance:
        more += f"{_ENDS}{performance}</td>"
    return (
        f'<tr role="row" id="p{line.number}"><td class="n rank" role="cell">{line.number}</td>'
        f'<th scope="row" role="rowheader" class="who">{name}{title}<span class="sub">'
        f"{each_list} · {scored}{sub}</span></th>"
        f'{_ENDS}{before}</td><td class="n now wide" role="cell">{after}</td>'
        f'<td class="n chg" role="cell">{_changes(line, decimals, words)}</td>'
        f'<td class="n wide" role="cell"><b>{got}</b></td>'
        f"{_ENDS}{rating_with(line.expected, 2, point)}</td>{more}"
    )


def _numbers_of(line: LineShown, decimals: int) -> Sequence[tuple[LineShown | OnList, int]]:
    """What has the ratings of a line, with their decimals: its lists, where there are several."""
    return [(each, each.decimals) for each in line.lists] or [(line, decimals)]


def _changes(line: LineShown, decimals: int, words: _Words) -> str:
    """The change of each list, the first one first; with its day where there are several."""
    if not line.lists:
        return _why(line, line.moved, line.person, decimals, words)
    return "".join(
        f"<div>{_why(each, each.change, line.person, each.decimals, words)}"
        f"{words.days[each.day]}</div>"
        for each in line.lists
    )


def _why(
    of: LineShown | OnList, change: float | None, person: int | None, decimals: int, words: _Words
) -> str:
    """A change, which leads to its explanation; a first rating is none."""
    if not of.key or not person:
        return "–"
    if not of.is_published:
        return words.unpublished
    said = words.first
    if change is not None:
        said = change_with(change, decimals, words.point)
    return f'<a class="why" href="{escape(words.why[of.key](person))}">{said}</a>'


def _rounds(
    cells: Iterable[Iterable[Cell]], write: Callable[[Cell, dict[str, str]], str],
    letters: dict[str, str],
) -> str:  # fmt: skip
    """A cell for each round."""
    return "".join(
        f'<td class="r r{number}" role="cell">{"".join(write(x, letters) for x in some)}</td>'
        for number, some in enumerate(cells, 1)
    )


def _in_one(cell: Cell, letters: dict[str, str]) -> str:
    del letters
    text = escape(cell.text)
    if not cell.is_rated:
        return _off(cell, text)
    return f'<a class="g one{_black(cell)}" {_to(cell)}>{text}</a>'


def _in_a_grid(cell: Cell, letters: dict[str, str]) -> str:
    if not cell.opponent:
        return _off(cell, escape(cell.text))
    letter = escape(letters.get(cell.colour, cell.colour[:1]))
    mark = SUBSTITUTED if cell.is_substituted else ""
    parts = f"<span>{cell.opponent}</span><i>{letter}</i><b>{cell.result}{mark}</b>"
    if not cell.is_rated:
        return _off(cell, parts, " met")
    return f'<a class="g{_black(cell)}" {_to(cell)}>{parts}</a>'


def _off(cell: Cell, said: str, looks: str = "") -> str:
    """What was not rated for the player; against whom, and with which colour, it says too."""
    kind = f"g off{looks}{_black(cell) if cell.opponent else ''}"
    return f'<span class="{kind}" title="{escape(cell.title)}">{said}</span>'


def _to(cell: Cell) -> str:
    return f'href="#p{cell.opponent}" title="{escape(cell.title)}"'


def _black(cell: Cell) -> str:
    return " black" if cell.colour == "black" else ""

"""The lines of a list.

A page has a hundred of them: written here, they take a fifth of what a template takes.
"""

from __future__ import annotations

import re
from datetime import date
from html import escape
from typing import TYPE_CHECKING

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from ratingbook.desk.written import clean, rating_with
from ratingbook.model import StandingStatus
from ratingbook.model.sentences import Sentence
from ratingbook.site.languages import SPOKEN, decimal_point, written_day
from ratingbook.site.paths import of_persons
from ratingbook.site.shown.list_facts import fact_of_list
from ratingbook.site.templatetags.written import (
    coloured_with,
    figure_or_nothing,
    is_number,
)

if TYPE_CHECKING:
    from ratingbook.site.shown.lists import Line, ListPage

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
"""As lists are kept: a day in a column is the text that the chain has."""

register = template.Library()


@register.simple_tag
def rows(page: ListPage) -> SafeString:
    """A row for each line, in the columns that the head of the table has."""
    words = _Words(page)
    # All that comes from a list is escaped.
    return mark_safe("".join(_row(line, page, words) for line in page.lines))


@register.simple_tag
def fact(text: str) -> SafeString:
    """What a list says of its dates and rules; in English where no catalogue has it."""
    said = fact_of_list(text)
    if not isinstance(said, Sentence):
        return format_html('<dd lang="en">{}</dd>', text)
    return format_html("<dd>{}</dd>", SPOKEN.told(said))


class _Words:
    """What all lines say, looked up once."""

    def __init__(self, page: ListPage) -> None:
        self.point, self.player = decimal_point(), of_persons("player")
        self.why = {
            key: of_persons("explanation", page.pool, key)
            for key in {line.batch for line in page.lines if line.batch}
        }
        self.then = f"?list={page.number}"
        self.states = {each.value: SPOKEN.gettext(each.value) for each in StandingStatus}
        self._days: dict[str, str] = {}
        new, up, down, stayed = _("new"), _("up"), _("down"), _("not moved")
        self.new = f'<span class="quiet">{new}</span>'
        self.up = f'<span class="up"><span class="hidden">{up} </span>'
        self.down = f'<span class="down"><span class="hidden">{down} </span>'
        self.stayed = f'<span class="quiet">·<span class="hidden"> {stayed}</span></span>'
        inactive = _("inactive")
        self.inactive = f' <span class="tag">{inactive}</span>'
        title, hidden = _("differs from the revision before"), _("revised")
        self.revised = (
            f'<span class="corr" title="{title}"><span class="hidden">{hidden} </span></span>'
        )

    def said(self, text: str) -> str:
        """A cell of text: what a standing is called, and a day, are said in the language."""
        if text in self.states or not _DAY.fullmatch(text):
            return self.states.get(text, text)
        # On a list many were rated on the same days.
        if text not in self._days:
            self._days[text] = written_day(date.fromisoformat(text))
        return self._days[text]


def _row(line: Line, page: ListPage, words: _Words) -> str:
    said = ['<tr class="off"><td class="n">' if line.is_inactive else '<tr><td class="n">']
    said.append(f"={line.place}</td>" if line.is_tied else f"{line.place}</td>")
    if page.movement:
        said.append(f'<td class="n">{_moved(line.moved, words)}</td>')
    to, federation, club = words.player(line.person), _text(line.federation), _text(line.club)
    said.append(f'<th scope="row"><a href="{escape(to)}"><bdi>{_text(line.name)}</bdi></a>')
    if line.title:
        said.append(f' <span class="tag free">{_text(line.title)}</span>')
    if line.is_inactive:
        said.append(words.inactive)
    said.append(f'<span class="sub">{line.person}')
    said.extend(f" · {each}" for each in (federation, club) if each)
    said.append("</span></th>")
    if page.has_federation:
        said.append(f'<td class="opt">{federation}</td>')
    if page.has_club:
        said.append(f'<td class="opt"><bdi>{club}</bdi></td>')
    revised = words.revised if line.was_revised else ""
    said.append(f'<td class="n quiet opt">{line.person}</td><td class="n now">{revised}')
    said.append(f"{rating_with(line.rating, page.decimals, words.point)}</td>")
    if page.movement:
        said.append(f'<td class="n">{_why(line, to, page.decimals, words)}</td>')
    for value in line.others:
        kind = "opt n" if is_number(value) else "opt"
        shown = words.said(value) if isinstance(value, str) else figure_or_nothing(value)
        said.append(f'<td class="{kind}">{_text(shown)}</td>')
    said.append("</tr>\n")
    return "".join(said)


def _text(value: object) -> str:
    """A text of a report, neither markup nor control characters."""
    return escape(clean(value))


def _moved(places: int | None, words: _Words) -> str:
    if places is None:
        return words.new
    if not places:
        return words.stayed
    return f"{words.up if places > 0 else words.down}{abs(places)}</span>"


def _why(line: Line, player: str, decimals: int, words: _Words) -> str:
    """The change leads to its explanation, as it was then; where several made it, to the player."""
    to = words.why[line.batch](line.person) if line.batch else ""
    to = f"{to}{words.then}" if line.is_then else to or (player if line.change is not None else "")
    text = coloured_with(line.change, words.point, decimals)
    # Whoever follows all links would rate all that was ever published again.
    follow = ' rel="nofollow"' if line.is_then else ""
    return f'<a class="why" href="{escape(to)}"{follow}>{text}</a>' if to else text

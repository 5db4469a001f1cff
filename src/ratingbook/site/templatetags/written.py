"""Numbers and texts in templates, as people read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from django import template
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_lazy, pgettext

from ratingbook.desk import written
from ratingbook.model import StandingStatus
from ratingbook.model.sentences import Sentence, stated
from ratingbook.office.logic import called
from ratingbook.office.logic.corrections import reason_said
from ratingbook.rules.wording import KINDS
from ratingbook.site.languages import (
    ON_PAGES,
    SPOKEN,
    TOGETHER,
    decimal_point,
    grouped,
    localised,
    written_day,
)

if TYPE_CHECKING:
    from ratingbook.site.shown.corrections import Largest

register = template.Library()
_NUMBERS: Mapping[str, str | Promise] = {
    "national": gettext_lazy("national number {n}"), "local": gettext_lazy("local number {n}"),
}  # fmt: skip
_OURS: Mapping[str, str | Promise] = {
    "national": gettext_lazy("national register"), "local": gettext_lazy("local register"),
}  # fmt: skip
_FEDERATIONS = {"uscf": "US Chess"}
"""Registers that are not called by the letters that files have."""
_STANDINGS = frozenset(each.value for each in StandingStatus)


@register.filter
def rating(value: float | None, decimals: int | None = 0) -> str:
    """A rating with the decimals that its pool prints; – for none.

    Without ``decimals`` as many as it needs, up to three.
    """
    if decimals is None:
        return localised(written.rating_number(value))
    return written.rating_with(value, decimals, decimal_point())


@register.filter
def in_pools(largest: Sequence[Largest], pools: Sequence[str]) -> str:
    """The largest difference, in several pools each with its name; – for none."""
    numbers = [rating(each.difference, each.decimals) for each in largest]
    if not largest or len(pools) < 2:
        return "".join(numbers) or rating(None)
    named = zip(numbers, (each.pool for each in largest), strict=True)
    return format_html_join(", ", "{} (<bdi>{}</bdi>)", named)


@register.filter
def signed(value: float | None, decimals: int | None = None) -> str:
    """A change with its sign, ±0 where there is none; without ``decimals`` as many as it needs."""
    return _signed_with(value, decimals, decimal_point())


def _signed_with(value: float | None, decimals: int | None, point: str) -> str:
    if value is None:
        return "–"
    size = abs(value)
    text = written.rating_number(size) if decimals is None else written.fixed(size, decimals)
    sign = "±" if not float(text) else "+" if value > 0 else "−"
    return sign + text.replace(".", point)


@register.filter
def points(value: float | None) -> str:
    """Points as score tables print them: 3½."""
    return "–" if value is None else written.points(value)


@register.filter
def number(value: float | None, digits: int = 2) -> str:
    """A number without needless digits."""
    return localised(written.number(value, digits=digits))


@register.filter
def clean(text: object) -> str:
    """A text of a report without control characters; what pages keep together stays so."""
    return TOGETHER.join(map(written.clean, str(text).split(TOGETHER)))


@register.simple_tag
def change(value: float | None, decimals: int = 0, plain: bool = True) -> SafeString | str:
    """A change as it stands in a table: up, down or the same; unless ``plain`` with an arrow."""
    if value is None:
        return "–"
    return change_with(value, decimals, decimal_point(), plain)


def change_with(value: float, decimals: int, point: str, plain: bool = True) -> SafeString:
    """The same where many are written: the language is asked once for its decimal point."""
    kind = "same" if not round(value, decimals) else "up" if value > 0 else "down"
    looks = " plain" if plain else ""
    # Digits, a sign and a decimal point are no markup.
    said = _signed_with(value, decimals, point)
    return mark_safe(f'<span class="{kind}{looks}">{said}</span>')


@register.filter
def figure(value: object) -> object:
    """A number, with up to three decimals; a text as it is."""
    if value is None:
        return "–"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return localised(written.rating_number(value))


@register.filter("change")
def coloured(value: float | None, decimals: int | None = None) -> SafeString:
    """A difference in the colour of its kind, without an arrow: the sign is enough."""
    return coloured_with(value, decimal_point(), decimals)


def coloured_with(value: float | None, point: str, decimals: int | None = None) -> SafeString:
    """The same where many are written: the language is asked once for its decimal point."""
    if value is None:
        return mark_safe('<span class="quiet">–</span>')
    text = _signed_with(value, decimals, point)
    kind = "same" if text.startswith("±") else "up" if value > 0 else "down"
    # Digits, a sign and a decimal point are no markup.
    return mark_safe(f'<span class="{kind} plain">{text}</span>')


@register.filter
def short(digest: str) -> str:
    """The beginning of a long digest."""
    return f"{digest[:12]}…" if len(digest) > len("0" * 16) else digest


@register.filter
def size(count: int) -> str:
    """Bytes as people say them."""
    number = float(count)
    for unit in ("", "kB", "MB"):
        if not unit and number < 1000:
            return gettext("{n} bytes").format(n=f"{number:.0f}")
        if unit and (number < 1000 or unit == "MB"):
            return f"{localised(f'{number:.1f}')} {unit}"
        number /= 1000
    raise AssertionError


@register.filter
def is_number(value: object) -> bool:
    """Whether a cell is set right."""
    return isinstance(value, int | float) and not isinstance(value, bool)


@register.filter
def figure_or_nothing(value: object) -> object:
    """A cell of a table as it was printed: nothing for what is not known."""
    return "" if value is None else figure(value)


@register.filter
def listed(value: object) -> object:
    """A cell of a list that is not published yet; what a standing is called is a word of ours."""
    if isinstance(value, str) and value in _STANDINGS:
        return SPOKEN.gettext(value)
    return figure(value)


@register.filter
def size_of(value: float) -> float:
    """Without the sign, where a word or an arrow says it."""
    return abs(value)


@register.filter
def cells(statistics: Mapping[str, Any]) -> list[list[object]]:
    """The rows of a kept table in the order of its columns."""
    keys = [key for key, _, _ in statistics["columns"]]
    return [[row.get(key) for key in keys] for row in statistics["rows"]]


@register.filter
def breakable(digest: str) -> SafeString:
    """A digest that may break in the middle of a line."""
    return format_html_join(
        "", "{}<wbr>", ((digest[at : at + 8],) for at in range(0, len(digest), 8))
    )


@register.filter
def hundredths(value: float | None) -> str:
    """An expected score, with two decimals at most."""
    return localised(written.number(value))


@register.filter
def with_code(text: str) -> SafeString:
    """A text of a program, in which what stands between backticks is code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        # A mark that is alone is one of the text.
        return format_html("{}", text)
    pairs = zip(parts[::2], [*parts[1::2], ""], strict=True)
    return format_html_join(
        "", "{}{}",
        ((plain, format_html("<code>{}</code>", code) if code else "") for plain, code in pairs),
    )  # fmt: skip


@register.filter
def amount(count: int | None) -> str:
    """How many there are, with the thousands apart."""
    return "–" if count is None else grouped(count)


@register.filter
def spoken(word: object) -> str:
    """A word of the program in the language of the page: a state, a title, a pattern's text."""
    return str(word) if isinstance(word, Promise) else SPOKEN.gettext(str(word or ""))


@register.filter
def unbroken(result: str) -> str:
    """A result of a game, within which no line ends."""
    return ON_PAGES.result(result)


@register.filter
def kind_of_event(kind: str) -> str:
    """What reports call a kind of event; a word that is none of theirs stays as it is."""
    return SPOKEN.gettext(kind.replace("_", " ")) if kind in KINDS else kind


@register.filter
def of_register(number: str, name: str) -> str:
    """A number with the register that it is in, which is a federation or one of our words."""
    known = _NUMBERS.get(name)
    return str(known).format(n=number) if known else f"{register_called(name)} {number}"


@register.filter
def register_called(name: str) -> str:
    """A register by itself: a word of ours, or what the federation is called."""
    return str(_OURS[name]) if name in _OURS else _FEDERATIONS.get(name, name.upper())


@register.filter
def decision(kind: str) -> str:
    """What an office decides of a person, as its rule book calls the field."""
    return called.decision(kind, SPOKEN)


@register.filter
def told(text: str) -> str:
    """What the office says, in the language of the page; what a person wrote stays as it is.

    A reason is a text by itself: the catalogue knows those that the program gives.
    """
    said = text if isinstance(text, Sentence) else reason_said(text)
    return SPOKEN.told(said if isinstance(said, Sentence) else stated(said))


@register.filter
def titled(title: str) -> str:
    """The title of a list, which ends with its day or its number."""
    before, _, last = title.rpartition(" ")
    place, said = ("day", SPOKEN.day(last)) if _is_day(last) else ("number", last)
    pattern = f"{before} {{{place}}}"
    known = SPOKEN.gettext(pattern)
    # Of a rule book that no catalogue knows, the day is written as the page has it all the same.
    return f"{before} {said}" if known == pattern else known.format(**{place: said})


@register.filter
def since_day(text: str) -> str:
    """A day that is written as ISO 8601 has it; whatever stands for none stays as it is."""
    return SPOKEN.day(text) if _is_day(text) else text


def _is_day(text: str) -> bool:
    return len(text) == len("2026-01-01") and text.replace("-", "").isdecimal()


@register.filter
def said(text: str) -> str:
    """A sentence of an explanation in the language of the page."""
    return SPOKEN.said(text)


@register.filter(expects_localtime=True)
def day(value: date | None) -> str:
    """A day as the language writes it."""
    return written_day(value) if value else ""


@register.filter(expects_localtime=True)
def short_day(value: date | None) -> str:
    """A day in the head of a column."""
    return _dated(value, pgettext("format of days", "j M y"))


@register.filter(expects_localtime=True)
def day_of_year(value: date | None) -> str:
    """A day whose year is known."""
    return _dated(value, pgettext("format of days", "j M"))


@register.filter(expects_localtime=True)
def weekday(value: date | None) -> str:
    """A day with that of the week."""
    return _dated(value, pgettext("format of days", "l, j M Y"))


@register.filter(expects_localtime=True)
def month(value: date | None) -> str:
    """A month."""
    return _dated(value, pgettext("format of days", "M Y"))


@register.filter(expects_localtime=True)
def moment(value: date | None) -> str:
    """A day with the time, and of which clock that is: readers sit anywhere."""
    return _clocked(_dated(value, pgettext("format of days", "j M Y H:i")))


@register.filter(expects_localtime=True)
def short_moment(value: date | None) -> str:
    """The same, of a year that is known."""
    return _clocked(_dated(value, pgettext("format of days", "j M H:i")))


def _clocked(text: str) -> str:
    return f"{text}\N{NO-BREAK SPACE}UTC" if text else ""


def _dated(value: date | None, how: str) -> str:
    return date_format(value, how) if value else ""

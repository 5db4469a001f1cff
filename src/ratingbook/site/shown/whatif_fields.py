"""The fields of a what-if: what a rule book reads of a player and of an event, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratingbook.desk.askable import Askable, askable, askable_of_event
from ratingbook.desk.planned import BadGame
from ratingbook.desk.whatif import Asker
from ratingbook.rules.book import RuleBook
from ratingbook.site.languages import SPOKEN

LONGEST = 60
_TITLES = {
    "class": _("Class of the event"),
    "category": _("Category of the event"),
    "kind": _("Kind of the event"),
    "pool": _("List"),
    "level": _("Level of the event"),
    "time_control": _("Time control"),
    "k": _("K of the list, if the games are not known"),
    "status": _("Status of the rating"),
    "ter": _("Tournament Entry Rating (TER)"),
    "in_progress": _("Last day with a game in progress"),
    "olm": _("Original Life Master"),
    "wins": _("Games won so far"),
    "draws": _("Games drawn so far"),
    "losses": _("Games lost so far"),
    "earlier_score": _("Points in these games"),
    "earlier_opponents": _("Sum of the opponents’ ratings in them, as they counted"),
    "earlier_own": _("Sum of the own ratings in them"),
    "fide": _("FIDE rating"),
    "fide_games": _("Games of the FIDE rating"),
    "cfc": _("CFC rating"),
    "iccf": _("ICCF rating"),
    "iccf_games": _("Games of the ICCF rating"),
    "national": _("National rating"),
    "national_games": _("Games of the national rating"),
    "standard": _("Standard rating"),
    "quick": _("Quick rating"),
    "quick_games": _("Games of the quick rating"),
    "regular": _("Regular rating"),
    "regular_games": _("Games of the regular rating"),
    "transfer": _("Rating under the old scheme"),
    "tutor_rating": _("Rating that the tutor proposed"),
    "class_m_winner": _("Won an old Class M tournament"),
    "federation": _("Federation"),
}
"""What facts are called whose names say less."""


@dataclass(frozen=True)
class Choice:
    """A value that a field may have, and what it is called."""

    value: str
    title: str | Promise


@dataclass(frozen=True)
class Field:
    """A field of the form; with ``choices`` one of them, else a number or a text."""

    name: str
    title: str | Promise
    value: str
    kind: str
    """``number``, ``text``, ``choice`` or ``check``."""
    choices: tuple[Choice, ...] = ()
    is_elsewhere: bool = False
    """Whether it is about ratings elsewhere, or what the office decided."""


def reads_birth(book: RuleBook) -> bool:
    """Whether a rule of the edition asks for the age."""
    return any(_names_birth(rule.function) for rule in book.rules)


def _names_birth(function: FunctionType) -> bool:
    code = function.__code__
    return any("birth" in name for name in (*code.co_names, *code.co_varnames))


def own_fields(book: RuleBook, said: Mapping[str, str]) -> tuple[Field, ...]:
    """What a rule book reads of a player, filled in as was said."""

    def field(name: str, title: str, kind: str = "number") -> Field:
        return Field(name, title, said.get(name, ""), kind)

    fields = [field("rating", gettext("Rating")), field("games", gettext("Rated games"))]
    if book.grades is not None or book.domain.grades:
        fields.append(field("grade", gettext("Grade"), "text"))
    if reads_birth(book):
        fields.append(field("birth_year", gettext("Year of birth")))
    more = [_field(one, said) for one in askable(book) if one.kind is not object]
    return (*fields, *more)


def event_fields(book: RuleBook, said: Mapping[str, str]) -> tuple[Field, ...]:
    """What a rule book reads of an event, filled in as was said."""
    return tuple(_field(one, said) for one in askable_of_event(book))


def _field(one: Askable, said: Mapping[str, str]) -> Field:
    """A fact as a field."""
    title = _TITLES.get(one.name) or SPOKEN.gettext(one.name.replace("_", " ").capitalize())
    choices = tuple(Choice(x, SPOKEN.gettext(x.replace("_", " "))) for x in one.words)
    shape = "check" if one.kind is bool else "number" if one.kind in (int, float) else "text"
    kind = "choice" if choices else shape
    return Field(one.name, title, said.get(one.name, ""), kind, choices, one.is_elsewhere)


def number(text: str, title: str) -> float | None:
    """A number as people write it; None of an empty field."""
    if not text:
        return None
    try:
        value = float(text.replace(",", ".").replace("\N{MINUS SIGN}", "-"))
    except ValueError:
        raise BadGame(
            gettext("{title} is a number, not “{text}”").format(title=title, text=text)
        ) from None
    if not abs(value) < 10**6:
        raise BadGame(gettext("{title} cannot be “{text}”").format(title=title, text=text))
    return value


def of_event(field: Field) -> str:
    """What is said of an event, as the command has it."""
    told = number(field.value, str(field.title)) if field.kind == "number" else None
    return field.value if told is None else f"{told:.10g}"


def asker(said: Mapping[str, str], own: Sequence[Field], book: RuleBook) -> Asker:
    """Who asks, with all that the rule book reads."""
    by_name = {field.name: field for field in own}
    extra: dict[str, bool | int | float | str] = {}
    for one in askable(book):
        field = by_name.get(one.name)
        if field is None or not field.value:
            continue
        if one.kind is bool:
            extra[one.name] = True
        elif one.kind in (int, float):
            told = number(field.value, str(field.title))
            extra[one.name] = one.kind(told) if told is not None else 0
        elif not one.words or field.value in one.words:
            extra[one.name] = field.value
    games = number(said.get("games", ""), title := gettext("The number of rated games"))
    if games is not None and (games < 0 or not games.is_integer()):
        raise BadGame(gettext("{title} cannot be “{text}”").format(title=title, text=said["games"]))
    born = (
        number(by_name["birth_year"].value, gettext("The year of birth"))
        if "birth_year" in by_name
        else None
    )
    return Asker(
        rating=number(said.get("rating", ""), gettext("The rating")),
        games=None if games is None else int(games),
        grade=by_name["grade"].value or None if "grade" in by_name else None,
        birth_year=None if born is None else int(born),
        standing=extra,
    )  # fmt: skip

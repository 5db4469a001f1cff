"""What becomes of a rating: a form whose fields are what a rule book reads, and the answer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from types import FunctionType

import pyarrow.compute as pc
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from ratingbook.desk.birth_dates import public_steps, speaks_of_age
from ratingbook.desk.outcomes import Answer
from ratingbook.desk.planned import (
    MOST_STONES,
    OPEN,
    SCORES,
    BadGame,
    BadOpponent,
    Planned,
    planned,
    score_of,
)
from ratingbook.desk.results import Refused
from ratingbook.desk.whatif import AS_CLASS_A, HOW_MANY, Asker, event_of, of_games, player_of
from ratingbook.desk.written import points, rating_number
from ratingbook.engine.intake.edition import check_validity
from ratingbook.engine.rate import RatedRow
from ratingbook.engine.report.known import TOTALS, totals_read
from ratingbook.model import Finding, Findings, Severity, Standing
from ratingbook.model.sentences import Sentence
from ratingbook.office.acts.explain import standing_of
from ratingbook.office.acts.people import canonical, names_of
from ratingbook.office.acts.published import head_run, table_of
from ratingbook.office.acts.registry import suppressed, token
from ratingbook.office.acts.setup import decimals_of, rules_of
from ratingbook.office.home import current
from ratingbook.office.logic.rounding import change_of, rounded_one
from ratingbook.office.refused import refuse
from ratingbook.office.store import models as m
from ratingbook.rules import registry
from ratingbook.rules.asked import reads_level, statuses_read, words_read
from ratingbook.rules.book import RuleBook
from ratingbook.rules.series import BookOrSeries
from ratingbook.site.answers import DRAWN
from ratingbook.site.languages import SPOKEN, localised
from ratingbook.site.shown.plots import Chart, Plot
from ratingbook.site.shown.rules import Step, steps_of
from ratingbook.site.shown.words import COMMAND, REMEDIES

GAMES = 15
"""So many games can be asked about at once."""
_ROWS = 5
_TELL_AGES = frozenset({"k"})
"""Keys of standings that a page says of nobody: after many games a K of 40 is that of a junior."""
_OF_POOL = "pool:"
"""Begins the rule book of a pool of this office, with its settings."""
_OF_ANOTHER_TIME = "edition.outside-validity"
"""The finding about a day that an edition was not made for; a pool goes by its edition all the
same, as long as the office has no other."""
_USUAL = "fide"
_LONGEST = 60
_EVENT = {
    "class": _("Class of the event"),
    "category": _("Category of the event"),
    "kind": _("Kind of the event"),
    "pool": _("List"),
}
_LEVEL = _("Level of the event")
_TIME_CONTROL = _("Time control")
_TIME_CONTROLS = ("G/5;d0", "G/30;d5", "5400")
"""Of a blitz, a rapid and a long game: who reads time controls does not take them for one."""
_OWN = {
    "ter": _("Tournament Entry Rating (TER)"),
    "in_progress": _("Last day with a game in progress"),
    "olm": _("Original Life Master"),
    "wins": _("Games won so far"),
    "draws": _("Games drawn so far"),
    "losses": _("Games lost so far"),
    "earlier_score": _("Points in these games"),
    "earlier_opponents": _("Sum of the opponents’ ratings in them, as they counted"),
    "earlier_own": _("Sum of the own ratings in them"),
}
"""What fields of a rule book are called whose keys say less."""
_UNRATED = "unrated"
"""What :func:`planned` calls an opponent without a rating."""


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


@dataclass(frozen=True)
class GameRow:
    """A game of the form."""

    number: int
    opponent: str
    score: str
    stones: str


@dataclass(frozen=True)
class Points:
    """What so many points bring, against the weakest opponents and against the strongest."""

    points: float
    least: float | None
    greatest: float | None
    change: float | None
    is_chosen: bool
    reaches: bool | None
    published: bool
    """Whether the rules publish the number."""


@dataclass(frozen=True)
class Told:
    """A finding in words."""

    code: str
    severity: str
    message: str
    remedy: str
    is_english: bool = False
    """Whether the language of the page does not know it."""


@dataclass(frozen=True)
class Answered:
    """The answer."""

    before: float | None
    after: float | None
    change: float | None
    score: float | None
    games: int
    expected: float | None
    status: str
    published: bool
    open: int
    """Games whose results are not said; then there is only the table by points."""
    enough: float | None
    """The least points that reach the target whoever they are scored against."""
    target: float | None
    by_points: tuple[Points, ...]
    chart: Chart | None = field(metadata=DRAWN)
    steps: tuple[Step, ...]
    grade: str
    notes: tuple[str, ...]


@dataclass(frozen=True)
class WhatIf:
    """The form as it was filled in, and the answer to it."""

    rulebook: str
    edition: str
    books: tuple[Choice, ...]
    player: int | None
    name: str
    own: tuple[Field, ...]
    """What the rule book reads of the player."""
    event: tuple[Field, ...]
    """What it reads of the event."""
    has_stones: bool
    rows: tuple[GameRow, ...]
    target: str
    answer: Answered | None
    findings: tuple[Told, ...]


@dataclass(frozen=True)
class Expected:
    """What a player is expected to score in a game against another."""

    rulebook: str
    edition: str
    rating: float
    opponent: float
    expected: float | None
    """None: the rule book expects nothing of such a game."""
    notes: tuple[Told, ...] = ()
    """That the edition was not in force on that day."""


def expected(
    rulebook: str, rating: float, opponent: float, day: date | None = None, handicap: int = 0
) -> Expected:
    """By a rule book, or by that of a pool, as it was on a day, or is today.

    ``handicap`` are the stones that the opponent receives, who then is Black.
    """
    from ratingbook.desk.library import predict

    edition = _book(rulebook).edition(day or date.today())
    if handicap and not edition.handicaps:
        findings = Findings()
        findings.add(
            Severity.ERROR, "site.no-handicaps",
            gettext("{name} rates no games with handicap stones.").format(name=edition.name),
            remedy=gettext("Leave the handicap out."),
        )  # fmt: skip
        raise Refused(findings)
    try:
        value = predict(edition, rating, opponent, day, handicap=handicap)
    except ValueError:
        value = None
    odd = check_validity(edition, day, "event") if day is not None else ()
    notes = tuple(map(_told, odd))
    return Expected(rulebook, edition.name, rating, opponent, value, notes)


def names_asked(page: WhatIf) -> frozenset[str]:
    """What may be asked of the rule book of a page."""
    parts = "orh" if page.has_stones else "or"
    games = (f"{part}{n}" for part in parts for n in range(1, GAMES + 1))
    fields = (each.name for each in (*page.own, *page.event))
    return frozenset({"rulebook", "player", "target", *games, *fields})


def unknown_of(page: WhatIf, query: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """What is asked with words that nobody knows, each with those that there are.

    A form has its choices; a program may send anything.
    """
    known = {
        each.name: tuple(one.value for one in each.choices)
        for each in (*page.own, *page.event) if each.choices
    }  # fmt: skip
    games = [name for n in range(1, GAMES + 1) if query.get(name := f"r{n}", "").strip()]
    return {name: SCORES for name in games if score_of(query[name]) is None} | {
        name: words for name, words in known.items()
        if (said := query.get(name, "").strip()) and said not in words
    }  # fmt: skip


def reads_birth(book: RuleBook) -> bool:
    """Whether a rule of the edition asks for the age."""
    return any(_names_birth(rule.function) for rule in book.rules)


def _names_birth(function: FunctionType) -> bool:
    code = function.__code__
    return any("birth" in name for name in (*code.co_names, *code.co_varnames))


def show(query: Mapping[str, str]) -> WhatIf:
    """The page of a query; nothing of it is kept."""
    person, known = _known(query)
    name = query.get("rulebook", "") or (f"{_OF_POOL}{known[0]}" if known else _usual())
    book = _book(name)
    edition = book.edition(None)
    standing = known[1] if known else None
    filled = _of_standing(standing)
    if "rating" in query:
        # A box of a form that was sent without it is not ticked.
        filled = {k: v for k, v in filled.items() if edition.standing_fields.get(k) is not bool}
    said = {**filled, **{k: v.strip()[:_LONGEST] for k, v in query.items()}}
    own, event = _own_fields(edition, said), _event_fields(edition, said)
    rows = _rows(said, edition)
    answer, findings = None, Findings()
    told: tuple[Told, ...] = ()
    if any(row.opponent for row in rows):
        try:
            answer, findings = _answered(edition, said, rows, own, event)
        except (BadGame, ValueError) as error:
            told = (_wrong(error),)
    is_own = name.startswith(_OF_POOL)
    told += tuple(
        _told(each) for each in findings if not (is_own and each.code == _OF_ANOTHER_TIME)
    )
    return WhatIf(
        rulebook=name,
        edition=edition.name,
        books=_books(),
        player=person,
        name=known[2] if known else "",
        own=own,
        event=event,
        has_stones=edition.handicaps,
        rows=rows,
        target=said.get("target", ""),
        answer=answer,
        findings=told,
    )


_OPPONENTS_STAY = _(
    "Your opponents keep their ratings here. The event itself rates them too, by all their games."
)
_NO_AGE = _(
    "The age is not asked here: without a year of birth it is reckoned as for somebody grown up."
)
_IN_FORM = {
    AS_CLASS_A: _("Reckoned as an event of class A; the form takes another class."),
    HOW_MANY: _(
        "Say how many under “Rated games”; under age, the year of birth under “Year of birth”."
    ),
}
"""Where the form has what a sentence names an option of the command for."""
_NO_HISTORY = (
    _("By these rules a rating after so few games is reckoned from all of them."),
    _("Say what the rated games so far have brought: the points in them, and the sum of the "
      "opponents’ ratings as they counted. The explanation of the last change tells both."),
)  # fmt: skip
_OF_FORM: Mapping[str, tuple[Promise, Promise]] = {
    "iccf.history-missing": _NO_HISTORY, "iecg.history-missing": _NO_HISTORY,
    "uscf.results-unknown": (
        _("By these rules it matters whether the games so far were all won, or all lost; that is "
          "not said, and it is reckoned as after neither."),
        _("Say how many games were won, drawn and lost so far."),
    ),
    "uscf.floor-unknown": (
        _("By these rules the personal floor rises with games won and drawn and with events; not "
          "all of them are said."),
        _("Say how many games were won and drawn so far, and how many events had three rated "
          "games."),
    ),
    "iccf.no-level": (
        _("Somebody without a rating plays, and nothing says with which level such players count."),
        _("Choose the category of the event, or say its level."),
    ),
}  # fmt: skip
"""What the form says in place of findings that ask for what it has no field for."""


def _wrong(error: Exception) -> Told:
    """What is wrong with a field."""
    said = error.args[0] if error.args else ""
    text = SPOKEN.told(said) if isinstance(said, Sentence) else str(error)
    return Told(
        "site.bad-field", "error", text[:400], gettext("Correct the field, and compute again.")
    )


def _told(one: Finding) -> Told:
    if one.code in _OF_FORM:
        said, remedy_said = map(str, _OF_FORM[one.code])
        return Told(one.code, one.severity.value, said, remedy_said)
    message = _in_form(one.message)
    is_english = message == one.message
    remedy = REMEDIES.get(one.code, _in_form(one.remedy))
    return Told(one.code, one.severity.value, message, str(remedy), is_english)


def _in_form(text: str) -> str:
    """What tells of the form, not of the command; of keys in files nobody asks here."""
    if text in _IN_FORM:
        return str(_IN_FORM[text])
    return "" if COMMAND.search(text) or '"' in text else SPOKEN.told(text)


def _usual() -> str:
    pool = m.Pool.objects.order_by("id").values_list("name", flat=True).first()
    return f"{_OF_POOL}{pool}" if pool else _USUAL


def _books() -> tuple[Choice, ...]:
    """The pools of this office, then all that is installed."""
    pools = m.Pool.objects.order_by("id").values_list("name", "rulebook")
    own = [Choice(f"{_OF_POOL}{name}", f"{name} ({rulebook})") for name, rulebook in pools]
    return (*own, *_installed())


@cache
def _installed() -> tuple[Choice, ...]:
    families = registry.families()
    found = [Choice(name, format_lazy(_("{name} (today)"), name=name)) for name in families]
    return (*found, *(Choice(name, name) for name in registry.names()))


def _book(name: str) -> BookOrSeries:
    if name.startswith(_OF_POOL):
        pool = m.Pool.objects.filter(name=name.removeprefix(_OF_POOL)).first()
        if pool is not None:
            return rules_of(pool).book()
    else:
        try:
            return registry.load(name)
        except registry.UnknownRuleBook:
            pass
    raise refuse(
        "office.no-rulebook", gettext("There is no rule book “{name}”.").format(name=name),
        gettext("The index of rule books has all that are installed."),
    )  # fmt: skip


Known = tuple[str, Standing, str]
"""The pool in which a player is known, how, and under which name."""


def _known(query: Mapping[str, str]) -> tuple[int | None, Known | None]:
    """A player of the office: what is published, and never what is private."""
    text = query.get("player", "")
    if not text.isdecimal() or len(text) > 9:
        return None, None
    person = canonical(int(text))
    name = names_of([person]).get(person)
    if name is None:
        raise refuse(
            "office.no-person", gettext("There is no player {n}.").format(n=text),
            gettext("Look for the name."),
        )  # fmt: skip
    if person in suppressed():
        name = token(person)
    chosen = query.get("rulebook", "").removeprefix(_OF_POOL)
    pools = m.Pool.objects.filter(head__gt=0).order_by("id")
    listed = m.ListRow.objects.filter(person=person).order_by("-list")
    last = listed.values_list("list__pool", flat=True).first()
    pool = next((x for x in pools if x.name == chosen), None)
    pool = pool or next((x for x in pools if x.id == last), None)
    standing = _standing(pool, person) if pool is not None else None
    if pool is None or standing is None:
        return person, None
    return person, (pool.name, standing, name)


def _standing(pool: m.Pool, person: int) -> Standing | None:
    run = head_run(pool)
    if run is None:
        return None
    table = table_of(current(), run.ratings_id or "")
    row = table.filter(pc.equal(table["player"], str(person))).to_pylist()
    if not row or not row[0]["published"]:
        return None
    # What the rules go on with has more decimals than they publish, and so has no page.
    rating = rounded_one(row[0]["rating"], decimals_of(pool))
    found = standing_of(current(), run, person)
    extra = found.extra if found is not None else {}
    public = {key: value for key, value in extra.items() if key not in _TELL_AGES}
    totals = {name: getattr(found, name, None) for name in TOTALS}
    return Standing(rating=rating, games=row[0]["games"], extra=public, **totals)


def _of_standing(standing: Standing | None) -> dict[str, str]:
    if standing is None or standing.rating is None:
        return {}
    said = {"rating": f"{standing.rating:.10g}", "games": str(standing.games or 0)}
    totals = ((name, getattr(standing, name)) for name in TOTALS)
    said |= {name: str(count) for name, count in totals if count is not None}
    return said | {key: _as_filled_in(value) for key, value in standing.extra.items()}


def _as_filled_in(value: object) -> str:
    """As somebody fills in a field of the form: a flag is there or not."""
    if isinstance(value, bool):
        return "1" if value else ""
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _keys(book: RuleBook) -> Mapping[str, type]:
    """What a rule book reads of a standing beside rating, games and status."""
    return {**dict.fromkeys(totals_read(book.bulk), int), **book.standing_fields}


def _own_fields(book: RuleBook, said: Mapping[str, str]) -> tuple[Field, ...]:
    def field(name: str, title: str, kind: str = "number") -> Field:
        return Field(name, title, said.get(name, ""), kind)

    fields = [field("rating", gettext("Rating")), field("games", gettext("Rated games"))]
    if book.grades is not None or book.domain.grades:
        fields.append(field("grade", gettext("Grade"), "text"))
    if reads_birth(book):
        fields.append(field("birth_year", gettext("Year of birth")))
    if statuses := statuses_read(book.bulk, book.parameters):
        choices = tuple(Choice(x.value, SPOKEN.gettext(x.value)) for x in statuses)
        fields.append(
            Field("status", gettext("Status of the rating"), said.get("status", ""), "choice",
                  choices)
        )  # fmt: skip
    for name, kind in _keys(book).items():
        title = str(_OWN.get(name) or SPOKEN.gettext(name.replace("_", " ").capitalize()))
        shape = "check" if kind is bool else "number" if kind in (int, float) else "text"
        if kind is not object:
            fields.append(field(name, title, shape))
    return tuple(fields)


def _event_fields(book: RuleBook, said: Mapping[str, str]) -> tuple[Field, ...]:
    bulk, p, domain = book.bulk, book.parameters, book.domain
    # With some words an edition reads what it reads anyway: a class A, a Swiss.
    usual = {*domain.classes, *domain.categories, *domain.kinds}
    several = {
        name: tuple(word for word in known.known if word in read or word in usual)
        for name, known in bulk.event_words.items()
        if (read := words_read(bulk, name, known.known, p))
    }
    if bulk.pools is not None:
        several["pool"] = tuple(dict.fromkeys((*bulk.pools.names, *several.get("pool", ()))))
    found = [
        Field(
            name, _EVENT[name], said.get(name, ""), "choice",
            tuple(Choice(word, SPOKEN.gettext(word.replace("_", " "))) for word in several[name]),
        )
        for name in _EVENT if several.get(name)
    ]  # fmt: skip
    if reads_level(bulk, p):
        found.append(Field("level", _LEVEL, said.get("level", ""), "number"))
    if words_read(bulk, "time_control", _TIME_CONTROLS, p):
        found.append(Field("time_control", _TIME_CONTROL, said.get("time_control", ""), "text"))
    return tuple(found)


def _rows(said: Mapping[str, str], book: RuleBook) -> tuple[GameRow, ...]:
    numbers = [int(key[1:]) for key in said if re.fullmatch(r"o[0-9]{1,2}", key) and said[key]]
    asked = 1 if said.get("add") else 0
    count = min(GAMES, max(_ROWS, max(numbers, default=0) + asked))
    return tuple(
        GameRow(
            number, said.get(f"o{number}", ""), score_of(said.get(f"r{number}", OPEN)) or OPEN,
            said.get(f"h{number}", "") if book.handicaps else "",
        )
        for number in range(1, count + 1)
    )  # fmt: skip


def _number(text: str, title: str) -> float | None:
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


def unrated() -> str:
    """What is typed in for an opponent without a rating, in the language of the page."""
    return pgettext("typed in for an opponent", "unrated")


def _of_event(field: Field) -> str:
    """What is said of an event, as the command has it."""
    number = _number(field.value, str(field.title)) if field.kind == "number" else None
    return field.value if number is None else f"{number:.10g}"


def _asker(said: Mapping[str, str], own: Sequence[Field], book: RuleBook) -> Asker:
    """Who asks, with all that the rule book reads."""
    by_name = {field.name: field for field in own}
    extra: dict[str, bool | int | float | str] = {}
    for name, kind in _keys(book).items():
        field = by_name.get(name)
        if field is None or not field.value:
            continue
        if kind is bool:
            extra[name] = True
        elif kind in (int, float):
            number = _number(field.value, str(field.title))
            extra[name] = kind(number) if number is not None else 0
        else:
            extra[name] = field.value
    games = _number(said.get("games", ""), title := gettext("The number of rated games"))
    if games is not None and (games < 0 or not games.is_integer()):
        raise BadGame(gettext("{title} cannot be “{text}”").format(title=title, text=said["games"]))
    born = (
        _number(by_name["birth_year"].value, gettext("The year of birth"))
        if "birth_year" in by_name
        else None
    )
    status = by_name.get("status")
    if status is not None and status.value in [each.value for each in status.choices]:
        extra["status"] = status.value
    return Asker(
        rating=_number(said.get("rating", ""), gettext("The rating")),
        games=None if games is None else int(games),
        grade=by_name["grade"].value or None if "grade" in by_name else None,
        birth_year=None if born is None else int(born),
        standing=extra,
    )  # fmt: skip


def _game(row: GameRow, book: RuleBook) -> Planned:
    """A game as the form has it; of a name with a number the number counts."""
    who = row.opponent
    last = re.split(r"[,\s]+", who)[-1]
    who = last if re.fullmatch(r"[\d.]+(/\d+)?", last) else who
    if who.casefold() == unrated().casefold():
        who = _UNRATED
    stones = _number(row.stones, title := gettext("The number of stones"))
    if stones and not (stones.is_integer() and abs(stones) <= MOST_STONES):
        raise BadGame(
            gettext("{title} is a whole number up to {most}, with a minus where you take them, "
                    "not “{text}”").format(title=title, most=MOST_STONES, text=row.stones)
        )  # fmt: skip
    if stones:
        who += f"/{'give' if stones > 0 else 'take'}{abs(int(stones))}"
    # A sign of equality always stands in it: no text of a reader is ever taken for a file.
    try:
        game = planned(f"{who.replace('=', ' ')}={row.score}", row.number, book)
    except BadOpponent:
        # The sentence of the command tells how games are typed there.
        raise BadGame(
            gettext("“{text}” is no rating of an opponent").format(text=row.opponent)
        ) from None
    name = gettext("opponent {n}").format(n=row.number)
    # The word of the command stands in no sentence of a page.
    is_unrated = who.partition("/")[0].casefold() == _UNRATED
    called = f"({unrated()})" if is_unrated else game.opponent.name
    return game._replace(opponent=replace(game.opponent, id=name, name=called))


def _answered(
    edition: RuleBook,
    said: Mapping[str, str],
    rows: Sequence[GameRow],
    own: Sequence[Field],
    event: Sequence[Field],
) -> tuple[Answered | None, Findings]:
    plan = [_game(row, edition) for row in rows if row.opponent]
    entry, findings = player_of(_asker(said, own, edition), edition)
    if findings.refused:
        return None, findings
    about = {field.name: _of_event(field) for field in event if field.value}
    told = event_of(about, None)
    reckons = edition.on(told.end).estimating()
    target = _number(said.get("target", ""), gettext("The target"))
    is_open = [game.half_points is None for game in plan]
    chosen = None
    if not any(is_open):
        chosen = of_games(reckons, entry, plan, told, explain=True)
        findings.extend(chosen.findings)
    by_points: list[Points] = []
    notes = [] if reckons == edition.on(told.end) else [str(_OPPONENTS_STAY)]
    notes += chosen.notes if chosen else ()
    if chosen is None or chosen.outcomes:
        vary = is_open if any(is_open) else [True] * len(plan)
        total = None if chosen is None else sum(game.half_points or 0 for game in plan)

        def at(half: int, *, weakest: bool) -> Answer:
            return of_games(
                reckons, entry, _with(plan, vary, half, weakest=weakest), told, explain=False
            )  # fmt: skip

        fixed = sum(
            game.half_points or 0 for game, varies in zip(plan, vary, strict=True) if not varies
        )
        for half in range(2 * sum(vary), -1, -1):
            both = [at(half, weakest=True), at(half, weakest=False)]
            if not all(each.outcomes for each in both):
                findings.extend(both[0].findings)
                break
            notes += both[0].notes
            by_points.append(_points(both, fixed + half, target, total))
    enough = [each.points for each in by_points if each.reaches]
    row = chosen.outcomes[0].rated if chosen and chosen.outcomes else None
    if row is None and not by_points:
        return None, findings
    began = chosen.begins if chosen else None
    before = None if row is None else row.row.before if row.row.before is not None else began
    after = None if row is None else row.row.after
    if row is not None and entry.birth_year is None and entry.birth_date is None:
        row, is_without = _without_age(row, edition)
        notes += [str(_NO_AGE)] if is_without else ()
    return Answered(
        before=before, after=after,
        change=change_of(before, after),
        score=None if row is None else row.row.score, games=len(plan),
        expected=None if row is None else row.row.expected,
        status="" if row is None else row.row.status,
        published=row is None or row.row.published or after is None,
        open=sum(is_open), enough=min(enough, default=None), target=target,
        by_points=tuple(by_points), chart=_chart(by_points, target),
        steps=() if row is None else tuple(map(_without_colour, steps_of(row))),
        grade=_grade(edition, before, after),
        notes=tuple(dict.fromkeys(map(_in_form, notes))),
    ), findings  # fmt: skip


def _without_age(row: RatedRow, edition: RuleBook) -> tuple[RatedRow, bool]:
    """What says nothing of an age that nobody has said, and whether that is otherwise.

    It may be told of somebody by name, of whom the office knows the age and tells it to nobody.
    """
    steps = public_steps(row.explanation, "con" if edition.game == "Go" else "K")
    if steps is None or not any(map(speaks_of_age, row.explanation)):
        return row, False
    return replace(row, explanation=steps), True


def _without_colour(step: Step) -> Step:
    """A step of a game whose colours and round nobody has said."""
    if not isinstance(step.game, Sentence) or "opponent" not in step.game.words:
        return step
    who = step.game.words["opponent"]
    return replace(step, game=gettext("against {who}").format(who=SPOKEN.told(who)))


def _with(
    plan: Sequence[Planned], vary: Sequence[bool], half: int, *, weakest: bool
) -> list[Planned]:
    """The games with so many half points in those that vary, won against some before others."""

    def strength(at: int) -> float:
        standing = plan[at].opponent.standing
        return standing.rating or 0.0 if standing else 0.0

    order = sorted((at for at, varies in enumerate(vary) if varies), key=strength)
    scores = {at: game.half_points or 0 for at, game in enumerate(plan)}
    for at in order if weakest else reversed(order):
        scores[at] = min(2, half)
        half -= scores[at]
    return [game._replace(half_points=scores[at]) for at, game in enumerate(plan)]


def _points(both: Sequence[Answer], half: int, target: float | None, chosen: int | None) -> Points:
    after = [each.outcomes[0].after for each in both]
    known = [each for each in after if each is not None]
    least, greatest = min(known, default=None), max(known, default=None)
    rows = [each.outcomes[0].rated.row for each in both]
    before = rows[0].before if rows[0].before is not None else both[0].begins
    return Points(
        half / 2, least, greatest, change_of(before, least),
        half == chosen, None if target is None or least is None else least >= target,
        all(each.published or each.after is None for each in rows),
    )  # fmt: skip


def _chart(by_points: Sequence[Points], target: float | None) -> Chart | None:
    """The new rating by the points."""
    shown = [each for each in reversed(by_points) if each.least is not None]
    if len(shown) < 2:
        return None
    values = [value for each in shown for value in (each.least, each.greatest) if value is not None]
    gives = gettext("{points} gives {rating}")
    words = ", ".join(
        gives.format(points=points(x.points), rating=localised(rating_number(x.least)))
        for x in shown
    )
    goal = "" if target is None else ". " + gettext("The target is {rating}").format(
        rating=localised(rating_number(target))
    )  # fmt: skip
    over = values if target is None else [*values, target]
    plot = Plot.over(gettext("New rating by points"), words + goal, len(shown), over)
    for at, each in enumerate(shown):
        if each.least is None or each.greatest is None:
            continue
        plot.line("base", [(at, each.least), (at, each.greatest)])
        plot.dot(at, each.greatest, "dot peak" if each.is_chosen else "dot")
        if each.greatest != each.least:
            plot.dot(at, each.least)
        plot.label(at, points(each.points))
    if target is not None:
        plot.level("goal", target, localised(rating_number(target)), "accent")
    return plot.made()


def _grade(book: RuleBook, before: float | None, after: float | None) -> str:
    """The grade by rating, before and after."""
    if book.grades is None or after is None:
        return ""
    now = book.grades.of_rating(after)
    return now if before is None else f"{book.grades.of_rating(before)} → {now}"

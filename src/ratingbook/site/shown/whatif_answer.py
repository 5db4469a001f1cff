"""The answer of a what-if: what the games bring, by their scores and paragraph by paragraph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratingbook.desk import birth_dates
from ratingbook.desk.birth_dates import public_steps, speaks_of_age
from ratingbook.desk.extremes import Way, extreme_ways
from ratingbook.desk.outcomes import Answer
from ratingbook.desk.whatif import (
    AS_CLASS_A,
    AS_GROWN_UP,
    HOW_MANY,
    event_of,
    of_games,
    player_of,
)
from ratingbook.desk.written import MOST_DIGITS, points, rating_number
from ratingbook.engine.rate import RatedRow
from ratingbook.model import Finding, Findings
from ratingbook.model.decimals import change_of
from ratingbook.model.sentences import Sentence
from ratingbook.office.logic.rounding import rounded_one
from ratingbook.rules.book import RuleBook
from ratingbook.site.answers import DRAWN
from ratingbook.site.languages import SPOKEN, localised, written_day
from ratingbook.site.shown.plots import Chart, Plot
from ratingbook.site.shown.rules import Step, steps_of
from ratingbook.site.shown.whatif_fields import Field, asker, number, of_event
from ratingbook.site.shown.whatif_games import GameRow, game
from ratingbook.site.shown.words import COMMAND, REMEDIES


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
    decimals: int | None
    """With which the pool publishes numbers; None: it is no pool's, and has three at most."""
    as_grown_up: bool
    """Whether a child has another K, and nobody has said an age."""


class ListedK(NamedTuple):
    """The K with which a list has somebody."""

    day: date
    k: int
    said: Mapping[str, str]
    """What is said of the player where that K is taken; empty: somebody else is asked about."""
    own: Sequence[Field]
    """The same as fields."""


_OPPONENTS_STAY = _(
    "Your opponents keep their ratings here. The event itself rates them too, by all their games."
)
_IN_FORM = {
    AS_GROWN_UP: _(
        "The age is not asked here: without a year of birth it is reckoned as for somebody grown "
        "up."
    ),
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
    "fide.k-not-taken": (
        _("The K that is given is another one than the rules make. It is looked at only of "
          "somebody rated of whom nobody says the number of games."),
        _("Leave “Rated games” empty to go by it; a junior says the year of birth, and whoever "
          "was once rated 2400 says so."),
    ),
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
    "uscf.no-fide-rating": (
        _("Games against opponents without a FIDE rating are not rated in an event of this kind."),
        _("Say the FIDE ratings of these opponents."),
    ),
    "uscf.nobody-updated": (
        _("Such an event changes ratings of the federation’s own players only, and nothing says "
          "that you are one: nothing is rated."),
        _("Say your rating, or “USA” as your federation."),
    ),
    "iccf.no-level": (
        _("Somebody without a rating plays, and nothing says with which level such players count."),
        _("Choose the category of the event, or say its level."),
    ),
}  # fmt: skip
"""What the form says in place of findings that ask for what it has no field for."""


def wrong_field(error: Exception) -> Told:
    """What is wrong with a field."""
    said = error.args[0] if error.args else ""
    text = SPOKEN.told(said) if isinstance(said, Sentence) else str(error)
    return Told(
        "site.bad-field", "error", text[:400], gettext("Correct the field, and compute again.")
    )


def told_of(one: Finding) -> Told:
    """A finding in words of the form."""
    if one.code in _OF_FORM:
        said, remedy_said = map(str, _OF_FORM[one.code])
        return Told(one.code, one.severity.value, said, remedy_said)
    message = in_form(one.message)
    is_english = message == one.message
    remedy = REMEDIES.get(one.code, in_form(one.remedy))
    return Told(one.code, one.severity.value, message, str(remedy), is_english)


def in_form(text: str) -> str:
    """What tells of the form, not of the command; of keys in files nobody asks here."""
    if text in _IN_FORM:
        return str(_IN_FORM[text])
    return "" if COMMAND.search(text) or '"' in text else SPOKEN.told(text)


def answered(
    edition: RuleBook,
    said: Mapping[str, str],
    rows: Sequence[GameRow],
    own: Sequence[Field],
    event: Sequence[Field],
    decimals: int | None = None,
    listed: ListedK | None = None,
    *,
    why_k: str = birth_dates.AS_GROWN_UP,
) -> tuple[Answered | None, Findings]:
    """The answer, and what is to be known of it.

    Its ratings have the ``decimals`` that a pool publishes, without a pool those of any page.
    ``listed`` is the K that a list of the pool has for the player: it is taken where the rules
    would make another one of an age, which nobody has said here.  ``why_k`` is what is said of a K
    in place of its reasons.
    """
    digits = MOST_DIGITS if decimals is None else decimals
    plan = [game(row, edition) for row in rows if row.opponent]
    entry, findings = player_of(asker(said, own, edition), edition)
    if findings.refused:
        return None, findings
    about = {field.name: of_event(field) for field in event if field.value}
    told = event_of(about, None)
    reckons = edition.on(told.end).estimating()
    target = number(said.get("target", ""), gettext("The target"))
    is_open = [game.half_points is None for game in plan]
    chosen = judged = None
    if not any(is_open):
        chosen = judged = of_games(reckons, entry, plan, told, explain=True)
        findings.extend(chosen.findings)
    by_points: list[Points] = []
    notes = [] if reckons == edition.on(told.end) else [str(_OPPONENTS_STAY)]
    if chosen is None or chosen.outcomes:
        vary = is_open if any(is_open) else [True] * len(plan)
        total = None if chosen is None else sum(game.half_points or 0 for game in plan)
        asked = [
            game._replace(half_points=None) if varies else game
            for game, varies in zip(plan, vary, strict=True)
        ]
        ways = extreme_ways(reckons, entry, asked, told)

        def at(way: Way, *, ages: bool) -> Answer:
            scores = iter(way)
            tried = [
                game._replace(half_points=next(scores)) if varies else game
                for game, varies in zip(plan, vary, strict=True)
            ]
            return of_games(reckons, entry, tried, told, explain=False, ages=ages)

        fixed = sum(
            game.half_points or 0 for game, varies in zip(plan, vary, strict=True) if not varies
        )
        for half in range(2 * sum(vary), -1, -1):
            first, *others = ways[half]
            both = [at(first, ages=judged is None), *(at(each, ages=False) for each in others)]
            judged = judged or both[0]
            if not all(each.outcomes for each in both):
                findings.extend(both[0].findings)
                break
            if chosen is None:
                findings.extend(both[0].findings)
            notes += both[0].notes
            by_points.append(_points(both, fixed + half, target, total, digits))
    enough = [each.points for each in by_points if each.reaches]
    row = chosen.outcomes[0].rated if chosen and chosen.outcomes else None
    if row is None and not by_points:
        return None, findings
    began = chosen.begins if chosen else None
    before, after = (None, None) if row is None else (_before(row, began), row.row.after)
    before, after = rounded_one(before, digits), rounded_one(after, digits)
    if row is not None and entry.birth_year is None and entry.birth_date is None:
        row = _without_age(row, edition, why_k)
    k_of_grown_up = judged.k_of_grown_up if judged else ()
    if listed is not None and listed.said and k_of_grown_up and listed.k not in k_of_grown_up:
        by_list, told_by_list = answered(
            edition, listed.said, rows, listed.own, event, decimals,
            why_k=birth_dates.AS_LISTED,
        )  # fmt: skip
        if by_list is not None:
            text = gettext("Reckoned with K = {k}, as the list of {day} has it.")
            said_first = text.format(k=listed.k, day=written_day(listed.day))
            return replace(by_list, notes=(said_first, *by_list.notes)), told_by_list
    notes += [*(judged.notes if judged else ()), *_of_listed_k(k_of_grown_up, listed)]
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
        notes=tuple(dict.fromkeys(map(in_form, notes))), decimals=decimals,
        as_grown_up=bool(k_of_grown_up),
    ), findings  # fmt: skip


def _without_age(row: RatedRow, edition: RuleBook, why_k: str) -> RatedRow:
    """What says nothing of an age that nobody has said.

    It may be told of somebody by name, of whom the office knows the age and tells it to nobody.
    """
    name = "con" if edition.game == "Go" else "K"
    steps = public_steps(row.explanation, name, why_k)
    if steps is None or not any(map(speaks_of_age, row.explanation)):
        return row
    return replace(row, explanation=steps)


def _of_listed_k(k_of_grown_up: Sequence[float], listed: ListedK | None) -> list[str]:
    """That a list has another K than that of somebody grown up: so it may be asked again."""
    if not k_of_grown_up or listed is None or listed.k in k_of_grown_up:
        return []
    text = gettext("The list of {day} has K = {k}; with a year of birth it may be that here.")
    return [text.format(day=written_day(listed.day), k=listed.k)]


def _without_colour(step: Step) -> Step:
    """A step of a game whose colours and round nobody has said."""
    if not isinstance(step.game, Sentence) or "opponent" not in step.game.words:
        return step
    who = step.game.words["opponent"]
    return replace(step, game=gettext("against {who}").format(who=SPOKEN.told(who)))


def _before(rated: RatedRow, began: float | None) -> float | None:
    """The rating before, or where that of somebody begins who had none."""
    return began if rated.row.before is None else rated.row.before


def _points(
    both: Sequence[Answer], half: int, target: float | None, chosen: int | None, digits: int
) -> Points:
    after = [rounded_one(each.outcomes[0].after, digits) for each in both]
    known = [each for each in after if each is not None]
    least, greatest = min(known, default=None), max(known, default=None)
    rows = [each.outcomes[0].rated.row for each in both]
    before = rounded_one(_before(both[0].outcomes[0].rated, both[0].begins), digits)
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

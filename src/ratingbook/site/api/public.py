"""What everybody may read: each operation gives what a page shows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from datetime import UTC, date, datetime
from typing import Annotated, Any, Literal, TypeVar

from django.http import HttpRequest, HttpResponse
from django.utils.translation import override
from ninja import Query, Schema
from pydantic import AfterValidator, BeforeValidator, Field

from ratingbook.model import YEARS, Refused, can_be
from ratingbook.office.acts.lists import list_named
from ratingbook.office.acts.people import exists, no_person
from ratingbook.office.acts.setup import pool_named
from ratingbook.office.refused import refuse
from ratingbook.site.answers import Table
from ratingbook.site.api.answers import OnlyJson, Paging, Shape, given, parts, rows_as_table
from ratingbook.site.api.described import part_model
from ratingbook.site.api.numbers import between, whole
from ratingbook.site.api.operations import NOT_UNDERSTOOD, bad_value, not_asked, reads
from ratingbook.site.problems import problem, wrong
from ratingbook.site.shown import (
    about,
    explanations,
    pools,
    search,
    since_first,
    statistics,
    whatif,
)
from ratingbook.site.shown import corrections as register
from ratingbook.site.shown import event as one_event
from ratingbook.site.shown import events as all_events
from ratingbook.site.shown import lists as listed
from ratingbook.site.shown import player as page_of_player
from ratingbook.site.shown import players as one_player
from ratingbook.site.shown import register as in_register
from ratingbook.site.shown import rules as books
from ratingbook.site.shown.findings import Noticed, noticed
from ratingbook.site.shown.persons import identity, is_public, refuse_unless_public
from ratingbook.site.shown.printed import Moved
from ratingbook.site.views.lists import found_list, known_mark, marked

T = TypeVar("T")


def _written_out(text: object) -> object:
    """A day as people write it; numbers would count seconds of a day of nobody."""
    if isinstance(text, str) and not re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
        raise ValueError("a day is written as 2026-04-01")
    return text


def _possible(day: date) -> date:
    if not can_be(day):
        raise ValueError(f"a day of the years {YEARS[0]} to {YEARS[1]}")
    return day


Text = Annotated[str, Field(max_length=200)]
# Bounds come before what reads them: behind it they are told by words that no JSON Schema has.
_MOST = 10**9 - 1
"""The greatest number of anything that a query names."""
Number = Annotated[int, Field(ge=0, le=_MOST), BeforeValidator(whole(0, _MOST))]
Day = Annotated[date, BeforeValidator(_written_out), AfterValidator(_possible)]
Year = Annotated[int, Field(ge=1000, le=9999), BeforeValidator(whole(1000, 9999))]
Stones = Annotated[int, Field(ge=0, le=9), BeforeValidator(whole(0, 9))]
Rating = Annotated[
    float, Field(ge=-10_000, le=10_000, allow_inf_nan=False),
    BeforeValidator(between(-10_000, 10_000)),
]  # fmt: skip


def _slice(every: Sequence[T]) -> Any:
    return lambda first, most: every[first : first + most]


@reads("/pools", "pools", list[pools.PoolShown], has_table=True)
def all_pools(request: HttpRequest, shape: Query[Shape]) -> HttpResponse:
    """The pools of which something is published."""
    found = pools.shown()
    return given(request, found, shape, lambda: rows_as_table(pools.PoolShown, found))


@reads("/lists", "lists", listed.Index, has_table=True)
def all_lists(request: HttpRequest, shape: Query[Shape]) -> HttpResponse:
    """All lists by pool and year, each in its newest revision."""
    found = listed.index()
    return given(request, found, shape, lambda: Table(*listed.index_table(found)))


_LIST = "/lists/{path:pool}/{day:day}"


_ONE = "Name one of these, or leave it out."
_LEFT_OUT = "Leave it out."
_ELSEWHERE = {"club": "`/players?club=` finds the players of a club."}


def _not_known(known: Mapping[str, Sequence[str]]) -> HttpResponse:
    """The answer to values of parameters that nobody knows, with those that there are."""
    findings = [
        wrong("site.unknown-value", f"{name}: There is {', '.join(values)}.", _ONE, f"query.{name}")
        if values else wrong("site.not-on-list", f"{name}: This list does not say it.",
                             _ELSEWHERE.get(name, _LEFT_OUT), f"query.{name}")
        for name, values in known.items()
    ]  # fmt: skip
    return problem(422, findings, NOT_UNDERSTOOD)


@reads(_LIST, "list", listed.ListHead, tag="lists")
def one_list(
    request: HttpRequest, pool: Text, day: date, shape: Query[OnlyJson],
    revision: Number | None = None,
) -> HttpResponse:  # fmt: skip
    """What a list is: by which rules, from which facts, with how many players."""
    found = found_list(pool, day, revision)
    mark = known_mark(request, found)
    if isinstance(mark, HttpResponse):
        return mark
    page = listed.show(found, listed.Wanted())
    names = [each.name for each in fields(listed.ListHead)]
    head = listed.ListHead(**{name: getattr(page, name) for name in names})
    return marked(given(request, head, shape), mark)


@reads("/lists/{name}", "list_named", listed.ListHead, tag="lists")
def list_by_name(request: HttpRequest, name: str, shape: Query[OnlyJson]) -> HttpResponse:
    """A list by the name that commands have for it.

    That is its number, POOL@DATE, or POOL@DATErREVISION.
    """
    one = list_named(name)
    return one_list(request, one.pool.name, one.date, shape, one.revision)


class Filters(Schema):
    """Whose rows of a list are wanted."""

    name: Text = ""
    federation: Text = ""
    club: Text = ""
    title: Text = ""
    sex: Text = ""
    active: bool | None = Field(
        None, description="`true`: only who has played and is not marked as inactive; `false`: "
                          "only the others.",
    )  # fmt: skip


_ACTIVE = {None: "", True: "1", False: "0"}


@reads(f"{_LIST}/rows", "list_rows", part_model(listed.Line), has_table=True, tag="lists")
def list_rows(
    request: HttpRequest, pool: Text, day: date, paging: Query[Paging],
    filters: Query[Filters], revision: Number | None = None,
) -> HttpResponse:  # fmt: skip
    """The rows of a list; CSV and Arrow have the columns of the list as it is printed."""
    found = found_list(pool, day, revision)
    mark = known_mark(request, found)
    if isinstance(mark, HttpResponse):
        return mark
    wanted = listed.Wanted(**{**filters.model_dump(), "active": _ACTIVE[filters.active]})
    if unknown := listed.unknown_of(found, wanted):
        return _not_known(unknown)

    def table(lines: Sequence[listed.Line]) -> Table:
        return listed.table_of(found, wanted, {each.person for each in lines})

    made = parts(
        request, paging, lambda first, most: listed.part_of(found, wanted, first, most),
        lambda line: line.person, table,
    )  # fmt: skip
    return marked(made, mark)


@reads(f"{_LIST}/changes", "list_changes", part_model(Moved), has_table=True, tag="lists")
def list_changes(
    request: HttpRequest, pool: Text, day: date, paging: Query[Paging],
    revision: Number | None = None, kind: Literal["moved", "entered", "left"] = "moved",
) -> HttpResponse:  # fmt: skip
    """Who moved, entered or left since the list before."""
    found = found_list(pool, day, revision)
    mark = known_mark(request, found)
    if isinstance(mark, HttpResponse):
        return mark
    report = listed.changes(found, kind, 1, None)
    if report is None:
        raise refuse(
            "office.no-list", f"The list of {day} is the first of the pool {pool}.",
            "There is nothing to compare it with.",
        )  # fmt: skip
    made = parts(
        request, paging, _slice(report.lines), lambda each: each.person,
        lambda rows: rows_as_table(Moved, rows),
    )  # fmt: skip
    return marked(made, mark)


@reads(f"{_LIST}/printed", "list_printed", listed.AsPrinted, tag="lists")
def list_printed(
    request: HttpRequest, pool: Text, day: date, shape: Query[OnlyJson],
    revision: Number | None = None,
) -> HttpResponse:  # fmt: skip
    """A list as it was printed, whole: columns with titles, rows, and why others are not on it."""
    found = found_list(pool, day, revision)
    mark = known_mark(request, found)
    if isinstance(mark, HttpResponse):
        return mark
    return marked(given(request, listed.as_printed(found), shape), mark)


@reads(f"{_LIST}/files", "list_files", listed.ListFiles, has_table=True, tag="lists")
def list_files(
    request: HttpRequest, pool: Text, day: date, shape: Query[Shape],
    revision: Number | None = None,
) -> HttpResponse:  # fmt: skip
    """The files of a list, with checksums of those that somebody had before."""
    shown = listed.list_files(found_list(pool, day, revision))
    rows = [(x.form, x.name, x.size, x.sha256) for x in shown.files]
    columns = ("form", "name", "size", "sha256")
    return given(request, shown, shape, lambda: Table(columns, rows))


@reads("/players", "players", search.Found, has_table=True)
def find_players(
    request: HttpRequest, shape: Query[Shape], q: Text = "", club: Text = ""
) -> HttpResponse:
    """Whom one looks for: by a name in any script, by a number, or by a club."""
    found = search.search(q, club)
    return given(request, found, shape, lambda: search.table(found))


_PLAYER = "/players/{number:person}"


@reads(_PLAYER, "player", one_player.Player, tag="players")
def player(
    request: HttpRequest, person: int, shape: Query[OnlyJson], pool: Text = ""
) -> HttpResponse:
    """A player; the number of one who was merged is that of the one who is left."""
    return given(request, _shown(person, pool), shape)


def _shown(person: int, pool: str) -> one_player.Player:
    who = identity(person)
    found = page_of_player.player(who, pool)
    refuse_unless_public(who, found.pools, found.results)
    pools.refuse_unknown(pool)
    if pool not in ("", found.results_of):
        raise refuse(
            "office.no-history", f"Nothing of player {person} is rated there.",
            "Look at the pools of the player.",
        )  # fmt: skip
    return found


@reads(
    f"{_PLAYER}/results", "player_results", part_model(one_player.Result), has_table=True,
    tag="players",
)  # fmt: skip
def player_results(
    request: HttpRequest, person: int, paging: Query[Paging], pool: Text = ""
) -> HttpResponse:
    """All changes of the ratings, of all pools or of one, the newest first."""
    who = identity(person)
    found = page_of_player.results(who)
    refuse_unless_public(who, found)
    pools.refuse_unknown(pool)
    every = [x for x in found if pool in ("", x.pool)][::-1]
    every.sort(key=lambda each: each.day, reverse=True)
    return parts(request, paging, _slice(every), lambda each: each.place, page_of_player.table)


@reads(f"{_PLAYER}/history", "player_history", one_player.History, tag="players")
def player_history(
    request: HttpRequest, person: int, shape: Query[OnlyJson], pool: Text = ""
) -> HttpResponse:
    """The ratings of a pool over time, as they are and as they were first published."""
    found = _shown(person, pool).history
    if found is None:
        raise refuse(
            "office.no-history", f"Nothing of player {person} is rated there.",
            "Look at the pools of the player.",
        )  # fmt: skip
    return given(request, found, shape)


@reads(
    f"{_PLAYER}/changes/{{pool}}/{{path:key}}", "explanation", explanations.Explanation,
    has_table=True, tag="players",
)  # fmt: skip
def explanation(
    request: HttpRequest, person: int, pool: Text, key: str, shape: Query[Shape],
    list: Number | None = None,
) -> HttpResponse:  # fmt: skip
    """Why a rating changed: games, sum, and what each paragraph said.

    With the number of a ``list`` as it was when the list was made.
    """
    found = explanations.explanation(person, pool, key, listed=list)
    return given(request, found, shape, lambda: explanations.table(found))


@reads(
    f"{_PLAYER}/lists/{{number}}", "explanation_on_list", explanations.Explanation,
    has_table=True, tag="players",
)  # fmt: skip
def explanation_on_list(
    request: HttpRequest, person: int, number: int, shape: Query[Shape]
) -> HttpResponse:
    """Why a rating last changed up to a list, as it was when the list was made."""
    pool, key = explanations.last_on(person, number)
    found = explanations.explanation(person, pool, key, listed=number)
    return given(request, found, shape, lambda: explanations.table(found))


@reads(
    f"{_PLAYER}/why", "why", part_model(since_first.Changed), has_table=True, tag="players"
)  # fmt: skip
def why(request: HttpRequest, person: int, pool: Text, paging: Query[Paging]) -> HttpResponse:
    """What was changed of a player's numbers in a pool after they were first rated, and why.

    As `ratingbook office why` tells it, as far as the rules publish these numbers.
    """
    exists(person)
    who, of = identity(person), pool_named(pool)
    found = since_first.since_first(of.id, who.person)
    if not is_public(who, found):
        # In the same words: that somebody waits at the desk is nobody's business.
        raise no_person(person)
    return parts(
        request, paging, _slice(found),
        lambda each: [each.batch, each.publication, each.was, each.now, *each.corrections],
        lambda rows: Table(*since_first.table(rows)),
    )  # fmt: skip


@reads("/events", "events", part_model(all_events.EventRow), has_table=True)
def find_events(
    request: HttpRequest, paging: Query[Paging], year: Year | None = None,
    pool: Text = "",
) -> HttpResponse:  # fmt: skip
    """The rated events, the newest first."""
    pools.refuse_unknown(pool)
    return parts(
        request, paging, lambda first, most: all_events.part_of(year, pool, first, most),
        lambda each: (each.report, each.pool), all_events.table_of,
    )  # fmt: skip


_EVENT = "/events/{number:report}"


@reads(_EVENT, "event", one_event.Event, tag="events")
def event(request: HttpRequest, report: int, shape: Query[OnlyJson]) -> HttpResponse:
    """An event, its sections and findings; the lines of its sections stand by themselves."""
    return given(request, one_event.event(report, lines=(0, 0)), shape)


@reads(
    f"{_EVENT}/sections/{{number:section}}", "section", part_model(one_event.LineShown),
    has_table=True, tag="events",
)  # fmt: skip
def section(
    request: HttpRequest, report: int, section: int, paging: Query[Paging],
    notation: Text | None = None,
) -> HttpResponse:  # fmt: skip
    """The cross table of a section, in a notation."""
    shown = one_event.event(report, section, notation, lines=(0, 10**6))
    known = [key for key, _ in shown.notations]
    if notation is not None and notation not in known:
        return _not_known({"notation": known})
    of = shown.section
    if of is None or of.number != section:
        raise refuse(
            "office.no-section", f"Event {report} has no rated section {section}.",
            "Look at the sections of the event.",
        )  # fmt: skip

    def table(lines: Sequence[one_event.LineShown]) -> Table:
        return one_event.table(replace(shown, section=replace(of, lines=tuple(lines))))

    return parts(request, paging, _slice(of.lines), lambda line: line.number, table)


@reads("/corrections", "corrections", part_model(register.Entry), has_table=True)
def corrections(request: HttpRequest, paging: Query[Paging]) -> HttpResponse:
    """The register of corrections, the newest first."""
    return parts(
        request, paging, register.entries, lambda each: each.number,
        lambda entries: Table(*register.index_table(entries)),
    )  # fmt: skip


_CORRECTION = "/corrections/{number:number}"


@reads(_CORRECTION, "correction", register.CorrectionPage, tag="corrections")
def correction(request: HttpRequest, number: int, shape: Query[OnlyJson]) -> HttpResponse:
    """A correction: what was asked, decided and changed, and whom it changed most."""
    return given(request, register.one(number), shape)


@reads(
    f"{_CORRECTION}/players", "correction_players", part_model(register.Mover), has_table=True,
    tag="corrections",
)  # fmt: skip
def correction_players(request: HttpRequest, number: int, paging: Query[Paging]) -> HttpResponse:
    """Everybody whom a correction changed, most first."""
    shown = register.one(number, None)
    return parts(
        request, paging, _slice(shown.movers), lambda each: [each.person, each.pool],
        lambda movers: Table(*register.movers_table(shown.shown_lists, movers)),
    )  # fmt: skip


@reads(f"{_CORRECTION}/entry", "correction_entry", in_register.Entry, tag="corrections")
def correction_entry(request: HttpRequest, number: int, shape: Query[OnlyJson]) -> HttpResponse:
    """What the register says of a correction, fact by fact; its numbers stand by themselves.

    As `ratingbook office register` tells it, without the names of those who acted.
    """
    return given(request, in_register.entry(number), shape)


@reads(
    f"{_CORRECTION}/numbers", "correction_numbers", part_model(in_register.Changed),
    has_table=True, tag="corrections",
)  # fmt: skip
def correction_numbers(request: HttpRequest, number: int, paging: Query[Paging]) -> HttpResponse:
    """The published numbers that a correction made others: after batches, and on lists."""
    return parts(
        request, paging, _slice(in_register.changed(number)),
        lambda each: [each.pool, each.batch, each.person],
        lambda rows: Table(*in_register.table(rows)),
    )  # fmt: skip


@reads("/rules", "rules", books.Index, has_table=True)
def rulebooks(request: HttpRequest, shape: Query[Shape]) -> HttpResponse:
    """The installed rule books, series by series."""
    found = books.index()
    return given(request, found, shape, lambda: Table(*books.index_table(found)))


_BOOK = "/rules/{slug:name}"


@reads(_BOOK, "rulebook", books.EditionPage | books.SeriesPage, tag="rules")
def rulebook(request: HttpRequest, name: str, shape: Query[OnlyJson]) -> HttpResponse:
    """An edition, whole; or the editions of a series over time."""
    return given(request, books.one(name), shape)


def _edition(name: str) -> books.EditionPage:
    found = books.one(name)
    if isinstance(found, books.SeriesPage):
        raise refuse(
            "office.no-rulebook", f"{name} is a series of rule books.", "Name one of its editions."
        )
    return found


@reads(f"{_BOOK}/paragraphs", "paragraphs", list[books.Paragraph], has_table=True, tag="rules")
def paragraphs(request: HttpRequest, name: str, shape: Query[Shape]) -> HttpResponse:
    """The paragraphs of an edition, and who performs each."""
    found = _edition(name)
    return given(request, found.paragraphs, shape, lambda: Table(*books.paragraphs_table(found)))


@reads(f"{_BOOK}/parameters", "parameters", list[books.Parameter], has_table=True, tag="rules")
def parameters(request: HttpRequest, name: str, shape: Query[Shape]) -> HttpResponse:
    """The numbers and readings of an edition that can be set."""
    found = _edition(name).parameters
    return given(request, found, shape, lambda: rows_as_table(books.Parameter, found))


@reads(f"{_BOOK}/examples/{{number:number}}", "example", books.ExamplePage, tag="rules")
def example(request: HttpRequest, name: str, number: int, shape: Query[OnlyJson]) -> HttpResponse:
    """A worked example, step by step."""
    return given(request, books.example(name, number), shape)


@reads("/expected", "expected", whatif.Expected, tag="whatif")
def expected(
    request: HttpRequest, rulebook: Text, rating: Rating, opponent: Rating,
    shape: Query[OnlyJson], day: Day | None = None, handicap: Stones = 0,
) -> HttpResponse:  # fmt: skip
    """What a player is expected to score at these ratings on a day, without one today.

    `rulebook` may be `pool:` and the name of a pool. `handicap` is the number of stones that the
    opponent receives, in rule books of Go.
    """
    try:
        found = whatif.expected(rulebook, rating, opponent, day, handicap)
    except Refused as refused:
        return _not_understood(noticed(refused.findings))
    return given(request, found, shape)


_WRONG = ("error", "fatal")
_ASKED = {
    "rulebook": "A rule book, a series, or `pool:` and the name of a pool.",
    "player": "A player of this office, with whose published rating is reckoned.",
    "target": "A rating to reach.",
    "o1": "The first opponent's rating; `o2` and so on up to `o15`.",
    "r1": "The first result: 1, 0.5, 0 or ?, also ½, win, draw, loss; with a margin 1:7, 0:7.",
    "h1": "Handicap stones of the first game, where the rule book rates such games.",
    "m1": "By how many points the first game was won or lost, where that counts.",
}  # fmt: skip


def _asked_of_any() -> list[dict[str, Any]]:
    """The query of a what-if: what is always read, and what some rule books read."""
    with override("en"):
        some = {
            name: (f"{field.title}. Read by {', '.join(books)}.", field)
            for name, (field, books) in whatif.fields_of_all().items()
        }
    every = {name: (text, None) for name, text in _ASKED.items()} | some
    return [
        {"in": "query", "name": name, "required": False, "description": text,
         "schema": {"type": "string"}
         | ({"examples": [x.value for x in field.choices]} if field and field.choices else {})}
        for name, (text, field) in every.items()
    ]  # fmt: skip


@reads("/whatif", "whatif", whatif.WhatIf, has_table=True, asked=_asked_of_any)
def what_if(request: HttpRequest, shape: Query[Shape]) -> HttpResponse:
    """What becomes of a rating: the fields of the page's form, with the answer."""
    found = whatif.show(request.GET.dict())
    known = whatif.names_asked(found) | {"format"}
    if others := [each for each in request.GET if each not in known]:
        return not_asked(others, known)
    if unknown := whatif.unknown_of(found, request.GET.dict()):
        return _not_known(unknown)
    if request.GET.get("player", "").strip() and found.player is None:
        told = bad_value("player", f"a whole number from 0 to {_MOST}", "query.player")
        return problem(422, [told], NOT_UNDERSTOOD)
    if refused := [each for each in found.findings if each.severity in _WRONG]:
        return _not_understood(
            [Noticed(x.code, x.severity, x.message, {}, x.remedy, 1, ()) for x in refused]
        )
    by_points = found.answer.by_points if found.answer else ()
    rows = [(x.points, x.least, x.greatest, x.change) for x in by_points]
    columns = ("points", "least", "greatest", "change")
    return given(request, found, shape, lambda: Table(columns, rows))


def _not_understood(findings: Sequence[Noticed]) -> HttpResponse:
    """What was asked for has numbers that the rule book does not know, say."""
    return problem(422, findings, NOT_UNDERSTOOD)


@reads("/statistics", "statistics", statistics.StatisticsPage, has_table=True)
def figures(request: HttpRequest, shape: Query[Shape], pool: Text = "") -> HttpResponse:
    """Players by rating, games by month, means over time, and scores beside what was expected."""
    found = statistics.show(pool)
    return given(request, found, shape, lambda: Table(*statistics.table_for(found)))


@reads("/downloads", "downloads", about.Downloads, has_table=True)
def downloads(request: HttpRequest, shape: Query[Shape]) -> HttpResponse:
    """The files of the newest list of each pool."""
    found = about.downloads()
    return given(request, found, shape, lambda: Table(*about.downloads_table(found)))


@reads("/status", "status", about.Status)
def status(request: HttpRequest, shape: Query[OnlyJson]) -> HttpResponse:
    """How the office is, and the head of its ledger."""
    return given(request, about.status(datetime.now(UTC)), shape)

"""Lists: by the rule book's prescription from a run, numbered, and kept as they were printed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from django.db.models import Max

from ratingbook.formats.registers import register_of
from ratingbook.model import Entry, Findings, Severity, Standing, StandingStatus
from ratingbook.model.sentences import sentence
from ratingbook.office.acts.people import attributes_of, names_of, numbers_of
from ratingbook.office.acts.published import head_run, table_of
from ratingbook.office.acts.registry import suppressed, token
from ratingbook.office.acts.setup import decimals_of, pool_named
from ratingbook.office.acts.snapshots import fed_of_run
from ratingbook.office.engine import (
    UNKNOWN,
    Fed,
    Results,
    Rules,
    coefficients_on,
    prints_results,
    results_on,
    rule_source,
)
from ratingbook.office.home import Home
from ratingbook.office.limits import is_id
from ratingbook.office.logic.chain import canonical
from ratingbook.office.logic.days import last_to_come
from ratingbook.office.logic.garbage import nothing_collected
from ratingbook.office.logic.rounding import rounded_one
from ratingbook.office.refused import refuse
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Act, Who, acting, check_may
from ratingbook.office.store.rows import CHUNK, put_rows
from ratingbook.rules.listing import Column, Listing, Member, NotListed, Statistics

_OFFICE = "Id"
"""The heading of numbers where the rule book knows of no register."""
_PERSON = "Person"
"""The heading of the office's own numbers beside those of a register."""
_ABOUT = frozenset({"federation", "country", "club", "title", "sex", "gender"})
"""What columns tell of a person beside the name; all else is of the rating."""
_PERIOD_GAMES = "period_games"
_K = "k"
_WOMAN = "w"
"""In FIDE's column of flags, beside one of who does not play."""
_STATUS = {each.value: each for each in StandingStatus}


@dataclass(frozen=True)
class ListDraft:
    """A list before it has a number."""

    listing: Listing
    date: date
    rows: tuple[Mapping[str, Any], ...]
    digest: str


def listing_of(home: Home, run: m.Run, day: date, upto: int | None = None) -> ListDraft:
    """The list of a day by the numbers of a run, as its rule book prescribes it.

    The names are those of now, or as known at a fact.
    """
    ratings = table_of(home, run.ratings_id or "")
    # Of a million rows those of the day are read.
    own = pc.field("date") == day
    changes = table_of(home, run.file_id or "", ["player", "date", "games"], own)
    return draft_of(run, day, ratings, changes, lambda: fed_of_run(home, run), upto)


def draft_of(
    run: m.Run, day: date, ratings: pa.Table, changes: pa.Table, feed: Callable[[], Fed],
    upto: int | None = None,
) -> ListDraft:  # fmt: skip
    """The list of a day by the ratings of that day; with the names as known at a fact, or now.

    ``feed`` gives what the run was fed, for rule books whose lists print results.
    """
    rules = Rules(run.rulebook, run.parameters, run.assume)
    edition = rules.book().edition(day).on(day)
    results: Mapping[str, Results] = {}
    if prints_results(edition, day):
        games = dict(zip(*(ratings[n].to_pylist() for n in ("player", "games")), strict=True))
        results = results_on(feed(), rules, min(day, run.until), games)
    coefficients: Mapping[str, int] = {}
    if edition.bulk.coefficient is not None:
        coefficients = coefficients_on(feed(), rules, day, min(day, run.until))
    with nothing_collected():
        members = _members(ratings, run, changes, (results, coefficients), day, upto)
        listing = edition.listing(members, day)
        rows = listing.rows
        return ListDraft(listing, listing.day, rows, _digest(rows))


def day_of(run: m.Run) -> date:
    """The day of the list that a run brings: where the rules prescribe list days, the last one."""
    edition = Rules(run.rulebook, run.parameters, run.assume).book().edition(run.until)
    return edition.on(run.until).listing((), run.until).day


def _plain_row(row: Mapping[str, object]) -> dict[str, object]:
    """A line with its days as texts."""
    return {
        key: value.isoformat() if isinstance(value, date) else value for key, value in row.items()
    }


def _digest(rows: tuple[Mapping[str, Any], ...]) -> str:
    """Over places, persons, ratings and games: names may be masked one day."""
    said = [[row.get("id"), row.get("rating"), row.get("games")] for row in rows]
    return hashlib.sha256(canonical(said)).hexdigest()


def _members(
    ratings: pa.Table, run: m.Run, changes: pa.Table,
    rated: tuple[Mapping[str, Results], Mapping[str, int]], day: date, upto: int | None,
) -> list[Member]:  # fmt: skip
    """Everybody whom the pool knows, as the list maker sees them.

    ``rated`` says how often who won, and by which K everybody is rated next.
    """
    decimals, (results, coefficients) = decimals_of(run.pool), rated
    # Of all that the engine knows of each player a list reads five columns.
    player, rating, games, status, last_played = (
        ratings[name].to_pylist() for name in ("player", "rating", "games", "status", "last_played")
    )
    people = [int(each) for each in player]
    names, said = names_of(people, upto), attributes_of(people, run.upto, day)
    played = _games_of_day(changes, day)
    nothing: dict[str, str] = {}
    members = []
    for person, number, exact, count, state, last in zip(
        people, player, rating, games, status, last_played, strict=True
    ):
        about = said.get(person, nothing)
        wins, draws, losses = results.get(number, UNKNOWN)
        standing = Standing(
            rating=rounded_one(exact, decimals), games=count, status=_STATUS[state],
            last_played=last, wins=wins, draws=draws, losses=losses,
        )  # fmt: skip
        entry = Entry(
            str(person), names.get(person, ""), federation=about.get("federation"),
            title=about.get("title"), sex=about.get("sex"), club=about.get("club"),
            standing=standing if exact is not None or count else None,
        )  # fmt: skip
        # After many games K says whether somebody is young: nobody without a name has one.
        k = None if entry.name == token(person) else coefficients.get(number)
        members.append(Member(entry, played.get(number), k))
    return members


def _games_of_day(changes: pa.Table, day: date) -> dict[str, int]:
    """The games of the batches of a day, by player."""
    own = changes.filter(pc.equal(changes["date"], pa.scalar(day, pa.date32())))
    sums = own.group_by("player").aggregate([("games", "sum")])
    return dict(zip(sums["player"].to_pylist(), sums["games_sum"].to_pylist(), strict=True))


def _beside(listing: Listing) -> dict[str, Any]:
    """What is kept of a list beside its lines."""
    return {
        "title": listing.title,
        "facts": list(listing.facts),
        "columns": [[c.key, c.title, c.numeric] for c in listing.columns],
        "statistics": [
            {
                "title": each.title,
                "columns": [[c.key, c.title, c.numeric] for c in each.columns],
                "rows": [_plain_row(row) for row in each.rows],
            }
            for each in listing.statistics
        ],
        "not_listed": [[each.id, each.name, each.reason] for each in listing.not_listed],
    }


def is_as_printed(home: Home, one: m.List, pool: m.Pool) -> bool:
    """Whether a kept list is as it is made again, by the rules and policies that its pool had then.

    Where the program prints otherwise by now, or the list is a revision of one that is older than
    its run, only the names are compared.
    """
    run = one.run
    run.pool = pool
    rows = m.ListRow.objects.filter(list=one).order_by("place").values_list("printed", flat=True)
    if one.date < run.until or rule_source(run.rulebook) != run.rule_source:
        names = names_of([int(str(row["id"])) for row in rows], one.fact)
        return all(row["name"] == names.get(int(str(row["id"])), "") for row in rows)
    # K may rest on a birth date, of which nothing is kept that was edited or deleted since.
    return is_same(listing_of(home, run, one.date, one.fact), one, but=_K)


def is_same(draft: ListDraft, one: m.List, *, whole: bool = True, but: str = "") -> bool:
    """Whether a draft prints what a kept list has, to the letter, ``but`` for one column.

    Without the ``whole`` of it: whom it leaves out, and why, is not on it.
    """
    beside = _beside(draft.listing)
    if not whole:
        del beside["not_listed"]
    if draft.digest != one.digest or canonical(beside) != canonical(
        {key: getattr(one, key) for key in beside}
    ):
        return False
    rows = m.ListRow.objects.filter(list=one).order_by("place").values_list("printed", flat=True)
    printed, kept = (
        canonical([{key: value for key, value in row.items() if key != but} for row in some])
        for some in (draft.rows, rows)
    )
    return printed == kept


def newest_of(pool: int, day: date) -> m.List | None:
    """The newest revision of the list of a day, if there is one."""
    return m.List.objects.filter(pool=pool, date=day).order_by("-revision").first()


def enter(act: Act, run: m.Run, draft: ListDraft) -> m.List:
    """Number a list and keep it, within the act that publishes it."""
    listing = draft.listing
    if not draft.rows:
        act.findings.add(
            Severity.WARNING,
            "office.list-empty",
            sentence(
                "The list of {day} of the pool {pool} has no player.",
                day=draft.date, pool=run.pool.name,
            ),
            remedy=sentence("Look at whom it leaves out, and why."),
        )  # fmt: skip
    revision = 1 + (
        m.List.objects.filter(pool=run.pool_id, date=draft.date).aggregate(last=Max("revision"))[
            "last"
        ]
        or 0
    )
    number = (m.List.objects.aggregate(last=Max("id"))["last"] or 0) + 1
    fact = act.fact(
        "list", ("list", number), ("run", run.id), ("pool", run.pool_id),
        payload={
            "date": draft.date.isoformat(), "revision": revision, "run": run.id,
            "digest": draft.digest, "rows": len(draft.rows),
        },
    )  # fmt: skip
    made = m.List.objects.create(
        id=number, pool_id=run.pool_id, date=draft.date, revision=revision, run=run, fact=fact,
        head=act.head.hash, digest=draft.digest, rows=len(draft.rows), **_beside(listing),
    )  # fmt: skip
    columns = ("list_id", "place", "person", "rating", "printed")
    rows = [
        (number, place, int(str(row["id"])), row.get("rating"), canonical(dict(row)).decode())
        for place, row in enumerate(draft.rows, 1)
    ]
    for start in range(0, len(rows), CHUNK):
        put_rows(m.ListRow._meta.db_table, columns, rows[start : start + CHUNK])
    return made


def make_list(home: Home, pool_name: str, day: date, who: Who) -> tuple[m.List, Findings]:
    """A list of a day by what is published, without another run."""
    check_may(who, "list")
    pool, run, draft = planned(home, pool_name, day, who.now().date())
    with acting(who) as act:
        if m.Pool.objects.get(id=pool.id).head != pool.head:
            raise refuse(
                "office.head-moved",
                sentence("Somebody published meanwhile."),
                sentence("Make the list again."),
            )
        made = enter(act, run, draft)
    return made, act.findings


def refuse_far_ahead(day: date, published: m.Run | None, today: date) -> None:
    """A mistyped year would end the calendar of a pool: no day before it would be open again.

    What is ``published`` further ahead already can still be gone on from.
    """
    last = last_to_come(today)
    if day > (last if published is None else max(last, published.until)):
        raise refuse(
            "office.far-ahead",
            sentence("The day {day} is more than a year ahead.", day=day),
            sentence("Take a day up to {last}.", last=last),
        )


def planned(home: Home, pool_name: str, day: date, today: date) -> tuple[m.Pool, m.Run, ListDraft]:
    """The list of a day as it would be, by what is published."""
    pool = pool_named(pool_name)
    run = head_run(pool)
    if run is None:
        raise refuse(
            "office.nothing-published",
            sentence("Nothing is published of the pool {pool_name}.", pool_name=pool_name),
            sentence("Make a run, approve and publish it."),
        )
    if day < run.until:
        raise refuse(
            "office.list-back",
            sentence(
                "What is published goes up to {until}; the list of {day} was made then, or never.",
                until=run.until,
                day=day,
            ),
            sentence("Take a day from then on."),
        )
    refuse_far_ahead(day, run, today)
    return pool, run, listing_of(home, run, day)


def list_named(text: str, upto: int | None = None) -> m.List:
    """A list by its number, or as POOL@DATE or POOL@DATErREVISION; else the newest revision.

    As known at a fact: what was made later is none.
    """
    every = m.List.objects.all() if upto is None else m.List.objects.filter(fact__lte=upto)
    if is_id(text):
        found = every.filter(id=int(text)).first()
    else:
        pool, _, day = text.rpartition("@")
        day, _, revision = day.partition("r")
        found = None
        try:
            chosen = every.filter(pool__name=pool, date=date.fromisoformat(day.strip())).order_by(
                "-revision"
            )
            if revision:
                chosen = chosen.filter(revision=int(revision))
            found = chosen.first()
        except ValueError:
            pass
    if found is None:
        raise refuse(
            "office.no-list",
            sentence("There is no list {text!r}.", text=text)
            if upto is None
            else sentence("There was no list {text!r} then.", text=text),
            "`ratingbook office lists` has their numbers; or write POOL@YYYY-MM-DD."
            if upto is None
            else "`ratingbook office lists` with the same --known has the lists of then.",
        )  # fmt: skip
    return found


def rows_of(one: m.List) -> list[dict[str, Any]]:
    """The lines of a list as they were printed; who is suppressed since then is not told of."""
    rows: list[dict[str, Any]] = list(
        m.ListRow.objects.filter(list=one).order_by("place").values_list("printed", flat=True)
    )
    hidden = suppressed()
    return [hiding(row, hidden) for row in rows] if hidden else rows


def cell(row: Mapping[str, Any], key: str) -> Any:
    """What stands in a column of a line; who did not play in the period has no games, so 0."""
    found = row.get(key)
    return 0 if found is None and key == _PERIOD_GAMES else found


def hiding(row: Mapping[str, Any], hidden: Collection[int]) -> dict[str, Any]:
    """A line as whoever reads it may see it: of who is suppressed the numbers only.

    As a list has it that is made since then, so that an older revision says no more.
    """
    person = int(str(row["id"]))
    if person not in hidden:
        return dict(row)
    gone = {*_ABOUT, _K}
    said = {key: None if key in gone else value for key, value in row.items()}
    if said.get("flag"):
        said["flag"] = str(said["flag"]).replace(_WOMAN, "") or None
    return said | {"name": token(person)}


def _masked(person: str, name: str, hidden: Collection[int]) -> str:
    """The name, or what stands in its place."""
    return token(int(person)) if int(person) in hidden else name


def proof_of(one: m.List) -> dict[str, str]:
    """What a bundle of a list is compared with."""
    return {"digest": one.digest, "head": one.head}


def listing_again(one: m.List, register: str | None = None) -> Listing:
    """A kept list as a rule book's listing, to be shown in any format.

    For the files of a federation the ids are the numbers of its ``register``, as they were known
    when the list was made; whoever had none, or is suppressed, has an empty one.  All others have
    these numbers where the federation prints its own, and say what the office's number is.
    """
    hidden = suppressed()
    left = ((id_, _masked(id_, name, hidden), why) for id_, name, why in one.not_listed)
    rows = rows_of(one)
    people = {int(str(row["id"])) for row in rows} - hidden
    columns = [Column(*each) for each in one.columns]
    if any(each.key == _PERIOD_GAMES for each in columns):
        rows = [{**row, _PERIOD_GAMES: cell(row, _PERIOD_GAMES)} for row in rows]
    if register is not None:
        numbers = numbers_of(register, people, one.fact)
        rows = [{**row, "id": numbers.get(int(str(row["id"])), "")} for row in rows]
    else:
        columns, rows = _with_numbers(one, columns, rows, people)
    return Listing(
        one.title, one.date, tuple(one.facts), tuple(columns),
        tuple(rows), tuple(NotListed(*each) for each in left),
        tuple(
            Statistics(s["title"], tuple(Column(*c) for c in s["columns"]), tuple(s["rows"]))
            for s in one.statistics
        ),
    )  # fmt: skip


def _with_numbers(
    one: m.List, columns: list[Column], rows: list[dict[str, Any]], people: Collection[int]
) -> tuple[list[Column], list[dict[str, Any]]]:
    """Columns and rows with the numbers of the federation's register under its own heading.

    The digest is made of the office's numbers, which keep their key.
    """
    run = m.Run.objects.get(id=one.run_id)
    book = Rules(run.rulebook, run.parameters, run.assume).book()
    register = register_of(book.federation)
    if register is None:
        return columns, rows
    key = f"ids.{register}"  # As files of players have it.
    found: list[Column] = []
    numbers = numbers_of(register, people, one.fact)
    for each in columns:
        if each.key == "id":
            title = f"{book.federation} ID" if each.title == _OFFICE else each.title
            found += [Column(key, title)] if numbers else []
            found.append(Column("id", _PERSON))
        else:
            found.append(each)
    if numbers:
        rows = [{**row, key: numbers.get(int(str(row["id"])), "")} for row in rows]
    return found, rows

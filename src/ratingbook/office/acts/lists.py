"""Lists: by the rule book's prescription from a run, numbered, and kept as they were printed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from django.db.models import Max

from ratingbook.formats.registers import register_of
from ratingbook.model import Entry, Finding, Findings, Severity, Standing, StandingStatus
from ratingbook.model.sentences import sentence
from ratingbook.office.acts.people import attributes_of, names_of, numbers_of
from ratingbook.office.acts.published import head_run, table_of
from ratingbook.office.acts.registry import suppressed
from ratingbook.office.acts.setup import decimals_of, pool_named
from ratingbook.office.acts.snapshots import fed_of_run
from ratingbook.office.engine.fed import Fed
from ratingbook.office.engine.rating import LISTED, OnDay, coefficients_on, listed_on, results_on
from ratingbook.office.engine.results import UNKNOWN, Results, prints_results
from ratingbook.office.engine.rules import Rules, rule_source
from ratingbook.office.home import Home
from ratingbook.office.limits import is_id
from ratingbook.office.logic import lines
from ratingbook.office.logic.chain import canonical, new_salt
from ratingbook.office.logic.days import last_to_come
from ratingbook.office.logic.garbage import nothing_collected
from ratingbook.office.logic.masked import token
from ratingbook.office.logic.rounding import rounded_one
from ratingbook.office.refused import refuse
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Act, Who, acting, check_may
from ratingbook.office.store.rows import CHUNK, put_rows
from ratingbook.rules.listing import Column, Listing, Member, NotListed, Statistics

_OFFICE = "Id"
"""The heading of numbers where the rule book knows of no register."""
_PERSON = "Person"
"""The heading of the office's own numbers beside those of a register."""
UNCHANGED = "office.list-unchanged"
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
    changes = _changes_on(home, run, list_day(rules_of_run(run), day))
    return brought(run, day, ratings, changes, lambda: fed_of_run(home, run), upto)


def brought(
    run: m.Run, day: date, ratings: pa.Table, changes: pa.Table, feed: Callable[[], Fed],
    upto: int | None = None,
) -> ListDraft:  # fmt: skip
    """The list that is in force on a day, by what a run has rated."""
    rules = rules_of_run(run)
    own = list_day(rules, day)
    coefficients: Mapping[str, int] = {}
    if rules.book().edition(own).on(own).bulk.coefficient is not None:
        coefficients = coefficients_on(feed(), rules, own, min(own, run.until))
    return draft_of(run, own, OnDay(ratings, coefficients), changes, feed, upto)


def _changes_on(home: Home, run: m.Run, day: date) -> pa.Table:
    """Who played how much in the batches of a day: of a million rows those of the day are read."""
    own = pc.field("date") == day
    return table_of(home, run.file_id or "", ["player", "date", "games"], own)


def draft_of(
    run: m.Run, day: date, made: OnDay, changes: pa.Table, feed: Callable[[], Fed],
    upto: int | None = None, names: Mapping[int, str] | None = None,
) -> ListDraft:  # fmt: skip
    """The list of a list day by its ratings of then; with the names as known at a fact, or now.

    All that it prints is of that day: its batch has that one, not the day that was asked for.
    ``feed`` gives what the run was fed, for rule books whose lists print results.  Where ``names``
    are given, they are all that is told of persons.
    """
    rules, ratings = rules_of_run(run), made.ratings
    edition = rules.book().edition(day).on(day)
    results: Mapping[str, Results] = {}
    if prints_results(edition, day):
        games = dict(zip(*(ratings[n].to_pylist() for n in ("player", "games")), strict=True))
        results = results_on(feed(), rules, min(day, run.until), games)
    with nothing_collected():
        rated = results, made.coefficients
        members = _members(ratings, run, changes, rated, day, upto, names)
        listing = edition.listing(members, day)
        rows = listing.rows
        return ListDraft(listing, listing.day, rows, lines.digest(rows))


def day_of(run: m.Run) -> date:
    """The day of the list that a run brings: where the rules prescribe list days, the last one."""
    return list_day(rules_of_run(run), run.until)


def list_day(rules: Rules, day: date) -> date:
    """The day of the list in force on a day: where the rules prescribe none, the day itself."""
    return rules.book().edition(day).on(day).listing((), day).day


def rules_of_run(run: m.Run) -> Rules:
    """The rules by which a run rated."""
    return Rules(run.rulebook, run.parameters, run.assume)


def _plain_row(row: Mapping[str, object]) -> dict[str, object]:
    """A line with its days as texts."""
    return {
        key: value.isoformat() if isinstance(value, date) else value for key, value in row.items()
    }


def _members(
    ratings: pa.Table, run: m.Run, changes: pa.Table,
    rated: tuple[Mapping[str, Results], Mapping[str, int]], day: date, upto: int | None,
    names: Mapping[int, str] | None,
) -> list[Member]:  # fmt: skip
    """Everybody whom the pool knows, as the list maker sees them.

    ``rated`` says how often who won, and by which K everybody is rated next.
    """
    decimals, (results, coefficients) = decimals_of(run.pool), rated
    player, rating, games, status, last_played, published = (
        ratings[name].to_pylist() for name in LISTED
    )
    people = [int(each) for each in player]
    said = attributes_of(people, run.upto, day) if names is None else {}
    names = names_of(people, upto) if names is None else names
    played = _games_of_day(changes, day)
    nothing: dict[str, str] = {}
    members = []
    for person, number, exact, count, state, last, is_published in zip(
        people, player, rating, games, status, last_played, published, strict=True
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
        members.append(Member(entry, played.get(number), k, unpublished=not is_published))
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
    that of its run, only the names are compared.
    """
    run = one.run
    run.pool = pool
    rows = m.ListRow.objects.filter(list=one).order_by("place").values_list("printed", flat=True)
    if rule_source(run.rulebook) != run.rule_source or one.date < day_of(run):
        names = names_of([int(str(row["id"])) for row in rows], one.fact)
        return all(row["name"] == names.get(int(str(row["id"])), "") for row in rows)
    changes = _changes_on(home, run, one.date)
    if lacks_games(home, one):
        changes = changes.slice(0, 0)
    ratings = table_of(home, run.ratings_id or "")
    made = brought(run, one.date, ratings, changes, lambda: fed_of_run(home, run), one.fact)
    # K may rest on a birth date, of which nothing is kept that was edited or deleted since.
    return is_same(made, one, but=lines.K)


def lacks_games(home: Home, one: m.List) -> bool:
    """Whether a list prints nobody's games of its period, though there are some.

    So did programs where a run ended on another day than that of its list.
    """
    sums = [
        row["games"]
        for each in one.statistics
        if any(key == "games" for key, *_ in each["columns"])
        for row in each["rows"]
    ]
    has_column = any(key == lines.PERIOD_GAMES for key, *_ in one.columns)
    if not (has_column or sums) or any(each is not None for each in sums):
        return False
    rows = m.ListRow.objects.filter(list=one).values_list("printed", flat=True)
    printed = {str(row["id"]): row.get(lines.PERIOD_GAMES) for row in rows}
    if any(each is not None for each in printed.values()):
        return False
    return not printed.keys().isdisjoint(
        _games_of_day(_changes_on(home, one.run, one.date), one.date)
    )


def is_same(draft: ListDraft, one: m.List, *, whole: bool = True, but: str = "") -> bool:
    """Whether a draft prints what a kept list has, to the letter, ``but`` for one column.

    Without the ``whole`` of it: whom it leaves out, and why, is not on it.
    """
    beside = _beside(draft.listing)
    if not whole:
        del beside["not_listed"]
    if canonical(beside) != canonical({key: getattr(one, key) for key in beside}):
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
    before = newest_of(run.pool_id, draft.date)
    revision = 1 if before is None else 1 + before.revision
    number, salt = (m.List.objects.aggregate(last=Max("id"))["last"] or 0) + 1, new_salt()
    fact = act.fact(
        "list", ("list", number), ("run", run.id), ("pool", run.pool_id),
        payload={
            "date": draft.date.isoformat(), "revision": revision, "run": run.id,
            "digest": draft.digest, "rows": len(draft.rows),
            **({} if before is None else {"columns": otherwise(draft.rows, before)}),
        },
        private_commit=lines.said_by(salt, draft.rows),
    )  # fmt: skip
    made = m.List.objects.create(
        id=number, pool_id=run.pool_id, date=draft.date, revision=revision, run=run, fact=fact,
        head=act.head.hash, digest=draft.digest, salt=salt, rows=len(draft.rows),
        **_beside(listing),
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
    """A list of a day by what is published, without another run.

    Where nothing on it is otherwise it is the one that there is.
    """
    check_may(who, "list")
    pool, run, draft = planned(home, pool_name, day, who.now().date())
    with acting(who) as act:
        if m.Pool.objects.get(id=pool.id).head != pool.head:
            raise refuse(
                "office.head-moved",
                sentence("Somebody published meanwhile."),
                sentence("Make the list again."),
            )
        newest = newest_of(pool.id, draft.date)
        if newest is not None and _would_show(draft, newest):
            act.findings.extend([unchanged(newest)])
            return newest, act.findings
        made = enter(act, run, draft)
    return made, act.findings


def _would_show(draft: ListDraft, one: m.List) -> bool:
    """Whether a draft shows what a kept list does, with the numbers of registers as of now."""
    return is_same(draft, one, whole=False) and _register_of(one, one.fact) == _register_of(
        one, ledger.head().seq
    )


def _register_of(one: m.List, upto: int) -> Mapping[int, str]:
    """The numbers that the players of a list have in its federation's register, as of a fact."""
    register = register_of(rules_of_run(one.run).book().federation)
    if register is None:
        return {}
    rows = m.ListRow.objects.filter(list=one).values_list("person", flat=True)
    return numbers_of(register, set(rows), upto)


def unchanged(one: m.List, remedy: str = "") -> Finding:
    """A revision of what is to the letter as it was would say that something changed."""
    return Finding(
        UNCHANGED,
        Severity.INFO,
        sentence(
            "The list of {day} stays as revision {revision} has it: nothing on it is otherwise.",
            day=one.date,
            revision=one.revision,
        ),
        remedy=remedy,
    )


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
    """The list of a day as it would be, by what is published; of an older one its next revision."""
    pool = pool_named(pool_name)
    run = head_run(pool)
    if run is None:
        raise refuse(
            "office.nothing-published",
            sentence("Nothing is published of the pool {pool_name}.", pool_name=pool_name),
            sentence("Make a run, approve and publish it."),
        )
    rules = rules_of_run(run)
    own = list_day(rules, day)
    is_older = own < day_of(run)
    if is_older and newest_of(pool.id, own) is None:
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
    if not is_older:
        return pool, run, listing_of(home, run, day)
    # A revision has the numbers of its own day, as one that a run brings.
    fed = fed_of_run(home, run)
    (made,) = listed_on(fed, rules, [own])
    changes = _changes_on(home, run, own)
    return pool, run, draft_of(run, own, made, changes, lambda: fed)


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
    return [lines.masked(row) if int(str(row["id"])) in hidden else row for row in rows]


def lines_of(one: m.List, people: Collection[str]) -> list[dict[str, Any]]:
    """Those of some people."""
    wanted = set(people)
    return [row for row in rows_of(one) if str(row["id"]) in wanted]


def shown_salt(one: m.List) -> str | None:
    """What lets anybody check what the lines of a list tell of persons.

    None: one of them is suppressed since, and could be tried with it; or an older program made it.
    """
    people = m.ListRow.objects.filter(list=one, person__in=suppressed())
    return one.salt if one.salt and not people.exists() else None


def otherwise(rows: Sequence[Mapping[str, Any]], one: m.List) -> tuple[str, ...]:
    """The columns of a kept list in which other lines have other numbers.

    Of who is suppressed since then a list tells no more than another one would.
    """
    return lines.otherwise(rows_of(one), rows, [key for key, *_ in one.columns])


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
    key = lines.PERIOD_GAMES
    if any(each.key == key for each in columns):
        rows = [{**row, key: lines.cell(row, key)} for row in rows]
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
    book = rules_of_run(run).book()
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

"""Whether an edition can rate a history: what the files say, beside what it knows."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ratingbook.engine.history.assumed import tell_assumed
from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.decided import check_decisions
from ratingbook.engine.history.intake.arrays import (
    column_of,
    floats_of,
    from_arrow,
    mask_of,
    to_arrow,
)
from ratingbook.engine.history.keys import check_own_columns, rating_keys, with_own_columns
from ratingbook.engine.history.timetable import EVENT_FIELDS, event_of, kinds_of_events
from ratingbook.engine.intake import check_validity
from ratingbook.engine.intake.days import check_days
from ratingbook.engine.passed_over import reasons_in_words, remedy_of
from ratingbook.model import Event, Finding, Findings, Place, Severity
from ratingbook.model.sentences import Sentence, sentence, stated
from ratingbook.rules.book import RatedBy
from ratingbook.rules.bulk import EPOCH, NOT_GIVEN, Words
from ratingbook.rules.series import BookOrSeries, default_pool, pools_of
from ratingbook.rules.wording import counted, either

_MOST_GAMES = 10**6
_BLOCK = 1 << 16
"""Games that are looked at at a time: mostly the first ones name everybody."""


def check_history(
    given: HistoryInput, book: BookOrSeries, days: npt.NDArray[np.int32] | None = None
) -> Findings:
    """What this edition cannot take or does not use, of all the files.

    ``days`` are the first and the last of the games, where ``given`` does not hold them.
    """
    findings = Findings()
    if days is None:
        days = given.games.day
        _tell_handicaps(given, book, findings)
        _tell_substitutes(given, book, findings)
        _check_named(given, book, findings)
        _tell_strangers(given, findings)
    if len(days):
        first, last = (EPOCH + timedelta(days=int(day)) for day in (days.min(), days.max()))
        findings.extend(check_days((first, last)))
        findings.extend(check_validity(book, first, "history", last))
        _tell_below_floor(given, book, first, findings)
    _check_events(given, book, findings)
    _check_pools(given, book, findings)
    _tell_default_pool(given, book, findings)
    bulk, players = book.bulk, given.standings
    own = Findings() if players is None else check_own_columns(players, given.players, book)
    findings.extend(own)
    if bulk is None or own.refused:
        return findings
    findings.extend(check_decisions(given, book))
    ratings = {"rating", *rating_keys(bulk)}
    players = with_own_columns(players, bulk)
    if len(days):
        _check_births(given, players, first, last, findings)
        tell_assumed(given, book, first, findings)
    for name, table in (("players", players), ("entries", given.entries)):
        if table is None:
            continue
        for column in table.column_names:
            values = table[column]
            if name == "entries" and column == "rating" and book.rated_by is not RatedBy.GAME:
                _tell_ratings_unused(values, book, findings)
            elif column in ratings:
                _check_ratings(name, column, values, table, given, book, findings)
            elif column == "games" and name == "players":
                _check_games(values, table, given, findings)
            elif column in bulk.codes:
                _check_words(name, column, values, book, findings)
    return findings


def tell_passed_over(halves: int, rows: int, book: BookOrSeries, findings: Findings) -> None:
    """Games that were there, and are not rated; ``rows`` are the changes of all others."""
    if not rows:
        findings.add(
            Severity.WARNING,
            "history.nobody-rated",
            sentence(
                "No rating changed: under {book} nobody could be rated from these games.",
                book=book.name,
            ),
            remedy="Give ratings in a players file, or --assume one for who has none.",
        )
    if halves:
        reasons = reasons_in_words(book)
        findings.add(
            Severity.INFO,
            "history.passed-over",
            either(
                halves,
                "{count} half of a game is not rated: {book} does not count such for the player.",
                "{count} halves of games are not rated: {book} does not count such for the player.",
                book=book.name,
            )
            if reasons is None
            else either(
                halves,
                "{count} half of a game is not rated: {book} does not count such for the player "
                "({reasons}).",
                "{count} halves of games are not rated: {book} does not count such for the player "
                "({reasons}).",
                book=book.name,
                reasons=reasons,
            ),
            remedy=remedy_of(book),
        )


def tell_unsettled(unsettled: tuple[int, str], book: BookOrSeries, findings: Findings) -> None:
    """Events that could not be rated: how many, and which was the first."""
    count, event = unsettled
    if count:
        findings.add(
            Severity.WARNING,
            "history.unsettled",
            either(
                count,
                "{count} event is not rated, the first is {event!r}: the numbers of the players "
                "still moved after all the turns that {book} allows.",
                "{count} events are not rated, the first is {event!r}: the numbers of the players "
                "still moved after all the turns that {book} allows.",
                event=event,
                book=book.name,
            ),
            remedy="Look whether their results are right; `rate` a report of the event for more.",
        )


def _tell_ratings_unused(values: pa.ChunkedArray, book: BookOrSeries, findings: Findings) -> None:
    """Ratings that the office set for single events."""
    if len(values) > values.null_count:
        findings.add(
            Severity.WARNING,
            "history.decision-unknown",
            sentence(
                "{book} knows no ratings that are set for an event; they are not used.",
                book=book.name,
            ),
            Place(path="entries, column rating"),
            sentence(
                "Rate up to that event, correct the rating in the players file, and go on from "
                "there."
            ),
        )


def _check_ratings(
    name: str,
    column: str,
    values: pa.ChunkedArray,
    table: pa.Table,
    given: HistoryInput,
    book: BookOrSeries,
    findings: Findings,
) -> None:
    low, high = book.rating_range
    numbers = floats_of(values)
    with np.errstate(invalid="ignore"):
        wrong = (numbers < low) | (numbers > high)
        broken = numbers != np.floor(numbers)
    if wrong.any():
        findings.add(
            Severity.ERROR,
            "history.rating-range",
            sentence(
                "Player {who} has the {column} {value:g} ({such}); a rating in {book} lies between "
                "{low} and {high}.",
                who=_who(table, given, wrong),
                column=column,
                value=numbers[wrong][0],
                such=_such(wrong),
                book=book.name,
                low=low,
                high=high,
            ),
            Place(path=f"{name}, column {column}"),
            sentence("Correct it, or leave it empty for an unrated player."),
        )
    broken &= ~np.isnan(numbers)
    if book.whole_ratings and column == "rating" and broken.any():
        findings.add(
            Severity.ERROR,
            "history.whole-rating",
            sentence(
                "Player {who} has the rating {value:g} ({such}); ratings in {book} are whole "
                "numbers.",
                who=_who(table, given, broken),
                value=numbers[broken][0],
                such=_such(broken),
                book=book.name,
            ),
            Place(path=f"{name}, column rating"),
            sentence("Give the rating of the published list."),
        )


def _tell_below_floor(
    given: HistoryInput, book: BookOrSeries, first: date, findings: Findings
) -> None:
    """Ratings that no list of the edition in force at the beginning holds, as in a report."""
    table = given.standings
    at_first = book.edition(first).on(first)
    if table is None or at_first.floor is None or "rating" not in table.column_names:
        return
    ratings = column_of(table, "rating")
    # Where nothing is said there is 0, which may lie between the two.
    wrong = (ratings < at_first.floor) & (ratings >= book.rating_range[0])
    wrong &= mask_of(table["rating"].combine_chunks().is_valid())
    if "status" in table.column_names:
        wrong &= mask_of(table["status"].combine_chunks().is_null())
    if wrong.any():
        findings.add(
            Severity.WARNING,
            "history.below-floor",
            sentence(
                "Player {who} has the rating {value:g} ({such}), below the floor of {floor:g}, "
                "which no list of {book} holds.",
                who=_who(table, given, wrong),
                value=ratings[wrong][0],
                such=_such(wrong),
                floor=at_first.floor,
                book=at_first.name,
            ),
            Place(path="players, column rating"),
            sentence("Correct it, or leave it empty for an unrated player."),
        )


def _check_games(
    values: pa.ChunkedArray, table: pa.Table, given: HistoryInput, findings: Findings
) -> None:
    numbers = floats_of(values)
    with np.errstate(invalid="ignore"):
        wrong = (numbers < 0) | (numbers > _MOST_GAMES)
    if wrong.any():
        findings.add(
            Severity.ERROR,
            "history.games-range",
            sentence(
                "Player {who} has {value:g} games ({such}).",
                who=_who(table, given, wrong),
                value=numbers[wrong][0],
                such=_such(wrong),
            ),
            Place(path="players, column games"),
            sentence("A number of games lies between 0 and {most:,}.", most=_MOST_GAMES),
        )


def _check_words(
    name: str, column: str, values: pa.ChunkedArray, book: BookOrSeries, findings: Findings
) -> None:
    """Texts that stand for numbers: grades, statuses."""
    bulk = book.bulk
    if bulk is None:
        return
    words = [str(word) for word in values.unique().to_pylist() if word is not None]
    unknown = sorted(word for word in words if word and bulk.codes[column](word) == NOT_GIVEN)
    if unknown:
        shown = ", ".join(repr(word) for word in unknown[:3])
        findings.add(
            Severity.WARNING,
            f"history.{column.replace('_', '-')}-unknown",
            sentence(
                "{book} does not know the {what} {words}; it counts as not given.",
                book=book.name,
                what=stated(column.replace("_", " ")),
                words=f"{shown}{' …' if len(unknown) > 3 else ''}",
            ),
            Place(path=f"{name}, column {column}"),
            sentence("Correct the words, or leave them empty."),
        )


def _check_births(
    given: HistoryInput, table: pa.Table | None, first: date, last: date, findings: Findings
) -> None:
    """Players who were not born when they played, or when everything was over."""
    for column in ("birth_date", "birth_year"):
        if table is None or column not in table.column_names:
            continue
        of_year = column == "birth_year"
        born = table[column].combine_chunks()
        if of_year and not pa.types.is_integer(born.type):
            # The edition does not read it.
            continue
        since = first.year if of_year else (first - EPOCH).days
        numbers = from_arrow(born if of_year else born.cast(pa.date32()).cast(pa.int32()))
        rows = np.flatnonzero((numbers > since) & mask_of(born.is_valid()))
        if not len(rows):
            continue
        # Few are left, so that it is not all the games that are looked through for all players.
        played = _first_days(given, column_of(table, "player")[rows], last)
        found = [
            (row, day)
            for row, day in zip(rows.tolist(), played, strict=True)
            if day is not None and born[row].as_py() > (day.year if of_year else day)
        ]
        if found:
            row, day = found[0]
            name = given.players[table["player"][row].as_py()].as_py()
            such = counted(len(found), "such player")
            findings.add(
                Severity.WARNING,
                "history.birth-date",
                sentence(
                    "Player {name} was born {born}, after a game of {day} ({such}).",
                    name=name,
                    born=born[row].as_py(),
                    day=day,
                    such=such,
                )
                if len(given.games.day)
                else sentence(
                    "Player {name} was born {born}, after the last of all games, {day} ({such}).",
                    name=name,
                    born=born[row].as_py(),
                    day=day,
                    such=such,
                ),
                Place(path=f"players, column {column}"),
                sentence("Correct it, or leave it empty; K and first ratings hang on it."),
                first=True,
            )


def _first_days(
    given: HistoryInput, players: npt.NDArray[np.int64], last: date
) -> list[date | None]:
    """The first game of each; None: there is none.  Where no games are held, the last of all."""
    games = given.games
    if not len(games.day):
        return [last] * len(players)
    place = np.full(len(given.players), -1, np.int32)
    place[players] = np.arange(len(players), dtype=np.int32)
    never = np.iinfo(games.day.dtype).max
    found = np.full(len(players), never, games.day.dtype)
    # Some at a time: the numbers of all games would take as much memory as the columns.
    for begin in range(0, len(games.day), _BLOCK):
        part = slice(begin, begin + _BLOCK)
        for side in (games.white[part], games.black[part]):
            of_them = place[side]
            theirs = of_them >= 0
            np.minimum.at(found, of_them[theirs], games.day[part][theirs])
    return [None if day == never else EPOCH + timedelta(days=day) for day in found.tolist()]


def _check_events(given: HistoryInput, book: BookOrSeries, findings: Findings) -> None:
    """Words of the events that the edition does not know, where it looks for certain ones."""
    table, bulk = given.events, book.bulk
    if table is None or bulk is None:
        return
    names = [name for name in EVENT_FIELDS if name in table.column_names]
    looked_at = {name: bulk.event_words[name] for name in names if name in bulk.event_words}
    if not looked_at:
        return
    # Many events are described alike: each description is looked at once.
    rows = table.select(names).append_column("row", to_arrow(np.arange(len(table))))
    groups = rows.group_by(names).aggregate([("row", "count"), ("row", "min")])
    parameters = [stage.parameters for stage in book.stages()]
    unknown: dict[str, dict[str, list[int]]] = {name: {} for name in looked_at}
    for said in groups.sort_by("row_min").to_pylist():
        event = event_of(names, [said[name] for name in names])
        for name, words in looked_at.items():
            if not any(words.knows(event, p) for p in parameters):
                found = unknown[name].setdefault(said[name], [0, said["row_min"]])
                found[0] += said["row_count"]
    for name, found_words in unknown.items():
        if found_words:
            _tell_words(name, found_words, looked_at[name], given, book, findings)


def _check_pools(given: HistoryInput, book: BookOrSeries, findings: Findings) -> None:
    """Rows of several pools for a book, or by a setting, that rates one."""
    if pools_of(book) is not None:
        return
    rates_one = book.bulk is None or book.bulk.pools is None
    for what, table in (("players", given.standings), ("decisions", given.decisions)):
        if table is not None and "pool" in table.column_names:
            findings.add(
                Severity.ERROR,
                "history.pool-column",
                sentence(
                    "{book} rates one pool, and the {what} have a column pool.",
                    book=book.name,
                    what=stated(what),
                )
                if rates_one
                else sentence(
                    "{book} was set to one pool, and the {what} have a column pool.",
                    book=book.name,
                    what=stated(what),
                ),
                Place(path=f"{what}, column pool"),
                sentence("Leave the column out, with the rows of other pools."),
            )


_NAMED = 5
"""Of so many events of which nothing says the pool a finding has the names."""


def _tell_default_pool(given: HistoryInput, book: BookOrSeries, findings: Findings) -> None:
    """Once, events of which nothing tells the pool, where an edition rates several."""
    pools = pools_of(book)
    if pools is None:
        return
    stages = [stage.parameters for stage in book.stages()]
    if not any(
        sum(bool(pools.of_event(Event(pool=name), p)) for name in pools.names) > 1 for p in stages
    ):
        return
    count = len(given.event_ids)
    kinds = [
        kind
        for kind in kinds_of_events(given.events, count)
        if not kind.event.pool and all(pools.of_event(kind.event, p) is None for p in stages)
    ]
    if not kinds:
        return
    # None, where the games name no event.
    silent = [int(number) for kind in kinds for number in kind.numbers]
    of_all = sentence("of the games")
    if len(silent) < count:
        named = [str(given.event_ids[each]) for each in sorted(silent)[:_NAMED]]
        of_all = sentence(
            "of {number} of {count} ({names})", number=len(silent), count=counted(count, "event"),
            names=", ".join([*named, *(["…"] if len(silent) > _NAMED else [])]),
        )  # fmt: skip
    default = default_pool(book)
    key = next(iter(pools.settings[default]))
    findings.extend(
        [
            Finding(
                "history.pool-assumed",
                Severity.WARNING,
                sentence(
                    "Nothing says the pool {which}, neither a word nor a time control that is "
                    "understood: they are rated as {default}; {book} has {names}.",
                    which=of_all,
                    default=default,
                    book=book.name,
                    names=", ".join(pools.names),
                ),
                remedy="Give a column pool or time_control, in the games or with --events; or, if "
                f"all are of one pool, set it: --set {key}={default}.",
                first=True,
            )
        ]
    )


def _tell_words(
    name: str,
    unknown: dict[str, list[int]],
    words: Words,
    given: HistoryInput,
    book: BookOrSeries,
    findings: Findings,
) -> None:
    """``unknown`` gives for each word how many events have it, and the row of the first."""
    shown = ", ".join(repr(word) for word in list(unknown)[:3])
    count = sum(events for events, _ in unknown.values())
    assert given.events is not None
    code = given.events["event"][min(row for _, row in unknown.values())].as_py()
    findings.add(
        Severity.ERROR if words.refuses else Severity.WARNING,
        f"history.event-{name}",
        sentence(
            "{book} does not know the {name} {words} ({count}, the first is {first!r}){otherwise}.",
            book=book.name,
            name=stated(name.replace("_", " ")),
            words=f"{shown}{' …' if len(unknown) > 3 else ''}",
            count=counted(count, "event"),
            first=str(given.event_ids[code].as_py()),
            otherwise=sentence(": {what}", what=stated(words.otherwise)) if words.otherwise else "",
        ),
        Place(path=f"events, column {name}"),
        sentence("It knows: {known}.", known=", ".join(words.known)),
    )


def _tell_handicaps(given: HistoryInput, book: BookOrSeries, findings: Findings) -> None:
    handicap = given.games.handicap
    count = 0 if handicap is None or book.handicaps else int(np.count_nonzero(handicap))
    if count:
        findings.add(
            Severity.WARNING,
            "history.handicap-unused",
            either(
                count,
                "{book} knows no handicap; {count} game with one is rated as even.",
                "{book} knows no handicap; {count} games with one are rated as even.",
                book=book.name,
            ),
            Place(path="games, column handicap"),
            sentence("Leave such games out, or mark them as not rated."),
        )


def _tell_substitutes(given: HistoryInput, book: BookOrSeries, findings: Findings) -> None:
    columns = (given.games.white_for, given.games.black_for)
    count = sum(int(np.count_nonzero(each >= 0)) for each in columns if each is not None)
    if count and not book.substitutes:
        findings.add(
            Severity.WARNING,
            "history.substitute-unused",
            either(
                count,
                "{book} has no rule for substitutes; {count} game is rated for the players at the "
                "board.",
                "{book} has no rule for substitutes; {count} games are rated for the players at "
                "the board.",
                book=book.name,
            ),
            Place(path="games, columns white_for and black_for"),
            sentence("Leave white_for and black_for out."),
        )


def _check_named(given: HistoryInput, book: BookOrSeries, findings: Findings) -> None:
    """Ratings in force that games themselves name."""
    low, high = book.rating_range
    for name in ("white_rating", "black_rating"):
        column = getattr(given.games, name)
        named = np.empty(0) if column is None else column[column != NOT_GIVEN]
        if not len(named):
            continue
        place = Place(path=f"games, column {name}")
        if book.rated_by is RatedBy.GAME:
            findings.add(
                Severity.WARNING,
                "history.rating-unused",
                either(
                    len(named),
                    "{book} rates each game at the ratings that both have by then; those that "
                    "{count} game names are not used.",
                    "{book} rates each game at the ratings that both have by then; those that "
                    "{count} games name are not used.",
                    book=book.name,
                ),
                place,
                sentence("Leave the column out."),
            )
            continue
        beyond = (named < low) | (named > high)
        broken = (named != np.floor(named)) & ~beyond & book.whole_ratings
        for wrong, code, remedy in (
            (
                beyond,
                "history.rating-range",
                sentence("A rating lies between {low} and {high}.", low=low, high=high),
            ),
            (
                broken,
                "history.whole-rating",
                sentence("Give the rating of the published list."),
            ),
        ):
            if wrong.any():
                findings.add(
                    Severity.ERROR,
                    code,
                    sentence(
                        "A game names the rating {value:g}, which is none in {book} ({such}).",
                        value=named[wrong][0],
                        book=book.name,
                        such=counted(int(wrong.sum()), "such game"),
                    ),
                    place,
                    remedy,
                )


def _tell_strangers(given: HistoryInput, findings: Findings) -> None:
    """Entries of players whom neither the games nor the players file know."""
    if given.entries is None:
        return
    codes = column_of(given.entries, "player")
    known = np.zeros(len(given.players), bool)
    if given.standings is not None:
        known[column_of(given.standings, "player")] = True
    open_codes = np.unique(codes[~known[codes]])
    for start in range(0, len(given.games), _BLOCK):
        if not len(open_codes):
            return
        for side in (given.games.white, given.games.black):
            known[side[start : start + _BLOCK]] = True
        open_codes = open_codes[~known[open_codes]]
    strange = codes[~known[codes]]
    count = len(strange)
    if count:
        player = str(given.players[int(strange[0])].as_py())
        findings.add(
            Severity.WARNING,
            "history.entry-player",
            either(
                count,
                "{count} entry is of nobody who has a game or stands in the players file, the "
                "first of {player!r}.",
                "{count} entries are of nobody who has a game or stands in the players file, the "
                "first of {player!r}.",
                player=player,
            ),
            Place(path="entries, column player"),
            sentence("The ids must be those of the games."),
        )


def _such(wrong: npt.NDArray[np.bool_]) -> Sentence:
    return counted(int(wrong.sum()), "such player")


def _who(table: pa.Table, given: HistoryInput, wrong: Any) -> str:
    code = column_of(table, "player")[wrong][0]
    return str(given.players[int(code)].as_py())

"""A list made again from the numbers of its bundle, line by line."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import pyarrow.compute as pc

from ratingbook.model import Entry, Standing, StandingStatus
from ratingbook.office.engine.fed import Fed
from ratingbook.office.engine.rating import (
    LISTED,
    RatedTables,
    coefficients_at_any_age,
    coefficients_on,
    results_on,
)
from ratingbook.office.engine.results import UNKNOWN, Results
from ratingbook.office.engine.rules import Rules, rule_source
from ratingbook.office.engine.said import TOTALS
from ratingbook.office.logic.lines import K, digest, digest_of_before, said_by, text
from ratingbook.office.logic.masked import token
from ratingbook.office.logic.rounding import rounded_one
from ratingbook.rules.listing import Listing, Member

_SEX = {"F": "w", "M": "m"}
_Row = Mapping[str, str]


@dataclass(frozen=True)
class Relisted:
    """What became of a list that was made again."""

    differences: tuple[str, ...] = ()
    """What it prints that the numbers do not give; of its lines the first."""
    coefficients_said: int = 0
    """So many K hang on an age that the bundle does not hold: they are taken as the list says."""
    is_said_bound: bool = False
    """Whether what it tells of persons, K among it, is what its fact commits to."""


def relisted(
    data: bytes, manifest: Mapping[str, Any], rules: Rules, rated: RatedTables, fed: Fed,
    published: str | None,
) -> Relisted:  # fmt: skip
    """Make a list again from the numbers, and compare.

    ``published`` is the commitment of its fact to what its lines tell of persons, if it is shown.
    """
    try:
        header, *lines = csv.reader(io.StringIO(data.decode(), newline=""), strict=True)
    except (ValueError, csv.Error) as error:
        return Relisted((f"list.csv cannot be read: {error}.",))
    if any(len(line) != len(header) for line in lines):
        return Relisted(("list.csv has a line with more or fewer fields than its header.",))
    rows = [dict(zip(header, line, strict=True)) for line in lines]
    of = manifest["list"]
    most = rules.book().published_decimals
    if most is not None and of["decimals"] > most:
        return Relisted((
            f"The manifest says {of['decimals']} decimals; the rules publish no more than {most}.",
        ))  # fmt: skip
    results = _results(rows, manifest, rules, rated, fed)
    made = _made(rows, of, rules, rated, results)
    found = tuple(_of_one(header, rows, of, made))
    if found:
        return Relisted(found)
    wrong, as_said = _coefficients(rows, manifest, rules, fed)
    is_bound = published is not None and of["salt"] is not None
    if is_bound and not wrong and said_by(of["salt"], rows) != published:
        wrong = (
            "What list.csv tells of persons (names, federations, titles, sexes, flags, K) is not "
            "what was published."
        )
    return Relisted((wrong,) if wrong else (), as_said, is_bound)


def _coefficients(
    rows: Sequence[_Row], manifest: Mapping[str, Any], rules: Rules, fed: Fed
) -> tuple[str, int]:
    """The first K that the rules do not give, and how many of the others hang on an age.

    A bundle without birth dates leaves open which of several K it is that a player has at one age
    or another.  Lists of programs that did not reckon it are without.
    """
    said, of = manifest["rules"], manifest["list"]
    is_said = any(row.get(K) for row in rows)
    if not is_said and said["source"] != rule_source(said["rulebook"]):
        return "", 0
    day, until = (date.fromisoformat(each) for each in (of["date"], manifest["until"]))
    known: Mapping[str, Collection[int]]
    if manifest["birth_dates"]:
        own = coefficients_on(fed, rules, day, min(day, until))
        known = {player: (k,) for player, k in own.items()}
    else:
        known = coefficients_at_any_age(fed, rules, day, min(day, until))
    as_said = 0
    for row in rows:
        player, printed = row["id"], row.get(K, "")
        if not printed and row.get("name") == token(player):
            # Of who is suppressed no K says whether they are young.
            continue
        possible = sorted(known.get(player, ()))
        if printed not in (list(map(str, possible)) or [""]):
            right = " or ".join(map(str, possible)) or "empty"
            by = ", by the age" if len(possible) > 1 else ""
            return (
                f"The list prints K {printed or 'empty'} for player {player}; made again it is "
                f"{right}{by}."
            ), 0
        as_said += len(possible) > 1
    return "", as_said


def _of_one(
    header: list[str], rows: Sequence[_Row], of: Mapping[str, Any], made: Listing
) -> Iterator[str]:
    for key, value in (("title", made.title), ("date", made.day.isoformat())):
        if of[key] != value:
            yield f"The manifest says {key} {of[key]}; made again it is {value}."
    if of["rows"] != len(rows):
        yield f"The manifest says that the list has {of['rows']} lines; it has {len(rows)}."
    keys = [column.key for column in made.columns]
    if header != keys:
        yield f"The list has the columns {', '.join(header)}; made again: {', '.join(keys)}."
        return
    right = {str(row["id"]): row for row in made.rows}
    line = _first_other(rows, right)
    if line:
        yield line
        return
    digested = digest if of["is_by_all"] else digest_of_before
    if digested(right[each["id"]] for each in rows) != of["digest"]:
        yield "The lines of list.csv are not those of which the list has its digest."


def _first_other(rows: Sequence[_Row], right: Mapping[str, Mapping[str, object]]) -> str:
    """Of the lines the first that is another one when it is made again."""
    seen = set()
    for row in rows:
        player = row["id"]
        if player in seen:
            return f"The list has player {player} twice."
        seen.add(player)
        if player not in right:
            return f"The list prints {row.get('rating')} for player {player}; made again: none."
        for key, value in right[player].items():
            if row[key] != (own := text(value)):
                return (
                    f"The list prints {key} {row[key] or 'empty'} for player {player}; made again "
                    f"it is {own or 'empty'}."
                )
    left = [each for each in right if each not in seen]
    return f"Player {left[0]} is not on the list; made again he is." if left else ""


def _results(
    rows: Sequence[_Row], manifest: Mapping[str, Any], rules: Rules, rated: RatedTables, fed: Fed
) -> Mapping[str, Results]:
    """What was won, drawn and lost; lists of programs that did not sum it are without."""
    said = manifest["rules"]
    is_said = any(row.get(name) for row in rows for name in TOTALS)
    if not is_said and said["source"] != rule_source(said["rulebook"]):
        return {}
    games = dict(zip(*(rated.ratings[n].to_pylist() for n in ("player", "games")), strict=True))
    # Of a list that is older than its run its own day counts.
    day = min(manifest["list"]["date"], manifest["until"])
    return results_on(fed, rules, date.fromisoformat(day), games)


def _made(
    rows: Sequence[_Row], of: Mapping[str, Any], rules: Rules, rated: RatedTables,
    results: Mapping[str, Results],
) -> Listing:  # fmt: skip
    """The list of these numbers; what is said of persons is taken from the one that is there."""
    day = date.fromisoformat(of["date"])
    about = {row.get("id", ""): row for row in rows}
    played = _played(rated, day)
    members = []
    for player, exact, games, status, last, is_published in zip(
        *(rated.ratings[name].to_pylist() for name in LISTED), strict=True
    ):
        said = about.get(player, {})
        rating = rounded_one(exact, of["decimals"])
        wins, draws, losses = results.get(player, UNKNOWN)
        standing = Standing(
            rating=rating, games=games, status=StandingStatus(status), last_played=last, wins=wins,
            draws=draws, losses=losses,
        )  # fmt: skip
        federation = said.get("federation", said.get("country"))
        sex = _SEX.get(said.get("sex", said.get("gender", "")))
        if sex is None and said.get("flag", "").startswith("w"):
            sex = "w"
        entry = Entry(
            player, said.get("name", ""), federation=federation or None,
            title=said.get("title") or None, sex=sex,
            standing=standing if exact is not None or games else None,
        )  # fmt: skip
        # Compared by itself: it may hang on an age that is not in the bundle.
        k = said.get(K, "")
        known = int(k) if k.isdecimal() else None
        members.append(Member(entry, played.get(player), known, unpublished=not is_published))
    edition = rules.book().edition(day).on(day)
    return edition.listing(members, day)


def _played(rated: RatedTables, day: date) -> dict[str, int]:
    """The games of the batches of a day, by player."""
    own = rated.changes.filter(pc.equal(rated.changes["date"], day))
    sums = own.group_by("player").aggregate([("games", "sum")])
    return dict(zip(sums["player"].to_pylist(), sums["games_sum"].to_pylist(), strict=True))

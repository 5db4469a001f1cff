"""A list made again from the numbers of its bundle, line by line."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import pyarrow.compute as pc

from ratingbook.model import Entry, Standing, StandingStatus
from ratingbook.office.engine import (
    TOTALS,
    UNKNOWN,
    Fed,
    RatedTables,
    Results,
    Rules,
    results_on,
    rule_source,
)
from ratingbook.office.logic.chain import canonical
from ratingbook.rules.listing import Listing, Member

_SEX = {"F": "w", "M": "m"}
_Row = Mapping[str, str]


def differences(
    data: bytes, manifest: Mapping[str, Any], rules: Rules, rated: RatedTables, fed: Fed
) -> Iterator[str]:
    """What a list prints that the numbers do not give; of its lines the first."""
    try:
        header, *lines = csv.reader(io.StringIO(data.decode(), newline=""), strict=True)
    except (ValueError, csv.Error) as error:
        yield f"list.csv cannot be read: {error}."
        return
    if any(len(line) != len(header) for line in lines):
        yield "list.csv has a line with more or fewer fields than its header."
        return
    rows = [dict(zip(header, line, strict=True)) for line in lines]
    of = manifest["list"]
    most = rules.book().published_decimals
    if most is not None and of["decimals"] > most:
        yield f"The manifest says {of['decimals']} decimals; the rules publish no more than {most}."
        return
    # Of a list that is in force before the day for which it was made the games are of that day.
    days = dict.fromkeys((of["date"], manifest["until"], None))
    if of["date"] == manifest["until"]:
        del days[None]
    results = _results(rows, manifest, rules, rated, fed)
    found = []
    for day in days:
        made = _made(rows, of, rules, rated, results, day)
        found.append([*_of_one(header, rows, of, made)])
        if not found[-1]:
            return
    yield from found[0]


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
    lines = [[each["id"], *(right[each["id"]].get(k) for k in _DIGESTED)] for each in rows]
    if hashlib.sha256(canonical(lines)).hexdigest() != of["digest"]:
        yield "The lines of list.csv are not those of which the list has its digest."


_DIGESTED = ("rating", "games")
"""What the digest of a list covers of a line, besides the number of the player."""


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
            text = _text(value)
            if row[key] != text:
                return (
                    f"The list prints {key} {row[key] or 'empty'} for player {player}; made again "
                    f"it is {text or 'empty'}."
                )
    left = [each for each in right if each not in seen]
    return f"Player {left[0]} is not on the list; made again he is." if left else ""


def _text(value: object) -> str:
    """As the table of a list has it."""
    return "" if value is None else str(json.loads(canonical(value)))


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
    results: Mapping[str, Results], period: str | None,
) -> Listing:  # fmt: skip
    """The list of these numbers; what is said of persons is taken from the one that is there."""
    day = date.fromisoformat(of["date"])
    about = {row.get("id", ""): row for row in rows}
    played = _played(rated, period)
    scale = 10.0 ** of["decimals"]
    columns = ("player", "rating", "games", "status", "last_played")
    members = []
    for player, exact, games, status, last in zip(
        *(rated.ratings[name].to_pylist() for name in columns), strict=True
    ):
        said = about.get(player, {})
        rating = None if exact is None else math.floor(exact * scale + 0.5) / scale
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
        # K may rest on an age, for which another date stands in.
        k = said.get("k", "")
        members.append(Member(entry, played.get(player), int(k) if k.isdecimal() else None))
    edition = rules.book().edition(day).on(day)
    return edition.listing(members, day)


def _played(rated: RatedTables, period: str | None) -> dict[str, int]:
    """The games of the batches of a day, by player."""
    if period is None:
        return {}
    own = rated.changes.filter(pc.equal(rated.changes["date"], date.fromisoformat(period)))
    sums = own.group_by("player").aggregate([("games", "sum")])
    return dict(zip(sums["player"].to_pylist(), sums["games_sum"].to_pylist(), strict=True))

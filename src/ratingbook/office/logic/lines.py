"""The lines of a list: what of them is of the rating, what tells of persons, and their digests.

The digest of a list covers its numbers.  What tells of persons, or of their age, goes into no hash
that all can see, since whoever is suppressed could be tried with it: for that stands a commitment,
whose salt is shown as long as nobody on the list is suppressed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from ratingbook.office.logic.chain import canonical, commitment
from ratingbook.office.logic.masked import token

K = "k"
"""The column with K: after many games it says whether somebody is young."""
PERIOD_GAMES = "period_games"
_ABOUT = frozenset({"name", "federation", "country", "club", "title", "sex", "gender"})
"""Columns that tell of a person; all else is of the rating."""
_FLAG, _WOMAN = "flag", "w"
"""In FIDE's column of flags, beside one of who does not play."""
_OF_PERSONS = frozenset({*_ABOUT, K, _FLAG})
_PLACES = frozenset({"position", "class_position"})
_TOTALS = frozenset({"wins", "draws", "losses"})
_OLD = ("id", "rating", "games")
Line = Mapping[str, Any]


def masked(line: Line) -> dict[str, Any]:
    """A line of somebody who is suppressed: the numbers only."""
    gone = {*_ABOUT, K}
    said = {key: None if key in gone else value for key, value in line.items()}
    if said.get(_FLAG):
        said[_FLAG] = str(said[_FLAG]).replace(_WOMAN, "") or None
    return said | {"name": token(int(str(line["id"])))}


def numbers(line: Line) -> dict[str, Any]:
    """What of a line is of the rating, whoever it is."""
    return {key: value for key, value in masked(line).items() if key not in {*_ABOUT, K}}


def digest(lines: Iterable[Line]) -> str:
    """SHA-256 over all numbers of a list, in the order of its lines."""
    return _hashed([numbers(each) for each in lines])


def digest_of_before(lines: Iterable[Line]) -> str:
    """The same of a list without a salt: programs of before took three columns.

    Of FIDE's lists that is the rating alone, as they have no column ``games``.
    """
    return _hashed([[each.get(key) for key in _OLD] for each in lines])


def said_by(salt: str, lines: Iterable[Line]) -> str:
    """The commitment to what the lines of a list tell of persons, K among it: as files have it."""
    return commitment(
        salt,
        [{key: text(value) for key, value in each.items() if key in _OF_PERSONS} for each in lines],
    )


def _hashed(value: object) -> str:
    return hashlib.sha256(canonical(value)).hexdigest()


def text(value: object) -> str:
    """A cell as the table of a list has it."""
    return "" if value is None else str(json.loads(canonical(value)))


def cell(line: Line, key: str) -> Any:
    """What stands in a column; who did not play in the period has no games, so 0."""
    found = line.get(key)
    return 0 if found is None and key == PERIOD_GAMES else found


def people_otherwise(
    was: Iterable[Line], now: Iterable[Line], columns: Collection[str]
) -> set[int]:
    """Whose lines have other numbers in some columns; of who is on one of them alone none are."""
    old = {str(each["id"]): each for each in was}
    return {
        int(str(each["id"]))
        for each in now
        if (before := old.get(str(each["id"]))) is not None
        and any(
            _number(before, key) != _number(each, key)
            for key in columns
            if key not in _ABOUT and key not in _PLACES
        )
    }


def otherwise(was: Sequence[Line], now: Sequence[Line], columns: Sequence[str]) -> tuple[str, ...]:
    """In which columns of a list numbers of its lines are others; ``id``: other players.

    What a line tells of a person is none, but for K.  A place follows from the ratings.  And what
    programs did not reckon yet that left a column empty was not published.
    """
    old, new = ({str(each["id"]): each for each in lines} for lines in (was, now))
    both = [(old[each], new[each]) for each in old.keys() & new.keys()]
    found = {"id"} if old.keys() != new.keys() else set()
    for key in columns:
        if key == "id" or key in _ABOUT or key in _PLACES:
            continue
        if key in _TOTALS and all(each.get(key) is None for each in was):
            continue
        if any(_number(one, key) != _number(other, key) for one, other in both):
            found.add(key)
    return tuple(each for each in columns if each in found)


def _number(line: Line, key: str) -> Any:
    value = cell(line, key)
    if key == _FLAG:
        return str(value or "").replace(_WOMAN, "")
    return value.isoformat() if isinstance(value, date) else value

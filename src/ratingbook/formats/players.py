"""A players file: standings by player id, to fill what a report lacks.

CSV with a header, or JSON: a list of objects, either flat (``id``, ``rating``,
``games`` …) or as the players of a report document.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, replace
from itertools import chain, islice
from types import MappingProxyType
from typing import Any, NamedTuple

from ratingbook.formats.document.keys import NO_KEYS, StandingKeys
from ratingbook.formats.document.read import Reader, TooManyFaults, parse_json
from ratingbook.formats.document.schema import FIELDS, IDENTIFIER, SCALAR, ValueKind
from ratingbook.formats.document.write import frozen_side_as_dict
from ratingbook.formats.tables.days import Days
from ratingbook.formats.tables.earlier import frozen_side
from ratingbook.formats.tables.people import sex_of, with_birth_year
from ratingbook.formats.tables.words import are_ratings, field_of_player, key
from ratingbook.formats.tools.notes import shortened
from ratingbook.model import Entry, Findings, Place, Severity, Standing
from ratingbook.model.making import changed
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import row_of, sentence

_OF_A_ROW = (
    "id", "name", "federation", "title", "sex", "birth_year", "grade", "ids", "standing", "history",
)  # fmt: skip
"""What a row of ``rate`` says of a player for the next batch."""
_IDS = "ids."
"""How columns of the numbers of registers begin: ``ids.fide``."""
OF_RATINGS = "published"
"""What the ratings of a history say besides; who is listed is settled by the rules of the list."""
_LOOKED_AT = 200
"""Rows by which a column is known whose name has several meanings."""
_EARLIER = {"id", "opponent", "score"}
"""The columns of a file of earlier games."""
_COMMON = {**FIELDS["player"], **FIELDS["standing"]}
POOL = "pool"
"""The column of the pool that a row is about, where the edition has several."""
_PERSON = [
    each.name for each in fields(Entry) if each.name not in ("id", "standing", "pools", "place")
]
_GAMES = "_games"
_SEXES = {"f": "w", "w": "w", "m": "m"}
_TRUE, _FALSE = ("true", "yes", "1"), ("false", "no", "0")
_NUMBER = pattern(r"[+-]?[0-9]+(\.[0-9]+)?")


class Column(NamedTuple):
    """A column that a rule book reads beside the person and the standing."""

    place: str
    """Where an entry has it: ``foreign``, ``pools``, ``decisions``; ``extra`` of the standing."""
    held: type


NO_COLUMNS: Mapping[str, Column] = MappingProxyType({})
"""What is said where no rule book is known."""


def read_players(
    text: str,
    standing_fields: Mapping[str, type] = NO_KEYS,
    columns: Mapping[str, str] | None = None,
    *,
    beside: Mapping[str, Column] = NO_COLUMNS,
    pool_named: Callable[[str], str] | None = None,
) -> tuple[dict[str, Entry], Findings]:
    """The players of the file by id, and what is wrong with it.

    ``columns`` says which header a field has; one that the file has not is for other files.
    ``beside`` are the columns that the rule book reads beside those of persons and standings.
    Where the edition has pools a player may have a row for each: their standings are in
    ``pools``, by what ``pool_named`` calls the pool of the row.
    """
    findings = Findings()
    fields_read = {**{name: each.held for name, each in beside.items()}, **standing_fields}
    reader = Reader(fields_read)
    keys = StandingKeys(fields_read)
    is_json = text.lstrip()[:1] in ("[", "{")
    said = {key(header): field for field, header in (columns or {}).items()}
    has_pools = pool_named is not None
    rows = (
        _json_rows(text, findings) if is_json else _csv_rows(text, keys, said, has_pools, findings)
    )
    players: dict[str, Entry] = {}
    in_pools: dict[str, dict[str, Standing]] = {}
    told: set[tuple[str, str | None]] = set()
    try:
        for place, row in rows:
            own, word = _without_pool(row) if has_pools else (row, None)
            read = reader.entry(_nested(own, keys), place)
            if read is None:
                continue
            entry = in_places(read, beside)
            pool = word if word is None or pool_named is None else pool_named(word)
            key_ = entry.id, None if pool is None else pool.casefold()
            known = players.get(entry.id)
            if known is not None and (pool is None or key_ in told):
                findings.add(
                    Severity.ERROR,
                    "players.duplicate",
                    sentence("Player {player} stands in the players file twice.", player=entry.id),
                    entry.place,
                    sentence("Keep one of the two."),
                )
            told.add(key_)
            if pool is None:
                players[entry.id] = entry
                continue
            players[entry.id] = _one_person(entry, known)
            if entry.standing is not None:
                in_pools.setdefault(entry.id, {})[pool] = entry.standing
    except TooManyFaults:
        players = {}
    findings.extend(reader.findings())
    if not players and not findings.refused:
        findings.add(
            Severity.WARNING,
            "players.none",
            sentence("The players file holds no player."),
            remedy=sentence("Write a line for each player, below the names of the columns."),
        )
    return {
        id_: replace(entry, pools=_of_rows(in_pools[id_], entry.pools))
        if id_ in in_pools
        else entry
        for id_, entry in players.items()
    }, findings


def _without_pool(row: Any) -> tuple[Any, str | None]:
    """A row without the pool that it is about; None: the file says no pools."""
    if not isinstance(row, dict) or POOL not in row:
        return row, None
    return {name: value for name, value in row.items() if name != POOL}, str(row[POOL] or "")


def _one_person(entry: Entry, known: Entry | None) -> Entry:
    """A player of several rows, each of another pool; what is about the person holds for all."""
    if known is None:
        return replace(entry, standing=None)
    person = {name: _joined(getattr(known, name), getattr(entry, name)) for name in _PERSON}
    # What rows of other pools name of a pool is told by the last of them.
    return replace(known, **person, pools={**known.pools, **entry.pools})


def _joined(known: Any, more: Any) -> Any:
    return {**more, **known} if isinstance(known, Mapping) else known or more


def _of_rows(rows: Mapping[str, Standing], beside: Mapping[str, Standing]) -> dict[str, Standing]:
    """Standings by the rows of their pools; a rating that these lack, as others name it."""
    return {
        **beside,
        **{pool: filled_from(standing, beside.get(pool)) for pool, standing in rows.items()},
    }


def filled_from(standing: Standing, other: Standing | None) -> Standing:
    """A standing with the rating, and the games of it, that is told beside another standing."""
    if other is None or standing.rating is not None:
        return standing
    games = standing.games if other.games is None else other.games
    return changed(standing, rating=other.rating, games=games)


def in_places(entry: Entry, beside: Mapping[str, Column]) -> Entry:
    """A player of whom everything is said where a report says it, and not in the standing."""
    standing = entry.standing
    said = standing.extra.keys() & beside.keys() if standing else ()
    if standing is None or not said:
        return entry
    found: dict[str, dict[str, Any]] = {"foreign": {}, "decisions": {}, "extra": {}}
    pools: dict[str, dict[str, Any]] = {}
    for name, value in standing.extra.items():
        place = beside[name].place if name in said else "extra"
        if place == "pools":
            field = "games" if name.endswith(_GAMES) else "rating"
            pools.setdefault(name.removesuffix(_GAMES), {})[field] = value
        else:
            found[place][name] = value
    rest = changed(standing, extra=found["extra"])
    return changed(
        entry,
        standing=None if rest == Standing() else rest,
        foreign={**found["foreign"], **entry.foreign},
        decisions={**found["decisions"], **entry.decisions},
        pools={**{pool: Standing(**fields) for pool, fields in pools.items()}, **entry.pools},
    )


def _json_rows(text: str, findings: Findings) -> Iterator[tuple[Place, Any]]:
    data = parse_json(text, findings)
    if findings.refused:
        return
    inside = "players" if isinstance(data, dict) else ""
    last: dict[Any, int] = {}
    if isinstance(data, dict):
        if _is_output_of_rate(data):
            last = _last_rows(data["players"])
            data = _rows_of_rate(data)
        else:
            data = data.get("players")
    if not isinstance(data, list):
        findings.add(
            Severity.FATAL,
            "players.shape",
            sentence("The players file holds no list of players."),
            remedy=sentence('Write a list of objects with "id", "rating", "games" …'),
        )
        return
    for index, item in enumerate(data):
        if last.get(_id_of(item), index) == index:
            yield Place(path=f"{inside}[{index}]"), item


def _last_rows(rows: list[Any]) -> dict[Any, int]:
    """Where each player's last row is: one of several sections has a row for each of them.

    The last one holds the newest standing.
    """
    return {player: index for index, row in enumerate(rows) if (player := _id_of(row)) is not None}


def _id_of(row: Any) -> str | None:
    player = row.get("id") if isinstance(row, dict) else None
    return str(player) if isinstance(player, str | int) else None


def output_of_rate(text: str) -> tuple[str | None, dict[str, int]]:
    """The edition and each player's games of the batch, where the text is output of ``rate``."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None, {}
    if not _is_output_of_rate(data):
        return None, {}
    games: Counter[str] = Counter()
    # A list has the games of its period beside all of a player.
    key = "period_games" if "columns" in data else "games"
    for row in data["players"]:
        if isinstance(row, dict) and isinstance(row.get(key), int):
            games[str(row.get("id"))] += row[key]
    return str(data["rulebook"]), dict(games)


def is_document(text: str) -> bool:
    """Whether the text is a report document, whose players have ids of their event."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(data, dict) and "ratingbook" in data


def _is_output_of_rate(data: Any) -> bool:
    return isinstance(data, dict) and "rulebook" in data and isinstance(data.get("players"), list)


def _rows_of_rate(data: Mapping[str, Any]) -> list[Any]:
    """The rows of ``rate``, or of ``list``, as players with their standings."""
    return [
        {key: row[key] for key in _OF_A_ROW if row.get(key) is not None} | _of_list(row)
        if isinstance(row, dict)
        else row
        for row in data["players"]
    ]


def _of_list(row: Mapping[str, Any]) -> dict[str, Any]:
    """What a row of ``list`` says in the words of a federation's list."""
    is_listed = "rating" in row and "standing" not in row
    found = {key: row[key] for key in ("rating", "games") if is_listed and row.get(key) is not None}
    sex = _SEXES.get(str(row.get("sex")).casefold())
    return found | ({"sex": sex} if sex else {})


def is_players_file(first_line: str) -> bool:
    """Whether a line names the columns of a players file: an id and a rating, and no game."""
    delimiter = max(",;\t", key=first_line.count)
    names = {name.strip().strip('"') for name in first_line.lstrip("\ufeff").split(delimiter)}
    words = {field_of_player(name) or name for name in names}
    return {"id", "rating"} <= words | names


def is_ratings(header: AbstractSet[str]) -> bool:
    """Whether a table is that of the ratings of a history, which calls the id ``player``."""
    return "id" not in header and {"player", "rating", "status", "last_played"} <= header


def _csv_rows(
    text: str, keys: StandingKeys, said: Mapping[str, str], has_pools: bool, findings: Findings
) -> Iterator[tuple[Place, Any]]:
    first_line = text.lstrip("\n").partition("\n")[0]
    delimiter = max(",;\t", key=first_line.count)
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True
    )
    try:
        rows = ((reader.line_num, row) for row in reader if any(cell.strip() for cell in row))
        line, names = next(rows, (1, []))
        top, header = Place(line=line), [name.strip() for name in names]
        if is_ratings(set(header)):
            header = ["id" if name == "player" else name for name in header]
        header = [said.get(key(name), name) for name in header]
        begin = list(islice(rows, _LOOKED_AT))
        ratings = _points_that_are_ratings(header, begin)
        pool = {POOL: FIELDS["event"]["pool"]} if has_pools else {}
        header = _in_our_words(header, ratings, keys, pool, top, findings)
        own = _ids_in(header)
        if not _is_header(header, own, top, findings):
            return
        numbers = {name: IDENTIFIER for name in header if name.removeprefix(_IDS) != name}
        beyond = keys.beyond(frozenset(header) - FIELDS["player"].keys() - numbers.keys())
        known = {**beyond, **_COMMON, **numbers, **pool}
        if _EARLIER.issubset(header):
            yield from _earlier_games(chain(begin, rows), header, top, findings)
            return
        _tell_unknown(header, known.keys(), top, findings)
        days = Days()
        for line, row in chain(begin, rows):
            # Spreadsheets have line breaks in cells that were typed on two lines.
            cells = [" ".join(cell.splitlines()).strip() for cell in row]
            if any(cells[len(header) :]):
                findings.add(
                    Severity.ERROR,
                    "players.columns",
                    sentence("This line has more columns than the header."),
                    Place(line=line),
                    sentence("Quote values that hold the separator."),
                )
                continue
            named = dict(zip(header, cells, strict=False))
            with_birth_year(named)
            named["id"] = next((named[name] for name in own if named.get(name)), "")
            yield (
                Place(line=line),
                {
                    key: _value(known[key], cell, days)
                    for key, cell in named.items()
                    if key in known and (cell or key == POOL)
                },
            )
    except csv.Error as error:
        findings.add(
            Severity.FATAL,
            "players.csv",
            sentence("The players file is not CSV: {error}.", error=error),
            Place(line=reader.line_num),
            sentence(
                "Write it with a program that writes CSV; look for a quotation mark without its "
                "pair."
            ),
        )


def _points_that_are_ratings(
    header: Sequence[str], begin: Iterable[tuple[int, list[str]]]
) -> int | None:
    """The column that some languages call points, where it holds ratings; None: there is none."""
    fields = [field_of_player(name) for name in header]
    if "rating" in fields or fields.count("points") != 1:
        return None
    at = fields.index("points")
    return at if are_ratings(row[at].strip() for _, row in begin if len(row) > at) else None


def _earlier_games(
    rows: Iterable[tuple[int, list[str]]], header: Sequence[str], top: Place, findings: Findings
) -> Iterator[tuple[Place, Any]]:
    """Players with the earlier games that still count, of a file with one game in each row."""
    _tell_unknown(header, {"id", "name", *FIELDS["history"]}, top, findings)
    found: dict[str, tuple[Place, dict[str, Any]]] = {}
    days = Days()
    for line, row in rows:
        cells = dict.fromkeys(("id", "name", *FIELDS["history"]), "")
        cells |= {name: cell.strip() for name, cell in zip(header, row, strict=False)}
        place = Place(line=line)
        side = frozen_side(cells, days)
        if side is None or not cells["id"]:
            findings.add(
                Severity.ERROR,
                "players.earlier",
                sentence(
                    "This earlier game cannot be read: {shortened}.",
                    shortened=shortened(", ".join(filter(None, row))),
                ),
                place,
                sentence(
                    "Write id, opponent (the rating) and score (1, 0.5 or 0); own (the rating "
                    "then) and start (2024-03-02), if they are known."
                ),
            )
            continue
        known = found.setdefault(
            cells["id"], (place, {"id": cells["id"], "name": cells["name"], "history": []})
        )
        known[1]["history"].append(frozen_side_as_dict(side))
    yield from found.values()


def _in_our_words(
    header: list[str],
    ratings: int | None,
    keys: StandingKeys,
    more: Mapping[str, ValueKind],
    place: Place,
    findings: Findings,
) -> list[str]:
    """The header with what tables call a column (ID, Elo, Spieler) as our own word for it.

    ``ratings``: the column that holds them, whatever it is called.
    """
    known = (
        _COMMON.keys()
        | FIELDS["history"].keys()
        | more.keys()
        | keys.beyond(frozenset(header) - FIELDS["player"].keys()).keys()
    )
    by_key = {key(name): name for name in known}
    found, understood = [], []
    for at, name in enumerate(header):
        # Tables of reports say `extra.peak` of what is no common column.
        plain = name.removeprefix("extra.")
        word = plain if plain in known else by_key.get(key(name)) or field_of_player(name)
        if word == "points" or at == ratings:
            word = "rating" if at == ratings else "score"
        fits = word is not None and (word in known or word.startswith(_IDS))
        if word == name or not fits or word in header or word in found:
            found.append(name)
            continue
        found.append(str(word))
        understood.append(
            sentence(
                "{header} as {name}", header=shortened(name, 60), name=shortened(str(word), 60)
            )
        )
    if understood:
        findings.add(
            Severity.INFO,
            "players.understood",
            sentence(
                "Columns of the players file were read by what they are called: {understood}.",
                understood=row_of(understood),
            ),
            place,
            sentence("Name them so yourself, if that is wrong."),
        )
    return found


def _ids_in(header: Sequence[str]) -> list[str]:
    """The columns that say who a player is, of which the first that is filled in counts.

    The id; without one the number in the only register, and the name.
    """
    if "id" in header:
        return ["id"]
    numbers = [name for name in header if name.startswith(_IDS)]
    return [*(numbers if len(numbers) == 1 else ()), *(["name"] if "name" in header else ())]


def _is_header(header: Sequence[str], own: Sequence[str], place: Place, findings: Findings) -> bool:
    """Whether the first line names the columns, each once, and who the players are."""
    if not own:
        findings.add(
            Severity.FATAL,
            "players.no-id",
            sentence("The players file has no column id, nor one of numbers or names."),
            place,
            sentence("Name the columns in the first line: id,name,rating,games …"),
        )
        return False
    twice = [name for name, count in Counter(header).items() if name and count > 1]
    if twice:
        findings.add(
            Severity.FATAL,
            "players.repeated-column",
            sentence("The players file has the column {twice} twice.", twice=twice[0]),
            place,
            sentence("Keep one of the two."),
        )
    return not twice


def _tell_unknown(
    header: Sequence[str], known: AbstractSet[str], place: Place, findings: Findings
) -> None:
    unknown = [name or "(without a name)" for name in header if name not in {*known, OF_RATINGS}]
    if unknown:
        findings.add(
            Severity.WARNING,
            "players.unknown-column",
            sentence(
                "Columns that are not known and are not used: {shortened}.",
                shortened=shortened(", ".join(unknown)),
            ),
            place,
            sentence(
                "Known are {what}; numbers of registers are ids.fide, ids.egd ….",
                what=", ".join(sorted(known)),
            ),
        )


def _value(kind: ValueKind, text: str, days: Days) -> object:
    """A cell as the kind of value that its column holds; what does not fit stays a text."""
    holds = kind.schema.get("type")
    if kind is FIELDS["player"]["sex"]:
        return sex_of(text)
    if kind.schema.get("format") == "date":
        day = days.read(text).day
        return day.isoformat() if day else text
    if holds == "boolean" and text.lower() in (*_TRUE, *_FALSE):
        return text.lower() in _TRUE
    is_number = holds in ("number", "integer") or kind is SCALAR
    if is_number and _NUMBER.fullmatch(text):
        return float(text) if "." in text or len(text) > 15 else int(text)
    return text


def _nested(row: Any, keys: StandingKeys) -> Any:
    """A flat row in the shape of a document's player."""
    if not isinstance(row, dict) or "standing" in row:
        return row
    numbers = {key.removeprefix(_IDS): row[key] for key in row if key.startswith(_IDS)}
    if numbers:
        rest = {key: value for key, value in row.items() if not key.startswith(_IDS)}
        row = {**rest, "ids": {**rest.get("ids", {}), **numbers}}
    beyond = keys.beyond(row.keys() - FIELDS["player"].keys())
    standing_keys = FIELDS["standing"].keys() | beyond.keys()
    standing = {key: value for key, value in row.items() if key in standing_keys}
    player = {key: value for key, value in row.items() if key not in standing_keys}
    return {**player, "standing": standing} if standing else player

"""The declared points and counts compared with the results.

Nothing here changes a rating; a difference shows that a result may be missing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache

from ratingbook.formats.fide.trf import layout
from ratingbook.formats.fide.trf.abnormal import Abnormal, read_abnormal
from ratingbook.formats.fide.trf.players import PlayerLine
from ratingbook.formats.fide.trf.records import Records
from ratingbook.formats.fide.trf.teams import Team
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import Place, Severity
from ratingbook.model.patterns import pattern
from ratingbook.model.sentences import sentence

POINTS = Remark(
    "trf.points",
    Severity.WARNING,
    "The declared points are not the sum of the results",
    "Look whether a result or a bye is missing; H is a half-point bye, U and F a full one.",
)
COUNTS = Remark(
    "trf.counts",
    Severity.INFO,
    "The counts in the header do not fit the other lines, or each other",
    "Look whether players, teams or rounds are missing.",
)
TOO_MANY_ROUNDS = Remark(
    "trf.rounds",
    Severity.WARNING,
    "There are results in more rounds than the report declares",
    "Correct the number of rounds (record 142 or XXR), or the results.",
)

_STANDARD = {
    **dict.fromkeys(("WW", "BW", "FW", "FPB", "PAB"), 1.0),
    **dict.fromkeys(("WD", "BD", "HPB"), 0.5),
    **dict.fromkeys(("WL", "BL", "FL", "ZPB", "OPEN"), 0.0),
}
"""Points by case: White or Black wins, draws, loses; forfeits; full, half, zero, allotted byes;
games without result."""
_WIN = ("WW", "BW", "FW", "FPB")
_DRAW = ("WD", "BD", "HPB")
_LOSS = ("WL", "BL")
_SYSTEMS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "162": {
        "W": _WIN,
        "D": _DRAW,
        "L": _LOSS,
        "A": ("ZPB", "FL"),
        "P": ("PAB",),
        "X": ("OPEN",),
    },
    "XXS": {"W": _WIN, "D": _DRAW} | {case: (case,) for case in _STANDARD},
}
"""What the codes of a record with a point system set."""
_SINGLE = {
    "BBW": _WIN,
    "BBD": _DRAW,
    "BBL": _LOSS,
    "BBZ": ("ZPB",),
    "BBF": ("FL",),
    "BBU": ("PAB",),
}
"""Records that set one value each."""
_VALUE = pattern(r"([A-Z]{1,3})[\s=]+([0-9]{1,3}(?:\.[0-9]{1,2})?)")
_NUMBER = pattern(r"[0-9]{1,3}(?:\.[0-9]{1,2})?")
_WHOLE = pattern(r"[0-9]{1,6}")
_TOLERANCE = 0.01

_OUTCOMES = {"1": "W", "W": "W", "=": "D", "D": "D", "0": "L", "L": "L"}
_CASES = {"H": "HPB", "F": "FPB", "U": "PAB", "Z": "ZPB"}


def check_totals(
    records: Records, players: Iterable[PlayerLine], teams: Collection[Team], notes: Notes
) -> None:
    """Note where points, counts and rounds do not add up."""
    players = list(players)
    values = _point_system(records)
    abnormal = Abnormal() if records.teams else read_abnormal(records)
    for player in players:
        _check_points(player, values, abnormal, records.teams, notes)
    _check_counts(records, players, teams, notes)
    _check_rounds(records, players, notes)


def _point_system(records: Records) -> dict[str, float]:
    values = dict(_STANDARD)
    for tag, codes in _SYSTEMS.items():
        for code, value in _VALUE.findall(records.text(tag)):
            values.update(dict.fromkeys(codes.get(code, ()), float(value)))
    for tag, cases in _SINGLE.items():
        if match := _NUMBER.match(records.text(tag)):
            values.update(dict.fromkeys(cases, float(match[0])))
    return values


def _check_points(
    player: PlayerLine,
    values: Mapping[str, float],
    abnormal: Abnormal,
    teams: bool,
    notes: Notes,
) -> None:
    if player.points is None or not player.readable:
        return
    points = {
        number: values.get(_case(cell.opponent > 0, cell.colour, cell.code), 0.0)
        for number, cell in player.cells.items()
    }
    if abnormal.values:
        points = {
            number: abnormal.points(player.rank, number, player.cells[number], usual)
            for number, usual in points.items()
        }
    total = sum(points.values()) + abnormal.bonus.get(player.rank, 0.0)
    allowed = [total]
    if teams:  # A team's bye brings points to the team, and in some programs to its players.
        allowed.append(sum(points[n] for n, cell in player.cells.items() if cell.opponent))
    if all(abs(player.points - sum_) > _TOLERANCE for sum_ in allowed):
        what = sentence(
            "{player}: {points:g} declared, {total:g} counted",
            player=player.label,
            points=player.points,
            total=total,
        )
        place = Place(line=player.line, column=layout.POINTS.start + 1, player=player.id)
        notes.add(POINTS, what, place)


@cache
def _case(paired: bool, colour: str, code: str) -> str:
    """The case of the point system that a cell belongs to; nothing for an open game."""
    if code in layout.FORFEITS:
        won = code == "+"
        return ("FW" if won else "FL") if paired else ("FPB" if won else "ZPB")
    if code in _OUTCOMES:
        outcome = _OUTCOMES[code]
        if not paired:
            return {"W": "FPB", "D": "HPB", "L": "ZPB"}[outcome]
        return ("B" if colour == "b" else "W") + outcome
    if paired and code == layout.BLANK:
        return "OPEN"
    return _CASES.get(code, "")


def _check_counts(
    records: Records, players: list[PlayerLine], teams: Collection[Team], notes: Notes
) -> None:
    counts = (
        ("062", sentence("players"), len(players)),
        ("072", sentence("rated players"), sum(bool(player.rating) for player in players)),
        ("082", sentence("teams"), len(teams)),
    )
    for tag, what, counted in counts:
        match = _WHOLE.match(records.text(tag))
        if match and int(match[0]) != counted:
            example = sentence(
                "{n} {what} declared in record {tag}, {found} found",
                n=match[0], what=what, tag=tag, found=counted,
            )  # fmt: skip
            notes.add(COUNTS, example, records.place(tag))


def _check_rounds(records: Records, players: list[PlayerLine], notes: Notes) -> None:
    said = (records.text("142"), records.text("XXR"))
    if all(said) and said[0] != said[1]:
        what = sentence(
            "{n} rounds declared in record 142, {other} in XXR",
            n=said[0][:9],
            other=said[1][:9],
        )
        notes.add(COUNTS, what, records.place("XXR"))
    match = _WHOLE.match(records.text("142", "XXR"))
    last = max((n for player in players for n in player.cells), default=0)
    if match and last > int(match[0]):
        place = records.place("142" if "142" in records.header else "XXR")
        notes.add(
            TOO_MANY_ROUNDS,
            sentence("{match} declared, {last} found", match=match[0], last=last),
            place,
        )

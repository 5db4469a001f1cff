"""Cross tables: who met whom, in the notation of the reader's choice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ratingbook.desk.language import ENGLISH, Language
from ratingbook.desk.written import clean
from ratingbook.engine.rate import RatedRow
from ratingbook.model import Colour, Entry, Game, GameStatus, Report, Section
from ratingbook.model.making import QuicklyMade
from ratingbook.rules.series import BookOrSeries

SUBSTITUTED = "†"
"""Set behind a game that a substitute played, in the line of the player replaced."""
_UNKNOWN = "?"
"""Stands for the result of a game of which none is known."""


@dataclass(frozen=True, slots=True)
class Meeting(metaclass=QuicklyMade):
    """A player's half of a game, or of a round without one, as a cross table shows it."""

    opponent: int | None
    """The opponent's number in the table; None for a bye."""
    name: str
    """The opponent's name."""
    round: int | None
    colour: Colour
    half_points: int | None
    status: GameStatus
    handicap: int
    rated: bool
    """Whether it went into the player's rating."""
    substituted: bool
    """Whether a substitute played it for the player."""
    game: Game | None = None
    """The game itself."""

    @property
    def bye(self) -> bool:
        """Whether there was no opponent."""
        return self.opponent is None

    @property
    def forfeit(self) -> bool:
        """Whether one side, or both, did not appear."""
        return self.status is GameStatus.FORFEIT

    def sign(self, won: str, drawn: str, lost: str, none: str) -> str:
        """The one of four signs that is the result."""
        return none if self.half_points is None else (lost, drawn, won)[self.half_points]

    @property
    def rated_half_points(self) -> int | None:
        """Those with which it was rated: after an adjudication the score table may show others."""
        if self.game is None or not self.rated:
            return self.half_points
        return self.game.result.half_points(self.colour)

    @property
    def rated_as(self) -> str:
        """The score with which it was rated, where the table shows another; else empty."""
        half = self.rated_half_points
        return "" if half is None or half == self.half_points else ("0", "½", "1")[half]

    @property
    def mark(self) -> str:
        """What stands behind the result of a game that a substitute played."""
        return SUBSTITUTED if self.substituted else ""

    @property
    def title(self) -> str:
        """The meeting in words of English."""
        return self.told(ENGLISH)

    def told(self, language: Language) -> str:
        """The meeting in words."""
        say = language.gettext
        played = "" if self.round is None else say("Round {n}: ").format(n=self.round)
        if self.bye:
            got = say("no opponent, points {points}")
            return played + got.format(points=self.sign("1", "½", "0", "0"))
        is_white = self.colour is Colour.WHITE
        met = say("white against {opponent}") if is_white else say("black against {opponent}")
        parts = [
            (played + met.format(opponent=f"{self.opponent} {clean(self.name)}")).rstrip(),
            self.sign(say("won"), say("drawn"), say("lost"), say("no result")),
        ]
        if self.handicap:
            parts.append(say("handicap {n}").format(n=self.handicap))
        if self.status is not GameStatus.PLAYED:
            on_time = self.status is GameStatus.TIME
            parts.append(say("on time") if on_time else say(self.status.value))
        if self.substituted:
            parts.append(say("played by a substitute"))
        if self.rated_as:
            parts.append(say("rated as {points}").format(points=self.rated_as))
        if not self.rated:
            parts.append(say("not rated for this player"))
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Notation:
    """A way to write the meetings of a table, with its legend."""

    key: str
    """What rule books call it."""
    name: str
    write: Callable[[Meeting], str]
    legend: tuple[tuple[str, str], ...]


_NOT_RATED = "°"
"""Set behind a game that was played, and did not go into the player's rating."""


def _mark(meeting: Meeting) -> str:
    return "" if meeting.rated or meeting.forfeit else _NOT_RATED


def us_chess(meeting: Meeting) -> str:
    """``W 12``: the result, then the opponent."""
    if meeting.bye:
        return meeting.sign("B", "H", "U", "U")
    if meeting.forfeit:
        return f"{meeting.sign('X', 'H', 'F', 'F')} {meeting.opponent}"
    return f"{meeting.sign('W', 'D', 'L', _UNKNOWN)} {meeting.opponent}{_mark(meeting)}"


def go(meeting: Meeting) -> str:
    """``12+/w0``: the opponent, the result, the colour and the handicap."""
    result = meeting.sign("+", "=", "-", "-" if meeting.bye or meeting.forfeit else _UNKNOWN)
    if meeting.bye:
        return f"0{result}"
    slash = "!" if meeting.forfeit else "/"
    colour = meeting.colour.value[0]
    return f"{meeting.opponent}{result}{slash}{colour}{meeting.handicap}{_mark(meeting)}"


def trf(meeting: Meeting) -> str:
    """``12 w 1``: the opponent, the colour and the result."""
    if meeting.bye:
        return f"0000 - {meeting.sign('F', 'H', 'Z', 'Z')}"
    result = meeting.sign("1", "=", "0", _UNKNOWN)
    if meeting.forfeit:
        result = meeting.sign("+", "=", "-", "-")
    elif not meeting.rated:
        result = meeting.sign("W", "D", "L", _UNKNOWN)
    return f"{meeting.opponent} {meeting.colour.value[0]} {result}"


def icu(meeting: Meeting) -> str:
    """``1 ½ 0`` for what was rated, ``+ = −`` for what was not."""
    if meeting.rated:
        return meeting.sign("1", "½", "0", _UNKNOWN)
    return meeting.sign("+", "=", "−", _UNKNOWN if not meeting.bye and not meeting.forfeit else "−")


_CIRCLE = (_NOT_RATED, "played, but not rated for this player")
NOTATIONS = (
    Notation(
        "us-chess",
        "US Chess: W 12",
        us_chess,
        (
            ("W 12", "won, lost (L) or drawn (D) against number 12"),
            ("X 12, F 12", "won or lost by forfeit"),
            ("B, H, U", "bye with a full point, with half a point, with none"),
            _CIRCLE,
        ),
    ),
    Notation(
        "go",
        "Go: 12+/w0",
        go,
        (
            ("12+/w0", "won (lost −, drawn =) against number 12, as White (Black b), no handicap"),
            ("12+!w0", "won by forfeit"),
            ("0+, 0=, 0-", "free round with a full point, with half a point, with none"),
            _CIRCLE,
        ),
    ),
    Notation(
        "trf",
        "TRF: 12 w 1",
        trf,
        (
            ("12 w 1", "number 12, with White (Black b): won (lost 0, drawn =)"),
            ("12 w +, 12 w -", "won or lost by forfeit"),
            ("0000 - F, H, Z", "bye with a full point, with half a point, with none"),
            ("W, D, L", "played, but not rated for this player"),
        ),
    ),
    Notation(
        "icu",
        "ICU: 1 ½ 0",
        icu,
        (
            ("1, ½, 0", "won, drawn, lost, and rated for this player"),
            ("+, =, −", "not rated for this player: forfeit, bye, or not to be rated"),
        ),
    ),
)
"""The notations that a reader may choose from."""

_KEYS = [notation.key for notation in NOTATIONS]


def notation_of(book: BookOrSeries) -> int:
    """Index of the notation that the readers of a rule book know best, or that of the game."""
    usual = "go" if book.game == "Go" else "trf"
    return _KEYS.index(book.notation if book.notation in _KEYS else usual)


@dataclass(frozen=True, slots=True)
class Line:
    """A player's line of a cross table."""

    number: int
    entry: Entry
    rated: RatedRow | None
    """None where the section was not rated."""
    points: float
    """Of all rounds, byes and forfeits too, but for games that a substitute played."""
    cells: tuple[tuple[Meeting, ...], ...]


@dataclass(frozen=True, slots=True)
class CrossTable:
    """One section of a report, or one event of it where a report holds several."""

    section: str | None
    event: str | None
    rounds: tuple[int | None, ...]
    """The rounds that have a column; None: what has no number of a round."""
    lines: tuple[Line, ...]
    in_order_of_report: bool
    """Whether the organiser's order was kept, rather than made of the points."""

    @property
    def marks(self) -> tuple[tuple[str, str], ...]:
        """What stands in some cells in every notation, and what it means."""
        substituted = ((SUBSTITUTED, "a substitute played it for this player, and has the point"),)
        unknown = ((_UNKNOWN, "no result is known"),)
        every = [each for line in self.lines for cell in line.cells for each in cell]
        is_open = any(x.half_points is None and not x.bye and not x.forfeit for x in every)
        return (substituted if self.with_substitutes else ()) + (unknown if is_open else ())

    @property
    def with_substitutes(self) -> bool:
        """Whether a substitute played for somebody of the table."""
        return any(each.substituted for line in self.lines for cell in line.cells for each in cell)

    @property
    def numbers(self) -> Mapping[str, int]:
        """The number of each player, by id."""
        return {line.entry.id: line.number for line in self.lines}


def cross_tables(report: Report, rows: Sequence[RatedRow]) -> Iterator[CrossTable]:
    """The tables of a report: for each section, in it for each event."""
    rows_of = {(rated.row.id, rated.row.section): rated for rated in rows}
    # A period rates a player once, whatever the sections; so does a report with one section.
    by_id = {rated.row.id: rated for rated in rows if rated.row.section is None}
    for section in report.sections():
        own = {
            entry.id: rated
            for entry in section.entries
            if (rated := rows_of.get((entry.id, section.name)) or by_id.get(entry.id))
        }
        events = list(dict.fromkeys(game.event for game in section.games)) or [None]
        for event in events:
            games = [game for game in section.games if game.event == event]
            entries = section.entries if len(events) == 1 else _who_played(section, games)
            yield _table(section, event, entries, games, own)


def _who_played(section: Section, games: Sequence[Game]) -> tuple[Entry, ...]:
    ids = {player for game in games for player in _players(game)}
    return tuple(entry for entry in section.entries if entry.id in ids)


def _players(game: Game) -> tuple[str, ...]:
    """Everybody who has the game in a line: at the board, or replaced there."""
    named = (game.white, game.black, game.white_for, game.black_for)
    return tuple(dict.fromkeys(player for player in named if player))


def _table(
    section: Section,
    event: str | None,
    entries: Sequence[Entry],
    games: Sequence[Game],
    rated: Mapping[str, RatedRow],
) -> CrossTable:
    games_of: dict[str, list[Game]] = {entry.id: [] for entry in entries}
    for game in games:
        for player in _players(game):
            if player in games_of:
                games_of[player].append(game)
    half_points = {
        # The point is of who sat at the board, not of whom a substitute replaced there.
        entry.id: sum(
            _half_points(game, _colour(game, entry.id)) or 0
            for game in games_of[entry.id]
            if entry.id in (game.white, game.black)
        )
        for entry in entries
    }
    ranked = bool(entries) and all(entry.rank for entry in entries)
    ordered = sorted(
        entries,
        key=lambda entry: (
            (entry.rank if ranked else 0) or 0,
            *_standing_key(half_points[entry.id], rated.get(entry.id)),
        ),
    )
    numbers = {entry.id: number for number, entry in enumerate(ordered, 1)}
    names = {entry.id: entry.name for entry in entries}
    rounds = sorted({game.round for game in games}, key=lambda each: (each is None, each or 0))
    lines = []
    for entry in ordered:
        row = rated.get(entry.id)
        counted = frozenset(row.counted) if row else frozenset()
        meetings: dict[int | None, list[Meeting]] = {}
        for game in games_of[entry.id]:
            met = _meeting(game, entry.id, numbers, names, counted)
            meetings.setdefault(game.round, []).append(met)
        cells = tuple(tuple(meetings.get(each, ())) for each in rounds)
        lines.append(Line(numbers[entry.id], entry, row, half_points[entry.id] / 2, cells))
    return CrossTable(section.name, event, tuple(rounds), tuple(lines), ranked)


def _standing_key(half_points: int, rated: RatedRow | None) -> tuple[float, ...]:
    """By points, then by the new rating, then by the old one."""
    after = rated.row.after if rated else None
    before = rated.row.before if rated else None
    return (-half_points, -(after or 0), -(before or 0))


def _colour(game: Game, player: str) -> Colour:
    """The colour that a player had, or that the substitute had for the player."""
    return Colour.WHITE if player in (game.white, game.white_for) else Colour.BLACK


def _half_points(game: Game, colour: Colour) -> int | None:
    return (game.table_result or game.result).half_points(colour)


def _meeting(
    game: Game,
    player: str,
    numbers: Mapping[str, int],
    names: Mapping[str, str],
    counted: Collection[Game],
) -> Meeting:
    colour = _colour(game, player)
    other = game.player(colour.other)
    return Meeting(
        opponent=numbers.get(other) if other else None,
        name=names.get(other, "") if other else "",
        round=game.round,
        colour=colour,
        half_points=_half_points(game, colour),
        status=game.status,
        handicap=game.handicap,
        rated=game in counted,
        substituted=player in (game.white_for, game.black_for),
        game=game,
    )

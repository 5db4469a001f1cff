"""What two players' rows say of their game, brought together: each must mirror the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from ratingbook.formats.tables.scores import Cell, of_points
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import Colour, Game, GameStatus, Place, Result, Severity
from ratingbook.model.sentences import sentence

SELF = Remark(
    "game.self",
    Severity.ERROR,
    "A player meets himself",
    "Correct the opponent.",
    each=True,
)
OPPONENT = Remark(
    "game.opponent",
    Severity.ERROR,
    "A result names an opponent who is not in the table",
    "Correct the opponent, or add his row.",
    each=True,
)
HARMLESS_OPPONENT = replace(
    OPPONENT,
    severity=Severity.WARNING,
    what="A forfeit names an opponent who is not in the table",
    each=False,
)
CONTRADICTION = Remark(
    "game.contradiction",
    Severity.ERROR,
    "The two sides of a game contradict each other",
    "Correct the result on one of the two sides.",
    each=True,
)
HARMLESS_CONTRADICTION = replace(
    CONTRADICTION,
    severity=Severity.WARNING,
    what="The two sides of a forfeit contradict each other; it is not rated either way",
    each=False,
)
MIRROR = Remark(
    "game.mirror",
    Severity.ERROR,
    "A game stands on one player's side only",
    "Enter the game for the opponent too, or delete it.",
    each=True,
)
HARMLESS_MIRROR = replace(
    MIRROR,
    severity=Severity.WARNING,
    what="A forfeit stands on one player's side only; it is not rated either way",
    each=False,
)
ONE_SIDED = Remark(
    "table.one-sided",
    Severity.INFO,
    "Each game stands on one player's side only, so that nothing was compared",
    "Nothing to do.",
)
COLOURS_CLASH = Remark(
    "game.colours",
    Severity.WARNING,
    "Both players have the same colour; the one who stands first was taken as White",
    "Correct the colours where they matter: in handicap games the stones are Black's.",
)
NO_COLOURS = Remark(
    "game.colours",
    Severity.INFO,
    "Games have no colours; the player who stands first was taken as White",
    "Nothing to do where ratings do not depend on the colours.",
)
TWICE = Remark(
    "game.twice",
    Severity.ERROR,
    "A game of two players stands twice in one round",
    "Delete one of them, or correct the round.",
    each=True,
)
SAME_ROUND = Remark(
    "table.same-round",
    Severity.WARNING,
    "A player has more than one game or bye in a round",
    "Correct the round, or the player.",
)


@dataclass(frozen=True, slots=True)
class Claim:
    """What one player's side says of one game or round."""

    player: str
    label: str
    opponent: str | None
    """His id; None without one, or where nobody knows him."""
    named: str
    """The opponent as the table names him; nothing without one."""
    cell: Cell
    round: int | None
    place: Place
    leg: int = 0
    """Which of several games of the two in one cell."""
    section: str | None = None
    event: str | None = None
    start: date | None = None

    @property
    def key(self) -> tuple[str | None, str | None, int | None, date | None, int]:
        """What the two sides of a game have in common."""
        return (self.event, self.section, self.round, self.start, self.leg)


@dataclass(slots=True)
class Pairings:
    """The claims of a table, and the games that come of them."""

    notes: Notes
    games: list[Game] = field(default_factory=list)

    def pair(self, claims: Sequence[Claim], *, lone_sides: bool = False) -> None:
        """Make the games; ``lone_sides``: the table need not hold both sides of a game."""
        mirrors: dict[tuple[object, ...], Claim] = {
            (*claim.key, claim.player, claim.opponent): claim for claim in claims
        }
        order = {claim: number for number, claim in enumerate(claims)}
        met = {
            claim
            for claim in claims
            if (*claim.key, claim.opponent, claim.player) in mirrors and claim.opponent
        }
        one_sided = lone_sides and not met
        seen: set[tuple[object, ...]] = set()
        for claim in claims:
            own = (*claim.key, claim.player, claim.opponent)
            if claim.opponent and own in seen:
                self.notes.add(TWICE, _what(claim), claim.place)
                continue
            seen.add(own)
            mirror = mirrors.get((*claim.key, claim.opponent, claim.player))
            if not claim.opponent or claim.opponent == claim.player:
                self._without_opponent(claim)
            elif mirror is not None:
                if order[claim] < order[mirror]:
                    self._mirrored(claim, mirror)
            elif one_sided:
                self._lone(claim)
            else:
                self._unmirrored(claim)

    def _without_opponent(self, claim: Claim) -> None:
        played = claim.cell.status is GameStatus.PLAYED and claim.cell.points is not None
        if claim.opponent:
            self.notes.add(SELF, _what(claim), claim.place)
            return
        if claim.named:
            self.notes.add(OPPONENT if played else HARMLESS_OPPONENT, _what(claim), claim.place)
            if played:
                return
        points = claim.cell.points
        if points == 0:
            return
        result = Result.NONE if points is None else of_points(points)
        bye = _game(claim, claim.player, None, result)
        self.games.append(replace(bye, status=GameStatus.BYE, white_rated=False, black_rated=False))

    def _unmirrored(self, claim: Claim) -> None:
        harmless = claim.cell.status is GameStatus.FORFEIT
        self.notes.add(HARMLESS_MIRROR if harmless else MIRROR, _what(claim), claim.place)
        if harmless:
            self._without_opponent(replace(claim, opponent=None, named=""))

    def _lone(self, claim: Claim) -> None:
        self.notes.add(ONE_SIDED, _what(claim), claim.place)
        points = claim.cell.points
        mirror = None if points is None else 2 - points
        opponent = replace(
            claim, player=str(claim.opponent), cell=claim.cell._replace(points=mirror, colour="")
        )
        self._mirrored(claim, opponent)

    def _mirrored(self, first: Claim, second: Claim) -> None:
        one, other = first.cell, second.cell
        points = one.points, other.points
        default = GameStatus.FORFEIT in (one.status, other.status)
        agree = (one.status, one.rated) == (other.status, other.rated) and (
            points in ((2, 0), (1, 1), (0, 2), (None, None)) or (default and points == (0, 0))
        )
        stones = {cell.handicap for cell in (one, other) if cell.handicap is not None}
        if not agree or len(stones) > 1:
            what = sentence("{first}, and {second}", first=_what(first), second=_what(second))
            harmless = one.status is other.status is GameStatus.FORFEIT
            kind = HARMLESS_CONTRADICTION if harmless else CONTRADICTION
            self.notes.add(kind, what, first.place)
            if not harmless:
                return
        elif not default:
            self._check_colours(first, second)
        white, black = (first, second) if _first_is_white(one, other) else (second, first)
        game = _game(white, white.player, black.player, _result(white.cell, black.cell))
        rated = one.rated and other.rated
        self.games.append(
            replace(
                game,
                handicap=stones.pop() if stones and agree else 0,
                white_rated=rated,
                black_rated=rated,
                rated_said=not rated and game.status is GameStatus.PLAYED,
                place=first.place,
            )
        )

    def _check_colours(self, first: Claim, second: Claim) -> None:
        colours = first.cell.colour, second.cell.colour
        if not any(colours):
            self.notes.add(NO_COLOURS, _what(first), first.place)
        elif colours[0] == colours[1]:
            self.notes.add(COLOURS_CLASH, _what(first), first.place)


def _what(claim: Claim) -> str:
    points = {2: "1", 1: "½", 0: "0", None: sentence("no result")}[claim.cell.points]
    words = {"player": claim.label, "points": points, "other": claim.named, "n": claim.round}
    if claim.named and claim.round:
        return sentence("{player} has {points} against {other} in round {n}", **words)
    if claim.named:
        return sentence("{player} has {points} against {other}", **words)
    if claim.round:
        return sentence("{player} has {points} in round {n}", **words)
    return sentence("{player} has {points}", **words)


def _first_is_white(first: Cell, second: Cell) -> bool:
    return first.colour == second.colour or not (first.colour == "b" or second.colour == "w")


def _result(white: Cell, black: Cell) -> Result:
    """The result that the two sides tell; of a forfeit they need not agree."""
    if white.points is None or black.points is None or white.points + black.points != 2:
        return Result.NONE
    return of_points(white.points, Colour.WHITE)


def _game(claim: Claim, white: str, black: str | None, result: Result) -> Game:
    return Game(
        white=white,
        black=black,
        result=result,
        status=claim.cell.status,
        round=claim.round,
        section=claim.section,
        event=claim.event,
        start=claim.start,
        place=claim.place,
    )


def pair_of(white: str, black: str | None) -> str:
    """The players of a game as a finding names them."""
    return white if black is None else sentence("{white} and {black}", white=white, black=black)


def _in_its_round(game: Game) -> str:
    pair = pair_of(game.white, game.black)
    return sentence("{label} in round {number}", label=pair, number=game.round)


def once_a_round(games: Iterable[Game], notes: Notes) -> Iterator[Game]:
    """The games, each pair of players once a round; what else cannot be is noted."""
    pairs: set[tuple[object, ...]] = set()
    busy: set[tuple[object, ...]] = set()
    for game in games:
        when = (game.event, game.section, game.round)
        pair = (*when, frozenset((game.white, game.black)))
        if game.round and game.black and pair in pairs:
            notes.add(TWICE, _in_its_round(game), game.place)
            continue
        pairs.add(pair)
        sides = [(*when, side) for side in (game.white, game.black) if side]
        if game.round and not busy.isdisjoint(sides):
            notes.add(SAME_ROUND, _in_its_round(game), game.place)
        busy.update(sides)
        yield game

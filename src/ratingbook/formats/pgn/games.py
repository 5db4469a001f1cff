"""What each game says of its result, its round and its day; and games that stand twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from ratingbook.formats.pgn import tags
from ratingbook.formats.pgn.players import Side, side_of
from ratingbook.formats.pgn.scan import RawGame
from ratingbook.formats.tools.notes import Notes, Remark
from ratingbook.model import Colour, Game, GameStatus, Place, Result, Severity
from ratingbook.model.sentences import row_of, sentence
from ratingbook.rules.wording import counted

NO_NAME = Remark(
    "pgn.name",
    Severity.ERROR,
    "A game does not name both players",
    "Fill in the tags White and Black.",
    each=True,
)
SELF = Remark(
    "game.self",
    Severity.ERROR,
    "A player meets himself",
    "Correct the name of one of the players.",
    each=True,
)
RESULT = Remark(
    "pgn.result",
    Severity.ERROR,
    "A result was not understood",
    "Write 1-0, 0-1, 1/2-1/2, or * for a game without a result.",
    each=True,
)
NO_RESULT = Remark(
    "pgn.no-result",
    Severity.WARNING,
    "Games have no result, neither in a tag nor behind the moves",
    "Add the tag Result.",
)
CONTRADICTION = Remark(
    "pgn.contradiction",
    Severity.ERROR,
    "The tag Result and the result behind the moves contradict each other",
    "Correct the wrong one.",
    each=True,
)
ONE_RESULT = Remark(
    "pgn.one-result",
    Severity.WARNING,
    "A result stands in one place only, and * in the other (tag or behind the moves); the result "
    "was taken",
    "Correct the one that is out of date.",
)
EMPTY_RESULT = replace(
    ONE_RESULT,
    severity=Severity.INFO,
    what="Games without moves have * where moves would end; the result of the tag was taken",
    remedy="Nothing to do.",
)
UNTERMINATED = Remark(
    "pgn.unterminated",
    Severity.WARNING,
    "Games are said to be unterminated, but have a result; the result was taken",
    "Correct the tag Termination or the result.",
)
TERMINATION = Remark(
    "pgn.termination",
    Severity.INFO,
    "How games ended (Termination) was not understood; they were taken as played",
    "Nothing to do, unless they were not played: write forfeit then.",
)
NO_MOVES = Remark(
    "pgn.no-moves",
    Severity.WARNING,
    "Games have a result but no moves, though others have moves; they were taken as played",
    'If nobody made a move, add [Termination "forfeit"].',
)
TAGS_ONLY = Remark(
    "pgn.tags-only",
    Severity.INFO,
    "No game has moves, so that forfeits can be told by the tag Termination only",
    'Look whether there were forfeits, and give them [Termination "forfeit"].',
)
VARIANT = Remark(
    "pgn.variant",
    Severity.WARNING,
    "Games of chess960 or another variant are not rated",
    "Nothing to do; correct the tags Variant and FEN if it was chess.",
)
SET_UP = Remark(
    "pgn.set-up",
    Severity.WARNING,
    "Games begin from a position that was set up; they are rated all the same",
    "Take them out unless only their beginning is missing.",
)
BYE = Remark(
    "pgn.bye",
    Severity.INFO,
    "Games against nobody (BYE) were read as byes",
    "Nothing to do.",
)
DATE = Remark(
    "pgn.date",
    Severity.WARNING,
    "Dates were not understood",
    "Write Date and EndDate as 2011.12.31, with ?? for what is not known.",
)
PARTIAL_DATE = Remark(
    "pgn.partial-date",
    Severity.WARNING,
    "Games have only the year or the month of their date, which places them in no period for sure",
    "Add the day.",
)
ROUND = Remark(
    "pgn.round",
    Severity.INFO,
    "Rounds that are no numbers were left out",
    "Nothing to do; numbers help to find games that stand twice.",
)
DUPLICATE = Remark(
    "pgn.duplicate",
    Severity.WARNING,
    "A game stands in the file twice; it was taken once",
    "Delete it, or give it a round of its own if there were two games.",
)
TWO_RESULTS = Remark(
    "game.contradiction",
    Severity.ERROR,
    "Two results of one game contradict each other",
    "Keep the right one, or give the second game a round of its own.",
    each=True,
)
SAME_ROUND = Remark(
    "pgn.same-round",
    Severity.INFO,
    "Two players have several games in one round; those after the first were left without a round",
    "Nothing to do if it was a match of several games.",
)

_CHESS = frozenset(
    {"", "?", "-", "standard", "chess", "normal", "classical", "orthodox", "from position"}
)
_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
_EMPTY = "pppppppp/8/8/8/8/PPPPPPPP"
_NOT_RATED = (GameStatus.FORFEIT, GameStatus.CANCELLED, GameStatus.BYE)


@dataclass(frozen=True, slots=True)
class PgnGame:
    """A game with its players; the side of nobody is None where there was a bye."""

    raw: RawGame
    white: Side | None
    black: Side | None
    event: str

    @property
    def sides(self) -> Iterator[Side]:
        """The players who are somebody."""
        yield from filter(None, (self.white, self.black))

    @property
    def label(self) -> str:
        """The players and the round, for findings."""
        nobody = sentence("nobody")
        white, black = (self.raw.text(colour.value)[:60] or nobody for colour in Colour)
        names = sentence("{white} and {black}", white=white, black=black)
        number = self.raw.known("round")
        return (
            sentence("{label} in round {number}", label=names, number=number) if number else names
        )


def with_players(raw: Iterable[RawGame], notes: Notes) -> list[PgnGame]:
    """The games of which both players are named, or one and a bye."""
    games = []
    for each in raw:
        sides = [
            None if tags.is_bye(each.text(colour.value)) else side_of(each, colour, notes)
            for colour in Colour
        ]
        names = [each.known(tag) for tag in ("broadcastname", "studyname")]
        event = tags.event_of(names, each.known("event"))
        game = PgnGame(each, sides[0], sides[1], event)
        if not any(sides) or not all(side.known for side in game.sides):
            notes.add(NO_NAME, game.label, each.place)
        else:
            games.append(game)
    return games


def game_of(game: PgnGame, ids: tuple[str | None, str | None], notes: Notes) -> Game | None:
    """The game in the report's words; ``ids`` are those of White and Black.

    None for a round without opponent that brought no points.
    """
    raw = game.raw
    if ids[0] == ids[1]:
        notes.add(SELF, game.label, raw.place)
        return None
    result, status = _outcome(game, notes)
    if None in ids:
        notes.add(BYE, game.label, raw.place)
        status = GameStatus.BYE
        points = result.half_points(Colour.BLACK if ids[0] is None else Colour.WHITE)
        if not points:
            return None
        result = Result.WHITE_WINS if points == 2 else Result.DRAW
    rated = status not in _NOT_RATED and _is_chess(game, notes)
    number, sound = tags.round_of(raw.text("round"))
    if not sound:
        notes.add(ROUND, raw.text("round")[:40], raw.place)
    place = replace(raw.place, player=ids[0] or ids[1], round=number)
    return Game(
        white=ids[0] or ids[1] or "",
        black=ids[1] if ids[0] else None,
        result=result,
        status=status,
        round=number,
        section=raw.known("section") or None,
        start=_date(game, "date", notes),
        end=_date(game, "enddate", notes),
        white_rated=rated,
        black_rated=rated,
        place=place,
    )


def _outcome(game: PgnGame, notes: Notes) -> tuple[Result, GameStatus]:
    raw = game.raw
    result, forfeit = _result(game, notes)
    word = raw.text("termination")
    status = tags.status_of(word)
    if status is None:
        notes.add(TERMINATION, word[:60], raw.place)
        status = GameStatus.PLAYED
    if result is not Result.NONE and word.casefold() == tags.UNTERMINATED:
        notes.add(UNTERMINATED, game.label, raw.place)
    return result, GameStatus.FORFEIT if forfeit else status


def _result(game: PgnGame, notes: Notes) -> tuple[Result, bool]:
    """The result and whether it is a forfeit, from the tag and from behind the moves."""
    raw = game.raw
    text = raw.known("result")
    said = tags.result_of(text)
    behind = tags.result_of(raw.result)
    if said is None and text:
        notes.add(RESULT, f"{game.label}: {text[:40]}", raw.place)
    elif said is None and behind is None:
        notes.add(NO_RESULT, game.label, raw.place)
    if said is None or behind is None or said[1] or said == behind:
        return said or behind or (Result.NONE, False)
    results = sentence("{game}: {text} and {result}", game=game.label, text=text, result=raw.result)
    if Result.NONE in (said[0], behind[0]):
        # Vega writes * behind the tags of every game without moves.
        empty = not raw.moves and behind[0] is Result.NONE
        notes.add(EMPTY_RESULT if empty else ONE_RESULT, results, raw.place)
        return behind if said[0] is Result.NONE else said
    notes.add(CONTRADICTION, results, raw.place)
    return said


def _is_chess(game: PgnGame, notes: Notes) -> bool:
    """Whether it is a game of chess as all rules know it."""
    raw = game.raw
    variant = raw.text("variant")
    placement = raw.text("fen").partition(" ")[0]
    if variant.casefold() not in _CHESS or _is_shuffled(placement):
        notes.add(VARIANT, f"{game.label}: {variant or 'chess960'}", raw.place)
        return False
    if placement.strip("?") not in ("", _START):
        notes.add(SET_UP, game.label, raw.place)
    return True


def _is_shuffled(placement: str) -> bool:
    """Whether all men stand in their rows, but the pieces not where they stand in chess."""
    black, _, rest = placement.partition("/")
    middle, _, white = rest.rpartition("/")
    mirrored = sorted(white) == sorted("RNBQKBNR") and black == white.lower()
    return mirrored and middle == _EMPTY and placement != _START


def _date(game: PgnGame, tag: str, notes: Notes) -> date | None:
    text = game.raw.text(tag)
    if tag == "date" and not game.raw.known(tag).strip("?.-/ "):
        text = game.raw.text("utcdate") or text
    day = tags.day_of(text)
    if not day.clear:
        kind = PARTIAL_DATE if "?" in text else DATE
        notes.add(kind, f"{game.label}: {text[:40]}", game.raw.place)
    return day.day


def check_moves(games: Iterable[tuple[PgnGame, Game]], notes: Notes) -> None:
    """Note results without moves, which may be forfeits."""
    finished = [
        (pgn, game)
        for pgn, game in games
        if game.black and game.result is not Result.NONE and game.status not in _NOT_RATED
    ]
    if finished and not any(pgn.raw.moves for pgn, _ in finished):
        notes.add(TAGS_ONLY, counted(len(finished), "game"), Place())
        return
    for pgn, _ in finished:
        if not pgn.raw.moves:
            notes.add(NO_MOVES, pgn.label, pgn.raw.place)


def once_each(games: Iterable[tuple[PgnGame, Game]], notes: Notes) -> Iterator[Game]:
    """The games without those that stand twice; one game of a pair in a round at most."""
    same: dict[tuple[object, ...], tuple[PgnGame, Game]] = {}
    rounds: set[tuple[object, ...]] = set()
    for pgn, game in games:
        if game.black is None:
            yield game
            continue
        where = (pgn.event, game.section, pgn.raw.text("round"), game.start)
        key = (*where, game.white, game.black)
        first = same.get(key)
        if first and _is_same(first[0], pgn):
            if first[1].result is game.result:
                notes.add(DUPLICATE, pgn.label, game.place)
            else:
                results = sentence("{one} and {other}", one=first[1].result, other=game.result)
                notes.add(TWO_RESULTS, row_of((pgn.label, results), ": "), game.place)
            continue
        same.setdefault(key, (pgn, game))
        pair = frozenset((game.white, game.black))
        slot = (pgn.event, game.section, game.round, pair)
        if game.round is not None and slot in rounds:
            notes.add(SAME_ROUND, pgn.label, game.place)
            yield replace(game, round=None)
        else:
            yield game
        rounds.add(slot)


def _is_same(first: PgnGame, second: PgnGame) -> bool:
    """Whether two games of one pair on one day with the same colours are one game.

    The moves tell; without moves the round does, if it is known.
    """
    if first.raw.moves and second.raw.moves:
        return first.raw.moves == second.raw.moves
    return first.raw.known("round") != ""

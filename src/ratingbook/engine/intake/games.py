"""What is wrong or odd in the games of a report: each by itself, and several together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import date

from ratingbook.model import (
    MOST_STONES,
    Colour,
    Finding,
    Findings,
    Game,
    GameStatus,
    Place,
    Report,
    Result,
    Severity,
)
from ratingbook.model.sentences import Sentence, sentence
from ratingbook.rules.wording import either

_CONTRADICTION = "game.contradiction"
"""The code of readers for a game of which its sides say two results: it has none."""
_OF_RESULTS = frozenset({"game.result", "pgn.result", "table.open"})
"""Codes of readers for games without a result that counts: all of these are told by them."""


_RESULT_AT = re.compile(r"games\[\d+\]\.result")
"""Where a document has a result."""


def _is_of_result(one: Finding) -> bool:
    """Whether a reader tells of games without a result, or of one that it does not understand."""
    return one.code in _OF_RESULTS or bool(_RESULT_AT.fullmatch(one.where.path or ""))


def check_games(report: Report, findings: Findings, told: Iterable[Finding] = ()) -> None:
    """What is wrong or odd in each game, and in games that do not go together.

    A game of which was ``told`` that its sides contradict each other is not also unfinished,
    nor is any of a report of which was told that games have no result, or one not understood.
    """
    ids = {entry.id for entry in report.entries}
    for game in report.games:
        if not _is_plain(game, ids):
            _check_game(game, ids, findings)
    if not _once_a_round(report.games):
        _check_pairs(report.games, findings)
        _tell_repeated(report.games, findings)
        _tell_two_in_a_round(report.games, findings)
    _tell_outside(report, findings)
    told = list(told)
    told_of = {(x.where.round, x.where.player) for x in told if x.code == _CONTRADICTION}
    if not any(map(_is_of_result, told)):
        _tell_unfinished(report.games, told_of, findings)


def _is_plain(game: Game, ids: set[str]) -> bool:
    """Whether two players have a game of which nothing more is said, as nearly all are."""
    return (
        game.white in ids
        and game.black in ids
        and game.white != game.black
        and game.status is not GameStatus.BYE
        and (game.start is None or game.end is None or game.start <= game.end)
        and not (game.handicap or game.margin or game.white_for or game.black_for)
    )


def _once_a_round(games: Sequence[Game]) -> bool:
    """Whether all games have rounds, and nobody two games in one: then no two go ill together."""
    played = [game for game in games if game.black is not None]
    seats = {
        (player, game.round, game.section, game.event)
        for game in played
        if game.round is not None
        for player in (game.white, game.black)
    }
    return len(seats) == 2 * len(played)


def place_of(game: Game, player: str | None = None) -> Place:
    """Where a game stands, for a finding."""
    place = game.place
    return Place(
        file=place.file,
        line=place.line,
        column=place.column,
        section=game.section,
        player=player or game.white,
        round=game.round,
        path=place.path,
    )


def _check_game(game: Game, ids: set[str], findings: Findings) -> None:
    for player in (game.white, game.black, game.white_for, game.black_for):
        if player is not None and player not in ids:
            findings.add(
                Severity.ERROR,
                "game.unknown-player",
                sentence(
                    "A game names player {player}, who is not among the players.", player=player
                ),
                place_of(game, player),
                sentence("Add the player, or correct the id."),
            )
    if game.start and game.end and game.end < game.start:
        findings.add(
            Severity.ERROR,
            "game.dates-reversed",
            sentence(
                "The game of {white} and {what} ends on {end}, before it starts on {start}.",
                white=game.white,
                what=game.black or sentence("nobody"),
                end=game.end,
                start=game.start,
            ),
            place_of(game),
            sentence("Correct the dates."),
        )
    if game.handicap > MOST_STONES and (game.white_rated or game.black_rated):
        findings.add(
            Severity.ERROR,
            "game.handicap",
            sentence(
                "The game of {white} and {what} has a handicap of {handicap} "
                "stones; nobody gives more than {MOST_STONES}.",
                white=game.white,
                what=game.black or sentence("nobody"),
                handicap=game.handicap,
                MOST_STONES=MOST_STONES,
            ),
            place_of(game),
            sentence("Correct the number of stones, or mark the game as not rated."),
        )
    if (
        game.margin
        and game.result is not Result.NONE
        and (game.result is not (Result.WHITE_WINS if game.margin > 0 else Result.BLACK_WINS))
    ):
        findings.add(
            Severity.WARNING,
            "game.margin-of-other",
            sentence(
                "The game of {white} and {what} has the result {value} and the "
                "margin {margin}, which say different things; the result is "
                "followed.",
                white=game.white,
                what=game.black or sentence("nobody"),
                value=game.result.value,
                margin=game.margin,
            ),
            place_of(game),
            sentence(
                "The margin counts from White's side: positive where White won, 0 for a draw."
            ),
        )
    replaced = game.white_for or game.black_for
    if replaced and {game.white_for, game.black_for} & {game.white, game.black} - {None}:
        findings.add(
            Severity.ERROR,
            "game.substitute",
            sentence(
                "In a game of {white} and {black} a substitute replaces one of the two.",
                white=game.white,
                black=game.black,
            ),
            place_of(game),
            sentence("white_for and black_for name the players who should have played."),
        )
    if game.white == game.black:
        findings.add(
            Severity.ERROR,
            "game.self",
            sentence("Player {white} plays against himself.", white=game.white),
            place_of(game),
            sentence("Correct the opponent."),
        )
    if game.black is not None and game.status is GameStatus.BYE:
        findings.add(
            Severity.WARNING,
            "game.bye-with-opponent",
            sentence(
                "A bye of player {white} names an opponent, {black}; it is not rated.",
                white=game.white,
                black=game.black,
            ),
            place_of(game),
            sentence("Give the game its status, or leave the opponent out."),
        )
    if game.black is None and game.status is not GameStatus.BYE:
        findings.add(
            Severity.ERROR,
            "game.no-opponent",
            sentence("A game of player {white} has no opponent.", white=game.white),
            place_of(game),
            sentence("Name the opponent, or give the status bye."),
        )


def _check_pairs(games: Iterable[Game], findings: Findings) -> None:
    """Two games of the same pair in one round: a slip, whatever their results."""
    seen: dict[tuple[object, ...], Game] = {}
    for game in games:
        if game.round is None or game.black is None or game.white == game.black:
            continue
        pair = (game.white, game.black) if game.white < game.black else (game.black, game.white)
        first = seen.setdefault((game.event, game.section, game.round, pair), game)
        if first is game:
            continue
        if first.result.half_points(Colour.WHITE) == _as_seen_from(first.white, game):
            findings.add(
                Severity.ERROR,
                "game.duplicate",
                sentence(
                    "{white} and {black} have the same game twice in round {round}.",
                    white=game.white,
                    black=game.black,
                    round=game.round,
                ),
                place_of(game),
                sentence("Remove one, or give the second game a round of its own."),
            )
        else:
            findings.add(
                Severity.ERROR,
                "game.contradiction",
                sentence(
                    "Two results of the game between {white} and {black} in round "
                    "{round} contradict each other.",
                    white=game.white,
                    black=game.black,
                    round=game.round,
                ),
                place_of(game),
                sentence("Keep the right one."),
            )


def _as_seen_from(player: str, game: Game) -> int | None:
    return game.result.half_points(Colour.WHITE if game.white == player else Colour.BLACK)


def _tell_repeated(games: Iterable[Game], findings: Findings) -> None:
    """Without rounds a second game of a pair with the same colours may be a slip."""
    pairings = Counter(
        (game.event, game.section, game.start, game.white, game.black)
        for game in games
        if game.round is None and game.black is not None
    )
    repeated = [pairing for pairing, count in pairings.items() if count > 1]
    if repeated:
        *_, white, black = repeated[0]
        findings.add(
            Severity.WARNING,
            "game.repeated",
            sentence(
                "Players have several games with the same colours and no round; "
                "all are rated: {len} pairs, the first {white} and {black}.",
                len=len(repeated),
                white=white,
                black=black,
            ),
            Place(player=white),
            sentence("Give the games their rounds, or remove what stands there twice."),
        )


def _tell_two_in_a_round(games: Iterable[Game], findings: Findings) -> None:
    """A player with two opponents in one round: a slip in a Swiss, usual in a league."""
    opponent: dict[tuple[object, ...], str] = {}
    more: dict[tuple[object, ...], set[str]] = {}
    for game in games:
        if game.round is not None and game.black is not None:
            for one, other in ((game.white, game.black), (game.black, game.white)):
                key = (game.event, game.section, game.round, one)
                first = opponent.setdefault(key, other)
                if first != other:
                    more.setdefault(key, {first}).add(other)
    # In the order in which the players first have a game.
    several = [(key, more[key]) for key in opponent if key in more] if more else []
    if several:
        (*_, round_, player), met = several[0]
        others = ", ".join(sorted(met))
        findings.add(
            Severity.WARNING,
            "game.two-in-round",
            either(
                len(several),
                "A player meets several opponents in one round; all games are rated: player "
                "{player} in round {round} ({all}).",
                "Players meet several opponents in one round; all games are rated: "
                "{count} cases, the first player {player} in round {round} ({all}).",
                player=player,
                round=round_,
                all=others,
            ),
            Place(player=str(player)),
            sentence("Correct the rounds, or the opponents, if this is a slip."),
        )


_Days = tuple[date | None, date | None]
"""The first and the last day of an event, as far as they are known."""


def _tell_outside(report: Report, findings: Findings) -> None:
    """Games of other days than those of their event: a slip in a day, or in a month."""
    event = report.event
    days: dict[str | None, _Days] = {
        head.name: (head.start or event.start, head.end or event.end)
        for head in report.section_heads
    }
    of_event = event.start, event.end
    if not any(of_event) and not any(map(any, days.values())):
        return
    outside = []
    for game in report.games:
        # Where games name events of their own, the days are those of a period.
        if (game.start or game.end) and game.event is None:
            start, end = days.get(game.section, of_event)
            first, last = game.start or game.end, game.end or game.start
            if (start and last and last < start) or (end and first and first > end):
                outside.append((game, first, _span(start, end)))
    if outside:
        game, day, span = outside[0]
        findings.add(
            Severity.WARNING,
            "game.outside-event",
            either(
                len(outside),
                "The game of {white} and {black} of {day} is not of the days of its event: {span}.",
                "{count} games are not of the days of their event, the first of {white} and "
                "{black} of {day}: {span}.",
                white=game.white, black=game.black or sentence("nobody"), day=day, span=span,
            ),
            place_of(game),
            sentence("Correct the day of the game, or those of the event."),
        )  # fmt: skip


def _span(start: date | None, end: date | None) -> Sentence:
    if start and end:
        return sentence("{start} to {end}", start=start, end=end)
    if start:
        return sentence("from {start} on", start=start)
    return sentence("up to {end}", end=end)


def _tell_unfinished(
    games: Iterable[Game], told_of: Collection[tuple[int | None, str | None]], findings: Findings
) -> None:
    open_games = [
        game
        for game in games
        if game.result is Result.NONE
        and game.status is GameStatus.PLAYED
        and game.black
        and (game.round, game.white) not in told_of
        and (game.round, game.black) not in told_of
    ]
    if open_games:
        findings.add(
            Severity.WARNING,
            "game.unfinished",
            sentence(
                "Games without a result are not rated: {len} in all, the first "
                "between {white} and {black}.",
                len=len(open_games),
                white=open_games[0].white,
                black=open_games[0].black,
            ),
            place_of(open_games[0]),
            sentence("Send the report again when they are finished."),
        )

"""What is wrong or odd in the games of a report: each by itself, and several together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ratingbook.model import (
    MOST_STONES,
    Colour,
    Findings,
    Game,
    GameStatus,
    Place,
    Report,
    Result,
    Severity,
)


def check_games(report: Report, findings: Findings) -> None:
    """What is wrong or odd in each game, and in games that do not go together."""
    ids = {entry.id for entry in report.entries}
    for game in report.games:
        if not _is_plain(game, ids):
            _check_game(game, ids, findings)
    if not _once_a_round(report.games):
        _check_pairs(report.games, findings)
        _tell_repeated(report.games, findings)
        _tell_two_in_a_round(report.games, findings)
    _tell_unfinished(report.games, findings)


def _is_plain(game: Game, ids: set[str]) -> bool:
    """Whether two players have a game of which nothing more is said, as nearly all are."""
    return (
        game.white in ids
        and game.black in ids
        and game.white != game.black
        and game.status is not GameStatus.BYE
        and not (game.handicap or game.margin or game.start or game.white_for or game.black_for)
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
                f"A game names player {player}, who is not among the players.",
                place_of(game, player),
                "Add the player, or correct the id.",
            )
    if game.start and game.end and game.end < game.start:
        findings.add(
            Severity.ERROR,
            "game.dates-reversed",
            f"The game of {game.white} and {game.black or 'nobody'} ends on {game.end}, before "
            f"it starts on {game.start}.",
            place_of(game),
            "Correct the dates.",
        )
    if game.handicap > MOST_STONES and (game.white_rated or game.black_rated):
        findings.add(
            Severity.ERROR,
            "game.handicap",
            f"The game of {game.white} and {game.black or 'nobody'} has a handicap of "
            f"{game.handicap} stones; nobody gives more than {MOST_STONES}.",
            place_of(game),
            "Correct the number of stones, or mark the game as not rated.",
        )
    if (
        game.margin
        and game.result is not Result.NONE
        and (game.result is not (Result.WHITE_WINS if game.margin > 0 else Result.BLACK_WINS))
    ):
        findings.add(
            Severity.WARNING,
            "game.margin-of-other",
            f"The game of {game.white} and {game.black or 'nobody'} has the result "
            f"{game.result.value} and the margin {game.margin}, which say different things; the "
            "result is followed.",
            place_of(game),
            "The margin counts from White's side: positive where White won, 0 for a draw.",
        )
    replaced = game.white_for or game.black_for
    if replaced and {game.white_for, game.black_for} & {game.white, game.black} - {None}:
        findings.add(
            Severity.ERROR,
            "game.substitute",
            f"In a game of {game.white} and {game.black} a substitute replaces one of the two.",
            place_of(game),
            "white_for and black_for name the players who should have played.",
        )
    if game.white == game.black:
        findings.add(
            Severity.ERROR,
            "game.self",
            f"Player {game.white} plays against himself.",
            place_of(game),
            "Correct the opponent.",
        )
    if game.black is not None and game.status is GameStatus.BYE:
        findings.add(
            Severity.WARNING,
            "game.bye-with-opponent",
            f"A bye of player {game.white} names an opponent, {game.black}; it is not rated.",
            place_of(game),
            "Give the game its status, or leave the opponent out.",
        )
    if game.black is None and game.status is not GameStatus.BYE:
        findings.add(
            Severity.ERROR,
            "game.no-opponent",
            f"A game of player {game.white} has no opponent.",
            place_of(game),
            "Name the opponent, or give the status bye.",
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
                f"{game.white} and {game.black} have the same game twice in round {game.round}.",
                place_of(game),
                "Remove one, or give the second game a round of its own.",
            )
        else:
            findings.add(
                Severity.ERROR,
                "game.contradiction",
                f"Two results of the game between {game.white} and {game.black} in round "
                f"{game.round} contradict each other.",
                place_of(game),
                "Keep the right one.",
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
            "Players have several games with the same colours and no round; all are rated: "
            f"{len(repeated)} pairs, the first {white} and {black}.",
            Place(player=white),
            "Give the games their rounds, or remove what stands there twice.",
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
        findings.add(
            Severity.WARNING,
            "game.two-in-round",
            f"Players meet several opponents in one round; all games are rated: {len(several)} "
            f"cases, the first player {player} in round {round_} ({', '.join(sorted(met))}).",
            Place(player=str(player)),
            "Correct the rounds, or the opponents, if this is a slip.",
        )


def _tell_unfinished(games: Iterable[Game], findings: Findings) -> None:
    open_games = [
        game
        for game in games
        if game.result is Result.NONE and game.status is GameStatus.PLAYED and game.black
    ]
    if open_games:
        findings.add(
            Severity.WARNING,
            "game.unfinished",
            f"Games without a result are not rated: {len(open_games)} in all, the first between "
            f"{open_games[0].white} and {open_games[0].black}.",
            place_of(open_games[0]),
            "Send the report again when they are finished.",
        )

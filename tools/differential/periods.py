"""Players of a system with rating periods, through a chain of reports and through a history.

Their opponents are rated by nobody here: a game is rated for the player alone, so that an
opponent keeps the rating that the oracle reckoned with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, TypeVar

from ratingbook.formats.document.write import frozen_side_as_dict, standing_as_dict
from tools.differential.common import Case, Path, Refused, rated_history, rated_report

Json = dict[str, Any]
RESULTS = ("0-1", "1/2-1/2", "1-0")
RESULTS_AS_BLACK = RESULTS[::-1]

T = TypeVar("T")


@dataclass(frozen=True)
class Game:
    """A game as its player sees it."""

    opponent: int | None
    """The opponent's rating; None: without one."""
    score: int
    """In half points."""
    start: date
    end: date
    as_white: bool
    level: int | None = None
    """The level of the tournament."""
    own: int | None = None
    """The own rating of the game, where it is not the one at the beginning of the period."""

    def __str__(self) -> str:
        told = "new" if self.opponent is None else str(self.opponent)
        own = f"{self.own} " if self.own is not None else ""
        level = f" at {self.level}" if self.opponent is None else ""
        return f"{own}{'0½1'[self.score]} v {told}{level}"


@dataclass
class Player:
    """What is known of a player at first, the games of each period, and what comes out."""

    standing: Json
    """The standing of a report, and the row of a players file; empty: unknown."""
    history: list[Json]
    """The earlier games of a report; in a history they are unknown draws with equals."""
    periods: list[list[Game]] = field(default_factory=list)
    before: list[int | None] = field(default_factory=list)
    after: list[int | None] = field(default_factory=list)
    ties: list[bool] = field(default_factory=list)

    def add(self, games: list[Game], before: int | None, after: int | None, *, tie: bool) -> None:
        """One more period."""
        self.periods.append(games)
        self.before.append(before)
        self.after.append(after)
        self.ties.append(tie)

    def told(self, period: int, settings: Mapping[str, str]) -> str:
        """The player up to a period, in words."""
        periods = " | ".join(
            ", ".join(map(str, games)) + f" → {after}"
            for games, after in zip(self.periods[: period + 1], self.after, strict=False)
        )
        return f"{dict(settings) or ''} {self.standing or 'new'}: {periods}".strip()


def sought(make: Callable[[], T], is_wanted: Callable[[T], bool], tries: int) -> T:
    """What ``make`` makes, again and again until it is as wanted, or there are no more tries."""
    made = make()
    for _ in range(tries):
        if is_wanted(made):
            break
        made = make()
    return made


def cases(
    players: Sequence[Player],
    edition: str,
    path: Path,
    settings: Mapping[str, str],
    ends: Sequence[date],
) -> Iterator[Case]:
    """A case for each player and period; ``ends`` are the last days of the periods."""
    got: dict[tuple[str, int], tuple[Any, Any]] = {}
    otherwise: str | None = None
    try:
        if path is Path.REPORT:
            got = _in_reports(players, edition, settings, ends)
        else:
            got = _in_history(players, edition, path, settings)
    except Refused as refused:
        otherwise = f"refused: {refused}"
    for number, player in enumerate(players):
        for period, (before, after) in enumerate(zip(player.before, player.after, strict=True)):
            yield Case(
                player.told(period, settings),
                (before, after),
                got.get((f"p{number}", period), otherwise),
                player.ties[period],
            )


def _opponent(game: Game) -> str:
    return "new" if game.opponent is None else f"o{game.opponent}"


def _in_reports(
    players: Sequence[Player], edition: str, settings: Mapping[str, str], ends: Sequence[date]
) -> dict[tuple[str, int], tuple[Any, Any]]:
    """Each period a report; the next one begins with what it left."""
    found: dict[tuple[str, int], tuple[Any, Any]] = {}
    known: list[Json] = []
    for number, player in enumerate(players):
        entry: Json = {"id": f"p{number}", "history": player.history}
        known.append({**entry, "standing": player.standing} if player.standing else entry)
    for period, end in enumerate(ends):
        games: list[Json] = []
        opponents: dict[str, Json] = {}
        for number, player in enumerate(players):
            for game in player.periods[period]:
                other = _opponent(game)
                opponents[other] = {"id": other}
                if game.opponent is not None:
                    opponents[other]["standing"] = {"rating": game.opponent, "games": 100}
                games.append(_game(f"p{number}", game, len(games) + 1))
        document = {
            "ratingbook": "report/1",
            "event": {"end": end.isoformat()},
            "players": [*known, *opponents.values()],
            "games": games,
        }
        rows = rated_report(document, edition, settings)
        for entry in known:
            row = rows[entry["id"]]
            found[row.id, period] = (row.before, row.after)
            entry["standing"] = standing_as_dict(row.standing)
            entry["history"] = [frozen_side_as_dict(side) for side in row.history]
    return found


def _game(player: str, game: Game, number: int) -> Json:
    mine, theirs = ("white", "black") if game.as_white else ("black", "white")
    made: Json = {
        "round": number,
        mine: player,
        theirs: _opponent(game),
        "result": (RESULTS if game.as_white else RESULTS_AS_BLACK)[game.score],
        "start": game.start.isoformat(),
        "end": game.end.isoformat(),
        "rated": {mine: True, theirs: False},
    }
    if game.own is not None:
        made[f"{mine}_rating"] = game.own
    if game.opponent is None:
        made[f"{theirs}_rating"] = game.level
    return made


def _in_history(
    players: Sequence[Player], edition: str, path: Path, settings: Mapping[str, str]
) -> dict[tuple[str, int], tuple[Any, Any]]:
    """All periods together; a player has games in each, so a batch is a period."""
    file = [
        {"id": f"p{number}", **player.standing}
        for number, player in enumerate(players)
        if player.standing
    ]
    made = [
        (f"p{number}", game)
        for number, player in enumerate(players)
        for games in player.periods
        for game in games
    ]
    rated = {game.opponent for _, game in made if game.opponent is not None}
    file += [{"id": f"o{rating}", "rating": rating, "games": 100} for rating in sorted(rated)]
    levels = {game.level for _, game in made if game.level is not None}
    games = [
        {
            "date": game.end,
            "start": game.start,
            "round": number,
            **({} if game.level is None else {"event": f"at {game.level}"}),
            "white": player if game.as_white else _opponent(game),
            "black": _opponent(game) if game.as_white else player,
            "score": (game.score if game.as_white else 2 - game.score) / 2,
            "rated": "white" if game.as_white else "black",
        }
        for number, (player, game) in enumerate(made, 1)
    ]
    changes = rated_history(
        games,
        edition,
        path,
        players=file,
        events=[{"event": f"at {level}", "level": float(level)} for level in sorted(levels)],
        settings=settings,
    )
    return {(row["player"], row["batch"]): (row["before"], row["after"]) for row in changes}

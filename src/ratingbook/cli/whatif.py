"""``ratingbook whatif``: what becomes of a rating if these are beaten and those not."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import NamedTuple

from rich.text import Text

from ratingbook.cli.rate import print_explanation
from ratingbook.cli.rated import players_for, read_players_file
from ratingbook.cli.screen import (
    errors,
    number,
    output,
    plain_table,
    print_findings,
    rating_number,
    write,
)
from ratingbook.engine.rate import RatedRow, Rating, rate
from ratingbook.formats.document.write import standing_as_dict
from ratingbook.model import Entry, Event, Findings, Game, Report, Result, Severity, Standing
from ratingbook.rules.book import RuleBook

ME = "me"
MOST_OPEN = 6
"""So many open games have 729 outcomes; more are no answer to anybody."""
_ESTABLISHED = 100
"""Games of an opponent of whom nothing else is said."""
_SCORES = {
    "1": 2, "w": 2, "win": 2, "0.5": 1, "½": 1, "1/2": 1, "=": 1, "d": 1, "draw": 1,
    "0": 0, "l": 0, "loss": 0,
}  # fmt: skip
_RESULTS = {2: Result.WHITE_WINS, 1: Result.DRAW, 0: Result.BLACK_WINS}
_WORDS = {2: "1", 1: "½", 0: "0"}
_MARGIN = re.compile(r"(?P<score>[^:]+):(?P<margin>\d{1,4})")
_OPPONENT = re.compile(
    r"(?P<who>-?[\d.]+|unrated|\d{1,2}[kdp])(?:/(?P<games>\d+))?(?:/h(?P<stones>-?\d))?"
    r"(?:/(?P<ground>home|away))?",
    re.IGNORECASE,
)


class BadGame(ValueError):
    """A game of the command line that cannot be understood."""


class Planned(NamedTuple):
    """One game: the opponent, and the score in half points; None: open."""

    opponent: Entry
    half_points: int | None
    stones: int = 0
    """Go: stones that the opponent receives; negative: that the player receives."""
    ground: str | None = None
    """``home`` or ``away``; None: on neutral ground."""
    margin: int | None = None
    """By how many points it was won or lost."""


@dataclass(frozen=True)
class Outcome:
    """One way in which the open games can end, and what comes out."""

    half_points: tuple[int, ...]
    """Scores of the open games."""
    rated: RatedRow


def planned(text: str, index: int, book: RuleBook) -> Planned:
    """A game such as ``1900=1``, ``2050/12=½``, ``3k/h2=0``, ``1600/away=0:7`` or ``2200=?``.

    Raises :class:`BadGame` with a sentence that says what is expected.
    """
    who, equals, said = text.strip().partition("=")
    match = _OPPONENT.fullmatch(who.strip())
    score = said.strip().lower()
    with_margin = _MARGIN.fullmatch(score)
    margin = int(with_margin["margin"]) if with_margin else None
    score = with_margin["score"] if with_margin else score
    if not equals or match is None or (score != "?" and score not in _SCORES):
        raise BadGame(
            "a game is OPPONENT=SCORE, such as 1900=1, 2050/12=½ (against a player of 12 games), "
            "3k/h2=0 (who receives 2 stones), 1600/away=0:7 (lost there by 7 points) or 2200=?; "
            f"not {text!r}"
        )
    stones = int(match["stones"] or 0)
    if stones and not book.handicaps:
        raise BadGame(f"{book.name} knows no handicap: {text!r}")
    name = match["who"].lower()
    games = int(match["games"]) if match["games"] else _ESTABLISHED
    player = f"opponent {index}"
    if name[-1] in "kdp" and name != "unrated":
        if not book.domain.grades:
            raise BadGame(f"{book.name} knows no grades: {text!r}")
        entry = Entry(player, name=name, grade=name)
    elif name == "unrated":
        entry = Entry(player, name=name)
    else:
        entry = Entry(player, name=name, standing=_standing(name, games))
    ground = match["ground"].lower() if match["ground"] else None
    if stones and ground:
        raise BadGame(f"a game is with stones, or at somebody's home: {text!r}")
    half_points = None if score == "?" else _SCORES[score]
    if margin is not None and half_points in (None, 1):
        raise BadGame(f"a margin goes with a game that was won or lost: {text!r}")
    return Planned(entry, half_points, stones, ground, margin)


def _standing(rating: str, games: int) -> Standing:
    try:
        value = float(rating)
    except ValueError:
        raise BadGame(f"{rating!r} is no rating") from None
    return Standing(rating=int(value) if value.is_integer() else value, games=games)


def player_of(
    players: Path | None,
    player: str | None,
    rating: float | None,
    games: int | None,
    grade: str | None,
    book: RuleBook,
) -> tuple[Entry, Findings]:
    """The player who asks: from a players file, from the options, or both."""
    if (players is None) != (player is None):
        raise BadGame("--players and --player go together: the file, and your id in it")
    asked = Report(Event(), (Entry(player or ""),), ())
    file, findings = read_players_file(players, book, [asked])
    known, more = players_for(asked, file, book)
    findings.extend(more)
    entry = known.get(player or "", Entry(ME))
    if player is not None and player not in known and not findings.refused:
        raise BadGame(f"the players file has no player {player}")
    standing = entry.standing or Standing()
    if rating is not None:
        standing = replace(standing, rating=int(rating) if rating.is_integer() else rating)
    if games is not None:
        standing = replace(standing, games=games)
    if standing == Standing():
        return replace(entry, id=ME, grade=grade or entry.grade), findings
    return replace(entry, id=ME, grade=grade or entry.grade, standing=standing), findings


def outcomes(
    book: RuleBook, entry: Entry, games: Sequence[Planned], event: Event, *, explain: bool
) -> tuple[list[Outcome], Findings]:
    """What comes out of each way in which the open games can end."""
    count = sum(game.half_points is None for game in games)
    found: list[Outcome] = []
    findings = Findings()
    for ends in itertools.product((2, 1, 0), repeat=count):
        rating = _rate(book, entry, games, event, ends, explain=explain)
        findings.extend(rating.findings)
        found += [Outcome(ends, rated) for rated in rating.rows if rated.row.id == ME]
    return found, findings


def _rate(
    book: RuleBook,
    entry: Entry,
    games: Sequence[Planned],
    event: Event,
    ends: Sequence[int],
    *,
    explain: bool,
) -> Rating:
    open_scores = iter(ends)
    played = tuple(
        game_of(game, next(open_scores) if game.half_points is None else game.half_points, number_)
        for number_, game in enumerate(games, 1)
    )
    report = Report(event, (entry, *(game.opponent for game in games)), played)
    return rate(report, book, explain=(ME,) if explain else ())


def game_of(game: Planned, half_points: int, round_: int) -> Game:
    """The game as a report holds it: Black receives the stones, White is at home."""
    margin = None if game.margin is None else game.margin * (half_points - 1)
    has_black = game.stones < 0 or game.ground == "away"
    made = Game(
        ME,
        game.opponent.id,
        _RESULTS[half_points],
        round=round_,
        handicap=abs(game.stones),
        margin=margin,
        neutral=game.ground is None,
    )
    if not has_black:
        return made
    return replace(
        made,
        white=game.opponent.id,
        black=ME,
        result=_RESULTS[2 - half_points],
        margin=None if margin is None else -margin,
    )


def event_of(book: RuleBook, settings: Mapping[str, str]) -> Event:
    """An event of today, or of the edition's first day; ``settings`` say more of it."""
    day = date.today()
    if (book.valid_until and day > book.valid_until) or (book.valid_from and day < book.valid_from):
        day = book.valid_from or day
    known = {"kind", "category", "class", "level", "pool", "time_control"}
    unknown = settings.keys() - known
    if unknown:
        raise BadGame(f"an event has {', '.join(sorted(known))}, not {', '.join(sorted(unknown))}")
    try:
        level = float(settings["level"]) if "level" in settings else None
    except ValueError:
        raise BadGame(f"a level is a number, not {settings['level']!r}") from None
    return Event(
        name="what if",
        start=day,
        end=day,
        kind=settings.get("kind", "swiss"),
        category=settings.get("category"),
        class_=settings.get("class"),
        level=level,
        pool=settings.get("pool"),
        time_control=settings.get("time_control"),
    )


def show(
    book: RuleBook,
    games: Sequence[Planned],
    found: Sequence[Outcome],
    findings: Findings,
    *,
    as_json: bool,
) -> None:
    """Print the answer; one line for each outcome of the open games."""
    if as_json:
        write(json.dumps(as_dict(book, games, found, findings), ensure_ascii=False, indent=2))
        return
    console = output()
    if found:
        open_games = [game.opponent.name for game in games if game.half_points is None]
        table = plain_table(
            *open_games, ">before", ">after", ">change", ">score", ">expected", "status",
            title=f"What if, by {book.name}",
        )  # fmt: skip
        for outcome in found:
            row = outcome.rated.row
            table.add_row(
                *(_WORDS[half] for half in outcome.half_points),
                rating_number(row.before),
                Text(rating_number(row.after), style="bold"),
                rating_number(row.change, signed=True),
                f"{number(row.score)} of {row.games}",
                number(row.expected),
                row.status if row.published or row.after is None else f"{row.status}, unpublished",
            )
        console.print(table)
        for outcome in found:
            if outcome.rated.explanation:
                print_explanation(outcome.rated, console)
    # What is said for the record speaks of dates and lists, which nobody asked about here.
    print_findings((f for f in findings if f.severity is not Severity.INFO), errors())


def as_dict(
    book: RuleBook, games: Sequence[Planned], found: Sequence[Outcome], findings: Findings
) -> dict[str, object]:
    """The answer as JSON."""
    open_games = [game.opponent.id for game in games if game.half_points is None]
    return {
        "rulebook": book.name,
        "parameters": book.non_default_parameters,
        "open": open_games,
        "outcomes": [
            {
                "scores": [half / 2 for half in outcome.half_points],
                "before": outcome.rated.row.before,
                "after": outcome.rated.row.after,
                "exact": outcome.rated.row.exact,
                "change": outcome.rated.row.change,
                "score": outcome.rated.row.score,
                "games": outcome.rated.row.games,
                "expected": outcome.rated.row.expected,
                "status": outcome.rated.row.status,
                "published": outcome.rated.row.published,
                "standing": standing_as_dict(outcome.rated.row.standing),
                "explanation": [step.as_dict() for step in outcome.rated.explanation],
            }
            for outcome in found
        ],
        "findings": [finding.as_dict() for finding in findings],
    }

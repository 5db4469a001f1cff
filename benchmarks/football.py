"""Men's football internationals since 1872 as games for ``ratingbook history``.

``python -m benchmarks.football OUT.csv``

``ratingbook history OUT.csv --rulebook NAME --assume 1500 --out DIR`` rates them.  The
data are read in place from the folder that RATINGBOOK_REFERENCE names.

- The home team is White.  A rating system without home advantage makes no difference
  between home and neutral ground, so nothing is written about the ground.
- A match has the score of the match: a draw is a draw, also where a shoot-out followed
  to decide who goes on.  Where the second match of a tie was won and the shoot-out
  followed because the two matches together were level, the match stays won.
- A team is one player under all its names: a name counts as the current one in the
  dates for which the list of former names gives it.
- Matches of a tournament that follow each other within a week are one event, with the
  days as rounds.  Friendlies and matches of qualifications and leagues, which lie
  months apart, are events of their own.
"""

from __future__ import annotations

import argparse
import csv
import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = (ROOT / os.environ.get("RATINGBOOK_REFERENCE", "../shared")).resolve()
DATA = REFERENCE / "data" / "football_intl"
RESULTS, FORMER_NAMES, SHOOTOUTS = (
    "men_results.csv",
    "men_former_names.csv",
    "men_shootouts.csv",
)
COLUMNS = ("date", "event", "round", "white", "black", "score")
GAP = timedelta(days=7)
ALONE = ("friendly", "qualif", "league")
"""Words in the names of tournaments whose matches are events of their own."""


@dataclass(frozen=True)
class FormerName:
    """A name that a team had in some years."""

    current: str
    former: str
    start: date
    end: date


@dataclass(frozen=True)
class Match:
    """A match as the file has it, the teams under their current names."""

    day: date
    home: str
    away: str
    goals: tuple[int, int]
    tournament: str
    neutral: bool

    @property
    def score(self) -> str:
        """For the home team."""
        home, away = self.goals
        return "0.5" if home == away else "1" if home > away else "0"


@dataclass(frozen=True)
class Game:
    """A match with its event."""

    event: str
    round: int
    match: Match

    def row(self) -> tuple[str, str, int, str, str, str]:
        """By the names of COLUMNS."""
        match = self.match
        return match.day.isoformat(), self.event, self.round, match.home, match.away, match.score


@dataclass(frozen=True)
class Internationals:
    """All matches, and what was found on the way."""

    matches: tuple[Match, ...]
    merged: tuple[str, ...]
    """Former names that the matches had, now under the current one."""
    renamed: tuple[str, ...]
    """Teams that had another name in the days of some of their matches."""
    drawn_shootouts: int
    """Shoot-outs after a drawn match."""
    won_shootouts: int
    """Shoot-outs after a match that one side had won."""
    lost_shootouts: int
    """Shoot-outs without a match in the file."""


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    """A table of the data."""
    with (folder / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def current_name(team: str, day: date, names: Iterable[FormerName]) -> str:
    """The name under which a team is rated."""
    for name in names:
        if name.former == team and name.start <= day <= name.end:
            return name.current
    return team


def read(folder: Path) -> Internationals:
    """The matches in the order of their days."""
    names = [
        FormerName(
            row["current"],
            row["former"],
            date.fromisoformat(row["start_date"]),
            date.fromisoformat(row["end_date"]),
        )
        for row in rows(folder, FORMER_NAMES)
    ]
    by_former: dict[str, list[FormerName]] = {}
    by_current: dict[str, list[FormerName]] = {}
    for name in names:
        by_former.setdefault(name.former, []).append(name)
        by_current.setdefault(name.current, []).append(name)
    matches: list[Match] = []
    merged: set[str] = set()
    renamed: set[str] = set()
    scores: dict[tuple[str, str, str], bool] = {}
    for row in rows(folder, RESULTS):
        day = date.fromisoformat(row["date"])
        teams = []
        for team in (row["home_team"], row["away_team"]):
            current = current_name(team, day, by_former.get(team, ()))
            if current != team:
                merged.add(team)
            if any(name.start <= day <= name.end for name in by_current.get(current, ())):
                renamed.add(current)
            teams.append(current)
        home, away = teams
        goals = int(row["home_score"]), int(row["away_score"])
        neutral = row["neutral"].upper() == "TRUE"
        matches.append(Match(day, home, away, goals, row["tournament"], neutral))
        scores[row["date"], row["home_team"], row["away_team"]] = goals[0] == goals[1]
    shootouts = Counter(
        scores.get((row["date"], row["home_team"], row["away_team"]))
        for row in rows(folder, SHOOTOUTS)
    )
    matches.sort(key=lambda match: match.day)
    return Internationals(
        matches=tuple(matches),
        merged=tuple(sorted(merged)),
        renamed=tuple(sorted(renamed)),
        drawn_shootouts=shootouts[True],
        won_shootouts=shootouts[False],
        lost_shootouts=shootouts[None],
    )


def games_of(matches: Iterable[Match]) -> list[Game]:
    """The matches with their events, by the end of the event, its name, and the day."""
    events: list[tuple[str, list[Match]]] = []
    latest: dict[str, list[Match]] = {}
    editions: Counter[str] = Counter()
    for match in matches:
        if any(word in match.tournament.lower() for word in ALONE):
            name = f"{match.tournament} {match.day}: {match.home} - {match.away}"
            events.append((name, [match]))
            continue
        event = latest.get(match.tournament)
        if event is None or match.day - event[-1].day > GAP:
            event = latest[match.tournament] = []
            name = f"{match.tournament} {match.day.year}"
            editions[name] += 1
            if editions[name] > 1:
                name += f" ({editions[name]})"
            events.append((name, event))
        event.append(match)
    games = []
    for name, played in sorted(events, key=lambda each: (each[1][-1].day, each[0])):
        days = sorted({match.day for match in played})
        games += [Game(name, days.index(match.day) + 1, match) for match in played]
    return games


def write(path: Path, games: Iterable[Game]) -> None:
    """A row for each game."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        table.writerows(game.row() for game in games)


def summary(data: Internationals, games: list[Game]) -> str:
    """What the file holds, in lines."""
    matches = data.matches
    count = len(matches)
    draws = sum(match.score == "0.5" for match in matches)
    neutral = sum(match.neutral for match in matches)
    teams = {team for match in matches for team in (match.home, match.away)}
    sizes = Counter(game.event for game in games)
    several = [size for size in sizes.values() if size > 1]
    return "\n".join(
        (
            f"{count:,} matches of {len(teams)} teams, {matches[0].day} to {matches[-1].day}",
            f"  draws           {draws:>7,}  ({draws / count:.1%})",
            f"  neutral ground  {neutral:>7,}  ({neutral / count:.1%}), rated like any other",
            f"  shoot-outs      {data.drawn_shootouts:>7,}  after a draw, which it stays; "
            f"{data.won_shootouts} more decided two matches together, "
            f"{data.lost_shootouts} without a match",
            f"  names merged    {len(data.merged):>7,}  "
            f"{', '.join(data.merged) or '(the results have current names already)'}; "
            f"{len(data.renamed)} teams had another name once",
            f"  events          {len(sizes):>7,}  of which {len(several):,} of several matches "
            f"(at most {max(sizes.values())})",
        )
    )


def main() -> None:
    """Write the games and print a summary."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("out", type=Path, metavar="OUT.csv")
    options = parser.parse_args()
    missing = [n for n in (RESULTS, FORMER_NAMES, SHOOTOUTS) if not (DATA / n).is_file()]
    if missing:
        parser.exit(
            1,
            f"No football results: {DATA} lacks {', '.join(missing)}.\n"
            "Set RATINGBOOK_REFERENCE to the folder that holds data/football_intl.\n",
        )
    data = read(DATA)
    games = games_of(data.matches)
    write(options.out, games)
    print(summary(data, games))


if __name__ == "__main__":
    main()

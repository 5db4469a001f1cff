"""Of a ledger the games of one list: what an edition that rates by lists rates together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from ratingbook.model import Entry, Findings, Game, Place, Report, Severity
from ratingbook.rules.book import RuleBook, by_event, players_of
from ratingbook.rules.bulk import Calendar
from ratingbook.rules.series import BookOrSeries

_SHOWN = 12
"""Lists that a finding names."""


def of_list(report: Report, book: BookOrSeries, day: date) -> tuple[Report, Findings]:
    """The report with the games that the list of a day takes, and their players."""
    findings = Findings()
    edition = book.edition(day).on(day)
    calendar = edition.bulk.calendar
    if calendar is None:
        findings.add(
            Severity.ERROR, "period.no-lists",
            f"{edition.name} rates event by event; it has no lists that take games.",
            remedy="Leave --list out.",
        )  # fmt: skip
        return report, findings
    last_days = _last_days(report, calendar)
    takes: list[tuple[Game, date]] = []
    undated: list[Game] = []
    for game, last in zip(report.games, last_days, strict=True):
        if last is None:
            undated.append(game)
            continue
        facts = edition.bulk.facts_of(report.event_called(game.event), edition.parameters)
        takes.append((game, calendar.taking(last, facts)))
    if undated:
        findings.add(
            Severity.ERROR, "period.no-date",
            f"Nobody knows which list takes games without a date: {len(undated)} in all.",
            replace(undated[0].place, player=undated[0].white, round=undated[0].round),
            "Write when they ended: in a table in a column end or reported.",
        )  # fmt: skip
    kept = [game for game, taken in takes if taken == day]
    others = Counter(taken for _, taken in takes if taken != day)
    if not kept and not undated:
        findings.add(
            Severity.ERROR, "period.no-games",
            f"No game counts for a list of {day}; lists that take games here: "
            f"{_named(others) or 'none'}.",
            remedy="Give --list the day of one of these lists.",
        )  # fmt: skip
    elif others:
        findings.add(
            Severity.INFO, "period.other-lists",
            f"Games that count for other lists are left out: {_named(others)}.",
            Place(), "Rate them with the list that takes them.",
        )  # fmt: skip
    windowed = _with_games(report, kept)
    return replace(windowed, beside=_beside(report, kept, edition)), findings


def _last_days(report: Report, calendar: Calendar) -> list[date | None]:
    """The day of each game that says which list takes it: its own, or the last of its event."""
    ends = [game.end or game.start for game in report.games]
    if calendar.by_game:
        said = [game.reported if calendar.by_report else None for game in report.games]
        return [own or end or report.event.end for own, end in zip(said, ends, strict=True)]
    last: dict[str | None, date] = {}
    for game, end in zip(report.games, ends, strict=True):
        if end is not None:
            last[game.event] = max(end, last.get(game.event, end))
    if len({game.event for game in report.games}) == 1 and report.event.end is not None:
        last = dict.fromkeys(last or [report.games[0].event], report.event.end)
    return [last.get(game.event, report.event.end) for game in report.games]


def _named(lists: Counter[date]) -> str:
    named = [f"{day} ({count:,})" for day, count in sorted(lists.items())]
    more = f" and {len(named) - _SHOWN} more" if len(named) > _SHOWN else ""
    return ", ".join(named[:_SHOWN]) + more


def _beside(
    report: Report, kept: Sequence[Game], edition: RuleBook
) -> Mapping[str | None, tuple[Entry, ...]]:
    """Who takes part in the events of some games without one of these, where rules ask for all."""
    bulk, rules, p = edition.bulk, edition.bulk.field_rules, edition.parameters
    if rules is None:
        return {}
    all_games, found = by_event(report.games), {}
    for name, games in by_event(kept).items():
        if not rules.wants(bulk.facts_of(report.event_called(name), p), p):
            continue
        players = players_of(all_games[name])
        if len(all_games) == 1:
            # Whoever stands among the players takes part in the only event.
            players |= {entry.id for entry in report.entries}
        players -= players_of(games)
        found[name] = tuple(entry for entry in report.entries if entry.id in players)
    return found


def _with_games(report: Report, games: list[Game]) -> Report:
    """The report as if nothing else had been played; it ends with the last of the games."""
    playing = players_of(games)
    days = [day for game in games if (day := game.reported or game.end)]
    event = report.event
    if days:
        starts = [day for game in games if (day := game.start or game.end)]
        event = replace(event, start=min(starts, default=event.start), end=max(days))
    entries = tuple(entry for entry in report.entries if entry.id in playing)
    return replace(report, event=event, entries=entries, games=tuple(games))

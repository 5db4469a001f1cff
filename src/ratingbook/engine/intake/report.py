"""What is wrong or odd in a report itself: its players, its dates and its games."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import date

from ratingbook.engine.intake.days import check_days
from ratingbook.engine.intake.games import check_games
from ratingbook.model import Entry, Finding, Findings, Place, Report, Severity
from ratingbook.model.sentences import sentence
from ratingbook.rules.time_control import minutes_text
from ratingbook.rules.time_words import OR, parsed_time_controls, reading_of
from ratingbook.rules.wording import called

_REGISTERS = frozenset({"fide", "egd", "uscf", "iccf", "iecg"})
"""Registers that keep ratings; licences and numbers of nobody knows whom may be shared."""
_SHOWN = 20


def check_report(report: Report, told: Iterable[Finding] = ()) -> Findings:
    """What is wrong or odd in the report itself, besides what its reader has told."""
    findings = Findings()
    _check_players(report, findings)
    told = list(told)
    _check_dates(report, findings, told)
    _check_time_controls(report, findings)
    _check_births(report, findings)
    check_games(report, findings, told)
    if not report.entries:
        findings.add(
            Severity.ERROR, "report.no-players", sentence("The report holds no player."),
            remedy=sentence("Add the players and their games."),
        )  # fmt: skip
    elif not report.games:
        findings.add(
            Severity.WARNING,
            "report.no-games",
            sentence("The report holds no game: nothing is rated."),
            remedy=sentence("Add the games, or wait for the first round."),
        )
    return findings


def _check_players(report: Report, findings: Findings) -> None:
    for player, count in Counter(entry.id for entry in report.entries).items():
        if count > 1:
            findings.add(
                Severity.ERROR,
                "player.duplicate",
                sentence("{count} players have the id {player}.", count=count, player=player),
                Place(player=player),
                sentence("Give every player an id of his own."),
            )
    _check_numbers(report, findings)
    _check_standings(report, findings)
    names = defaultdict(list)
    for entry in report.entries:
        if entry.name and entry.name != entry.id:
            names[entry.name.casefold(), entry.birth_date].append(entry)
    for same in names.values():
        if len(same) > 1:
            findings.add(
                Severity.WARNING,
                "player.same-name",
                sentence(
                    "Players {all} have the same name, {name}.",
                    all=", ".join(e.id for e in same),
                    name=same[0].name,
                ),
                same[0].place,
                sentence("If this is one person who entered again, give both entries one id."),
            )


def _check_numbers(report: Report, findings: Findings) -> None:
    """A number of a register is one person's, who must not be rated twice from one rating."""
    owners: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    for entry in report.entries:
        for register, number in entry.ids.items():
            if register in _REGISTERS and number.strip("0"):
                owners[register, number].append(entry)
    several = {key: same for key, same in owners.items() if len({e.id for e in same}) > 1}
    for (register, number), same in list(several.items())[:_SHOWN]:
        findings.add(
            Severity.ERROR,
            "player.same-number",
            sentence(
                "Players {all} have one number of the register {register}: {number}.",
                all=", ".join(e.id for e in same[:_SHOWN]),
                register=register,
                number=number,
            ),
            same[1].place,
            sentence(
                "Correct the number of one of them; if they are one person, give "
                "both entries one id."
            ),
        )
    if len(several) > _SHOWN:
        findings.add(
            Severity.ERROR,
            "player.same-number",
            sentence("{n} more numbers belong to several players each.", n=len(several) - _SHOWN),
            remedy=sentence("Correct them in the same way."),
        )


def _check_standings(report: Report, findings: Findings) -> None:
    """Standings that contradict themselves, or say less than they seem to."""
    without = []
    for entry in report.entries:
        standing = entry.standing
        if standing is None:
            continue
        results = [n for n in (standing.wins, standing.draws, standing.losses) if n is not None]
        if standing.games is not None and sum(results) > standing.games:
            findings.add(
                Severity.WARNING,
                "player.results-sum",
                sentence(
                    "Player {called} has {games} rated games, but {sum} wins, draws "
                    "and losses together.",
                    called=called(entry),
                    games=standing.games,
                    sum=sum(results),
                ),
                entry.place,
                sentence("Correct the number that is wrong."),
            )
        if standing.rating is None and standing.games and standing.status is None:
            without.append(entry)
    if without:
        findings.add(
            Severity.INFO,
            "player.no-rating",
            sentence(
                "Standings with games but no rating count as unrated: {len} in "
                "all, the first of player {id}.",
                len=len(without),
                id=without[0].id,
            ),
            without[0].place,
            sentence("Give the rating, if there is one."),
        )


_OF_DAYS = "event.dates"
"""The code of readers for the days of an event; one that refuses says that they are reversed."""


def _check_dates(report: Report, findings: Findings, told: Sequence[Finding]) -> None:
    event = report.event
    days = [event.start, event.end]
    days += [day for head in report.section_heads for day in (head.start, head.end)]
    days += [day for game in report.games for day in (game.start, game.end, game.reported)]
    findings.extend(check_days(days))
    is_told = any(each.code == _OF_DAYS and each.severity.refuses for each in told)
    if event.start and event.end and event.end < event.start and not is_told:
        findings.add(
            Severity.ERROR,
            "event.dates-reversed",
            sentence(
                "The event ends on {end}, before it starts on {start}.",
                end=event.end,
                start=event.start,
            ),
            remedy=sentence("Correct the dates; they settle which ratings and which list count."),
        )
    for head in report.section_heads:
        if head.start and head.end and head.end < head.start:
            findings.add(
                Severity.ERROR,
                "section.dates-reversed",
                sentence(
                    "The section {section} ends on {end}, before it starts on {start}.",
                    section=head.name or sentence("(without a name)"),
                    end=head.end,
                    start=head.start,
                ),
                Place(section=head.name),
                sentence("Correct the dates; they settle which ratings and which list count."),
            )


def _check_time_controls(report: Report, findings: Findings) -> None:
    """Time controls of which one of two meanings was taken, each text once."""
    texts = [report.event.time_control, *(head.time_control for head in report.section_heads)]
    for text in dict.fromkeys(texts):
        controls, reading = parsed_time_controls(text), reading_of(text)
        if controls and reading:
            meant = OR.join(map(minutes_text, controls))
            findings.add(
                Severity.WARNING,
                "event.time-control-read",
                sentence(
                    "The time control {text!r} may mean several things; it is read as "
                    "{meant}: {value}.",
                    text=text,
                    meant=meant,
                    value=reading.value,
                ),
                remedy=sentence(
                    "Write {meant} if that is meant, else with units: 40 moves in 90 "
                    "min, or 90 min + 30 sec.",
                    meant=meant,
                ),
            )


def _check_births(report: Report, findings: Findings) -> None:
    """Who plays was born before; K and first ratings hang on it, so such a slip is not passed over.

    Where it came from, the report or a players file, is of no matter here.
    """
    first = _first_day(report)
    if first is None:
        return
    late = [entry for entry in report.entries if _is_born_after(entry, first)]
    for entry in late[:_SHOWN]:
        born = entry.birth_date or entry.birth_year
        findings.add(
            Severity.WARNING,
            "player.birth-date",
            sentence(
                "Player {called} was born {born}, after the event began ({first}).",
                called=called(entry),
                born=born,
                first=first,
            ),
            entry.place,
            sentence("Correct the birth, or leave it empty; K and first ratings hang on it."),
            first=True,
        )
    if len(late) > _SHOWN:
        findings.add(
            Severity.WARNING,
            "player.birth-date",
            sentence("{n} more players were born after the event began.", n=len(late) - _SHOWN),
            remedy=sentence("Correct them in the same way."),
            first=True,
        )


def _first_day(report: Report) -> date | None:
    """When the event began, as far as anything says so."""
    event = report.event
    if event.start or event.end:
        return event.start or event.end
    return min((day for game in report.games if (day := game.start or game.end)), default=None)


def _is_born_after(entry: Entry, day: date) -> bool:
    """Whether nobody can be born then who played on ``day``."""
    if entry.birth_date is not None:
        return entry.birth_date > day
    return entry.birth_year is not None and entry.birth_year > day.year

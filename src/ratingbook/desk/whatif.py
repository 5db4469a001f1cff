"""What becomes of a rating if these are beaten and those not."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from pathlib import Path

from ratingbook.desk.askable import askable, with_said
from ratingbook.desk.asker import to_the_asker
from ratingbook.desk.explained import NotOne, player_meant
from ratingbook.desk.outcomes import Answer, Outcome
from ratingbook.desk.planned import ME, RESULTS, BadGame, Planned, game_of, planned
from ratingbook.desk.players import Players, PlayersFile, read_players_files
from ratingbook.desk.rated import prepared
from ratingbook.desk.whole_event import whole_events
from ratingbook.engine.rate import rate
from ratingbook.formats import Read, read
from ratingbook.model import (
    Colour,
    Entry,
    Event,
    Finding,
    Findings,
    Game,
    GameStatus,
    Place,
    Report,
    Result,
    Severity,
    Standing,
)
from ratingbook.model.sentences import sentence
from ratingbook.rules.asked import counts_abroad
from ratingbook.rules.book import RuleBook
from ratingbook.rules.series import BookOrSeries
from ratingbook.rules.wording import counted

MOST_OPEN = 6
"""So many open games have 729 outcomes; more are no answer to anybody."""
_CHILD = 12
"""Years at which a rule book with a K of the young has it."""
_GAMES_UNKNOWN = "games-unknown"
"""How the codes end that tell of a number of games which was assumed."""
AS_CLASS_A = "Reckoned as an event of class A; --event class=B (C, D) says another."
AS_GROWN_UP = (
    "Your age is not said: K is that of somebody grown up; --birth-year says a year of birth."
)
HOW_MANY = "Say how many with --games; under age, the year of birth with --birth-year."
"""What is said to whoever asks at a shell; a form says it otherwise."""
_REMEDIES = {
    "uscf.results-unknown": "Say them with --standing wins=…, draws=… and losses=….",
    "uscf.floor-unknown": "Say them with --standing wins=…, draws=… and events=….",
    "fide.k-not-taken": "Leave --games out to go by it; under age say --birth-year, and once rated "
    "2400 --standing reached_2400=yes.",
    "uscf.no-fide-rating": "Say the opponent's FIDE rating, such as 2350=1.",
    "uscf.nobody-updated": "Say your rating, or that you are of the federation: --standing "
    "federation=USA.",
}
"""What is said to whoever asks in place of a remedy that tells of a report."""
_NOT_ASKED = {
    "uscf.perhaps-match": "",
    "uscf.pool-assumed": "",
    "fide.pool-unknown": "",
    "egf.initial-rating": "",
    "player.same-name": "",
    "egf.class-unknown": AS_CLASS_A,
}
"""Findings about an event that nobody described, or on what the table shows, and what the answer
says in place of them."""


@dataclass(frozen=True)
class Asker:
    """Who asks: what he says of himself, None for what a file says, and where that stands."""

    rating: float | None = None
    games: int | None = None
    grade: str | None = None
    birth_year: int | None = None
    standing: Mapping[str, object] = field(default_factory=dict)
    """What else the rule book reads of one: :func:`ratingbook.desk.askable.askable` has it."""
    player: str | None = None
    """Who he is in the players files, or in a report."""
    players: Sequence[Path | Iterable[Entry]] = ()
    """Players files, or entries; what an earlier one says holds."""
    id_kind: str | None = None
    """What joins the players files with a report."""
    columns: Mapping[str, str] | None = None
    """Which header of a table a field has."""

    def told_of(self, entry: Entry, book: RuleBook) -> Entry:
        """The entry with what was said."""
        entry = with_said(entry, self.standing, book)
        standing = entry.standing or Standing()
        if self.rating is not None:
            whole = int(self.rating) if self.rating.is_integer() else self.rating
            standing = replace(standing, rating=whole)
        if self.games is not None:
            standing = replace(standing, games=self.games)
        if self.birth_year is not None:
            entry = replace(entry, birth_year=self.birth_year, birth_date=None)
        return replace(
            entry,
            grade=self.grade or entry.grade,
            standing=entry.standing if standing == Standing() else standing,
        )


def player_of(said: Asker, book: RuleBook) -> tuple[Entry, Findings]:
    """The player who asks: from a players file, from what is said, or both."""
    player = said.player
    if bool(said.players) != (player is not None):
        raise BadGame("--players and --player go together: the file, and your id in it")
    asked = Report(Event(), (Entry(player or ""),), ())
    read = read_players_files(said.players, book, [asked], said.id_kind, said.columns)
    findings = Findings(read.findings)
    known = _known_as(player or "", read, book, findings)
    if player is not None and known is None and not findings.refused:
        # Not by an id or number, so perhaps by the name; of a federation's list nobody is.
        files = [each.entries for each in read.sources if isinstance(each, PlayersFile)]
        findings = Findings(read.findings)
        try:
            meant = player_meant([entry for entries in files for entry in entries], player)
        except NotOne as error:
            raise BadGame(f"in the players file {error}") from None
        known = _known_as(meant.id, read, book, findings)
    entry = known or Entry(ME)
    return replace(said.told_of(entry, book), id=ME, name="", place=Place(player=ME)), findings


def _known_as(id_: str, read: Players, book: RuleBook, findings: Findings) -> Entry | None:
    """What players files say of the player with that id."""
    known = None
    for found, more in read.found_in(Report(Event(), (Entry(id_),), ()), book):
        findings.extend(more)
        known = found.get(id_, known)
    return known


def asked(
    games: Sequence[str],
    book: BookOrSeries,
    said: Asker,
    *,
    day: date | None,
    full_event: bool,
    about: Mapping[str, str],
    explain: bool,
) -> Answer:
    """The answer to what was asked: of a report with open games, or of games by themselves."""
    if not games:
        raise BadGame("say at least one game, such as 1900=1 or 2200=?, or name a report")
    path = Path(games[0])
    if "=" not in games[0] and os.path.exists(path):
        if len(games) > 1 or about:
            raise BadGame("a report says itself what is played, and where: nothing goes with it")
        reading = read(path, book.standing_fields, said.columns)
        return of_report(reading, path, book, said, day, explain=explain)
    edition = book.edition(day).on(day)
    plan = [planned(text, index, edition) for index, text in enumerate(games, 1)]
    if sum(game.half_points is None for game in plan) > MOST_OPEN:
        raise BadGame(f"at most {MOST_OPEN} games can be open")
    event = event_of(about, day)
    entry, findings = player_of(said, edition)
    if findings.refused:
        return Answer(edition, findings=findings)
    estimating = edition if full_event else edition.estimating()
    answer = of_games(estimating, entry, plan, event, explain=explain)
    findings.extend(answer.findings)
    answer.findings = findings
    if estimating is not edition:
        answer.notes.append(
            "As estimators reckon: your opponents keep their ratings. The event itself rates them "
            "too, by all their games; --full-event reckons as if they had met only you."
        )
    return answer


def of_games(
    book: RuleBook,
    entry: Entry,
    games: Sequence[Planned],
    event: Event,
    *,
    explain: bool,
    ages: bool = True,
) -> Answer:
    """What comes out of each way in which the open games can end, against these opponents.

    ``ages``: whether it is looked at what an age would change that nobody has said.
    """
    games, abroad = as_met(book, entry, games, event), _abroad(book, event)
    made = [game_of(game, game.half_points, number) for number, game in enumerate(games, 1)]
    report = Report(event, (entry, *(game.opponent for game in games)), tuple(made))
    answer = _answer(report, book, ME, explain=explain, ages=ages)
    codes = {finding.code for finding in answer.findings if finding.severity is not Severity.INFO}
    answer.notes += [note for code, note in _NOT_ASKED.items() if note and code in codes]
    if abroad is not None:
        answer.notes.append(
            sentence(
                "In an event of this kind opponents count with their {name} ratings: what is said "
                "of an opponent is taken for one.",
                name=abroad.upper(),
            )
        )
    answer.findings = Findings(
        _to_the_asker(finding)
        for finding in answer.findings
        if finding.code not in _NOT_ASKED
        and (finding.severity is not Severity.INFO or _is_of_the_asker(finding))
    )
    answer.notes += [
        sentence("You give {stones} to {who}.", stones=stones, who=who)
        if game.stones > 0
        else sentence("You take {stones} from {who}.", stones=stones, who=who)
        for game in games
        if game.stones
        for stones in [counted(abs(game.stones), "stone")]
        for who in [f"{game.opponent.id} {game.opponent.name}"]
    ]
    return answer


def as_met(book: RuleBook, entry: Entry, games: Sequence[Planned], event: Event) -> list[Planned]:
    """The games with who takes the stones, and with the ratings that count in such an event."""
    abroad = _abroad(book, event)
    met = [_with_taker(game, entry, book) for game in games]
    return met if abroad is None else [_from_abroad(game, abroad) for game in met]


@cache
def reads_margin(book: RuleBook) -> bool:
    """Whether it matters by how many points a game was won."""
    return book.bulk.counts_margins and _differ(book, "1500=1:1", "1500=1:30")


@cache
def reads_ground(book: RuleBook) -> bool:
    """Whether it matters at whose home a game was played."""
    return book.bulk.counts_margins and _differ(book, "1500/home=1", "1500/away=1")


def _differ(book: RuleBook, *texts: str) -> bool:
    """Whether two games end otherwise for somebody of whom all is known."""
    edition, me = book.estimating(), Entry(ME, standing=Standing(rating=1500, games=100))
    event = event_of({}, None)
    answers = (
        of_games(edition, me, [planned(text, 1, edition)], event, explain=False, ages=False)
        for text in texts
    )
    return len({each.after for answer in answers for each in answer.outcomes}) > 1


def of_report(
    reading: Read, path: Path, book: BookOrSeries, said: Asker, day: date | None, *, explain: bool
) -> Answer:
    """What comes out of the open games that a player of a report still has in it."""
    reports = [reading.report] if reading.report else []
    known = read_players_files(said.players, book, reports, said.id_kind, said.columns)
    ready = prepared(reading, path, book, known)
    report, findings = ready.report, Findings(ready.findings)
    if report is None or findings.refused:
        return Answer(book, findings=findings)
    if said.player is None:
        raise BadGame(
            f"say who you are in {path.name}: --player (in Python player=), by id or name"
        )
    try:
        me = player_meant(report.entries, said.player).id
    except NotOne as error:
        raise BadGame(str(error)) from None
    event = report.event if day is None else replace(report.event, start=day, end=day)
    edition = book.for_report(replace(report, event=event))
    entries = tuple(
        said.told_of(each, edition) if each.id == me else each for each in report.entries
    )
    asked = replace(report, entries=entries, event=event)
    answer = _answer(asked, book, me, explain=explain, ages=True)
    findings.extend(answer.findings)
    answer.findings = Findings(
        f
        for f in findings.in_file(str(path))
        if f.severity is not Severity.INFO or f.where.player == me
    )
    return answer


def _answer(report: Report, book: BookOrSeries, me: str, *, explain: bool, ages: bool) -> Answer:
    """Each way in which the player's open games can end, rated."""
    mine = [
        number
        for number, game in enumerate(report.games)
        if game.result is Result.NONE
        and game.status is GameStatus.PLAYED
        and game.black is not None
        and me in (game.white, game.black)
    ]
    if len(mine) > MOST_OPEN:
        raise BadGame(f"at most {MOST_OPEN} games can be open; these are {len(mine)}")
    colours = [report.games[number].colour_of(me) or Colour.WHITE for number in mine]
    answer = Answer(book, open=[_opponent(report, report.games[n], me) for n in mine])
    sections = {report.games[number].section for number in mine}
    for ends in itertools.product((2, 1, 0), repeat=len(mine)):
        games = list(report.games)
        for number, colour, half in zip(mine, colours, ends, strict=True):
            result = RESULTS[half if colour is Colour.WHITE else 2 - half]
            games[number] = replace(games[number], result=result)
        ended = replace(report, games=tuple(games))
        rating = rate(ended, book, explain=(me,) if explain else ())
        answer.book = rating.book
        answer.findings.extend(rating.findings)
        told = whole_events(rating.rows, rating.book)
        rows = [rated for rated in told if rated.row.id == me]
        rows = [rated for rated in rows if rated.row.section in sections] or rows
        answer.outcomes += [Outcome(ends, rated) for rated in rows[-1:]]
    if ages and answer.outcomes:
        answer.k_of_grown_up = _k_of_grown_up(ended, book, me)
        answer.notes += [AS_GROWN_UP] if answer.k_of_grown_up else ()
    grade = report.entry(me).grade
    if answer.outcomes and answer.outcomes[0].rated.row.before is None and grade:
        answer.begins = _begins(answer.edition, grade)
    return answer


def _k_of_grown_up(ended: Report, book: BookOrSeries, me: str) -> tuple[float, ...]:
    """K of somebody whose age nobody has said, if a child has another one; else nothing."""
    day, own = ended.event.end or ended.event.start, ended.entry(me)
    if own.birth_year is not None or own.birth_date is not None or day is None:
        return ()

    def k_of(entry: Entry) -> tuple[float, ...]:
        entries = tuple(entry if each.id == me else each for each in ended.entries)
        rows = rate(replace(ended, entries=entries), book, coefficients=True).rows
        return tuple(dict.fromkeys(k for x in rows if x.row.id == me for k in x.coefficients))

    found = k_of(own)
    child = replace(own, birth_year=day.year - _CHILD)
    return found if found and found != k_of(child) else ()


def _opponent(report: Report, game: Game, me: str) -> str:
    other = game.black if game.white == me else game.white
    return " ".join(filter(None, (other, report.entry(other).name))) if other else ""


def _begins(book: RuleBook, grade: str) -> float | None:
    return book.grades.begins(grade) if book.grades else None


def _abroad(book: RuleBook, event: Event) -> str | None:
    """The ratings elsewhere with which opponents count in such an event, if they do."""
    names = (each.name for each in askable(book) if each.place == "foreign")
    return counts_abroad(book.bulk, event, names, book.parameters)


def _from_abroad(game: Planned, name: str) -> Planned:
    """The game against somebody who has the rating there, and is in no list of the pool."""
    standing = game.opponent.standing
    if standing is None or standing.rating is None:
        return game
    foreign = {name: float(standing.rating)}
    return game._replace(opponent=replace(game.opponent, standing=None, foreign=foreign))


def _with_taker(game: Planned, me: Entry, book: RuleBook) -> Planned:
    """Stones of which nobody is said to take them go to the weaker."""
    if not game.weaker_takes:
        return game
    mine, theirs = _strength(me, book), _strength(game.opponent, book)
    if mine is None or theirs is None or mine == theirs:
        raise BadGame(
            f"say who takes the stones against {game.opponent.name.strip('()')}: "
            f"/take{game.stones} (you), /give{game.stones} (the opponent)"
        )
    return game._replace(stones=game.stones if theirs < mine else -game.stones)


def _strength(entry: Entry, book: RuleBook) -> float | None:
    if entry.standing and entry.standing.rating is not None:
        return entry.standing.rating
    return _begins(book, entry.grade) if entry.grade else None


def _is_of_the_asker(finding: Finding) -> bool:
    """Whether a note is on what was assumed of the one who asks, not on imagined opponents."""
    return finding.where.player == ME or finding.code.endswith(_GAMES_UNKNOWN)


def _to_the_asker(finding: Finding) -> Finding:
    message = to_the_asker(finding.message)
    if finding.where.player == ME:
        finding = replace(finding, where=replace(finding.where, player=None))
    if finding.code.endswith(_GAMES_UNKNOWN):
        return replace(
            finding,
            message=message,
            severity=Severity.WARNING,
            remedy=HOW_MANY,
        )
    return replace(finding, message=message, remedy=_REMEDIES.get(finding.code, finding.remedy))


def event_of(settings: Mapping[str, str], day: date | None) -> Event:
    """An event of a day, without one of today; ``settings`` say more of it."""
    day = day or date.today()
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

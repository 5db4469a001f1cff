"""The client: one call for each thing that one asks an office."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any, Literal, TypeAlias
from urllib.parse import quote

from ratingbook.client.connection import Connection, Problem, given
from ratingbook.client.said.corrections import Correction, CorrectionLine, Mover
from ratingbook.client.said.desk import Standing, Waiting
from ratingbook.client.said.events import CrossLine, Event, EventLine
from ratingbook.client.said.lists import (
    Downloads,
    Listed,
    ListFiles,
    ListHead,
    ListLine,
    ListPrinted,
    Moved,
    Pool,
    PoolLists,
)
from ratingbook.client.said.office import Statistics, Status
from ratingbook.client.said.players import (
    ChangedSince,
    Explanation,
    History,
    Player,
    PlayerFound,
    Result,
)
from ratingbook.client.said.register import ChangedNumber, RegisterEntry
from ratingbook.client.said.reports import Finding, Me, Received, ReportLine, ReportState
from ratingbook.client.said.rules import (
    BookParagraph,
    Example,
    Family,
    Parameter,
    RuleBook,
    Series,
)
from ratingbook.client.said.whatif import Expected, WhatIf
from ratingbook.formats import is_report_by_place
from ratingbook.formats.files import bytes_of
from ratingbook.model import BadArgument

_OF_GAMES = re.compile(r"[hmor][0-9]+")
"""What the form of what-if calls the opponents, scores, stones and margins."""
Day: TypeAlias = date | str
"""A day, or its text: ``2026-04-01``."""
CorrectionState: TypeAlias = Literal[
    "open", "joined", "rejected", "withdrawn", "accepted", "published"
]
"""Where a correction stands."""


class Client(Connection):
    """A served office; ``token`` is one of the page of one's account, for what is one's own.

    Days may be texts, such as ``2026-04-01``; what is none raises :class:`.BadArgument` at once,
    not when the first row is asked for.
    """

    def pools(self) -> list[Pool]:
        """The pools of which something is published."""
        return self._each(Pool, self.json("/pools"))

    def lists(self) -> list[Listed]:
        """All lists, pool by pool, the newest first."""
        found = self._each(PoolLists, self._within(self.json("/lists"), "pools"))
        return [each for pool in found for year in pool.years for each in year.lists]

    def list_of(self, pool: str, day: Day, revision: int | None = None) -> ListHead:
        """What a list is; without a revision the newest one."""
        return self._one(ListHead, _list(pool, day), revision=revision)

    def list_named(self, name: str) -> ListHead:
        """The same by its number, or as POOL@DATE or POOL@DATErREVISION, as commands name it."""
        return self._one(ListHead, f"/lists/{_quoted('name', name)}")

    def printed(self, pool: str, day: Day, revision: int | None = None) -> ListPrinted:
        """A list as it was printed, whole: columns with titles, rows, why others are not on it."""
        return self._one(ListPrinted, f"{_list(pool, day)}/printed", revision=revision)

    def rows(
        self, pool: str, day: Day, revision: int | None = None, *, name: str | None = None,
        federation: str | None = None, club: str | None = None, title: str | None = None,
        sex: str | None = None, active: bool | None = None,
    ) -> Iterator[ListLine]:  # fmt: skip
        """The rows of a list, or those of a name, a federation, a club and so on.

        ``active``: True only who has played and is not marked as inactive, False only the others.
        """
        return self._parts(
            ListLine, f"{_list(pool, day)}/rows", revision=revision, name=name,
            federation=federation, club=club, title=title, sex=sex, active=active,
        )  # fmt: skip

    def changes(
        self, pool: str, day: Day, revision: int | None = None,
        kind: Literal["moved", "entered", "left"] = "moved",
    ) -> Iterator[Moved]:  # fmt: skip
        """Who moved, entered or left since the list before."""
        return self._parts(Moved, f"{_list(pool, day)}/changes", revision=revision, kind=kind)

    def files(self, pool: str, day: Day, revision: int | None = None) -> ListFiles:
        """The files of a list, with checksums of those that somebody had before."""
        return self._one(ListFiles, f"{_list(pool, day)}/files", revision=revision)

    def downloads(self) -> Downloads:
        """The files of the newest list of each pool."""
        return self._one(Downloads, "/downloads")

    def search(self, query: str = "", club: str | None = None) -> Sequence[PlayerFound]:
        """The players that go by a name or a number, or those of a club."""
        found = self.json("/players", q=query, club=club)
        return self._each(PlayerFound, self._within(found, "players"))

    def player(self, person: int, pool: str | None = None) -> Player:
        """A player; ``pool`` chooses the results."""
        return self._one(Player, _player(person), pool=pool)

    def results(self, person: int, pool: str | None = None) -> Iterator[Result]:
        """All changes of a player's ratings, the newest first."""
        return self._parts(Result, f"{_player(person)}/results", pool=pool)

    def history(self, person: int, pool: str | None = None) -> History:
        """A player's ratings in a pool over time."""
        return self._one(History, f"{_player(person)}/history", pool=pool)

    def explain(self, person: int, pool: str, key: str, listed: int | None = None) -> Explanation:
        """Why a rating changed; ``key`` is that of a result.

        With ``listed``, the number of a list, as it was when the list was made.
        """
        return self._one(Explanation, _change(person, pool, key), list=listed)

    def explain_on_list(self, person: int, listed: int) -> Explanation:
        """Why a rating last changed up to a list, by its number, as it was when it was made."""
        return self._one(Explanation, f"{_player(person)}/lists/{_number('listed', listed)}")

    def why(self, person: int, pool: str) -> Iterator[ChangedSince]:
        """What was changed of a player's numbers in a pool after they were first rated, and why."""
        return self._parts(ChangedSince, f"{_player(person)}/why", pool=pool)

    def events(self, year: int | None = None, pool: str | None = None) -> Iterator[EventLine]:
        """The rated events, the newest first."""
        return self._parts(EventLine, "/events", year=year, pool=pool)

    def event(self, report: int) -> Event:
        """An event, by the number of its report."""
        return self._one(Event, _event(report))

    def section(
        self, report: int, section: int, notation: str | None = None
    ) -> Iterator[CrossLine]:
        """The cross table of a section of an event, in a notation of those that it has."""
        return self._parts(
            CrossLine, f"{_event(report)}/sections/{_number('section', section)}", notation=notation
        )

    def corrections(self) -> Iterator[CorrectionLine]:
        """The register of corrections, the newest first."""
        return self._parts(CorrectionLine, "/corrections")

    def correction(self, number: int) -> Correction:
        """A correction: what was asked, decided and changed, and whom it changed most."""
        return self._one(Correction, _correction(number))

    def correction_players(self, number: int) -> Iterator[Mover]:
        """Everybody whom a correction changed, most first."""
        return self._parts(Mover, f"{_correction(number)}/players")

    def correction_entry(self, number: int) -> RegisterEntry:
        """What the register says of a correction, fact by fact."""
        return self._one(RegisterEntry, f"{_correction(number)}/entry")

    def correction_numbers(self, number: int) -> Iterator[ChangedNumber]:
        """The published numbers that a correction made others: after batches, and on lists."""
        return self._parts(ChangedNumber, f"{_correction(number)}/numbers")

    def rulebooks(self) -> list[Family]:
        """The installed rule books, series by series."""
        return self._each(Family, self._within(self.json("/rules"), "families"))

    def rulebook(self, name: str) -> RuleBook | Series:
        """An edition, whole; or the editions of a series over time."""
        said = self.json(_book(name))
        if isinstance(said, dict) and "timeline" in said:
            return self._made(Series, said)
        return self._made(RuleBook, said)

    def paragraphs(self, name: str) -> list[BookParagraph]:
        """The paragraphs of an edition, and who performs each."""
        return self._each(BookParagraph, self.json(f"{_book(name)}/paragraphs"))

    def parameters(self, name: str) -> list[Parameter]:
        """The numbers and readings of an edition that can be set."""
        return self._each(Parameter, self.json(f"{_book(name)}/parameters"))

    def example(self, name: str, number: int) -> Example:
        """A worked example of an edition, step by step."""
        return self._one(Example, f"{_book(name)}/examples/{number}")

    def expected(
        self, rulebook: str, rating: float, opponent: float, day: Day | None = None,
        handicap: int | None = None,
    ) -> Expected:  # fmt: skip
        """What a player is expected to score; ``handicap`` stones the opponent receives (Go).

        ``rulebook`` may be ``pool:`` and the name of a pool.
        """
        return self._one(
            Expected, "/expected", rulebook=rulebook, rating=rating, opponent=opponent,
            day=None if day is None else _iso("day", day), handicap=handicap,
        )  # fmt: skip

    def whatif(
        self, source: Sequence[str], rulebook: str | None = None, *, player: int | None = None,
        rating: float | None = None, games: int | None = None, target: float | None = None,
        event: Mapping[str, str] | None = None, own: Mapping[str, str] | None = None,
    ) -> WhatIf:  # fmt: skip
        """What becomes of a rating by games such as ``["2100=1", "2250=?"]``.

        ``player`` is one of the office, with whose published rating is reckoned. ``own`` and
        ``event`` say what else the rule book reads of the player and of the event, such as
        ``{"grade": "3k"}`` and ``{"class": "A"}``: the answer has their names.
        """
        for name, said in (("event", event), ("own", own)):
            if said is not None and not isinstance(said, Mapping):
                raise BadArgument(
                    f'{name} is {said!r}, and must be a dictionary: {{"name": "value"}}'
                )
        plan = _several("source", source, str, 'games: ["2100=1", "2250=?"]')
        asked: dict[str, object] = {}
        for number, game in enumerate(plan, 1):
            opponent, equals, score = game.partition("=")
            if not equals:
                raise BadArgument(
                    f"a game is OPPONENT=SCORE, such as 2100=1 or 2250=?; not {game!r}"
                )
            asked |= {f"o{number}": opponent.strip(), f"r{number}": score.strip()}
        of = {"rulebook": rulebook, "player": player, "rating": rating, "games": games,
              "target": target}  # fmt: skip
        for name in (*(event or {}), *(own or {})):
            if name in of or _OF_GAMES.fullmatch(str(name)):
                raise BadArgument(f"{name} is said otherwise: by the games, or by its own argument")
        return self._one(WhatIf, "/whatif", **{**(event or {}), **(own or {}), **of, **asked})

    def statistics(self, pool: str | None = None) -> Statistics:
        """The figures of a pool: players, games, means, scores beside what was expected."""
        return self._one(Statistics, "/statistics", pool=pool)

    def status(self) -> Status:
        """How the office is."""
        return self._one(Status, "/status")

    def me(self) -> Me:
        """Whose token it is, and what it may do."""
        return self._one(Me, "/me")

    def send(
        self, paths: Path | str | Sequence[Path | str], pool: str = "",
        version_of: int | None = None, *, another: bool = False, start: Day | None = None,
        end: Day | None = None,
    ) -> Received:  # fmt: skip
        """Send a report: one file, several that belong together, or the folder of these (2C).

        ``start`` and ``end``, the first and the last day, where the file does not say them.
        """
        days = {"start": start, "end": end}
        beside = {"version_of": version_of} | {
            name: None if day is None else _iso(name, day) for name, day in days.items()
        }
        said = given({"pool": pool, "another": another, **beside})
        every = _several("paths", paths, (Path, str), "a path, or a list of paths")
        parts = [part for path in every for part in _parts_of(Path(path))]
        files = [("files", (part.name, _read(part))) for part in parts]
        answer = self._asked("POST", "/reports", data=said, files=files)
        return self._made(Received, self._said(answer))

    def report(self, number: int) -> ReportState:
        """How far an own report is."""
        return self._one(ReportState, f"/reports/{_number('number', number)}")

    def reports(self) -> Iterator[ReportLine]:
        """The own reports."""
        return self._parts(ReportLine, "/reports")

    def desk_reports(self) -> Iterator[ReportLine]:
        """All reports that are not published yet, and what each waits for."""
        return self._parts(ReportLine, "/desk/reports")

    def desk_waiting(self, report: int | None = None) -> Iterator[Waiting]:
        """Who waits to be identified, of all reports or of one, with candidates and reasons."""
        return self._parts(Waiting, "/desk/waiting", report=report)

    def desk_corrections(self, state: CorrectionState | None = None) -> Iterator[Standing]:
        """The corrections and where they stand, with what accepting one would not change."""
        return self._parts(Standing, "/desk/corrections", state=state)


def _list(pool: str, day: Day) -> str:
    return f"/lists/{_quoted('pool', pool)}/{_iso('day', day)}"


def _book(name: str) -> str:
    return f"/rules/{_quoted('name', name)}"


def _player(person: int) -> str:
    return f"/players/{_number('person', person)}"


def _change(person: int, pool: str, key: str) -> str:
    return f"{_player(person)}/changes/{_quoted('pool', pool)}/{_quoted('key', key)}"


def _event(report: int) -> str:
    return f"/events/{_number('report', report)}"


def _correction(number: int) -> str:
    return f"/corrections/{_number('number', number)}"


def _several(name: str, value: Any, kind: Any, wanted: str) -> Sequence[Any]:
    """One of a kind, or several; raises :class:`.BadArgument` for what is none."""
    every = [value] if isinstance(value, kind) else value
    if not isinstance(every, Sequence) or not all(isinstance(each, kind) for each in every):
        raise BadArgument(f"{name} is {value!r}, and must be {wanted}")
    return every


def _number(name: str, number: object) -> str:
    """A number as a part of an address; raises :class:`.BadArgument` for what is none."""
    if not isinstance(number, int) or isinstance(number, bool):
        raise BadArgument(f"{name} is {number!r}, and must be a number")
    return str(number)


def _quoted(name: str, text: str) -> str:
    """A text as a part of an address; raises :class:`.BadArgument` for what is none."""
    if not isinstance(text, str):
        raise BadArgument(f"{name} is {text!r}, and must be a text")
    return quote(text, safe="")


def _iso(name: str, day: Day) -> str:
    """A day as addresses have it; raises :class:`.BadArgument` for what is none."""
    try:
        if isinstance(day, str):
            return date.fromisoformat(day.strip()).isoformat()
        return (day.date() if isinstance(day, datetime) else day).isoformat()
    except (ValueError, AttributeError):
        pass
    raise BadArgument(f"{name} is {day!r}, and must be a day, as datetime.date or as “2026-05-31”")


def _parts_of(path: Path) -> list[Path]:
    """The files of a folder that is a report; of all else itself."""
    if path.is_dir() and is_report_by_place(path):
        return sorted(each for each in path.iterdir() if each.is_file())
    return [path]


def _read(path: Path) -> bytes:
    """What is in a file; raises :class:`.Problem` for one that cannot be sent."""
    data, findings = bytes_of(path)
    if data is None:
        told = [
            Finding(x.code, x.severity.value, str(x.message), x.where.as_dict(), str(x.remedy))
            for x in findings.in_file(path.name)
        ]
        detail = " ".join(f"{each.message} {each.remedy}" for each in told)
        raise Problem(0, f"{path} cannot be sent", detail, told)
    return data

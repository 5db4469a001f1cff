"""The client: one call for each thing that one asks an office."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeAlias, TypeVar
from urllib.parse import quote, urlsplit

import httpx

from ratingbook import __version__
from ratingbook.client.said import (
    Explanation,
    Finding,
    Listed,
    ListHead,
    ListLine,
    Player,
    PlayerFound,
    Pool,
    Received,
    ReportLine,
    ReportState,
    Result,
    Status,
    made,
)
from ratingbook.model import BadArgument

T = TypeVar("T")
Day: TypeAlias = date | str
"""A day, or its text: ``2026-04-01``."""
_ROOT = "/api/v1"
_PATIENCE = 60.0
_MOST_WAITS = 3
_LONGEST_WAIT = 90.0
_PART = 1000
_HERE = ("localhost", "127.0.0.1", "::1")


class Problem(Exception):
    """The office did not do it: status, and why (RFC 9457); 0: it could not be reached."""

    def __init__(
        self, status: int, title: str, detail: str, findings: Iterable[Finding] = ()
    ) -> None:
        super().__init__(f"{title}: {detail}" if detail else title)
        self.status, self.title, self.detail = status, title, detail
        self.findings = tuple(findings)


class Client:
    """A served office; ``token`` is one of the page of one's account, for what is one's own."""

    def __init__(
        self, url: str, token: str | None = None, *, timeout: float = _PATIENCE,
        transport: httpx.BaseTransport | None = None, sleep: Callable[[float], None] = time.sleep,
    ) -> None:  # fmt: skip
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url!r} is no address of a server, as https://ratings.example.org")
        if token and parts.scheme == "http" and parts.hostname not in _HERE:
            raise ValueError("a token is sent over https:// only: others would read it on its way")
        headers = {"User-Agent": f"ratingbook {__version__}", "Accept": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token.strip()}"
        self._sleep = sleep
        self._client = httpx.Client(
            base_url=url.rstrip("/") + _ROOT, headers=headers, timeout=timeout, transport=transport
        )

    def __enter__(self) -> Self:
        """The client, which is closed at the end."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        """Close the connections."""
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def pools(self) -> list[Pool]:
        """The pools of which something is published."""
        return [made(Pool, each) for each in self.json("/pools")]

    def lists(self) -> list[Listed]:
        """All lists, pool by pool, the newest first."""
        found = self.json("/lists")
        return [
            made(Listed, each)
            for pool in found["pools"]
            for year in pool["years"]
            for each in year["lists"]
        ]

    def list_of(self, pool: str, day: Day, revision: int | None = None) -> ListHead:
        """What a list is; without a revision the newest one."""
        return made(ListHead, self.json(_list(pool, day), revision=revision))

    def rows(
        self, pool: str, day: Day, revision: int | None = None, **wanted: str
    ) -> Iterator[ListLine]:
        """The rows of a list, or those that are ``wanted`` by name, federation, club and so on.

        A day that is none is told at once, not when the first row is asked for.
        """
        return self._parts(ListLine, f"{_list(pool, day)}/rows", revision=revision, **wanted)

    def search(self, query: str) -> Sequence[PlayerFound]:
        """The players that go by a name or a number."""
        return [made(PlayerFound, each) for each in self.json("/players", q=query)["players"]]

    def player(self, person: int, pool: int | None = None) -> Player:
        """A player; ``pool`` chooses the results."""
        return made(Player, self.json(f"/players/{person}", pool=pool))

    def results(self, person: int, pool: int | None = None) -> Iterator[Result]:
        """All changes of a player's ratings, the newest first."""
        return self._parts(Result, f"/players/{person}/results", pool=pool)

    def explain(self, person: int, pool: int, key: str) -> Explanation:
        """Why a rating changed; ``key`` is that of a result."""
        path = f"/players/{person}/changes/{pool}/{quote(key, safe='')}"
        return made(Explanation, self.json(path))

    def status(self) -> Status:
        """How the office is."""
        return made(Status, self.json("/status"))

    def send(
        self, paths: Path | str | Sequence[Path | str], pool: str = "",
        version_of: int | None = None, *, another: bool = False, start: Day | None = None,
        end: Day | None = None,
    ) -> Received:  # fmt: skip
        """Send a report: one file, or several that belong together.

        ``start`` and ``end``, the first and the last day, where the file does not say them.
        """
        days = {"start": start, "end": end}
        beside = {"version_of": version_of} | {
            name: None if day is None else _iso(name, day) for name, day in days.items()
        }
        said = {"pool": pool, "another": str(another).lower(), **_given(beside)}
        every = [paths] if isinstance(paths, Path | str) else paths
        files = [("files", (path.name, path.read_bytes())) for path in map(Path, every)]
        answer = self._asked("POST", "/reports", data=said, files=files)
        return made(Received, answer.json())

    def report(self, number: int) -> ReportState:
        """How far an own report is."""
        return made(ReportState, self.json(f"/reports/{number}"))

    def reports(self) -> Iterator[ReportLine]:
        """The own reports."""
        return self._parts(ReportLine, "/reports")

    def json(self, path: str, **query: object) -> Any:
        """What a path of the API gives, as it stands."""
        return self._asked("GET", path, params=_given(query)).json()

    def arrow(self, path: str, **query: object) -> bytes:
        """The table of a path as a stream of Arrow."""
        return self._asked("GET", path, params=_given({**query, "format": "arrow"})).content

    def _parts(self, kind: type[T], path: str, **query: object) -> Iterator[T]:
        cursor: str | None = ""
        while cursor is not None:
            part = self.json(path, **query, limit=_PART, cursor=cursor or None)
            for each in part["items"]:
                yield made(kind, each)
            cursor = part["next"]

    def _asked(self, method: str, path: str, **what: Any) -> httpx.Response:
        """The answer; who asks too often waits as long as the office says."""
        for turn in range(_MOST_WAITS + 1):
            try:
                answer = self._client.request(method, path, **what)
            except httpx.HTTPError as error:
                raise Problem(0, "The office cannot be reached", f"{error}") from None
            if answer.status_code == httpx.codes.TOO_MANY_REQUESTS and turn < _MOST_WAITS:
                self._sleep(_wait(answer.headers.get("Retry-After", "")))
                continue
            break
        if answer.is_success:
            return answer
        raise _problem(answer)


def _list(pool: str, day: Day) -> str:
    return f"/lists/{quote(pool, safe='')}/{_iso('day', day)}"


def _iso(name: str, day: Day) -> str:
    """A day as addresses have it; raises :class:`.BadArgument` for what is none."""
    try:
        if isinstance(day, str):
            return date.fromisoformat(day.strip()).isoformat()
        return (day.date() if isinstance(day, datetime) else day).isoformat()
    except (ValueError, AttributeError):
        pass
    raise BadArgument(f"{name} is {day!r}, and must be a day, as datetime.date or as “2026-05-31”")


def _given(query: Mapping[str, object]) -> dict[str, str]:
    return {key: str(value) for key, value in query.items() if value is not None}


def _wait(text: str) -> float:
    return min(float(text), _LONGEST_WAIT) if text.isdecimal() else 1.0


def _problem(answer: httpx.Response) -> Problem:
    """What a refusal says; a server that is none of ours says nothing of use."""
    try:
        said = answer.json()
        findings = [made(Finding, each) for each in said.get("findings", ())]
        return Problem(answer.status_code, str(said["title"]), str(said["detail"]), findings)
    except (ValueError, KeyError, AttributeError, TypeError):
        return Problem(answer.status_code, f"The server answers {answer.status_code}", "")

"""How an office is asked: requests, answers in parts, waiting, and what is told of refusals."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import unquote, urlsplit

import httpx

from ratingbook import __version__
from ratingbook.client.made import made
from ratingbook.client.said.reports import Finding
from ratingbook.model import BadArgument, Portable

T = TypeVar("T")
_ROOT = "/api/v1"
_PATIENCE = 60.0
_MOST_WAITS = 3
_LONGEST_WAIT = 90.0
_PART = 1000
_HERE = ("localhost", "127.0.0.1", "::1")
_UP = frozenset({".", ".."})
"""Steps of a path that lead elsewhere than it reads."""
_TOKEN = re.compile(r"[!-~]+")
"""A word that can stand in a header."""


class Problem(Portable):
    """It was not done: status, and why (RFC 9457); 0: it did not come to the office's answer."""

    def __init__(
        self, status: int, title: str, detail: str, findings: Iterable[Finding] = ()
    ) -> None:
        super().__init__(f"{title}: {detail}" if detail else title)
        self.status, self.title, self.detail = status, title, detail
        self.findings = tuple(findings)


class BadToken(BadArgument):
    """What cannot be a token; it is never told, since a message may be read by others."""


class Connection:
    """A served office; ``token`` is one of the page of one's account, for what is one's own."""

    def __init__(
        self, url: str, token: str | None = None, *, timeout: float = _PATIENCE,
        transport: httpx.BaseTransport | None = None, sleep: Callable[[float], None] = time.sleep,
    ) -> None:  # fmt: skip
        scheme, host = _parts_of(url)
        if scheme not in ("http", "https") or not host:
            raise BadArgument(f"{url!r} is no address of a server, as https://ratings.example.org")
        if token is not None and not isinstance(token, str):
            raise BadToken("a token is a text, as the office made it")
        token = token.strip() if token else None
        if token and not _TOKEN.fullmatch(token):
            raise BadToken("a token is one word of Latin letters and digits, as the office made it")
        if token and scheme == "http" and host not in _HERE:
            raise BadArgument("a token is sent over https:// only: others would read it on its way")
        headers = {"User-Agent": f"ratingbook {__version__}", "Accept": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
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

    def json(self, path: str, **query: object) -> Any:
        """What a path of the API gives, as it stands."""
        return self._said(self._asked("GET", path, params=given(query)))

    def arrow(self, path: str, **query: object) -> bytes:
        """The table of a path as a stream of Arrow."""
        return self._asked("GET", path, params=given({**query, "format": "arrow"})).content

    def _one(self, kind: type[T], path: str, /, **query: object) -> T:
        return self._made(kind, self.json(path, **query))

    def _each(self, kind: type[T], every: object) -> list[T]:
        if not isinstance(every, list):
            raise _strange("a list is missing")
        return [self._made(kind, each) for each in every]

    def _parts(self, kind: type[T], path: str, /, **query: object) -> Iterator[T]:
        cursor: str | None = ""
        while cursor is not None:
            part = self.json(path, **query, limit=_PART, cursor=cursor or None)
            yield from self._each(kind, self._within(part, "items"))
            cursor = self._within(part, "next")

    def _within(self, said: Any, name: str) -> Any:
        """A field of an answer."""
        try:
            return said[name]
        except (KeyError, TypeError):
            raise _strange(f"it has no “{name}”") from None

    def _made(self, kind: type[T], said: object) -> T:
        try:
            return made(kind, said)
        except ValueError as error:
            raise _strange(str(error)) from None

    def _said(self, answer: httpx.Response) -> Any:
        try:
            return answer.json()
        except ValueError:
            raise _strange("it is no JSON") from None

    def _asked(self, method: str, path: str, **what: Any) -> httpx.Response:
        """The answer; who asks too often waits as long as the office says."""
        _check_path(path)
        for turn in range(_MOST_WAITS + 1):
            try:
                answer = self._client.request(method, path, **what)
            except (httpx.HTTPError, UnicodeError) as error:
                raise Problem(0, "The office cannot be reached", f"{error}") from None
            if answer.status_code == httpx.codes.TOO_MANY_REQUESTS and turn < _MOST_WAITS:
                self._sleep(_wait(answer.headers.get("Retry-After", "")))
                continue
            break
        if answer.is_success:
            return answer
        raise _problem(answer)


def _check_path(path: object) -> None:
    """Refuse an address of elsewhere: there the token would be read by others."""
    if (
        not isinstance(path, str) or not path.startswith("/") or path.startswith("//")
        or not _UP.isdisjoint(unquote(path.partition("?")[0]).replace("\\", "/").split("/"))
    ):  # fmt: skip
        raise BadArgument(f"{path!r} is no path of the API, as /pools")


def given(query: Mapping[str, object]) -> dict[str, str]:
    """What is said of a query, as texts."""
    return {key: _as_text(value) for key, value in query.items() if value is not None}


def _as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parts_of(url: str) -> tuple[str, str | None]:
    """Scheme and host of an address; of what is none, nothing."""
    try:
        httpx.URL(url)
        parts = urlsplit(url)
        return parts.scheme, None if parts.port == 0 else parts.hostname
    except (ValueError, TypeError, AttributeError, httpx.InvalidURL):
        return "", None


def _wait(text: str) -> float:
    return min(float(text), _LONGEST_WAIT) if text.isdecimal() else 1.0


def _strange(why: str) -> Problem:
    """That an answer is none of an office of this kind, which may be newer or older."""
    title = "The server answers otherwise than an office of this version"
    return Problem(httpx.codes.OK, title, why)


def _problem(answer: httpx.Response) -> Problem:
    """What a refusal says; a server that is none of ours says nothing of use."""
    if answer.next_request is not None:
        return _sent_on(answer, str(answer.next_request.url))
    try:
        said = answer.json()
        findings = [made(Finding, each) for each in said.get("findings", ())]
        return Problem(answer.status_code, str(said["title"]), str(said["detail"]), findings)
    except (ValueError, KeyError, AttributeError, TypeError):
        return Problem(answer.status_code, f"The server answers {answer.status_code}", "")


def _sent_on(answer: httpx.Response, there: str) -> Problem:
    """That the office is asked at another address; nothing is sent there, and no token, unasked."""
    path = _ROOT + str(answer.request.url).partition(_ROOT)[2]
    title = f"The server answers {answer.status_code}"
    detail = f"it sends on to {there.removesuffix(path)}"
    remedy = "Name that address as the server's, if it is the one you mean."
    told = Finding("client.elsewhere", "error", f"{title}: {detail}.", {}, remedy)
    return Problem(answer.status_code, title, detail, [told])

"""Public pages as they were written once: until the next fact they cannot be otherwise.

What a page of ``KEPT`` shows, or the API answers, follows from the facts, the language, the day and
the address; of the API from the form that is asked for, too. So it is kept in a file under all of
that, and whoever asks again gets it for one query, that for the end of the chain. There are so many
files and no more: each page has its place among them, and a page that comes into the place of
another takes it. They lie among the snapshots, which may be thrown away at any time. Whoever has
signed in, or brings a token, gets a page of their own.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import threading
import zlib
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import set_response_etag
from django.utils.translation import get_language

from ratingbook.office.home import current
from ratingbook.site.frame import LOOKS
from ratingbook.site.problems import is_of_api
from ratingbook.site.shown.kept import end_of_chain

_PAGES = (
    "home player explanation event events list list_revision list_changes list_revision_changes "
    "lists corrections correction rules rulebook example statistics privacy"
).split()
_OF_API = (
    "pools lists list list_named list_rows list_changes player player_results player_history "
    "explanation explanation_on_list why events event section corrections correction "
    "correction_players correction_entry correction_numbers rules rulebook paragraphs "
    "parameters example statistics"
).split()
KEPT = frozenset(
    [*_PAGES, *(f"{each}_as" for each in _PAGES), *(f"api:{each}" for each in _OF_API)]
)
"""The routes whose answers follow from the facts; not those about jobs, files or what is typed."""
PLACES = 1 << 13
"""Files at most; a page takes some 10 kB."""
_MOST_BYTES = 1 << 18
"""Of a page that is kept; a whole list as CSV is made again."""
STARTED = "RATINGBOOK_STARTED"
"""In the environment: what all processes of a server have in common, and no later one has."""
_own = secrets.token_hex(8)
_WANTED = "_rendered"


class Rendered:
    """Gives what is kept, and keeps what it does not have."""

    def __init__(self, respond: Callable[[HttpRequest], HttpResponse]) -> None:
        self._respond = respond

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The answer, which is kept if it may be."""
        response = self._respond(request)
        key = vars(request).pop(_WANTED, None)
        if key is not None and _may_keep(request, response):
            if not response.has_header("ETag"):
                set_response_etag(response)
            _keep(key, response)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        """The page as it is kept; None: it is made."""
        if not _is_for_everybody(request):
            return None
        key = _key(request)
        found = _kept(key)
        if found is None and request.method == "GET":
            vars(request)[_WANTED] = key
        return found


def _is_for_everybody(request: HttpRequest) -> bool:
    """Whether nothing of the request is the reader's own, but language and colours."""
    match = request.resolver_match
    common = {LOOKS, settings.LANGUAGE_COOKIE_NAME, settings.CSRF_COOKIE_NAME}
    return (
        match is not None and match.view_name in KEPT and request.method in ("GET", "HEAD")
        and request.COOKIES.keys() <= common and "Authorization" not in request.headers
    )  # fmt: skip


def _may_keep(request: HttpRequest, response: HttpResponse) -> bool:
    """Whether an answer is for everybody; a cookie, or the token of a form, is for one reader."""
    is_whole = response.status_code == 200 and not response.streaming
    is_own = response.cookies or request.META.get("CSRF_COOKIE_NEEDS_UPDATE")
    return is_whole and not is_own and len(response.content) <= _MOST_BYTES


def _key(request: HttpRequest) -> str:
    """All on which the page depends; another program of the site may write it otherwise."""
    said = (
        os.environ.get(STARTED, _own), current().name, end_of_chain(), str(date.today()),
        get_language(), request.COOKIES.get(LOOKS, ""), request.scheme, request.get_host(),
        request.get_full_path(), request.headers.get("Accept", "") if is_of_api(request) else "",
    )  # fmt: skip
    return hashlib.sha256(repr(said).encode()).hexdigest()


def _path(key: str) -> Path:
    place = int(key[:8], 16) % PLACES
    return current().snapshots / "pages" / f"{place % 64:02x}" / f"{place:04x}"


def _kept(key: str) -> HttpResponse | None:
    try:
        whose, headers, body = _path(key).read_bytes().split(b"\n", 2)
        if whose.decode() != key:
            return None
        return HttpResponse(zlib.decompress(body), headers=json.loads(headers))
    except (OSError, ValueError, zlib.error):
        return None


def _keep(key: str, response: HttpResponse) -> None:
    headers = json.dumps(dict(response.headers)).encode()
    content = b"\n".join((key.encode(), headers, zlib.compress(response.content, 1)))
    path = _path(key)
    # Nobody reads half a page: it gets its name once it is whole.
    whole = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}")
    # A disk that is full, or a folder that is just thrown away, hinders no answer.
    with suppress(OSError):
        try:
            whole.write_bytes(content)
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)
            whole.write_bytes(content)
        whole.replace(path)

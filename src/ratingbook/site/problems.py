"""What cannot be answered, as data: problem details (RFC 9457)."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse

from ratingbook.site.answers import plain
from ratingbook.site.shown.findings import Noticed

API = "/api/"
"""How all paths of the API begin."""
MEDIA = "application/problem+json"


def is_of_api(request: HttpRequest) -> bool:
    """Whether the API is asked."""
    return request.path_info.startswith(API)


def asks_for_data(request: HttpRequest) -> bool:
    """Whether who asks is a program, to which no page is of use."""
    return is_of_api(request) or request.path_info.endswith(".json")


def wrong(code: str, message: str, remedy: str, path: str = "") -> Noticed:
    """A finding about what was asked; ``path`` is where it stood, such as ``query.pool``."""
    return Noticed(code, "error", message, {"path": path} if path else {}, remedy, 1, ())


def problem(
    status: int, findings: Sequence[Noticed], title: str = "", detail: str = ""
) -> HttpResponse:
    """The answer; ``findings`` say what is wrong, and what to do about each.

    There is one at least: by its code a program knows what happened, whatever the language.
    """
    said: dict[str, Any] = {
        "type": "about:blank", "title": title or HTTPStatus(status).phrase, "status": status,
        "detail": detail or " ".join(each.message for each in findings),
        "findings": [plain(each) for each in findings],
    }  # fmt: skip
    return JsonResponse(
        said, status=status, content_type=MEDIA,
        json_dumps_params={"ensure_ascii": False, "separators": (",", ":")},
    )  # fmt: skip


def refusal(status: int, code: str, what: str, remedy: str, title: str = "") -> HttpResponse:
    """The answer where one thing is wrong."""
    return problem(status, [wrong(code, what, remedy)], title)

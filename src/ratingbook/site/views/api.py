"""The page about the API: its operations, by what its own description says."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from ratingbook.site.api.operations import DESCRIPTION, service


def about(request: HttpRequest) -> HttpResponse:
    """All operations, with what they ask for."""
    said = service.get_openapi_schema()
    operations = [
        {"method": method.upper(), "path": path, **operation, **_told(operation)}
        for path, item in said["paths"].items()
        for method, operation in item.items()
    ]
    context = {"operations": operations, "what": gettext(DESCRIPTION)}
    return render(request, "site/api.html", context)


def _told(operation: dict[str, Any]) -> dict[str, str]:
    """What an operation does, in the language of the page; details stand as in the description."""
    first, _, more = operation["description"].partition("\n\n")
    return {"says": gettext(" ".join(first.split())), "more": more}

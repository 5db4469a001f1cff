"""The page about the API: its operations, by what its own description says."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from ratingbook.site.api.operations import service


def about(request: HttpRequest) -> HttpResponse:
    """All operations, with what they ask for."""
    said = service.get_openapi_schema()
    operations = [
        {"method": method.upper(), "path": path, **operation}
        for path, item in said["paths"].items()
        for method, operation in item.items()
    ]
    return render(request, "site/api.html", {"operations": operations, "info": said["info"]})

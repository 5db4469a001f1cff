"""Where everybody arrives."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def home(request: HttpRequest) -> HttpResponse:
    """Search first, then what was published last."""
    return render(request, "site/home.html")

"""A process of the site that is ready before anybody asks: what the first pages load is there."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from typing import Any
from urllib.parse import quote
from wsgiref.util import setup_testing_defaults

from django.db import DatabaseError

from ratingbook.engine.memory import give_back
from ratingbook.office.store import models as m

Application = Callable[..., Any]


def make_ready(application: Application) -> None:
    """Ask for a page of each kind beside what is asked meanwhile, and let what stays be.

    The first explanation loads the rules and the games, for seconds; and to look at all that is
    loaded for garbage, again and again, lets some request wait for a fifth of a second.
    """
    threading.Thread(target=_make_ready, args=(application,), daemon=True).start()


def _make_ready(application: Application) -> None:
    with suppress(DatabaseError):
        for path in list(_paths()):
            _ask(application, path)
    gc.collect()
    gc.freeze()
    give_back()


def _paths() -> Iterator[str]:
    """A page of each kind that is asked for often, if there is any."""
    yield "/"
    shown = m.List.objects.select_related("pool").order_by("-id").first()
    if shown is not None:
        yield f"/lists/{quote(shown.pool.name)}/{shown.date}"
    changes = m.Change.objects.order_by("-pk")
    for person, pool, key in changes.values_list("person", "batch__pool__name", "batch__key")[:1]:
        yield f"/players/{person}"
        yield f"/players/{person}/changes/{quote(pool)}/{quote(str(key))}"
    for report in m.Report.objects.order_by("-id").values_list("id", flat=True)[:1]:
        yield f"/events/{report}"


def _ask(application: Application, path: str) -> None:
    # A page that another process has kept would load nothing here.
    own = f"process={os.getpid()}"
    environ: dict[str, Any] = {"PATH_INFO": path, "QUERY_STRING": own, "HTTP_HOST": "localhost"}
    setup_testing_defaults(environ)
    with closing(application(environ, lambda *_: None)) as answer:
        for _ in answer:
            pass

"""Every page that is read needs few queries, whoever reads it, and is not large."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver, reverse

from ratingbook.site.access import ROUTES, Audience
from ratingbook.site.opening import open_site
from tests.site.pages import BYTES, QUERIES
from tests.site.people import nobody, signed_in

ADDRESSES = {
    "draft": ["/my/drafts/1/", "/my/drafts/2/"],
}


def test_counts(busy):
    open_site(busy.folder)
    tina = signed_in("tina")
    for path in PATHS:
        tina.get(path)
        with CaptureQueriesContext(connection) as queries:
            answer = tina.get(path)
        if len(queries) > 10:
            import traceback, collections

            seen = []

            def spy(execute, sql, params, many, context):
                st = [
                    f"{f.filename.split('ratingbook/')[-1]}:{f.lineno}:{f.name}"
                    for f in traceback.extract_stack()
                    if "src/ratingbook" in f.filename
                ][-3:]
                seen.append((" < ".join(reversed(st)), sql[:60]))
                return execute(sql, params, many, context)

            with connection.execute_wrapper(spy):
                tina.get(path)
            for (st, sql), n in collections.Counter(seen).items():
                print("     ", n, st, "|", sql)
        print(len(queries), answer.status_code, len(answer.content), path)


PATHS = [
    "/account/",
    "/account/tokens/",
    "/my/notices/",
    "/my/events/",
    "/my/events/new/",
    "/my/events/typed/",
    "/my/reports/1/",
    "/my/reports/1/correct/",
    "/account/second/",
    "/desk/",
    "/desk/who/",
    "/desk/who/?report=2&entry=1&q=Echo",
    "/desk/reports/2/",
    "/desk/reports/1/correct/",
    "/desk/runs/",
    "/desk/runs/2/",
    "/desk/jobs/",
    "/desk/jobs/1/",
    "/desk/corrections/",
    "/desk/corrections/1/",
    "/desk/corrections/1/?preview=yes",
    "/desk/decisions/",
    "/desk/anomalies/?pool=club",
    "/desk/lists/?pool=club&day=2026-03-15",
    "/desk/audit/",
    "/desk/outbox/",
    "/desk/users/",
    "/desk/policies/",
    "/desk/backups/",
    "/desk/webhooks/",
]

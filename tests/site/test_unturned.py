"""Texts from outside do not turn round what stands behind them on a page."""

from __future__ import annotations

import hashlib

import pytest

from ratingbook.office.acts import asking, corrections
from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Who
from tests.office import reports
from tests.site.offices import TINA
from tests.site.people import by_token, nobody, signed_in
from tests.site.test_directors import file_of, send

SIGNS = "".join(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))


@pytest.mark.parametrize("path", ["/corrections/1", "/corrections/1.json", "/corrections.atom"])
def test_a_reason_does_not_turn_the_page_round(office, path):
    reason = f"game; {SIGNS}score sheet"
    asked = corrections.ask(office, [asking.game(1, 1, "0-1")], reason, Who("dora"))
    corrections.accept(office, asked.id, TINA, reason)
    for _ in range(2):
        answer = nobody().get(path)
        text = answer.content.decode()
        assert answer.status_code == 200
        assert not set(SIGNS) & set(text)
        assert "score sheet" in text or path.endswith("atom")
        length = answer.headers.get("Content-Length")
        assert length in (None, str(len(answer.content)))
    assert m.Fact.objects.get(kind="correction asked").reason == reason, "it is kept as it came"


def test_the_name_of_an_event_does_not_either_and_its_file_stays_as_it_is(office):
    dora, olga = signed_in("dora"), signed_in("olga")
    said = reports.document(f"Fourth {SIGNS}Open", "2026-03-28")
    draft = send(dora, said)
    for path in (draft, "/my/events/"):
        assert not set(SIGNS) & set(dora.get(path).content.decode()), path
    sent = by_token("dora").post("/api/v1/reports", {"files": file_of(said), "pool": "club"})
    number = sent.json()["id"]
    shown = by_token("dora").get(f"/api/v1/reports/{number}").content.decode()
    assert "Fourth" in shown
    assert not set(SIGNS) & set(shown)
    kept = m.ReportVersion.objects.get(report=number).blob_id
    data = olga.get(f"/desk/reports/{number}/file/").content
    assert hashlib.sha256(data).hexdigest() == kept

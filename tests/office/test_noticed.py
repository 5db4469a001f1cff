"""What the rules of its pool say of a report is told as it arrives, not when a run is refused."""

from __future__ import annotations

from datetime import date

import pytest

from ratingbook.office.acts import at_fault, desk, receive, reports, runs, setup
from ratingbook.office.engine.rules import Rules
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from tests.office.reports import document, write


def sent(home, tina, tmp_path, rulebook, event=None, player=None, game=None):
    """What becomes of a report in which one thing is said otherwise, and the codes of what is."""
    setup.add_pool("club", rulebook, tina)
    said = document("Club Open", "2026-01-10")
    said["event"] |= {"class": "A"} if rulebook.startswith("egf") else {}
    said["event"] |= event or {}
    said["players"][0] |= player or {}
    said["games"][0] |= game or {}
    one = receive.receive(home, write(tmp_path, "open.json", said), tina)
    return one, {each.code: each for each in one.findings}


@pytest.mark.parametrize(("rulebook", "said", "code"), [
    ("iccf-2009", {"event": {"level": 99999}}, "iccf.level"),
    ("iccf-2009", {"event": {"level": 2000}, "game": {"black_rating": 99999}}, "game.rating-range"),
    ("iccf-2009", {"event": {"level": 2000}, "game": {"white_rating": -50}}, "game.rating-range"),
    ("iecg-1999", {"player": {"decisions": {"tutor_rating": 99999}}}, "iecg.decision-value"),
    ("iecg-1999", {"player": {"foreign": {"iccf": -5}}}, "iecg.rating-not-whole"),
])  # fmt: skip
def test_what_no_run_could_rate_is_refused_as_it_comes(home, tina, tmp_path, rulebook, said, code):
    one, found = sent(home, tina, tmp_path, rulebook, **said)
    assert one.state == "refused"
    assert found[code].severity.refuses


@pytest.mark.parametrize(("rulebook", "said", "code"), [
    ("egf-2021", {"event": {"class": "Z"}}, "egf.not-recognised"),
    ("egf-2021", {"player": {"grade": "5x"}}, "egf.grade"),
    ("iccf-2009", {"event": {"category": "foo"}}, "iccf.category"),
    ("uscf-2025", {"event": {"kind": "foo", "time_control": "G/90"}}, "uscf.kind"),
])  # fmt: skip
def test_what_is_not_rated_as_its_sender_means_it_is_told(
    home, tina, tmp_path, rulebook, said, code
):
    one, found = sent(home, tina, tmp_path, rulebook, **said)
    assert one.state != "refused"
    assert code in found


@pytest.mark.parametrize("rulebook", ["fide-2024", "uscf-2025"])
def test_a_word_for_no_list_of_the_federation_holds_a_report(home, tina, tmp_path, rulebook):
    one, found = sent(home, tina, tmp_path, rulebook, event={"pool": "bullet"})
    assert one.state == "held"
    assert "office.other-pool" in found
    desk.link_new(one.id, tina)
    reports.put_aside(str(one.id), "release", "it was a long game", tina)
    run = runs.make(home, "club", date(2026, 4, 1), tina).run
    assert m.RunSection.objects.filter(run=run).count() == 1


@pytest.mark.parametrize("rulebook", ["fide-2024", "uscf-2025", "egf-2021", "iecg-1999", "elo"])
def test_nothing_is_said_of_how_a_list_was_found(home, tina, tmp_path, rulebook):
    """An officer puts into the pool what is called otherwise; that is asked by another finding."""
    _, found = sent(home, tina, tmp_path, rulebook, event={"name": "Blitz Cup"})
    assert {code for code in found if not code.startswith("office.")} == set()


@pytest.mark.parametrize("rulebook", ["fide-2024", "uscf-2025", "egf-2021", "iecg-1999", "elo"])
def test_nothing_is_said_of_what_the_office_knows(home, tina, tmp_path, rulebook):
    """Of players who have no rating in the report, no birth date, and no earlier games."""
    _, found = sent(home, tina, tmp_path, rulebook)
    assert {code for code in found if not code.startswith("office.")} == set()


@pytest.mark.parametrize(("rulebook", "said", "code", "named"), [
    ("iccf-2009", {"event": {"level": 2000}, "game": {"black_rating": 99999}}, "game.rating-range",
     "round 1"),
    ("iecg-1999", {"player": {"decisions": {"tutor_rating": 99999}}}, "iecg.decision-value",
     "Alpha, Anna"),
    ("iecg-1999", {"player": {"foreign": {"iccf": -5}}}, "iecg.rating-not-whole", "Alpha, Anna"),
])  # fmt: skip
def test_a_run_that_is_refused_names_the_report(
    home, tina, tmp_path, monkeypatch, rulebook, said, code, named
):
    """Of a report that came in before the rules of its pool were asked as it comes."""
    with monkeypatch.context() as before:
        before.setattr("ratingbook.office.acts.letting_in.noticed", lambda *_: [])
        one, _ = sent(home, tina, tmp_path, rulebook, **said)
    desk.link_new(one.id, tina)
    with pytest.raises(OfficeRefused) as refused:
        runs.make(home, "club", date(2026, 4, 1), tina)
    first = next(iter(refused.value.findings))
    assert first.code == code
    assert first.message.startswith("Report 1, Club Open: ")
    assert named in f"{first.message} {first.place}"
    assert "ratingbook office hold 1" in first.remedy


def test_a_run_that_no_report_refuses_is_refused_as_ever(home, tina, tmp_path):
    """By what is decided: no report is named."""
    one, _ = sent(home, tina, tmp_path, "iccf-2009", event={"level": 2000})
    desk.link_new(one.id, tina)
    refused = at_fault.naming_reports(
        refuse("office.x", "No.", ""), [*m.Section.objects.values_list("id", flat=True)],
        Rules("iccf-2009"), ledger.head().seq,
    )  # fmt: skip
    assert [each.code for each in refused.findings] == ["office.x"]

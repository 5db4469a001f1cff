"""Where reports, files, runs and jobs stand, as officers are told it."""

from __future__ import annotations

from datetime import date

import pytest

from ratingbook.office.store import models as m
from tests.office.officers import Officer
from tests.office.prepared import prepared
from tests.office.reports import PLAYERS, document, write


@prepared
def asked(officer: Officer, tmp_path) -> Officer:
    """An office with two pools, and a report that names none, whose people are known."""
    officer.does("pool", "add", "standard", "--rulebook", "fide-2009")
    officer.does("pool", "add", "rapid", "--rulebook", "fide-2009")
    officer.does("receive", write(tmp_path, "open.json", document()))
    officer.does("link", 1, "all", "new")
    return officer


def codes(said):
    return [each["code"] for each in said["findings"]]


def test_a_report_of_no_pool_is_not_released_until_it_has_one(asked):
    told = " ".join(asked.sees("receipt", 1).split())
    assert "The report cannot be rated: no pool is named." in told
    refused = asked.does("release", 1, "--reason", "let it in", status=1)
    assert codes(refused) == ["office.no-pool-named"]
    assert "--pool POOL" in refused["findings"][0]["remedy"]
    assert asked.does("reports")["reports"][0]["state"] == "held"
    asked.does("correct", "--report", 1, "--to-pool", "rapid", "--reason", "it was rapid")
    assert asked.does("reports")["reports"][0]["pool"] is None
    asked.does("accept", 1, "--reason", "so it was")
    (one,) = asked.does("reports")["reports"]
    assert (one["pool"], one["state"]) == ("rapid", "held")
    told = " ".join(asked.sees("receipt", 1).split())
    assert "in the pool rapid is held: it has a pool by now; an officer lets it in" in told
    assert "no pool is named" not in told
    assert one["reason"] == "it has a pool by now; an officer lets it in"
    asked.does("release", 1, "--reason", "let it in")
    (one,) = asked.does("reports")["reports"]
    assert (one["pool"], one["state"]) == ("rapid", "ready")
    assert "in the pool rapid is ready" in " ".join(asked.sees("receipt", 1).split())
    assert asked.does("run", "--pool", "rapid")["games"] == 15


def test_of_a_report_only_the_sections_with_a_pool_are_released(asked, tmp_path):
    said = document("Two Groups", "2026-02-10")
    said["sections"] = [{"name": "A", "pool": "rapid"}, {"name": "B"}]
    for number, game in enumerate(said["games"]):
        game["section"] = "AB"[number % 2]
    asked.does("receive", write(tmp_path, "two.json", said))
    asked.does("hold", 2, "--reason", "look")
    done = asked.does("release", 2, "--reason", "looked")
    assert codes(done) == ["office.no-pool-named"]
    assert done["findings"][0]["message"].endswith("stay held: B.")
    assert asked.does("reports")["reports"][1]["sections"] == {"A": "ready", "B": "held"}


def test_a_run_tells_of_what_is_ready_and_has_no_pool_any_more(asked, tmp_path):
    path = write(tmp_path, "b.json", document("Other Open", "2026-02-10"))
    asked.does("receive", path, "--pool", "standard")
    asked.does("correct", "--report", 1, "--to-pool", "standard", "--reason", "so it was")
    asked.does("accept", 1, "--reason", "so it was")
    asked.does("release", 1, "--reason", "let it in")
    made = asked.does("run", "--pool", "standard")
    assert made["games"] == 30
    assert "office.ready-without-pool" not in codes(made)
    asked.does("correct", "--take-back", 1, "--reason", "it was not")
    asked.does("accept", 2, "--reason", "it was not")
    made = asked.does("run", "--pool", "standard")
    assert made["games"] == 15
    assert "office.ready-without-pool" in codes(made)


def test_files_that_could_not_be_read_are_among_what_is_refused(asked, tmp_path):
    bad = tmp_path / "bad.json"
    bad.write_text('{"ratingbook": "report/1", ')
    sha256 = asked.does("receive", bad, status=1)["reports"][0]["sha256"]
    (file,) = asked.does("reports", "--state", "refused")["files"]
    assert file["sha256"] == sha256
    assert file["findings"][0]["message"]
    assert asked.does("reports", "--state", "held")["files"] == []
    told = " ".join(asked.sees("reports", "--state", "refused").split())
    assert f"file {sha256[:12]}…" in told
    assert " ".join(file["findings"][0]["message"].split()) in told
    assert asked.does("reports", "--known", "2000-01-01")["files"] == []
    told = asked.sees("audit", "--kind", "file refused")
    assert f"file:{sha256[:12]}…" in told
    assert sha256 not in told
    assert asked.does("audit", "--kind", "file refused")["acts"][0]["subjects"] == [
        f"file:{sha256}"
    ]


def test_a_run_that_is_discarded_is_not_discarded_again(asked, tmp_path):
    path = write(tmp_path, "b.json", document("Other Open", "2026-02-10"))
    asked.does("receive", path, "--pool", "standard")
    made = asked.does("run", "--pool", "standard")["run"]
    assert asked.does("jobs")["jobs"][0]["note"] == "the draft is made"
    asked.does("discard", made)
    refused = asked.does("discard", made, status=1)
    assert codes(refused) == ["office.state"]
    assert "already" in refused["findings"][0]["message"]


def test_to_merge_with_somebody_suppressed_tells_what_comes_of_it(asked, tmp_path):
    strangers = {"1": ("Golf, Gus", "m", "1991-01-01", "808"), "2": PLAYERS["2"]}
    path = write(tmp_path, "b.json", document("Other Open", "2026-02-10", players=strangers))
    asked.does("receive", path, "--pool", "standard")
    asked.does("link", 2, "all", "new")
    asked.does("person", "suppress", 1, "--reason", "x")
    done = asked.does("merge", 7, 1, "--reason", "one")
    assert codes(done) == ["office.merge-suppressed"]
    assert "stay in the office" in done["findings"][0]["message"]
    asked.does("undo", done["fact"], "--reason", "look again")
    done = asked.does("merge", 1, 7, "--reason", "one")
    assert codes(done) == ["office.merge-suppressed"]
    assert "by name" in done["findings"][0]["message"]


def test_a_correction_that_merges_with_somebody_suppressed_tells_what_comes_of_it(asked, tmp_path):
    strangers = {"1": ("Golf, Gus", "m", "1991-01-01", "808"), "2": PLAYERS["2"]}
    path = write(tmp_path, "b.json", document("Other Open", "2026-02-10", players=strangers))
    asked.does("receive", path, "--pool", "standard")
    asked.does("link", 2, "all", "new")
    asked.does("person", "suppress", 1, "--reason", "x")
    for number, (pair, remedy) in enumerate((((1, 7), "refuse it"), ((7, 1), "before it is")), 1):
        told = [
            asked.does("correct", "--merge", *pair, "--reason", "one"),
            asked.does("preview", number),
        ]
        for done in told:
            assert codes(done) == ["office.merge-suppressed"]
            assert remedy in done["findings"][0]["remedy"]
        if number == 1:
            asked.does("reject", number, "--reason", "no")
    done = asked.does("accept", 2)
    assert codes(done) == ["office.merge-suppressed"]
    assert "undo the merge" in done["findings"][0]["remedy"]


def states_of(said):
    return [(each["state"], each["version"]) for each in said["reports"]]


@pytest.mark.parametrize("names", [False, True])
def test_the_same_file_with_the_pool_asked_for_takes_the_place_of_what_is_held(
    asked, tmp_path, names
):
    path = write(tmp_path, "open.json", document())
    told = asked.does("receive", path)
    assert states_of(told) == [("held", 1)]
    assert set(codes(told)) == {"office.known-file", "office.no-pool-named"}, "it is asked again"
    of = ("--version-of", 1) if names else ()
    done = asked.does("receive", path, "--pool", "rapid", *of)
    assert states_of(done) == [("ready", 2)]
    (one,) = asked.does("reports")["reports"]
    assert (one["pool"], one["state"], one["version"]) == ("rapid", "ready", 2)
    assert "no pool is named" not in " ".join(asked.sees("receipt", 1).split())
    again = asked.does("receive", path, "--pool", "rapid", *of)
    assert (states_of(again), codes(again)) == ([("ready", 2)], ["office.known-file"])
    other = asked.does("receive", path, "--pool", "standard", *of)
    told = {"office.known-file", "office.known-pool"}
    assert set(codes(other)) == told, "nothing is asked any more"
    assert asked.does("doctor")["findings"] == []


def test_an_officer_lets_a_report_in_with_the_pool(asked):
    told = " ".join(asked.sees("receipt", 1).split())
    assert "The report cannot be rated: no pool is named." in told
    assert "--pool POOL" in told
    asked.does("release", 1, "--pool", "rapid", "--reason", "it was rapid")
    (one,) = asked.does("reports")["reports"]
    assert (one["pool"], one["state"]) == ("rapid", "ready")
    told = " ".join(asked.sees("receipt", 1).split())
    assert "in the pool rapid is ready" in told
    assert "no pool is named" not in told
    assert asked.does("run", "--pool", "rapid")["games"] == 15
    assert asked.does("doctor")["findings"] == []


def test_what_is_published_goes_into_another_pool_by_a_correction_only(asked, tmp_path):
    asked.does("release", 1, "--pool", "rapid", "--reason", "it was rapid")
    asked.does("run", "--pool", "rapid")
    asked.does("approve", 1)
    asked.does("publish", 1)
    changed = write(tmp_path, "open2.json", document(results={("1", "2"): "1-0"}))
    asked.does("receive", changed)
    release = ("release", 1, "--reason", "the sheet says so")
    refused = asked.does(*release, "--pool", "standard", status=1)
    assert codes(refused) == ["office.pool-published"]
    asked.does(*release, "--pool", "rapid")
    (one,) = asked.does("reports")["reports"]
    assert (one["pool"], one["state"]) == ("rapid", "ready")


def test_a_new_version_has_the_pool_and_the_days_of_the_one_before(asked, tmp_path):
    asked.does("release", 1, "--pool", "rapid", "--reason", "it was rapid")
    said = document(results={("1", "2"): "1-0"})
    del said["event"]["start"], said["event"]["end"]
    done = asked.does("receive", write(tmp_path, "open2.json", said), "--version-of", 1)
    assert states_of(done) == [("ready", 2)]
    (one,) = asked.does("reports")["reports"]
    assert one["pool"] == "rapid"
    assert days() == (date(2026, 1, 10), date(2026, 1, 10))
    assert asked.does("run", "--pool", "rapid")["games"] == 15
    said["event"] |= {"start": "2026-01-11", "end": "2026-01-12"}
    asked.does("receive", write(tmp_path, "open3.json", said), "--version-of", 1)
    assert days() == (date(2026, 1, 11), date(2026, 1, 12)), "what the file says itself holds"
    assert asked.does("doctor")["findings"] == []


def days():
    one = m.Section.objects.latest("id")
    return one.start, one.end

"""Where reports, files, runs and jobs stand, as officers are told it."""

from __future__ import annotations

import pytest

from tests.office.officers import Officer
from tests.office.reports import PLAYERS, document, write


@pytest.fixture
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
    assert "once that is accepted" in told
    refused = asked.does("release", 1, "--reason", "let it in", status=1)
    assert codes(refused) == ["office.no-pool-named"]
    assert "--to-pool" in refused["findings"][0]["remedy"]
    assert asked.does("reports")["reports"][0]["state"] == "held"
    asked.does("correct", "--report", 1, "--to-pool", "rapid", "--reason", "it was rapid")
    assert asked.does("reports")["reports"][0]["pool"] is None
    asked.does("accept", 1, "--reason", "so it was")
    (one,) = asked.does("reports")["reports"]
    assert (one["pool"], one["state"]) == ("rapid", "held")
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

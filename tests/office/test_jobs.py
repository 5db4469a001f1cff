"""Jobs: lease, attempt, fencing, progress, cancel; and workers that are killed."""

from __future__ import annotations

import errno
import json
import logging
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

import pytest
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django_tasks_db.models import DBTaskResult

from ratingbook.office.acts import desk, drafting, jobs, receive, runs, setup, webhooks
from ratingbook.office.acts.pools import office_now
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from ratingbook.office.store.away import is_away
from ratingbook.office.store.ledger import Who
from tests.office.prepared import prepared
from tests.office.reports import document, write

ROOT = Path(__file__).parents[2]
PLAN = {"pool": "standard", "until": "2026-04-01", "refresh": None}


@prepared
def standard(home, tina, tmp_path):
    setup.add_pool("standard", "fide-2009", tina, policies={"assume": "1500"})
    for number in range(1, 4):
        path = write(tmp_path, f"{number}.json", document(f"Open {number}", f"2026-01-1{number}"))
        received, _ = receive.receive_all(home, [path], tina, receive.Options(another=True))
        if received[0].waiting:
            desk.link_new(received[0].id or 0, tina)
    return home


def test_a_job_is_done_by_a_worker(standard, tina):
    number = jobs.enqueue("run", PLAN, tina)
    assert m.Job.objects.get(id=number).state == "waiting"
    assert jobs.work(once=True) == 1
    job = m.Job.objects.get(id=number)
    assert (job.state, job.done, job.total, job.attempt) == ("done", 4, 4, 1)
    assert runs.run_named(job.answer["run"]).state == "checked"


def test_jobs_that_wait_are_counted_with_the_pools_and_without_any(home, tina):
    jobs.enqueue("run", PLAN, tina)
    assert (office_now().jobs, office_now().pools) == (1, ())
    for name in ("standard", "blitz"):
        setup.add_pool(name, "fide-2009", tina)
    assert office_now().jobs == 1
    assert [each.pool.name for each in office_now().pools] == ["standard", "blitz"]


def test_what_is_refused_fails_with_its_findings(standard, tina):
    number = jobs.enqueue("run", {**PLAN, "pool": "blitz"}, tina)
    jobs.work(once=True)
    job = m.Job.objects.get(id=number)
    assert job.state == "failed"
    assert [each["code"] for each in job.answer["findings"]] == ["office.no-pool"]
    assert DBTaskResult.objects.get().status == "FAILED"


def test_a_refused_job_is_one_line_of_the_server_and_no_traceback(
    standard, tina, caplog, tmp_path, monkeypatch
):
    monkeypatch.setenv("RATINGBOOK_LOG", str(tmp_path / "log"))
    number = jobs.enqueue("run", {**PLAN, "pool": "blitz"}, tina)
    jobs.work(once=True)
    told = [each for each in caplog.records if each.levelno >= logging.WARNING]
    assert [(each.getMessage(), each.exc_info) for each in told] == [
        (f"ratingbook: job {number} (run of blitz up to 2026-04-01) is refused: There is no pool "
         "'blitz'. [office.no-pool]", None)
    ]  # fmt: skip
    line = json.loads((tmp_path / "log").read_text("utf-8").splitlines()[-1])
    assert (line["job"], line["state"], line["findings"]) == (number, "failed", ["office.no-pool"])


def test_a_fault_of_ours_in_a_job_is_told_with_where_it_was(standard, tina, caplog, monkeypatch):
    def fails(doing, job):
        raise ZeroDivisionError

    monkeypatch.setitem(jobs.KINDS, "run", fails)
    jobs.enqueue("run", PLAN, tina)
    jobs.work(once=True)
    told = [each for each in caplog.records if each.levelno >= logging.WARNING]
    assert [each.exc_info and each.exc_info[0] for each in told] == [ZeroDivisionError]


AWAY = (
    OperationalError("the connection is closed"), InterfaceError("connection already closed"),
    OSError(errno.ENOSPC, "No space left on device"),
)  # fmt: skip


@pytest.mark.parametrize("error", AWAY, ids=lambda error: type(error).__name__)
def test_a_job_whose_database_goes_away_is_tried_again(standard, tina, caplog, monkeypatch, error):
    real, left = jobs.KINDS["run"], [error]

    def breaks_off(doing, job):
        if left:
            raise left.pop()
        return real(doing, job)

    monkeypatch.setitem(jobs.KINDS, "run", breaks_off)
    monkeypatch.setattr(jobs, "LEASE", 0.0)
    number = jobs.enqueue("run", PLAN, tina)
    jobs.work(once=True)
    assert m.Job.objects.get(id=number).state == "running"
    monkeypatch.setattr(jobs, "LEASE", 30.0)
    jobs.work(once=True)
    job = m.Job.objects.get(id=number)
    assert (job.state, job.attempt) == ("done", 2)
    told = [each for each in caplog.records if each.levelno >= logging.WARNING]
    assert [(each.getMessage(), each.exc_info) for each in told] == [
        (f"ratingbook: job {number} broke off, and is tried again: {error}", None)
    ]


def test_a_worker_waits_for_a_database_that_went_away(standard, caplog, monkeypatch):
    class Ended(Exception):
        pass

    turns = iter([*AWAY, None, Ended()])

    def take_turn(home):
        if (error := next(turns)) is not None:
            raise error
        return 0

    monkeypatch.setattr(webhooks, "work", take_turn)
    monkeypatch.setattr(jobs, "PATIENCE", 0.0)
    with pytest.raises(Ended):
        jobs.work(interval=0.0)
    told = [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING]
    assert told == [
        "ratingbook: the worker waits, and tries again every 0 seconds: the connection is closed",
        "ratingbook: the worker goes on",
    ]


def test_a_fault_of_a_statement_is_none_of_the_machine(standard):
    with pytest.raises(DatabaseError) as raised, connection.cursor() as cursor:
        cursor.execute("SELECT * FROM nowhere")
    assert not is_away(raised.value)


def test_a_job_that_lost_its_worker_is_taken_up_under_the_next_attempt(standard, tina):
    number = jobs.enqueue("run", PLAN, tina)
    dead = jobs._Doing(standard, number)
    row = DBTaskResult.objects.get()
    row.claim("dead")
    dead._take()
    draft = drafting.draft_of(
        setup.pool_named("standard"), setup.rules_of(setup.pool_named("standard")),
        ledger.head().seq, date(2026, 4, 1), tina,
    )  # fmt: skip
    jobs._remember(dead, draft.id)
    assert jobs.take_up() == 0  # The lease still holds.
    m.Job.objects.filter(id=number).update(lease_until=0)
    assert jobs.take_up() == 1
    assert jobs.work(once=True) == 1
    job = m.Job.objects.get(id=number)
    assert (job.state, job.attempt) == ("done", 2)
    assert runs.run_named(draft.id).state == "discarded"
    # The first worker only slept: whatever it still tries to write is refused.
    with pytest.raises(jobs.LeaseLost):
        dead.progress(1, 2, "too late")


def test_after_three_lost_workers_a_job_has_failed(standard, tina):
    number = jobs.enqueue("run", PLAN, tina)
    for attempt in range(1, 4):
        jobs._Doing(standard, number)._take()
        m.Job.objects.filter(id=number).update(lease_until=0)
        jobs.take_up()
        assert m.Job.objects.get(id=number).attempt == attempt
    job = m.Job.objects.get(id=number)
    assert job.state == "failed"
    assert jobs.work(once=True) == 0
    assert jobs.why_failed(job) == "lost 3 workers; last: "
    said = jobs.told(job)
    told = [each.partition(" UTC ")[2].partition(" by ")[0] for each in said["log"][::2]]
    assert told == [f"attempt {n}" for n in (1, 2, 3)]
    assert (said["why"], said["answer"]) == ("lost 3 workers; last: ", {})


def test_programs_are_told_of_a_refused_job_in_texts(standard, tina):
    number = jobs.enqueue("run", {**PLAN, "pool": "nothing"}, tina)
    jobs.work(once=True)
    said = json.loads(json.dumps(jobs.told(m.Job.objects.get(id=number)), default=str))
    (finding,) = said["answer"]["findings"]
    assert said["why"] == finding["message"] == "There is no pool 'nothing'."
    assert said["log"][-1].endswith(" failed: There is no pool 'nothing'.")
    assert "said" not in finding


def test_a_cancelled_job_writes_nothing_more(standard, tina):
    waiting = jobs.enqueue("run", PLAN, tina)
    assert jobs.cancel(waiting, tina) == "cancelled"
    assert jobs.work(once=True) == 0
    running = jobs.enqueue("run", PLAN, tina)
    doing = jobs._Doing(standard, running)
    doing._take()
    assert jobs.cancel(running, tina) == "running"
    with pytest.raises(jobs.LeaseLost):
        doing.progress(1, 4, "on")
    with pytest.raises(OfficeRefused) as refused:
        jobs.cancel(waiting, tina)
    assert [each.code for each in refused.value.findings] == ["office.job-ended"]


def test_no_worker_takes_what_a_command_does_itself(standard, tina, monkeypatch):
    """Between its row and its lease a worker took it, and the command ended in a traceback."""
    do, taken = jobs._Doing.do, []

    def beside_a_worker(doing):
        taken.append(jobs.work(once=True))
        return do(doing)

    monkeypatch.setattr(jobs._Doing, "do", beside_a_worker)
    number, made = jobs.do_now(standard, "run", PLAN, tina)
    assert taken == [0]
    assert made.run.state == "checked"
    assert m.Job.objects.get(id=number).state == "done"


def test_a_command_whose_job_is_cancelled_is_told_so(standard, tina, monkeypatch):
    monkeypatch.setattr(
        jobs._Doing, "progress",
        lambda doing, *_: (jobs.cancel(doing.number, tina), doing.fence().__enter__()),
    )  # fmt: skip
    with pytest.raises(OfficeRefused) as refused:
        jobs.do_now(standard, "run", PLAN, tina)
    assert [each.code for each in refused.value.findings] == ["office.job-taken"]
    job = m.Job.objects.get()
    assert job.state == "cancelled"
    assert any("tina asked that it end" in each for each in jobs.log_of(job))


def test_who_may_not_run_neither_queues_nor_cancels(standard, tina):
    setup.add_actor("dora", ["director"], tina)
    with pytest.raises(OfficeRefused) as refused:
        jobs.enqueue("run", PLAN, Who("dora"))
    assert [each.code for each in refused.value.findings] == ["office.permission"]
    assert not m.Job.objects.exists()
    number = jobs.enqueue("run", PLAN, tina)
    with pytest.raises(OfficeRefused) as refused:
        jobs.cancel(number, Who("dora"))
    assert [each.code for each in refused.value.findings] == ["office.permission"]
    assert m.Job.objects.get().state == "waiting"


def test_the_lease_goes_by_the_clock_of_the_database(standard):
    assert abs(jobs.database_time() - time.time()) < 5


@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_kill_rounds(request, database):
    """SIGKILL at random moments: nothing lost, nothing half done, the end as without a kill.

    Five rounds of what `python -m tools.kill_rounds` does two hundred times.
    """
    command = [sys.executable, "-m", "tools.kill_rounds", "--rounds", "5"]
    if database == "postgresql":
        command += ["--server", request.getfixturevalue("server")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("5 rounds")


def test_three_writers_go_on_during_a_run(standard, tina):
    """Nobody's write fails while a run writes its rows."""
    import threading

    failed: list[Exception] = []
    ended = threading.Event()

    def write_facts():
        try:
            while not ended.is_set():
                with ledger.acting(tina) as act:
                    act.fact("note")
        except Exception as error:
            failed.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=write_facts) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        made = runs.make(standard, "standard", date(2026, 4, 1), tina)
    finally:
        ended.set()
        for thread in threads:
            thread.join()
    assert failed == []
    assert made.run.state == "checked"


def test_the_table_of_jobs_says_why_one_failed(officer):
    officer.does("pool", "add", "club", "--rulebook", "elo")
    officer.does("run", "--pool", "club", status=1)
    assert "No section of the pool club is ready." in " ".join(officer.sees("jobs").split())

"""Jobs: lease, attempt, fencing, progress, cancel; and workers that are killed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from datetime import date

import pytest
from django.db import connection, connections
from django_tasks_db.models import DBTaskResult

from ratingbook.office.acts import bundles, desk, doctor, jobs, receive, runs, setup
from ratingbook.office.acts.setup import open_office
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.store import ledger
from ratingbook.office.store import models as m
from tests.office.reports import document, write

PLAN = {"pool": "standard", "until": "2026-04-01", "refresh": None}


@pytest.fixture
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


def test_what_is_refused_fails_with_its_findings(standard, tina):
    number = jobs.enqueue("run", {**PLAN, "pool": "blitz"}, tina)
    jobs.work(once=True)
    job = m.Job.objects.get(id=number)
    assert job.state == "failed"
    assert [each["code"] for each in job.answer["findings"]] == ["office.no-pool"]
    assert DBTaskResult.objects.get().status == "FAILED"


def test_a_job_that_lost_its_worker_is_taken_up_under_the_next_attempt(standard, tina):
    number = jobs.enqueue("run", PLAN, tina)
    dead = jobs._Doing(standard, number)
    row = DBTaskResult.objects.get()
    row.claim("dead")
    dead._take()
    draft = runs._draft(
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
    assert m.Job.objects.get(id=number).state == "failed"
    assert jobs.work(once=True) == 0


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


def test_the_lease_goes_by_the_clock_of_the_database(standard):
    assert abs(jobs.database_time() - time.time()) < 5


ROUND = """
import sys
from datetime import date
from pathlib import Path
from ratingbook.office.acts.setup import open_office
from ratingbook.office.store.ledger import Who
home = open_office(Path(sys.argv[1]))
from ratingbook.office.acts import jobs, receive, runs
who = Who("tina")
print("begun", flush=True)
for number in range(40):
    received, _ = receive.receive_all(home, [Path(sys.argv[2])], who, receive.Options())
    job = jobs.enqueue("run", {"pool": "standard", "until": "2026-04-01", "refresh": None}, who)
    made = jobs.do_now(home, job, who)
    runs.approve(made.run.id, who)
    done = runs.publish(home, made.run.id, who)
    print("published", done.seq, flush=True)
"""


@pytest.mark.slow
def test_kill_rounds(standard, tina, tmp_path):
    """SIGKILL at a random moment, five rounds: no acknowledged fact is lost, nothing half done."""
    path = write(tmp_path, "late.json", document("Late Open", "2026-02-10"))
    chance = random.Random(19)
    folder = standard.folder
    acknowledged = 0
    for turn in range(5):
        connections.close_all()
        worker = subprocess.Popen(
            [sys.executable, "-c", ROUND, str(folder), str(path)], stdout=subprocess.PIPE, text=True
        )
        assert worker.stdout is not None
        assert worker.stdout.readline() == "begun\n"
        if turn % 2:
            # Somewhere in the next publication, however slow the machine is.
            acknowledged = int(worker.stdout.readline().split()[1])
        time.sleep(chance.uniform(0.05, 1.5))
        os.kill(worker.pid, signal.SIGKILL)
        said = worker.communicate()[0]
        for line in said.splitlines():
            word, _, number = line.partition(" ")
            if word == "published" and number.isdigit():
                acknowledged = max(acknowledged, int(number))
        home = open_office(folder)
        m.Job.objects.filter(state="running").update(lease_until=0)
        jobs.take_up()
        jobs.work(once=True)
        pool = setup.pool_named("standard")
        assert pool.head >= acknowledged
        assert m.Publication.objects.count() == pool.head
        assert m.List.objects.count() == pool.head
        assert not [f for f in doctor.examine(home) if f.severity.refuses]
    made = runs.make(standard, "standard", date(2026, 4, 1), tina)
    assert made.run.report["players"] == 0 or pool.head == 0
    # The end is that of an office that nobody disturbed.
    done, findings = bundles.replay()
    assert all(each.is_equal for each in done)
    assert not findings.refused
    assert acknowledged > 0


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

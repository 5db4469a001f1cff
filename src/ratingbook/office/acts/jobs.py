"""Long work: a job with plan, progress, heartbeat, cancel and log, beside its row in the queue.

The queue hands tasks out; a worker that is killed leaves its task running for ever.  So each job
has a lease, which a thread extends: once it is over the job is waiting again, under the next
attempt, and whatever the worker of before still tries to write is refused.
"""

from __future__ import annotations

import logging
import os
import platform
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from typing import Any

from django.db import close_old_connections, connection, connections, transaction
from django_tasks import task
from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult

from ratingbook.model.sentences import packed, row_of, sentence, stated, unpacked
from ratingbook.office import home as homes
from ratingbook.office.acts import runs, webhooks
from ratingbook.office.acts.drafting import Work
from ratingbook.office.home import Home
from ratingbook.office.logic.stored import finding_of, stored
from ratingbook.office.logs import log
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.office.store.away import in_a_line, is_away
from ratingbook.office.store.ledger import Who, check_may
from ratingbook.office.store.models import Job, Run

LEASE = 30.0
"""Seconds after which a worker that is not heard of has lost its job."""
BEAT = 5.0
MOST_ATTEMPTS = 3
PATIENCE = 5.0
"""Seconds after which a worker asks again a database that does not answer."""
_LONGEST_FAULT = 300
"""Characters of a fault of ours that the log has."""
WAITING, RUNNING, DONE, FAILED, CANCELLED = "waiting", "running", "done", "failed", "cancelled"
_LOST = "lost"
"""The key of an answer that says how its workers were lost."""
_READY, _SUCCESSFUL, _FAILED = "READY", "SUCCESSFUL", "FAILED"
_SERVER = logging.getLogger("ratingbook")
"""What whoever runs the server reads."""


class LeaseLost(Exception):
    """Another worker has the job, or somebody cancelled it: nothing more is written."""


def database_time() -> float:
    """Seconds since 1970 by the clock of the database: workers may be on several machines."""
    query = (
        "SELECT (julianday('now') - 2440587.5) * 86400.0"
        if connection.vendor == "sqlite"
        else "SELECT EXTRACT(EPOCH FROM clock_timestamp())"
    )
    with connection.cursor() as cursor:
        cursor.execute(query)
        return float(cursor.fetchone()[0])


def enqueue(kind: str, plan: Mapping[str, Any], who: Who) -> int:
    """A job and its row in the queue, both or none; gives its number."""
    check_may(who, kind)
    if kind not in KINDS:
        raise refuse(
            "office.job",
            sentence("There is no work of the kind {kind!r}.", kind=kind),
            sentence("This is a fault of ours."),
        )
    with transaction.atomic():
        job = Job.objects.create(kind=kind, plan=dict(plan), actor=who.actor)
        result = perform.enqueue(job.id)
        Job.objects.filter(id=job.id).update(task=str(result.id))
    return job.id


@task()
def perform(job: int) -> dict[str, Any]:
    """Do a job: what the queue calls."""
    try:
        return _Doing(homes.current(), job).do()
    except OfficeRefused as error:
        why = " ".join(f"{each.message} [{each.code}]" for each in error.findings)
        _SERVER.warning("ratingbook: %s is refused: %s", _called(job), " ".join(why.split()))
        raise
    except LeaseLost as error:
        _SERVER.warning("ratingbook: %s is left: %s", _called(job), error)
        raise
    except Exception as error:
        if is_away(error):
            _SERVER.warning(
                "ratingbook: job %s broke off, and is tried again: %s", job, in_a_line(error)
            )
        raise


def _called(number: int) -> str:
    """A job and what it is to do, in words."""
    job = Job.objects.get(id=number)
    plan = job.plan
    if plan.get("refresh"):
        return f"job {number} ({job.kind} {plan['refresh']} made anew)"
    until = f" up to {plan['until']}" if plan.get("until") else ""
    return f"job {number} ({job.kind} of {plan['pool']}{until})"


def _is_fault(record: logging.LogRecord) -> bool:
    """Whether the queue tells of a fault of ours: others have their line, and no traceback."""
    error = record.exc_info[1] if record.exc_info else None
    return not (isinstance(error, OfficeRefused | LeaseLost) or is_away(error))


logging.getLogger("django_tasks").addFilter(_is_fault)


def do_now(home: Home, kind: str, plan: Mapping[str, Any], who: Who) -> tuple[int, runs.Made]:
    """A job that is done in this process, under its lease; gives its number and what it made.

    It is claimed with the act that makes it, so that no worker takes it.
    """
    with transaction.atomic():
        number = enqueue(kind, plan, who)
        row = DBTaskResult.objects.get(id=Job.objects.get(id=number).task)
        row.claim(worker_name())
    doing = _Doing(home, number, is_queued=False)
    try:
        doing.do()
    except LeaseLost as lost:
        row.set_failed(lost)
        raise refuse(
            "office.job-taken",
            sentence(
                "Job {number} went on no further: somebody cancelled it, or this process was not "
                "heard of for {n} seconds.",
                number=number, n=int(LEASE),
            ),
            "`ratingbook office jobs` says how it ended.",
        ) from None  # fmt: skip
    except BaseException as error:
        row.set_failed(error)
        raise
    row.set_successful(doing.answer)
    assert doing.made is not None
    return number, doing.made


def worker_name() -> str:
    """Who works: machine and process, as people find them."""
    return f"{platform.node()}:{os.getpid()}:{threading.get_ident() % 10_000}"[:64]


class _Doing:
    """A job under its lease."""

    def __init__(self, home: Home, number: int, *, is_queued: bool = True) -> None:
        self.home, self.number, self.is_queued = home, number, is_queued
        self.made: runs.Made | None = None
        self.answer: dict[str, Any] = {}
        self._ended = threading.Event()

    def do(self) -> dict[str, Any]:
        """Take the lease, work, and say how it ended."""
        self._take()
        beating = threading.Thread(target=self._beat, daemon=True)
        beating.start()
        try:
            job = Job.objects.get(id=self.number)
            self.answer = KINDS[job.kind](self, job)
            with self.fence():
                self._note(state=DONE, answer=self.answer)
            log("job", job=self.number, kind=job.kind, attempt=self.attempt, state=DONE)
            return self.answer
        except LeaseLost:
            self._log(sentence("the lease is lost, or somebody cancelled"))
            Job.objects.filter(id=self.number, attempt=self.attempt, cancel_wanted=True).update(
                state=CANCELLED
            )
            raise
        except OfficeRefused as error:
            said = row_of((each.message for each in error.findings), " ")
            codes = [each.code for each in error.findings]
            answer = {"findings": [stored(each) for each in error.findings]}
            self._end(FAILED, answer, said, codes)
            raise
        except Exception as error:
            # Of the queue it is tried again by itself: its lease runs out, and it waits.
            if not (self.is_queued and is_away(error)):
                fault = f"{type(error).__name__}: {error}"
                self._end(FAILED, {"error": fault}, fault[:_LONGEST_FAULT], [type(error).__name__])
            raise
        finally:
            self._ended.set()
            beating.join()

    def _take(self) -> None:
        with transaction.atomic():
            job = Job.objects.select_for_update().get(id=self.number)
            if job.cancel_wanted:
                Job.objects.filter(id=job.id).update(state=CANCELLED)
                raise LeaseLost("cancelled before it began")
            if job.state in (DONE, FAILED, CANCELLED):
                raise LeaseLost(f"it is {job.state}")
            if job.state == RUNNING and job.lease_until > database_time():
                raise LeaseLost("another worker has it")
            job.attempt += 1
            job.state, job.worker = RUNNING, worker_name()
            job.lease_until = database_time() + LEASE
            job.log = [
                *job.log,
                _line(sentence("attempt {n} by {worker}", n=job.attempt, worker=job.worker)),
            ]
            job.save()
            self.attempt = job.attempt

    @contextmanager
    def fence(self) -> Iterator[None]:
        """A transaction that is only for the worker that has the lease."""
        with transaction.atomic():
            mine = Job.objects.filter(
                id=self.number, attempt=self.attempt, state=RUNNING, cancel_wanted=False
            ).update(lease_until=database_time() + LEASE)
            if not mine:
                raise LeaseLost("another worker has the job, or it is cancelled")
            yield

    def progress(self, done: int, total: int, note: str) -> None:
        """How far the work is, for whoever looks."""
        with self.fence():
            self._note(done=done, total=total, note=note)

    def _note(self, **values: Any) -> None:
        Job.objects.filter(id=self.number, attempt=self.attempt).update(**values)

    def _log(self, text: str) -> None:
        job = Job.objects.filter(id=self.number).first()
        if job is not None:
            Job.objects.filter(id=self.number).update(log=[*job.log, _line(text)])

    def _end(self, state: str, answer: dict[str, Any], why: str, codes: Sequence[str]) -> None:
        self._log(row_of((stated(state), why), ": "))
        log("job", job=self.number, attempt=self.attempt, state=state, findings=codes)
        self._note(state=state, answer=answer)

    def _beat(self) -> None:
        """Extend the lease while the work goes on, by a connection of its own."""
        mine = Job.objects.filter(id=self.number, attempt=self.attempt, state=RUNNING)
        try:
            while not self._ended.wait(BEAT):
                try:
                    mine.update(lease_until=database_time() + LEASE)
                except Exception as error:
                    if not is_away(error):
                        raise
                    connection.close()
        finally:
            connection.close()


def _line(text: str) -> Any:
    """A line of the log for JSON, which can be told in any language."""
    return packed(row_of((f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC", text), " "))


def log_of(job: Job) -> list[str]:
    """What was done with a job, line by line."""
    return [unpacked(each) for each in job.log]


def why_failed(job: Job) -> str:
    """What a job was refused for, its fault, or that its workers were lost; else nothing."""
    if job.state != FAILED:
        return ""
    found = [finding_of(each).message for each in job.answer.get("findings", ())]
    if not found and _LOST in job.answer:
        found = [unpacked(job.answer[_LOST])]
    return row_of(found, " ") if found else str(job.answer.get("error", ""))


def told(job: Job) -> dict[str, Any]:
    """A job as programs are told of it: all that is said in it as text."""
    said: dict[str, Any] = {each.attname: getattr(job, each.attname) for each in Job._meta.fields}
    answer = {key: value for key, value in job.answer.items() if key != _LOST}
    if "findings" in answer:
        answer["findings"] = [finding_of(each).as_dict() for each in answer["findings"]]
    return {**said, "answer": answer, "log": log_of(job), "why": why_failed(job)}


def _run(doing: _Doing, job: Job) -> dict[str, Any]:
    """Make a run, or refresh one; what an attempt before left behind is discarded."""
    for number in job.answer.get("drafts", []):
        runs.discard_run(runs.run_named(number))
    who, plan = Who(job.actor), job.plan
    work = Work(doing.progress, doing.fence, lambda number: _remember(doing, number))
    if plan.get("refresh"):
        made = runs.refresh(doing.home, plan["refresh"], who, work)
    else:
        until = date.fromisoformat(plan["until"]) if plan.get("until") else None
        made = runs.make(doing.home, plan["pool"], until, who, work)
    doing.made = made
    return {"run": made.run.id, "findings": [stored(each) for each in made.findings]}


def _remember(doing: _Doing, run: int) -> None:
    """Which draft the job made, so that the next attempt can discard it."""
    with doing.fence():
        Job.objects.filter(id=doing.number).update(answer={"drafts": [run]})


KINDS: Mapping[str, Callable[[_Doing, Job], dict[str, Any]]] = {"run": _run}


def take_up() -> int:
    """Jobs whose lease is over wait again, at most three times; gives how many there were."""
    count = 0
    with transaction.atomic():
        now = database_time()
        for job in Job.objects.select_for_update().filter(state=RUNNING, lease_until__lt=now):
            count += 1
            row = DBTaskResult.objects.filter(id=job.task)
            if job.attempt >= MOST_ATTEMPTS or job.cancel_wanted:
                job.state = CANCELLED if job.cancel_wanted else FAILED
                lost = sentence(
                    "lost {n} workers; last: {note}", n=job.attempt, note=stated(job.note)
                )
                job.log = [*job.log, _line(lost)]
                job.answer = {**job.answer, _LOST: packed(lost)}
                row.update(status=_FAILED, finished_at=datetime.now(UTC))
                for number in job.answer.get("drafts", []):
                    runs.discard_run(Run.objects.get(id=number))
            else:
                job.state = WAITING
                job.log = [
                    *job.log,
                    _line(sentence("{worker} was not heard of; waits again", worker=job.worker)),
                ]
                row.update(status=_READY, started_at=None)
            job.save()
    return count


def work(*, once: bool = False, interval: float = 1.0) -> int:
    """Do what waits, one job after the other, and tell webhooks; ``once`` ends when nothing does.

    Gives the number of jobs done.  SIGTERM lets the job at hand come to its end.  While the
    database does not answer, or the disk is full, it waits, unless ``once``.
    """
    worker = Worker(
        queue_names=["*"], interval=0.0, batch=True, backend_name="default", startup_delay=False,
        max_tasks=None, worker_id=worker_name(), excluded_queue_names=[],
    )  # fmt: skip
    if threading.current_thread() is threading.main_thread():
        worker.configure_signals()
    looked, is_waiting = 0.0, False
    try:
        while worker.running:
            try:
                if time.monotonic() - looked > BEAT or not looked:
                    take_up()
                    looked = time.monotonic()
                worker.run()
                webhooks.work(homes.current())
            except Exception as error:
                if once or not is_away(error):
                    raise
                if not is_waiting:
                    _SERVER.warning(
                        "ratingbook: the worker waits, and tries again every %.0f seconds: %s",
                        PATIENCE, in_a_line(error),
                    )  # fmt: skip
                is_waiting = True
                connections.close_all()
                time.sleep(PATIENCE)
                continue
            if is_waiting:
                _SERVER.warning("ratingbook: the worker goes on")
                is_waiting = False
            if once:
                break
            close_old_connections()
            time.sleep(interval)
    finally:
        if threading.current_thread() is threading.main_thread():
            worker.reset_signals()
    return worker._run_tasks


def cancel(number: int, who: Who) -> str:
    """Ask a job to end; a waiting one never begins. Gives its state."""
    check_may(who, "run")
    with transaction.atomic():
        job = Job.objects.select_for_update().filter(id=number).first()
        if job is None:
            raise refuse(
                "office.no-job",
                sentence("There is no job {number}.", number=number),
                "`ratingbook office jobs`.",
            )
        if job.state in (DONE, FAILED, CANCELLED):
            raise refuse(
                "office.job-ended",
                sentence("Job {number} is {state}.", number=number, state=stated(job.state)),
                sentence("Nothing is to do."),
            )
        job.cancel_wanted = True
        job.log = [*job.log, _line(sentence("{who} asked that it end", who=who.actor))]
        if job.state == WAITING:
            job.state = CANCELLED
            DBTaskResult.objects.filter(id=job.task).update(
                status=_FAILED, finished_at=datetime.now(UTC)
            )
        job.save()
    return job.state

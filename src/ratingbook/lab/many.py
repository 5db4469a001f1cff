"""The same done many times over, on the cores of this machine or on Spark."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from typing import Any, TypeVar

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Made = TypeVar("Made")

_held: list[Any] = []
"""In a process of a pool: what all its tasks have in common."""


def done(
    run: Callable[[Shared, Task], Made],
    shared: Shared,
    tasks: Sequence[Task],
    *,
    jobs: int = 1,
    master: str | None = None,
) -> Iterator[tuple[int, Made]]:
    """What ``run`` makes of each of the tasks, with its number, as they are done.

    ``jobs`` are the processes among which they are divided, ``master`` is the address of a Spark
    master whose workers do them instead.  ``shared`` goes to each process once.  Raises
    ``HistoryRefused`` where there is no cluster.
    """
    if not tasks:
        return
    if master is not None:
        yield from _on_cluster(run, shared, tasks, master)
        return
    if jobs == 1:
        for number, task in enumerate(tasks):
            yield number, run(shared, task)
        return
    # The first one alone: it leaves the compiled loops in the cache for all others.
    yield 0, run(shared, tasks[0])
    own = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        min(jobs, len(tasks)), mp_context=own, initializer=_begin, initargs=(shared,)
    ) as pool:
        running = {
            pool.submit(_run, run, task): number for number, task in enumerate(tasks[1:], start=1)
        }
        for each in as_completed(running):
            yield running[each], each.result()


def _begin(shared: Any) -> None:
    _held[:] = [shared]


def _run(run: Callable[[Any, Any], Any], task: Any) -> Any:
    return run(_held[0], task)


def _on_cluster(
    run: Callable[[Shared, Task], Made], shared: Shared, tasks: Sequence[Task], master: str
) -> Iterator[tuple[int, Made]]:
    """On Spark, a job for each task."""
    from ratingbook.engine.spark.session import cluster, told

    with cluster(master) as ready, told():
        # As above: workers on this machine find the loops compiled.
        yield 0, run(shared, tasks[0])
        sent = ready.context.broadcast(shared)
        for number, made in ready.finished(partial(_run_all, run, sent), tasks[1:]):
            yield number + 1, made


def _run_all(run: Callable[[Any, Any], Any], sent: Any, tasks: Iterable[Any]) -> Iterator[Any]:
    return (run(sent.value, task) for task in tasks)

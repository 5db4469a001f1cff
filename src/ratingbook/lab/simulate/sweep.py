"""The same world under many settings, several times each, on the cores of this machine or Spark."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from ratingbook.lab.many import done
from ratingbook.lab.reform import one_edition
from ratingbook.lab.simulate.measures import Summary, summary
from ratingbook.lab.simulate.run import simulate
from ratingbook.lab.simulate.scenario import Scenario
from ratingbook.rules import registry

_T_975 = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
"""Student's t that 97.5 % are below, by the degrees of freedom from 1 on."""


class Task(NamedTuple):
    """One run: all that another process needs to know."""

    rulebook: str
    settings: tuple[tuple[str, str], ...]
    world: Scenario
    seed: int
    compiled: bool | None


class Measured(NamedTuple):
    """A mean over the seeds, and how far from it the true mean lies in 95 of 100 cases."""

    mean: float
    within: float
    """NaN with one seed."""


@dataclass(frozen=True)
class Setting:
    """What some settings came to."""

    settings: Mapping[str, str]
    numbers: Mapping[str, Measured]
    """By the names of :class:`Summary`."""
    against_first: Mapping[str, Measured]
    """The same less that of the first settings, seed by seed: the same people both times."""


def grid(over: Mapping[str, Sequence[str]]) -> Iterator[Mapping[str, str]]:
    """Each value of each parameter with each of the others."""
    for values in product(*over.values()):
        yield dict(zip(over, values, strict=True))


def run_task(_: None, task: Task) -> Summary:
    """One run, in whatever process."""
    made = simulate(
        task.rulebook, task.world, seed=task.seed, settings=dict(task.settings),
        compiled=task.compiled,
    )  # fmt: skip
    return summary(made)


def sweep(
    rulebook: str,
    settings: Sequence[Mapping[str, str]],
    world: Scenario,
    *,
    seeds: Sequence[int] = (1,),
    jobs: int = 1,
    master: str | None = None,
    compiled: bool | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Sequence[Setting]:
    """Simulate a world under each of the settings, with each seed.

    The results do not depend on ``jobs``, the processes among which the runs are divided, nor on
    ``master``, the address of a Spark master whose workers do them.  Raises what
    :func:`~ratingbook.lab.simulate.run.simulate` raises, and ``HistoryRefused`` where there is no
    cluster.
    """
    book = one_edition(registry.load(rulebook))
    for each in settings:
        book.with_parameters(each)
    tasks = [
        Task(rulebook, tuple(each.items()), world, seed, compiled)
        for each in settings
        for seed in seeds
    ]
    found: dict[int, Summary] = {}
    for number, made in done(run_task, None, tasks, jobs=jobs, master=master):
        found[number] = made
        if progress is not None:
            progress(len(found), len(tasks))
    numbers = np.array([[*vars(found[number]).values()] for number in range(len(tasks))], float)
    numbers = numbers.reshape(len(settings), len(seeds), -1)
    return tuple(
        Setting(each, _measured(mine), _measured(mine - numbers[0]))
        for each, mine in zip(settings, numbers, strict=True)
    )


def _measured(runs: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> Mapping[str, Measured]:
    made = {}
    for each, values in zip(fields(Summary), runs.T, strict=True):
        made[each.name] = measured(values)
    return made


def measured(values: np.ndarray[Any, np.dtype[np.float64]]) -> Measured:
    """The mean of several runs, and how sure it is."""
    count = len(values)
    within = float("nan")
    if count > 1:
        t = _T_975[min(count - 1, len(_T_975)) - 1]
        within = float(t * values.std(ddof=1) / math.sqrt(count))
    return Measured(float(values.mean()), within)

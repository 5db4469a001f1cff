"""What is fed of a pool once contents of corrections hold: of what is published of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ratingbook.office.acts import amendments
from ratingbook.office.acts.reasons import sections_told
from ratingbook.office.acts.snapshots import read_sections
from ratingbook.office.engine.fed import Fed
from ratingbook.office.engine.rules import Rules
from ratingbook.office.logic.corrections import Content
from ratingbook.office.logic.feeding import Basis, Raw, feed
from ratingbook.office.store import models as m


def accepted_since(run: m.Run, upto: int) -> list[int]:
    """The corrections that were accepted up to a fact, and are in no run yet."""
    since = m.Reached.objects.filter(fact__gt=run.upto, fact__lte=upto)
    return list(since.values_list("correction", flat=True))


def sections_of(run: m.Run) -> frozenset[int]:
    """Those that a run has rated."""
    return frozenset(m.RunSection.objects.filter(run=run).values_list("section", flat=True))


def as_published(raw: Raw, run: m.Run, own: Collection[int], accepted: Collection[int]) -> Raw:
    """The facts of a pool as known at a fact, but for reports of which a run has nothing.

    What was received since is nobody's to see before it is published, and no correction makes
    anything of it.  ``own`` are the sections of the run; what corrections have let in that are
    ``accepted`` since counts.
    """
    others = set(raw.sections["number"].to_pylist()).difference(own)
    if not others:
        return raw
    rated = m.RunSection.objects.filter(run=run).values("section")
    known = m.Section.objects.filter(id__in=rated).values("version__report")
    mended = m.Section.objects.filter(id__in=others, version__report__in=known)
    some = m.Correction.objects.filter(id__in=accepted) if accepted else ()
    let_in = sections_told(each for one in some for each in one.contents)
    waiting = others - set(mended.values_list("id", flat=True)) - let_in
    return raw.without(waiting) if waiting else raw


def fed_with(
    contents: Sequence[Content], pool: m.Pool, rules: Rules, raw: Raw, upto: int
) -> tuple[amendments.Tried, Fed]:
    """What contents make of the facts up to one of them, and what is fed by that."""
    trial = amendments.tried(contents, pool, rules, upto)
    return trial, fed_by(trial, pool, raw, upto)


def fed_by(
    trial: amendments.Tried, pool: m.Pool, raw: Raw, upto: int, basis: Basis | None = None
) -> Fed:
    """What is fed of the facts up to one of them by a trial."""
    known = set(raw.sections["number"].to_pylist())
    if also := trial.also - known:
        raw = raw.joined(read_sections(sorted(also), pool.id, upto))
    return feed(raw, trial.merged, trial.overlay, basis)

"""What is fed of a pool once contents of corrections hold: of what is published of it."""

from __future__ import annotations

from collections.abc import Sequence

from ratingbook.office.acts import amendments
from ratingbook.office.acts.reasons import sections_told
from ratingbook.office.acts.snapshots import read_sections
from ratingbook.office.engine.fed import Fed
from ratingbook.office.engine.rules import Rules
from ratingbook.office.logic.corrections import Content
from ratingbook.office.logic.feeding import Basis, Raw, feed
from ratingbook.office.store import models as m


def as_published(raw: Raw, run: m.Run, upto: int) -> Raw:
    """The facts of a pool as known at a fact, but for reports of which a run has nothing.

    What was received since is nobody's to see before it is published, and no correction makes
    anything of it.  What accepted corrections have let in counts.
    """
    own = m.RunSection.objects.filter(run=run).values("section")
    others = set(raw.sections["number"].to_pylist()) - set(own.values_list("section", flat=True))
    if not others:
        return raw
    known = m.Section.objects.filter(id__in=own).values("version__report")
    mended = m.Section.objects.filter(id__in=others, version__report__in=known)
    accepted = m.Correction.objects.filter(
        reached__fact__gt=run.upto, reached__fact__lte=upto
    ).distinct()  # fmt: skip
    let_in = sections_told(each for one in accepted for each in one.contents)
    waiting = others - set(mended.values_list("id", flat=True)) - let_in
    return raw.without(waiting) if waiting else raw


def fed_with(
    contents: Sequence[Content], pool: m.Pool, rules: Rules, raw: Raw, upto: int,
    basis: Basis | None = None,
) -> tuple[amendments.Tried, Fed]:  # fmt: skip
    """What contents make of the facts up to one of them, and what is fed by that."""
    trial = amendments.tried(contents, pool, rules, upto)
    known = set(raw.sections["number"].to_pylist())
    if also := trial.also - known:
        raw = raw.joined(read_sections(sorted(also), pool.id, upto))
    return trial, feed(raw, trial.merged, trial.overlay, basis)

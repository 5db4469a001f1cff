"""What is fed of a pool once contents of corrections hold."""

from __future__ import annotations

from collections.abc import Sequence

from ratingbook.office.acts import amendments
from ratingbook.office.acts.snapshots import read_sections
from ratingbook.office.engine.fed import Fed
from ratingbook.office.engine.rules import Rules
from ratingbook.office.logic.corrections import Content
from ratingbook.office.logic.feeding import Basis, Raw, feed
from ratingbook.office.store import models as m


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

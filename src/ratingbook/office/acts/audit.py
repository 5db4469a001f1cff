"""Acts that are no facts: who exported, restored or was refused what."""

from __future__ import annotations

import getpass
import json
import platform

from ratingbook.model.sentences import Sentence, packed, unpacked
from ratingbook.office.store.ledger import Who
from ratingbook.office.store.models import Audit

_PACKED = '["'
"""How an outcome begins that can be told in any language: its pattern is the first of a list."""


def note(who: Who, act: str, subject: str, outcome: str) -> None:
    """Enter an act; with the user of the system, since anyone at a shell may say --as."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = ""
    Audit.objects.create(
        at=who.now(), actor=who.actor, os_user=user, host=platform.node(), act=act,
        subject=subject, outcome=_kept(outcome),
    )  # fmt: skip


def _kept(outcome: str) -> str:
    if isinstance(outcome, Sentence):
        return json.dumps(packed(outcome), ensure_ascii=False)
    return outcome


def outcome_of(one: Audit) -> str:
    """How an act ended."""
    return unpacked(json.loads(one.outcome)) if one.outcome.startswith(_PACKED) else one.outcome

"""Acts that are no facts: who exported, restored or was refused what."""

from __future__ import annotations

import getpass
import platform

from ratingbook.office.store.ledger import Who
from ratingbook.office.store.models import Audit


def note(who: Who, act: str, subject: str, outcome: str) -> None:
    """Enter an act; with the user of the system, since anyone at a shell may say --as."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = ""
    Audit.objects.create(
        at=who.now(), actor=who.actor, os_user=user, host=platform.node(), act=act,
        subject=subject, outcome=outcome,
    )  # fmt: skip

"""What goes out and comes in, step by step: each step is a fact."""

from __future__ import annotations

from datetime import date
from typing import Any

from ratingbook.office.store import models as m
from ratingbook.office.store.ledger import Act

SENT, ANSWERED, REFUSED, RECEIVED, SETTLED = "sent", "answered", "refused", "received", "settled"
LIST = "list"
"""The form of a list that comes in."""


def step(
    act: Act, direction: str, partner: str, form: str, subject: str, state: str,
    due: date | None = None, evidence: list[str] | None = None, reason: str = "",
    payload: dict[str, Any] | None = None,
) -> int:  # fmt: skip
    """Note how far something is; gives the fact."""
    kind, _, number = subject.partition(":")
    fact = act.fact(
        "sending", ("partner", partner), (kind, number), reason=reason, evidence=evidence or (),
        payload={"direction": direction, "partner": partner, "form": form, "subject": subject,
                 "state": state, **(payload or {})},
    )  # fmt: skip
    key = {"direction": direction, "partner": partner, "form": form, "subject": subject}
    one = m.Sending.objects.filter(**key).first()
    if one is None:
        one = m.Sending.objects.create(**key, due=due, made_by=fact)
    m.SendingStep.objects.create(fact=fact, sending=one, state=state)
    return fact

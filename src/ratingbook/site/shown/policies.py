"""What pools do, in the words of the reader; the code that is typed in stands beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ratingbook.office.acts import setup
from ratingbook.office.store.models import Pool
from ratingbook.rules import registry
from ratingbook.site.languages import SPOKEN, localised
from ratingbook.site.templatetags.written import register_called

TITLES: Mapping[str, str | Promise] = {
    "approvals": gettext_lazy("Approvals of a run"),
    "four_eyes": gettext_lazy("Four eyes"),
    "decimals": gettext_lazy("Decimals"),
    "unidentified": gettext_lazy("Entries that nobody knows"),
    "assume": gettext_lazy("Rating that is assumed"),
    "marks": gettext_lazy("Marks"),
    "corrections": gettext_lazy("Corrections"),
    "revise": gettext_lazy("Revisions of lists"),
    "correction_approvals": gettext_lazy("Approvals of a correction"),
    "correction_days": gettext_lazy("Days for requests"),
    "answer_days": gettext_lazy("Days for decisions"),
    "sends": gettext_lazy("Reports that go out"),
    "receives": gettext_lazy("Lists that come in"),
    "check_digits": gettext_lazy("Check digits"),
    "reads": gettext_lazy("Pools that are read"),
    "lists": gettext_lazy("Lists"),
}
"""What each policy is called."""
WORDS: Mapping[str, str | Promise] = {
    "yes": gettext_lazy("yes"), "no": gettext_lazy("no"),
    "hold_section": gettext_lazy("the section waits"),
    "leave_out_games": gettext_lazy("their games are left out"),
    "rerate": gettext_lazy("what follows is rated again"),
    "next_list": gettext_lazy("only the next list is another"),
    "affected": gettext_lazy("all lists whose numbers change"),
    "latest": gettext_lazy("the newest list"), "none": gettext_lazy("no list"),
    "with_run": gettext_lazy("each run brings its list"),
    "by_hand": gettext_lazy("an officer makes them"),
}  # fmt: skip
"""What a policy says that is one of a few words."""


@dataclass(frozen=True)
class PolicyShown:
    """A policy of a pool."""

    key: str
    title: str | Promise
    is_: str | Promise
    code: str
    """How the value is typed in, where that is no word of people."""
    says: str
    choices: tuple[tuple[str, str | Promise], ...]
    """Where it is one of a few words: each with what it means."""


def rulebooks() -> list[str]:
    """What a pool can go by: the series first, which take turns, then the editions."""
    return [*registry.families(), *registry.names()]


def policies(pool: Pool) -> list[PolicyShown]:
    """All policies of a pool."""
    return [
        _shown(key, setup.policy(pool, key), read, says)
        for key, (_, read, says) in setup.POLICIES.items()
    ]


def _shown(key: str, value: Any, read: Any, says: str) -> PolicyShown:
    choices = read.words if isinstance(read, setup.OneOf) else ()
    code, words = value if choices else "", WORDS[value] if choices else _said(key, value)
    return PolicyShown(
        key, TITLES[key], words, code, SPOKEN.told(says),
        tuple((each, WORDS[each]) for each in choices),
    )  # fmt: skip


def _said(key: str, value: Any) -> str:
    """A value as people say it."""
    if value is None or value in ([], {}):
        return "–"
    if key == "sends":
        return _row(
            _("to {partner} as {form} within {n} days").format(
                partner=register_called(partner), form=form, n=days
            )
            for partner, form, days in value
        )
    if key == "receives":
        return _row(
            _("from {partner}, missed after {n} days").format(
                partner=register_called(partner), n=days
            )
            for partner, days in value
        )
    if key == "check_digits":
        return _row(f"{register_called(name)}: {kind}" for name, kind in value.items())
    if key == "reads":
        return _("all of its federation") if value == setup.ALL else _row(value)
    values: Sequence[float] = value if isinstance(value, list) else [value]
    return _row(localised(f"{each:.10g}") for each in values)


def _row(texts: Any) -> str:
    return "; ".join(texts)

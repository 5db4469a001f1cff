"""Tokens by which programs act for people: made once, kept as hashes, never written anywhere."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratingbook.model.sentences import sentence
from ratingbook.office.acts.audit import note
from ratingbook.office.limits import LABEL, refuse_long
from ratingbook.office.refused import refuse
from ratingbook.office.store.ledger import SYSTEM, Who
from ratingbook.rules.wording import counted
from ratingbook.site.models import Token

READS, REPORT, OFFICER = "read", "report", "officer"
SCOPES = {
    READS: _("read the reports that you sent, and their state"),
    REPORT: _("send reports, and read their state"),
    OFFICER: _("read the desk of the office"),
}
"""What a token may do, beside what everybody may; never more than the roles of its owner."""
_FOR = {
    READS: {"director", "officer", "admin"}, REPORT: {"director", "officer", "admin"},
    OFFICER: {"officer", "admin"},
}  # fmt: skip
"""Whose roles a scope gives anything to; what everybody may read needs no token."""
PREFIX = "rb_"
USUAL_DAYS, MOST_DAYS = 90, 366
_MOST = 20
_BYTES = 32
_KEPT = "_token"


def offered(roles: Collection[str]) -> dict[str, Any]:
    """The scopes that somebody with these roles can choose of."""
    return {key: words for key, words in SCOPES.items() if _FOR[key] & set(roles)}


def token_of(request: HttpRequest) -> Token | None:
    """The token of a request that holds now; looked up once."""
    kept = vars(request)
    if _KEPT not in kept:
        scheme, _, given = request.headers.get("Authorization", "").partition(" ")
        kept[_KEPT] = _found(given.strip()) if scheme.casefold() == "bearer" else None
    found: Token | None = kept[_KEPT]
    return found


def _found(given: str) -> Token | None:
    now = datetime.now(UTC)
    found = (
        Token.objects.filter(sha256=_hash(given), revoked__isnull=True, until__gt=now)
        .select_related("user")
        .filter(user__is_active=True)
        .first()
    )
    if found is not None and found.used != now.date():
        Token.objects.filter(id=found.id).update(used=now.date())
    return found


def _hash(given: str) -> str:
    # 256 bits of chance: to try them out takes no less for a quick hash.
    return hashlib.sha256(given.encode("utf-8", "surrogateescape")).hexdigest()


def make(user: Any, name: str, scopes: Iterable[str], days: int, who: Who) -> str:
    """A new token, which nobody sees again."""
    chosen = [each for each in SCOPES if each in set(scopes)]
    refuse_long(name, LABEL, sentence("The name"))
    if not name or not chosen or not 1 <= days <= MOST_DAYS:
        raise refuse(
            "site.token",
            gettext("A token has a name, a scope, and an end."),
            gettext("Say what it is for, choose what it may do, and at most {days} days.").format(
                days=MOST_DAYS
            ),
        )
    if len(tokens_of(user)) >= _MOST:
        raise refuse(
            "site.tokens",
            gettext("You have {most} tokens.").format(most=_MOST),
            gettext("Revoke those that are not used."),
        )
    given = PREFIX + secrets.token_urlsafe(_BYTES)
    now = datetime.now(UTC)
    one = Token.objects.create(
        user=user, name=name, scopes=chosen, sha256=_hash(given), made=now,
        until=now + timedelta(days=days),
    )  # fmt: skip
    note(
        who,
        "token",
        f"token {one.id}",
        sentence("made for {scopes}, {days}", scopes=", ".join(chosen), days=counted(days, "day")),
    )
    return given


def tokens_of(user: Any) -> list[Token]:
    """The tokens of an account that hold, the newest first."""
    found = Token.objects.filter(user=user, revoked__isnull=True, until__gt=datetime.now(UTC))
    return list(found.order_by("-id"))


def revoke_all(user: Any, why: str) -> None:
    """Let no token of an account be one any more."""
    mine = Token.objects.filter(user=user, revoked__isnull=True, until__gt=datetime.now(UTC))
    numbers = list(mine.values_list("id", flat=True))
    Token.objects.filter(id__in=numbers).update(revoked=datetime.now(UTC))
    for each in numbers:
        note(Who(SYSTEM), "token", f"token {each}", sentence("revoked: {why}", why=why))


def revoke(user: Any, number: int, who: Who) -> None:
    """Let a token be one no more."""
    mine = Token.objects.filter(id=number, user=user, revoked__isnull=True)
    if not mine.update(revoked=datetime.now(UTC)):
        raise refuse(
            "office.no-token",
            gettext("There is no such token."),
            gettext("Look at the list of yours."),
        )
    note(who, "token", f"token {number}", sentence("revoked"))

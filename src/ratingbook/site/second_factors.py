"""A second factor is taken away from an account whose app, passkeys and codes are lost."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction
from django.utils.translation import gettext

from ratingbook.desk.language import Language
from ratingbook.model import Findings
from ratingbook.model.sentences import sentence
from ratingbook.office.acts.audit import note
from ratingbook.office.acts.notices import write_at_once
from ratingbook.office.acts.people import canonical
from ratingbook.office.home import current
from ratingbook.office.refused import refuse
from ratingbook.office.store.ledger import Who, check_may
from ratingbook.office.store.models import Actor
from ratingbook.site.accounts import end_sessions, second_factors, user_named
from ratingbook.site.letters import speaking
from ratingbook.site.models import Account
from ratingbook.site.tokens import revoke_all


def forget(name: str, who: Who) -> Findings:
    """Let somebody sign in by the password alone who has lost all second factors.

    Sessions and tokens are over, and roles that need a second factor wait for a new one.
    """
    from allauth.mfa.models import Authenticator

    check_may(who, "actors")
    user = user_named(name)
    with transaction.atomic():
        # Recovery codes go along: they are the way back to what is gone.
        if not second_factors().filter(user=user).exists():
            raise refuse(
                "site.nothing-to-forget",
                gettext("{name} has no second factor.").format(name=name),
                gettext("Nothing is to do."),
            )
        Authenticator.objects.filter(user=user).delete()
        end_sessions(user)
        revoke_all(user, sentence("the second factor is taken away"))
        note(who, "second factor", f"account {name}", sentence("taken away"))
    actor = Account.objects.filter(user=user).values_list("actor", flat=True).first()
    home = current()
    return write_at_once(home, _whose(actor), _told(who), speaking(home))


def _whose(actor: str | None) -> list[str]:
    """As whom the office may have the address of an actor: as itself, and as a person."""
    people = Actor.objects.filter(name=actor, person__isnull=False)
    numbers = people.values_list("person", flat=True)
    return [f"actor:{actor}", *(f"person:{canonical(each)}" for each in numbers if each)]


def _told(who: Who) -> Callable[[Language], tuple[str, str]]:
    def told(language: Language) -> tuple[str, str]:
        say = language.gettext
        title = say("The second factor of your account is taken away")
        text = say(
            "{actor} has taken away the second factor of your account, and all sessions and tokens "
            "of it are over. You sign in by your password alone now; please set up a second factor "
            "again. If you have not asked for it, tell the office at once."
        )
        return title, text.format(actor=who.actor)

    return told

"""How the office writes to somebody: in the language of their account, with links to its site."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from django.conf import settings
from django.urls import reverse
from django.utils import translation

from ratingbook.desk.language import Language
from ratingbook.office.acts.notices import Leading, by_command
from ratingbook.office.acts.people import canonical
from ratingbook.office.home import CONFIG, Home
from ratingbook.office.refused import refuse
from ratingbook.office.store.models import Actor
from ratingbook.site.languages import PLAIN, SPOKEN
from ratingbook.site.models import Account
from ratingbook.site.opening import address_of


def speaking(home: Home) -> Callable[[str], AbstractContextManager[Language]]:
    """What gives the language of ``person:17`` or ``actor:tina``."""
    usual = home.language or PLAIN
    if usual not in dict(settings.LANGUAGES):
        raise refuse(
            "office.settings",
            f"{home.folder / CONFIG} names the language {usual!r}, which is none here.",
            f"Write one of {', '.join(dict(settings.LANGUAGES))} as its language.",
        )
    known = _chosen()

    @contextmanager
    def spoken(whose: str) -> Iterator[Language]:
        with translation.override(known.get(whose, usual)):
            yield SPOKEN

    return spoken


def leading(home: Home) -> Leading:
    """What gives the pages that a mail leads to; commands, where nobody said where the site is."""
    site = address_of(home)
    routes = {"correction": "correction", "stop": "stop_mails"}
    if not site:
        return by_command
    return lambda what, which: f"{site}{reverse(routes[what], args=[which])}"


def _chosen() -> dict[str, str]:
    """What the accounts have chosen, by the actors and the persons that they are."""
    by_actor = {
        account.actor: account.language
        for account in Account.objects.exclude(language="")
        if account.language in dict(settings.LANGUAGES)
    }
    found = {f"actor:{name}": code for name, code in by_actor.items()}
    for actor in Actor.objects.filter(name__in=by_actor):
        if actor.person is not None:
            found[f"person:{canonical(actor.person)}"] = by_actor[actor.name]
    return found

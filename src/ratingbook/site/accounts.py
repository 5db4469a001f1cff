"""Who reads a page, and the accounts by which people sign in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratingbook import __version__
from ratingbook.model import Finding, Findings, Severity
from ratingbook.model.sentences import sentence
from ratingbook.office.acts.audit import note
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.office.store.ledger import SYSTEM, Who, check_may
from ratingbook.office.store.models import Actor
from ratingbook.site.languages import IN_SESSION
from ratingbook.site.models import Account
from ratingbook.site.problems import is_of_api
from ratingbook.site.tokens import revoke_all, token_of

ORIGIN = f"site {__version__}"


@dataclass(frozen=True)
class Reader:
    """Who asks for a page; nobody in particular has no name."""

    name: str = ""
    actor: str = ""
    roles: frozenset[str] = frozenset()
    person: int | None = None
    waiting: frozenset[str] = frozenset()
    """Roles that are given and do not count yet: their account has no second factor."""

    @property
    def is_known(self) -> bool:
        """Whether somebody has signed in."""
        return bool(self.name)

    @property
    def is_officer(self) -> bool:
        """Whether the desk is theirs."""
        return bool(self.roles & {"officer", "admin"})

    @property
    def is_director(self) -> bool:
        """Whether reports are sent by them."""
        return bool(self.roles & {"director", "officer", "admin"})

    @property
    def is_admin(self) -> bool:
        """Whether everything is theirs."""
        return "admin" in self.roles

    @property
    def is_player(self) -> bool:
        """Whether games of theirs are rated."""
        return self.person is not None

    @property
    def is_player_of_nobody(self) -> bool:
        """Whether somebody has the role of a player, and nobody has said who it is."""
        return self.person is None and "player" in self.roles

    def who(self) -> Who:
        """The actor of what is done by this reader."""
        return Who(self.actor, ORIGIN)


NOBODY = Reader()
GUARDED = frozenset({"officer", "admin"})
"""The roles for which a password alone is not enough."""
_KEPT = "_reader"
"""Where a request keeps who asks."""
DESK = (
    ("desk", _("Desk")), ("identity", _("Who is it?")), ("people", _("Persons")),
    ("calendar", _("Calendar")), ("runs", _("Runs")), ("list_maker", _("Lists")),
    ("desk_corrections", _("Corrections")), ("decisions", _("Decisions")),
    ("anomalies", _("Anomalies")), ("outbox", _("Outbox")),
    ("desk_notices", _("Notices")), ("bring_in", _("Bring in")),
    ("jobs", _("Jobs")), ("audit", _("Audit")),
)  # fmt: skip
"""The pages of officers, as their navigation has them."""
ADMIN = (("users", _("Users")), ("policies", _("Policies")), ("backups", _("Backups")),
         ("webhooks", _("Webhooks")))  # fmt: skip


def reader_of(request: HttpRequest) -> Reader:
    """Who asks, looked up once for each request: roles are those that hold now."""
    kept = vars(request)
    if _KEPT not in kept:
        kept[_KEPT] = _reader(request)
    found: Reader = kept[_KEPT]
    return found


def _reader(request: HttpRequest) -> Reader:
    # Of a request that is refused before all else nobody knows who asks.
    user: Any = getattr(request, "user", None)
    if is_of_api(request):
        # Whom a browser knows the API does not: no page elsewhere can let it act for somebody.
        token = token_of(request)
        user = token.user if token else None
    if user is None or not user.is_authenticated:
        return NOBODY
    if not hasattr(user, "actor_name"):
        # Who signs in just now, or comes with a token.
        user = with_actor(get_user_model()._default_manager.all()).get(pk=user.pk)
    if user.actor_name is None:
        return Reader(user.get_username())
    given = frozenset(user.actor_roles)
    is_enough = user.is_strong or not getattr(settings, "RATINGBOOK_SECOND_FACTOR", True)
    waiting = frozenset() if is_enough else given & GUARDED
    return Reader(user.get_username(), user.actor_name, given - waiting, user.actor_person, waiting)


def with_actor(users: QuerySet[Any]) -> QuerySet[Any]:
    """Users with the actors that they are, and whether they have a second factor."""
    account = Account.objects.filter(user=OuterRef(OuterRef("pk"))).values("actor")
    actor = Actor.objects.filter(name__in=account).exclude(name=SYSTEM)
    found: QuerySet[Any] = users.annotate(
        actor_name=Subquery(actor.values("name")[:1]),
        actor_roles=Subquery(actor.values("roles")[:1]),
        actor_person=Subquery(actor.values("person")[:1]),
        is_strong=Exists(second_factors().filter(user=OuterRef("pk"))),
    )
    return found


def second_factors() -> Any:
    """Authenticator apps and passkeys; recovery codes are the way back to one, and none."""
    from allauth.mfa.models import Authenticator

    return Authenticator.objects.exclude(type="recovery_codes")


def of_reader(request: HttpRequest) -> dict[str, Any]:
    """For templates: ``reader``, who is looked up only where a template asks."""

    def routes() -> list[tuple[str, str]]:
        return [*DESK, *(ADMIN if reader_of(request).is_admin else ())]

    return {
        "reader": SimpleLazyObject(lambda: reader_of(request)),
        "desk_routes": SimpleLazyObject(routes),
    }


def add_user(name: str, actor: str, who: Who, password: str | None = None) -> Any:
    """An account for an actor; without a password it is chosen by a one-time link."""
    check_may(who, "actors")
    users = get_user_model()._default_manager
    # What cannot be seen, as what turns the letters round, lets one name pass for another.
    if not name.strip() or name != name.strip() or len(name) > 150 or not name.isprintable():
        raise refuse(
            "site.user",
            gettext("“{name}” is no name to sign in by.").format(name=name),
            gettext("Give up to 150 letters."),
        )
    _refuse_unknown(actor)
    there = users.filter(username__iexact=name).first()
    if there is not None:
        raise refuse(
            "site.user-exists",
            gettext("There is an account “{name}” already.").format(name=there.get_username()),
            gettext("Name another.")
            if Account.objects.filter(user=there.pk).exists()
            else gettext(
                "Somebody has signed up by it. If that is who is meant, give the account the "
                "actor; else throw it away first."
            ),
        )
    _refuse_taken(actor)
    user = get_user_model()(username=name)
    if password is None:
        user.set_unusable_password()
    else:
        _refuse_weak(password, user)
        user.set_password(password)
    with transaction.atomic():
        user.save()
        Account.objects.create(user=user, actor=actor)
        note(who, "account", f"actor {actor}", sentence("added"))
    return user


def give_actor(name: str, actor: str, who: Who) -> None:
    """Say as whom somebody acts who has signed up without the office."""
    check_may(who, "actors")
    user = _signed_up(name)
    _refuse_unknown(actor)
    _refuse_taken(actor)
    with transaction.atomic():
        Account.objects.create(user=user, actor=actor)
        note(who, "account", f"actor {actor}", sentence("given to the account {name}", name=name))


def drop_user(name: str, who: Who) -> None:
    """Throw away the account of somebody who has signed up, so that its name is free."""
    check_may(who, "actors")
    user = _signed_up(name)
    with transaction.atomic():
        end_sessions(user)
        user.delete()
        note(who, "account", f"account {name}", sentence("thrown away"))


def _signed_up(name: str) -> Any:
    """The account of a name, as which nobody acts yet."""
    user = user_named(name)
    account = Account.objects.filter(user=user.pk).first()
    if account is not None:
        raise refuse(
            "site.has-actor",
            gettext("{user} acts as {actor} already.").format(user=name, actor=account.actor),
            gettext("Give that actor other roles, or close the account."),
        )
    return user


def _refuse_unknown(actor: str) -> None:
    if not Actor.objects.filter(name=actor).exclude(name=SYSTEM).exists():
        raise refuse(
            "office.actor", gettext("The office knows no actor “{actor}”.").format(actor=actor),
            gettext("Add one: ratingbook office actor add NAME --role ROLE."),
        )  # fmt: skip


def _refuse_taken(actor: str) -> None:
    taken = Account.objects.filter(actor=actor).select_related("user").first()
    if taken is not None:
        raise refuse(
            "site.actor-taken",
            gettext("{actor} signs in as {user} already.").format(
                actor=actor, user=taken.user.get_username()
            ),
            gettext("An actor has one account; add another actor for somebody else."),
        )


def _refuse_weak(password: str, user: Any) -> None:
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise OfficeRefused(
            Finding(
                "site.password", Severity.ERROR, text, remedy=gettext("Choose another password.")
            )
            for text in error.messages
        ) from None


def one_time_link(name: str, who: Who) -> str:
    """The path of a page on which the password of an account is chosen, once, within a day."""
    from allauth.account.forms import default_token_generator
    from allauth.account.utils import user_pk_to_url_str
    from django.urls import reverse

    check_may(who, "actors")
    user = user_named(name)
    key = default_token_generator.make_token(user)
    note(who, "one-time link", f"account {name}", sentence("made"))
    return reverse(
        "account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(user), "key": key}
    )


def user_named(name: str) -> Any:
    """The account of a name."""
    user = get_user_model()._default_manager.filter(username=name).first()
    if user is None:
        raise refuse(
            "site.no-user",
            gettext("There is no account “{name}”.").format(name=name),
            gettext("Add it first."),
        )
    return user


def set_active(name: str, who: Who, *, active: bool) -> Findings:
    """Close an account, which ends its sessions and tokens for good, or open it again."""
    check_may(who, "actors")
    user = user_named(name)
    account = Account.objects.filter(user=user.pk).first()
    if not active and account is not None and account.actor == who.actor:
        raise refuse(
            "site.own-account",
            gettext("Nobody closes the own account."),
            gettext("Ask another admin."),
        )
    with transaction.atomic():
        user.is_active = active
        user.save(update_fields=["is_active"])
        if not active:
            # Else whoever has got hold of one would come in again with the person.
            end_sessions(user)
            revoke_all(user, sentence("the account is closed"))
        said = sentence("opened") if active else sentence("closed")
        note(who, "account", f"account {name}", said)
    return Findings()


def watch() -> None:
    """Notice who comes in; and let what others may have got hold of end with the old password."""
    from allauth.account import signals
    from allauth.mfa.signals import authenticator_added
    from django.contrib.auth.signals import user_logged_in

    for each in (signals.password_changed, signals.password_set, signals.password_reset):
        each.connect(_password_is_new, dispatch_uid="ratingbook.password")
    user_logged_in.connect(_comes_in, dispatch_uid="ratingbook.language")
    authenticator_added.connect(_has_second_factor, dispatch_uid="ratingbook.second-factor")


def _comes_in(request: HttpRequest, user: Any, **_: Any) -> None:
    """The language of the account goes along, whichever browser it is."""
    chosen = Account.objects.filter(user=user.pk).values_list("language", flat=True).first()
    if chosen:
        request.session[IN_SESSION] = chosen


def speak(request: HttpRequest, chosen: str) -> None:
    """Keep a language with the account of whoever has signed in."""
    if reader_of(request).is_known:
        Account.objects.filter(user=request.user.pk).update(language=chosen)
        request.session[IN_SESSION] = chosen


def _password_is_new(request: HttpRequest, user: Any, **_: Any) -> None:
    # Sessions are of the password's hash: all but the one that changed it are over.
    revoke_all(user, sentence("the password is another"))


def _has_second_factor(request: HttpRequest, user: Any, **_: Any) -> None:
    """Sessions that began by the password alone, and tokens that they made, are over."""
    end_sessions(user, request.session.session_key)
    revoke_all(user, sentence("there is a second factor now"))


def end_sessions(user: Any, but: str | None = None) -> None:
    """End the sessions of an account, but that of a key."""
    from django.contrib.sessions.models import Session

    others = Session.objects.exclude(session_key=but)
    theirs = [each.pk for each in others if each.get_decoded().get("_auth_user_id") == str(user.pk)]
    Session.objects.filter(pk__in=theirs).delete()


def users() -> list[dict[str, Any]]:
    """The accounts with their actors and roles, and whether they have a second factor.

    Who has signed up without the office has no actor before it gives one.
    """
    roles = {each.name: each for each in Actor.objects.exclude(name=SYSTEM)}
    strong = set(second_factors().values_list("user", flat=True))
    found = []
    actors = dict(Account.objects.values_list("user", "actor"))
    for user in get_user_model()._default_manager.order_by("username"):
        actor = roles.get(actors.get(user.pk, ""))
        found.append(
            {
                "name": user.get_username(), "actor": actors.get(user.pk, ""),
                "roles": actor.roles if actor else [], "person": actor.person if actor else None,
                "is_active": user.is_active, "last_login": user.last_login,
                "second_factor": user.pk in strong,
            }
        )  # fmt: skip
    return found

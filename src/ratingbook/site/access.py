"""Who may call which page: one table for every route; what is not in it nobody may call."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from ratingbook.office.store.ledger import one_moment
from ratingbook.site import errors
from ratingbook.site.accounts import Reader, reader_of
from ratingbook.site.api.limits import too_often
from ratingbook.site.problems import asks_for_data, is_of_api, refusal
from ratingbook.site.tokens import OFFICER, READS, REPORT, SCOPES, token_of


class Audience(StrEnum):
    """Whom a page is for."""

    everybody = "everybody"
    signed_in = "signed in"
    player = "player"
    director = "director"
    officer = "officer"
    admin = "admin"

    def has(self, reader: Reader) -> bool:
        """Whether a reader belongs to it, by the roles that the ledger gives."""
        if self is Audience.everybody:
            return True
        if self is Audience.signed_in:
            return reader.is_known
        if self is Audience.player:
            return reader.is_player
        if self is Audience.director:
            return reader.is_director
        return reader.is_officer if self is Audience.officer else reader.is_admin


MOST_BYTES = 16 * 2**20
"""Of any request, with all that a form carries beside its files."""
READ, WRITE, BOTH = ("GET", "HEAD"), ("POST",), ("GET", "HEAD", "POST")


@dataclass(frozen=True)
class Rule:
    """Whom a route is for, and by which methods it is called."""

    audience: Audience
    methods: tuple[str, ...] = READ
    reading: tuple[str, ...] = ()
    """Of the API: the scopes of which a token needs one."""
    writing: tuple[str, ...] = ()

    def scopes(self, method: str) -> tuple[str, ...]:
        """The scopes of which a token needs one for a method."""
        return self.reading if method in READ else self.writing


def _rules(audience: Audience, methods: tuple[str, ...], names: str) -> dict[str, Rule]:
    return {name: Rule(audience, methods) for name in names.split()}


API_PUBLIC = (
    "openapi-json api-root pools lists list list_named list_printed list_rows list_changes "
    "list_files players player player_results player_history explanation explanation_on_list why "
    "events event section corrections correction correction_players correction_entry "
    "correction_numbers rules rulebook paragraphs parameters example expected whatif statistics "
    "downloads status"
)
"""What the API gives to everybody."""


PUBLIC = (
    "home search players player explanation events event lists list list_changes list_revision "
    "list_revision_changes list_files corrections correction rules rulebook example whatif "
    "statistics downloads status privacy"
)
"""The pages of which nobody is asked who reads them."""
ROUTES: dict[str, Rule] = {
    # What everybody reads, each page also as JSON and CSV.
    **_rules(Audience.everybody, READ, PUBLIC),
    **_rules(Audience.everybody, READ, " ".join(f"{name}_as" for name in PUBLIC.split())),
    **_rules(Audience.everybody, READ, "looks language list_file corrections_feed"),
    # The API: the page about it, what everybody may read, and what tokens are for.
    **_rules(Audience.everybody, READ, "api api_root"),
    **{f"api:{name}": Rule(Audience.everybody) for name in API_PUBLIC.split()},
    "api:me": Rule(Audience.signed_in, READ, tuple(SCOPES)),
    "api:reports": Rule(Audience.director, BOTH, (READS, REPORT), (REPORT,)),
    "api:report": Rule(Audience.director, READ, (READS, REPORT)),
    **{
        f"api:{name}": Rule(Audience.officer, READ, (OFFICER,))
        for name in ("desk_reports", "desk_waiting", "desk_corrections")
    },
    # Signing in; who has not may call what leads there.
    **_rules(
        Audience.everybody, BOTH,
        "account_login account_logout account_signup account_reset_password_from_key "
        "mfa_authenticate mfa_login_webauthn",
    ),
    **_rules(
        Audience.everybody, READ,
        "sign_in account_inactive account_reset_password_from_key_done",
    ),
    # Whoever has a mail of the office may end them.
    **_rules(Audience.everybody, BOTH, "stop_mails"),
    # One's own account.
    **_rules(Audience.signed_in, READ, "my_page mfa_index mfa_list_webauthn"
             " mfa_view_recovery_codes mfa_download_recovery_codes"),
    **_rules(
        Audience.signed_in, BOTH,
        "account_change_password account_set_password account_reauthenticate mfa_reauthenticate "
        "mfa_activate_totp mfa_deactivate_totp mfa_generate_recovery_codes mfa_add_webauthn "
        "mfa_edit_webauthn mfa_remove_webauthn mfa_reauthenticate_webauthn",
    ),
    # Directors, of their own events.
    **_rules(Audience.director, READ, "my_events draft my_report"),
    **_rules(Audience.director, BOTH, "new_report typed_report my_correction"),
    **_rules(Audience.director, WRITE, "draft_file draft_people draft_drop draft_submit"),
    # Players, of their own games.
    **_rules(Audience.player, READ, "my_results my_explanation"),
    **_rules(Audience.player, WRITE, "my_confirm"),
    **_rules(Audience.player, BOTH, "my_dispute"),
    **_rules(Audience.signed_in, BOTH, "notices tokens"),
    **_rules(Audience.signed_in, WRITE, "take_back"),
    # Officers.
    **_rules(
        Audience.officer, READ,
        "desk desk_file desk_corrections correction_file anomalies jobs job "
        "desk_explanation",
    ),
    **_rules(
        Audience.officer, BOTH,
        "identity desk_report ask_correction new_correction desk_correction decisions runs run "
        "list_maker outbox people desk_person bring_in calendar abroad audit desk_notices",
    ),
    **_rules(Audience.officer, WRITE, "identity_undo job_cancel person_export"),
    # Administrators.
    **_rules(Audience.admin, BOTH, "users policies backups webhooks person_suppress"),
    **_rules(Audience.admin, READ, "backup_file"),
    **_rules(Audience.admin, WRITE, "backup_drill"),
}  # fmt: skip
"""Every route by its name."""


class Methods:
    """Says of the pages of everybody what can be done with them, before a form is asked for."""

    def __init__(self, respond: Callable[[HttpRequest], HttpResponse]) -> None:
        self._respond = respond

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The answer."""
        return self._respond(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        """What is answered in place of the page; None: whoever comes next knows."""
        rule = rule_of(request)
        if rule is None or is_of_api(request) or rule.audience is not Audience.everybody:
            # Whether there is anything is not said before it is known who asks.
            return None
        return _not_allowed(request, rule)


def _not_allowed(request: HttpRequest, rule: Rule) -> HttpResponse | None:
    """The answer to a method that a page does not know; None: it knows it."""
    if request.method in rule.methods:
        return None
    if asks_for_data(request):
        return _no_method(rule)
    answer = errors.no_method(request, is_read="GET" in rule.methods)
    answer.headers["Allow"] = ", ".join(rule.methods)
    return answer


def _no_method(rule: Rule) -> HttpResponse:
    """That an address knows other methods."""
    there = ", ".join(rule.methods)
    refused = refusal(405, "site.no-method", f"There is {there} of this.", f"Use {there}.")
    refused.headers["Allow"] = there
    return refused


_IN_NO_CACHE = "private, no-store"
_SEE_DESCRIPTION = "See what there is in the description of the API, /api/v1/openapi.json."


class Gate:
    """Nobody comes to a page but whom the table lets in."""

    def __init__(self, respond: Callable[[HttpRequest], HttpResponse]) -> None:
        self._respond = respond

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The answer, which lies in no cache if it is for some only."""
        if int(request.META.get("CONTENT_LENGTH") or 0) > MOST_BYTES:
            # Before anything of it is read.
            if asks_for_data(request):
                return refusal(
                    413, "site.too-large", f"At most {MOST_BYTES // 2**20} MB are taken at once.",
                    "Send each event by itself; what is no report is not sent to an office.",
                )  # fmt: skip
            return render(request, "413.html", {"most": MOST_BYTES // 2**20}, status=413)
        # What is read is of one moment; what is written makes another one.
        with one_moment() if request.method in READ else nullcontext():
            response = self._respond(request)
        rule = rule_of(request)
        if rule is None or rule.audience is not Audience.everybody:
            response.headers.setdefault("Cache-Control", _IN_NO_CACHE)
            if is_of_api(request):
                # What makes an answer does not know for whom it is.
                response.headers["Cache-Control"] = _IN_NO_CACHE
                patch_vary_headers(response, ["Authorization"])
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        """What is answered in place of the page; None: the page."""
        rule = rule_of(request)
        if is_of_api(request):
            return _from_api(request, rule)
        if rule is None:
            return forbidden(request)
        if _has_nul(request):
            return errors.with_nul(request)
        if rule.audience is not Audience.everybody:
            reader = reader_of(request)
            if not reader.is_known:
                return _to_sign_in(request, rule)
            if not rule.audience.has(reader):
                if reader.waiting and request.method in READ:
                    return _to_second_factor(request)
                if rule.audience is Audience.player and reader.is_player_of_nobody:
                    return render(request, "site/no_person.html", status=403)
                return forbidden(request, rule.audience)
        return _not_allowed(request, rule)


def _from_api(request: HttpRequest, rule: Rule | None) -> HttpResponse | None:
    """The same for a program: it has a token or none, and is told by problem details."""
    token = token_of(request)
    refused = too_often(request, token.id if token else None)
    if refused is not None:
        return refused
    if token is None and request.headers.get("Authorization"):
        return _unknown("The token is none of ours, was revoked, or is over.", "another one")
    if _has_nul(request):
        return errors.with_nul(request)
    if rule is None:
        return refusal(403, "site.forbidden", "This is for nobody.", _SEE_DESCRIPTION)
    if rule.audience is not Audience.everybody:
        if token is None:
            return _unknown("This needs a token: Authorization: Bearer …", "one")
        reader = reader_of(request)
        if not rule.audience.has(reader):
            return _not_for(reader, rule.audience)
    method = str(request.method)
    if method not in rule.methods:
        return _no_method(rule)
    scopes = rule.scopes(method)
    if rule.audience is not Audience.everybody:
        has = token.scopes if token else []
        if not set(scopes) & set(has):
            return refusal(
                403, "site.no-scope", f"This needs a token with the scope {' or '.join(scopes)}.",
                f"Make a token with that scope {_WHERE_TOKENS_ARE}.",
            )  # fmt: skip
    return None


_WHERE_TOKENS_ARE = "on the page of your account, /account/tokens/"


def _not_for(reader: Reader, audience: Audience) -> HttpResponse:
    """That somebody lacks a role, or has it and it does not count yet."""
    what = f"This is for the role {audience.value}."
    if audience.has(replace(reader, roles=reader.roles | reader.waiting)):
        return refusal(
            403, "site.no-second-factor",
            f"{what} You have it, and it counts as soon as your account has a second factor.",
            "Set up an authenticator app or a passkey on the page of your account, and then make "
            "a new token: those from before end with it.",
        )  # fmt: skip
    return refusal(
        403, "site.no-role", what, "Let somebody do it who has that role, or ask the office for it."
    )


def _has_nul(request: HttpRequest) -> bool:
    """Whether a text has the character that no name has, and PostgreSQL does not take."""
    if "\0" in request.path_info or "%00" in request.META.get("QUERY_STRING", ""):
        return True
    if is_of_api(request):
        # Its bodies are documents, and read as such.
        return False
    return any("\0" in text for _, some in request.POST.lists() for text in some)


def _unknown(what: str, token: str) -> HttpResponse:
    refused = refusal(401, "site.no-token", what, f"Make {token} {_WHERE_TOKENS_ARE}.")
    refused.headers["WWW-Authenticate"] = "Bearer"
    return refused


def rule_of(request: HttpRequest) -> Rule | None:
    """What the table says of the page that is asked for; None: nothing."""
    match = request.resolver_match
    return ROUTES.get(match.view_name) if match else None


_CALLED: Mapping[str, str | Promise] = {
    "name": gettext_lazy("Name"), "place": pgettext_lazy("of an event", "Place"),
    "start": gettext_lazy("First day"), "end": gettext_lazy("Last day"),
    "time_control": gettext_lazy("Time control"),
    "players": gettext_lazy("Players, one in a line: name; federation; number"),
    "games": gettext_lazy(
        "Games, one in a line: round, White, Black, result. Players go by their lines."
    ),
    "reason": gettext_lazy("Reason"), "word": gettext_lazy("What the office should know of it"),
    "standing": gettext_lazy("What it was, one in a line: rating = 1700"),
    "parameters": gettext_lazy("Settings, one in a line: floor = 1400"),
    "value": gettext_lazy("Value"), "person": gettext_lazy("Name or number of the person"),
    "club": gettext_lazy("Club"), "federation": gettext_lazy("Federation"),
    "result": gettext_lazy("The result was"), "fact": gettext_lazy("Number of the fact"),
    "report": gettext_lazy("Number of the report"), "pool": gettext_lazy("Pool"),
    "key": gettext_lazy("Policy"), "rulebook": gettext_lazy("Rule book"),
    "since": gettext_lazy("Since"), "title": gettext_lazy("Title"), "url": gettext_lazy("Address"),
    "address": gettext_lazy("Address of mail"), "actor": gettext_lazy("Actor"),
    "roles": gettext_lazy("Roles"), "year": gettext_lazy("Year"),
}  # fmt: skip
"""What fields are called; others go by the names that their forms have for them."""
_CARRIED = re.compile(r"csrfmiddlewaretoken|mark|seen|act|next|back|of|link|\w+_chosen_for")
"""Fields that a form carries by itself."""
_SECRET = re.compile(r"password|code|token|secret|credential|(^|_)(pin|otp)(_|$)", re.IGNORECASE)
"""Fields that are never shown again, in whatever form."""
_SAME_SITE = "same-origin"
"""What browsers say of where the page is from which a form is sent."""
_OF_ACCOUNT = ("account_", "mfa_")
"""How the names of routes begin in whose forms passwords and codes are written."""


def _written(request: HttpRequest) -> list[tuple[str, str]]:
    """What somebody has written into a form, or chosen in it, by what the fields are called.

    Of forms of other sites nothing: they would put their words into our pages.
    """
    match = request.resolver_match
    if match is None or (match.url_name or "").startswith(_OF_ACCOUNT):
        return []
    if request.headers.get("Sec-Fetch-Site", _SAME_SITE) != _SAME_SITE:
        return []
    found = []
    for name, texts in request.POST.lists():
        text = ", ".join(filter(None, (each.strip() for each in texts)))
        if text and not _CARRIED.fullmatch(name) and not _SECRET.search(name):
            found.append((str(_CALLED.get(name, name.replace("_", " "))), text))
    return found


def _to_sign_in(request: HttpRequest, rule: Rule) -> HttpResponse:
    """To the page for signing in, and from there back to what was read or written.

    What was written is shown to whoever sent it, so that it can be copied: it is kept nowhere,
    since nobody knows who signs in next.  Files are sent again.
    """
    has_page = "GET" in rule.methods
    back = request.get_full_path() if has_page else reverse("my_page")
    found = redirect_to_login(back, reverse("account_login"))
    written = _written(request)
    files = [each.name for _, some in request.FILES.lists() for each in some]
    if written or files:
        said = {"written": written, "files": files, "to": found.url}
        return render(request, "site/signed_out.html", said, status=403)
    if request.headers.get("HX-Request"):
        # A part of a page that asks for itself lets the whole page go there.
        return HttpResponse(status=401, headers={"HX-Redirect": found.url})
    return found


def _to_second_factor(request: HttpRequest) -> HttpResponse:
    """To where a second factor is set up, without which the roles of an officer do not count."""
    messages.info(
        request,
        gettext("The desk is open to you as soon as your account has a second factor: an "
                "authenticator app or a passkey."),
    )  # fmt: skip
    return redirect("mfa_index")


def forbidden(request: HttpRequest, audience: Audience | None = None) -> HttpResponse:
    """A page that is not for this reader, in the frame."""
    return render(request, "403.html", {"audience": audience}, status=403)

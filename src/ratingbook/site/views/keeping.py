"""What is kept and sent: the trail of all acts, the outbox, accounts, policies, backups."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db import transaction
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, ngettext

from ratingbook.model import Findings
from ratingbook.model.sentences import sentence
from ratingbook.office.acts import abroad as games_elsewhere
from ratingbook.office.acts import backups as acts
from ratingbook.office.acts import exchange, setup, trail
from ratingbook.office.acts.asking import ASKED_TO_BE_UNDONE
from ratingbook.office.acts.audit import note, outcome_of
from ratingbook.office.acts.people import names_of
from ratingbook.office.drill import drill
from ratingbook.office.home import current
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.office.store.ledger import ROLES, SYSTEM, check_may
from ratingbook.office.store.models import Actor, Audit, Pool
from ratingbook.site import accounts, second_factors, uploads
from ratingbook.site.accounts import reader_of
from ratingbook.site.languages import SPOKEN
from ratingbook.site.shown import policies as shown
from ratingbook.site.shown.words import told
from ratingbook.site.views.choosing import Named, named
from ratingbook.site.views.forms import (
    day_in,
    mark,
    number_in,
    pairs_in,
    pool_in,
    said,
    tell,
    text_in,
    tried,
)
from ratingbook.site.views.paging import paged


def audit(request: HttpRequest) -> HttpResponse:
    """Acts of anybody, searched; and those that are no facts, put into the chain."""
    refused_seal = None
    if request.method == "POST":
        refused_seal = tried(
            request, lambda: trail.seal(reader_of(request).who())[0],
            lambda fact: gettext("The acts are sealed by fact {n}.").format(n=fact)
            if fact
            else gettext("No act waits for a seal: nothing was sealed."),
        )  # fmt: skip
        if refused_seal is None:
            return redirect("audit")
    asked = {key: request.GET.get(key, "")[:100] for key in ("q", "actor", "kind", "about")}
    problems: Any = ()
    try:
        since = day_in(request, "since")
    except OfficeRefused as refused:
        problems, since = told(refused.findings), None
    found = trail.search(
        asked["q"], asked["actor"] or None, asked["kind"] or None, since, asked["about"] or None
    )
    return render(
        request, "site/audit.html",
        {"found": paged(request, found.total, trail.SHOWN, found.acts), "asked": asked,
         "kinds": trail.KINDS, "undone": ASKED_TO_BE_UNDONE,
         "problems": [*(refused_seal or ()), *problems],
         "since": request.GET.get("since", ""),
         "unsealed": trail.unsealed(), "last_seal": trail.last_seal(), "mark": mark()},
        status=422 if refused_seal else 200,
    )  # fmt: skip


def outbox(request: HttpRequest) -> HttpResponse:
    """What goes to other federations by when, and what comes from them."""
    problems: Any = None
    if request.method == "POST":
        if text_in(request, "act") == "send":
            try:
                return _sent(request)
            except OfficeRefused as refused:
                problems = told(refused.findings)
        else:
            act = _arrived if text_in(request, "act") == "arrived" else _answered
            problems = tried(request, lambda: act(request), lambda done: done)
            if problems is None:
                return redirect("outbox")
    today = datetime.now(UTC).date()
    came, missed = exchange.inbox(today)
    return render(
        request, "site/outbox.html",
        {"out": exchange.outbox(today), "came": came, "missed": told(missed),
         "problems": problems or (), "said": said(request), "mark": mark()},
        status=422 if problems else 200,
    )  # fmt: skip


def _arrived(request: HttpRequest) -> str:
    """Take in a list of another federation."""
    day = day_in(request, "day")
    if day is None:
        raise refuse("site.day", gettext("No day is given."), gettext("Give the day of the list."))
    with uploads.written(request.FILES.getlist("file"), uploads.of_a_list) as path:
        one = exchange.arrive(
            current(), path, text_in(request, "partner"), day, reader_of(request).who()
        )
    tell(request, one.findings)
    return ngettext(
        "{n} player is on the list, and {known} of them ours.",
        "{n} players are on the list, and {known} of them ours.", one.rows,
    ).format(n=one.rows, known=len(one.players))  # fmt: skip


def abroad(request: HttpRequest) -> HttpResponse:
    """Whom the rules of a pool update for games that only lists of others tell of."""
    pools = games_elsewhere.pools()
    pool, problems = pool_in(request, pools), None
    if request.method == "POST":
        problems = tried(
            request, lambda: _settle(request), lambda _: gettext("No report will come: noted.")
        )
        if problems is None:
            return redirect(f"{reverse('abroad')}?{urlencode({'pool': text_in(request, 'pool')})}")
    return render(
        request, "site/abroad.html",
        {"pools": pools, "pool": pool, "problems": problems or (),
         "found": games_elsewhere.of_pool(pool.name) if pool else ()},
        status=422 if problems else 200,
    )  # fmt: skip


def _settle(request: HttpRequest) -> None:
    day = day_in(request, "day")
    if day is None:
        raise refuse("site.day", gettext("No day is given."), gettext("Give the day of the list."))
    tell(request, games_elsewhere.settle(
        text_in(request, "pool"), day, text_in(request, "number"), text_in(request, "reason"),
        reader_of(request).who(),
    ))  # fmt: skip


def _sent(request: HttpRequest) -> HttpResponse:
    """The file for a partner, which is noted as sent."""
    report, partner = number_in(request, "report") or 0, text_in(request, "partner")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / f"report-{report}-{''.join(c for c in partner if c.isalnum())}"
        names, _ = exchange.send(current(), report, partner, out, reader_of(request).who())
        if len(names) == 1:
            data, name = Path(names[0]).read_bytes(), f"{out.name}.txt"
        else:
            packed = io.BytesIO()
            with zipfile.ZipFile(packed, "w") as archive:
                for each in names:
                    archive.write(each, Path(each).name)
            data, name = packed.getvalue(), f"{out.name}.zip"
    response = HttpResponse(data, content_type="application/octet-stream")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _answered(request: HttpRequest) -> str:
    exchange.answered(
        number_in(request, "report") or 0, text_in(request, "partner"), reader_of(request).who(),
        text_in(request, "reason"), is_refused=request.POST.get("refused") == "yes",
    )  # fmt: skip
    return gettext("Noted.")


def users(request: HttpRequest) -> HttpResponse:
    """Accounts, actors and roles."""
    problems: Any = None
    link, whom = "", Named()
    if request.method == "POST":
        made: list[str] = []
        whom = named(request)
        problems = tried(
            request, lambda: made.append(_user(request, whom)), lambda _: _user_done(request)
        )
        if problems is None and not (made and made[0]):
            return redirect("users")
        link = request.build_absolute_uri(made[0]) if made and made[0] else ""
    actors = Actor.objects.exclude(name=SYSTEM).order_by("name")
    everybody = accounts.users()
    people = names_of(each["person"] for each in everybody if each["person"])
    return render(
        request, "site/users.html",
        {"users": [{**each, "is": people.get(each["person"], "")} for each in everybody],
         "newcomers": [each["name"] for each in everybody if not each["actor"]],
         "actors": actors, "roles": tuple(ROLES), "link": link, "named": whom,
         "chosen": request.POST.getlist("roles") if problems else (),
         "holder": _holder(request, actors, whom, wrong=bool(problems)),
         "problems": problems or (), "said": said(request) if problems else {}, "mark": mark()},
        status=422 if problems else 200,
    )  # fmt: skip


def _holder(
    request: HttpRequest, actors: Iterable[Actor], whom: Named, *, wrong: bool
) -> dict[str, Any] | None:
    """Whose roles are to be changed: with those that they have, or those that were refused."""
    is_refused = wrong and text_in(request, "act") == "roles"
    name = text_in(request, "name") if is_refused else request.GET.get("actor", "")
    one = next((each for each in actors if each.name == name), None)
    if is_refused:
        return {"name": name, "roles": request.POST.getlist("roles"), "named": whom}
    if one is None:
        return None
    is_whom = Named(str(one.person), one.person) if one.person else Named()
    return {"name": name, "roles": one.roles, "named": is_whom}


_USER_DONE: Mapping[str, str | Promise] = {
    "add": gettext_lazy("The account {name} was added."),
    "give": gettext_lazy("The account {name} has an actor of the office now."),
    "drop": gettext_lazy("The account {name} was thrown away."),
    "roles": gettext_lazy("The roles of {name} are: {roles}."),
    "no roles": gettext_lazy("{name} has no role any more."),
    "link": gettext_lazy("A link for {name} was made."),
    "open": gettext_lazy("The account {name} is open."),
    "close": gettext_lazy("The account {name} is closed."),
    "forget": gettext_lazy("The second factor of {name} was taken away."),
}
"""What is said of an act about accounts."""


def _user_done(request: HttpRequest) -> str:
    roles = ", ".join(SPOKEN.gettext(each) for each in request.POST.getlist("roles"))
    words = str(_USER_DONE[text_in(request, "act")])
    return words.format(name=text_in(request, "name"), roles=roles)


def _give_roles(request: HttpRequest, name: str, roles: list[str], whom: Named) -> None:
    """Give an actor roles in place of those of before, and say who a player is."""
    who = reader_of(request).who()
    if name == who.actor and "admin" not in roles:
        raise refuse(
            "site.own-role",
            gettext("Nobody gives up being admin."),
            gettext("Ask another admin."),
        )
    if not roles and text_in(request, "act") == "roles":
        raise refuse(
            "site.no-role-ticked",
            gettext("No role is ticked."),
            gettext("Tick what is to be had; to take all roles away, press the button for that."),
        )
    of_nobody = request.POST.get("nobody") == "yes"
    person = whom.one()
    if person == setup.person_of(name) and (of_nobody or "player" not in roles):
        # The form comes filled with whom it was.
        person = None
    tell(request, setup.add_actor(name, roles, who, person, of_nobody=of_nobody))


def _user(request: HttpRequest, whom: Named) -> str:
    """Do what a form of accounts asks for; gives the path of a one-time link, if one was made."""
    who, what = reader_of(request).who(), text_in(request, "act")
    name = text_in(request, "name")
    if what in ("add", "give"):
        actor = text_in(request, "actor") or name
        roles = [each for each in request.POST.getlist("roles") if each in ROLES]
        findings = Findings()
        # The actor without the account would be a role that nobody asked for.
        with transaction.atomic():
            if roles and not Actor.objects.filter(name=actor).exists():
                findings = setup.add_actor(actor, roles, who, whom.one())
            if what == "add":
                accounts.add_user(name, actor, who)
            else:
                accounts.give_actor(name, actor, who)
        tell(request, findings)
        return accounts.one_time_link(name, who) if what == "add" else ""
    if what == "drop":
        accounts.drop_user(name, who)
        return ""
    if what in ("roles", "no roles"):
        ticked = request.POST.getlist("roles") if what == "roles" else ()
        _give_roles(request, name, [each for each in ticked if each in ROLES], whom)
        return ""
    if what == "link":
        return accounts.one_time_link(name, who)
    if what in ("open", "close"):
        accounts.set_active(name, who, active=what == "open")
        return ""
    if what == "forget":
        if name == reader_of(request).name:
            raise refuse(
                "site.own-account",
                gettext("Nobody takes the own second factor away here."),
                gettext("It is changed under “Second factor and passkeys”."),
            )
        tell(request, second_factors.forget(name, who))
        return ""
    raise refuse("site.act", gettext("Nothing was chosen."), gettext("Choose what is to be done."))


def policies(request: HttpRequest) -> HttpResponse:
    """What the pools do, and what that means."""
    problems: Any = None
    if request.method == "POST":
        problems = tried(
            request,
            lambda: _policy(request),
            lambda name: gettext("Kept for {name}.").format(name=name),
        )
        if problems is None:
            return redirect("policies")
    pools = [
        {"name": pool.name, "rulebook": pool.rulebook, "policies": shown.policies(pool)}
        for pool in Pool.objects.order_by("id")
    ]  # fmt: skip
    return render(
        request, "site/policies.html",
        {"pools": pools, "titles": shown.TITLES.items(), "problems": problems or (),
         "said": said(request), "mark": mark(), "books": shown.rulebooks()},
        status=422 if problems else 200,
    )  # fmt: skip


def _policy(request: HttpRequest) -> str:
    """Set a policy, add a pool or give one other rules; gives its name."""
    name, reason = text_in(request, "pool"), text_in(request, "reason")
    if text_in(request, "act") in ("add", "rules"):
        who, rulebook = reader_of(request).who(), text_in(request, "rulebook")
        values = pairs_in(request, "parameters") if text_in(request, "parameters") else {}
        if text_in(request, "act") == "rules":
            tell(request, setup.set_rules(name, rulebook or None, values, reason, who))
            return name
        new = text_in(request, "name")
        tell(request, setup.add_pool(new, rulebook, who, values)[1])
        return new
    if not reason:
        raise refuse(
            "office.reason", gettext("A policy is set for a reason."), gettext("Write it.")
        )
    who = reader_of(request).who()
    given = {text_in(request, "key"): text_in(request, "value")}
    tell(request, setup.set_policies(name, given, reason, who))
    return name


def _folder() -> Path:
    return current().folder / "backups"


def backups(request: HttpRequest) -> HttpResponse:
    """Backups: made here, kept elsewhere, tried out."""
    problems: Any = None
    if request.method == "POST":
        problems = tried(
            request,
            lambda: _backup(request),
            lambda name: gettext("{name} is written.").format(name=name),
        )
        if problems is None:
            return redirect("backups")
    found = sorted(_folder().glob("*.tar"), reverse=True) if _folder().exists() else []
    drills = Audit.objects.filter(act="restore drill").order_by("-id")[:10]
    return render(
        request,
        "site/backups.html",
        {
            "backups": [{"name": each.stem, "size": each.stat().st_size} for each in found],
            "drills": [(each, SPOKEN.told(outcome_of(each))) for each in drills],
            "folder": _folder().absolute(),
            "problems": problems or (),
            "mark": mark(),
        },
        status=422 if problems else 200,
    )


def _backup(request: HttpRequest) -> str:
    _folder().mkdir(exist_ok=True)
    name = f"{datetime.now(UTC):%Y%m%d-%H%M%S}"
    acts.backup(current(), _folder() / f"{name}.tar", reader_of(request).who())
    return name


def _named(name: str) -> Path:
    path = _folder() / f"{name}.tar"
    if path.parent != _folder() or not path.exists():
        raise Http404("no such backup")
    return path


def backup_file(request: HttpRequest, name: str) -> FileResponse:
    """A backup, to be kept on another disk."""
    return FileResponse(_named(name).open("rb"), as_attachment=True, filename=f"{name}.tar")


def backup_drill(request: HttpRequest, name: str) -> HttpResponse:
    """Restore a backup into an office of its own, examine it, and throw it away."""
    path, who = _named(name), reader_of(request).who()
    check_may(who, "*")
    found = drill(path)
    problems = told(found["findings"])
    outcome = (
        sentence("failed")
        if problems
        else sentence(
            "well, up to fact {n}, {accounts} accounts", n=found["seq"], accounts=found["accounts"]
        )
    )
    note(who, "restore drill", name, outcome)
    if problems:
        return render(request, "site/nothing_done.html", {"problems": problems}, status=422)
    messages.success(
        request,
        ngettext(
            "The backup {name} restores well, up to fact {n}, with {accounts} account.",
            "The backup {name} restores well, up to fact {n}, with {accounts} accounts.",
            found["accounts"],
        ).format(name=name, n=found["seq"], accounts=found["accounts"]),
    )
    tell(request, found["noticed"])
    return redirect("backups")

"""The routes; their names are those that templates link to, and that ``access`` knows."""

from __future__ import annotations

from importlib import import_module

from allauth.account import views as account
from django.urls import URLPattern, URLResolver, include, path, re_path, register_converter
from django.views.generic import RedirectView

from ratingbook.site import frame, paths
from ratingbook.site.answers import page
from ratingbook.site.api.operations import service
from ratingbook.site.views import (
    about,
    accounts,
    api,
    asked,
    corrections,
    director,
    events,
    home,
    hooks,
    keeping,
    lists,
    noticing,
    officer,
    people,
    player,
    players,
    rules,
    running,
    whatif,
)

handler400 = "ratingbook.site.errors.bad_request"
handler403 = "ratingbook.site.errors.forbidden"
handler404 = "ratingbook.site.errors.not_found"
handler500 = "ratingbook.site.errors.failed"

register_converter(paths.Day, "day")
register_converter(paths.Number, "number")

# Their modules declare the operations, once the converters of their paths are known.
import_module("ratingbook.site.api.own")

_LIST = "lists/<path:pool>/<day:day>"
_REVISION = f"{_LIST}/r<number:revision>"
_CHANGE = "players/<number:person>/changes/<str:pool>/<path:key>"

urlpatterns: list[URLPattern | URLResolver] = [
    # Frame, home, players, events.
    *page("", home.home, "home", beside="home"),
    *page("search", home.search, "search"),
    *page("players", home.players, "players"),
    *page("events", events.events, "events"),
    *page("events/<number:report>", events.event, "event"),
    *page("players/<number:person>", players.player, "player"),
    *page(_CHANGE, players.explanation, "explanation"),
    path("looks", frame.looks, name="looks"),
    path("language", frame.language, name="language"),
    # Lists, corrections, rule books, what-if, statistics, downloads, status, privacy.
    *page("lists", lists.index, "lists"),
    path("lists/<number:number>", lists.by_number, name="list"),
    *page(f"{_REVISION}/changes", lists.changes, "list_revision_changes"),
    *page(f"{_REVISION}/files", lists.downloads, "list_files"),
    path(f"{_REVISION}/files/<str:kind>", lists.file, name="list_file"),
    *page(_REVISION, lists.one, "list_revision"),
    *page(f"{_LIST}/changes", lists.changes, "list_changes"),
    *page(_LIST, lists.one, "list"),
    re_path(r"^corrections\.(?P<kind>atom|feed\.json)$", corrections.feed, name="corrections_feed"),
    *page("corrections", corrections.index, "corrections"),
    *page("corrections/<number:number>", corrections.one, "correction"),
    *page("rules", rules.index, "rules"),
    *page("rules/<slug:name>", rules.one, "rulebook"),
    *page("rules/<slug:name>/examples/<number:number>", rules.example, "example"),
    *page("whatif", whatif.whatif, "whatif"),
    *page("statistics", about.statistics_of, "statistics"),
    *page("downloads", about.downloads, "downloads"),
    *page("status", about.status, "status"),
    *page("privacy", about.privacy, "privacy"),
]

# The API, and the page about it.
urlpatterns += [
    path("api", api.about, name="api"),
    path("api/v1/", RedirectView.as_view(pattern_name="api"), name="api_root"),
    path("api/v1/", service.urls),
]

# Accounts: those routes of allauth that an office has; mail plays no part in them.
urlpatterns += [
    path("sign-in/", accounts.sign_in, name="sign_in"),
    path("account/", accounts.my_page, name="my_page"),
    path("account/tokens/", accounts.tokens, name="tokens"),
    path("account/sign-in/", account.login, name="account_login"),
    path("account/sign-out/", account.logout, name="account_logout"),
    path("account/closed/", account.account_inactive, name="account_inactive"),
    path("account/sign-up/", account.signup, name="account_signup"),
    path("account/again/", account.reauthenticate, name="account_reauthenticate"),
    path("account/password/", account.password_change, name="account_change_password"),
    path("account/password/first/", account.password_set, name="account_set_password"),
    path(
        "account/link/done/",
        account.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    re_path(
        r"^account/link/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        account.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path("account/second/", include("allauth.mfa.urls")),
]

# Directors.
urlpatterns += [
    path("my/events/", director.my_events, name="my_events"),
    path("my/events/new/", director.new_report, name="new_report"),
    path("my/events/typed/", director.typed_report, name="typed_report"),
    path("my/drafts/<number:number>/", director.draft, name="draft"),
    path("my/drafts/<number:number>/file/", director.draft_file, name="draft_file"),
    path("my/drafts/<number:number>/people/", director.draft_people, name="draft_people"),
    path("my/drafts/<number:number>/drop/", director.draft_drop, name="draft_drop"),
    path("my/drafts/<number:number>/submit/", director.draft_submit, name="draft_submit"),
    path("my/reports/<number:report>/", director.my_report, name="my_report"),
    path("my/reports/<number:report>/correct/", director.my_correction, name="my_correction"),
]

# Officers.
urlpatterns += [
    path("desk/", officer.desk, name="desk"),
    path("desk/who/", officer.identity, name="identity"),
    path("desk/who/undo/", officer.identity_undo, name="identity_undo"),
    path("desk/reports/<number:report>/", officer.desk_report, name="desk_report"),
    path("desk/reports/<number:report>/file/", officer.desk_file, name="desk_file"),
    path("desk/reports/<number:report>/correct/", officer.ask_correction, name="ask_correction"),
    path("desk/corrections/", officer.desk_corrections, name="desk_corrections"),
    path("desk/corrections/new/", asked.new_correction, name="new_correction"),
    path("desk/corrections/<number:number>/", officer.desk_correction, name="desk_correction"),
    path(
        "desk/corrections/<number:number>/<str:sha256>/",
        officer.correction_file,
        name="correction_file",
    ),
    path(
        "desk/changes/<number:person>/<str:pool>/<path:key>",
        players.desk_explanation,
        name="desk_explanation",
    ),
    path("desk/people/", people.people, name="people"),
    path("desk/people/<number:person>/", people.desk_person, name="desk_person"),
    path("desk/people/<number:person>/export/", people.person_export, name="person_export"),
    path("desk/bring-in/", people.bring_in, name="bring_in"),
    path("desk/calendar/", running.calendar, name="calendar"),
    path("desk/abroad/", keeping.abroad, name="abroad"),
    path("desk/decisions/", officer.decide, name="decisions"),
    path("desk/anomalies/", officer.anomalies, name="anomalies"),
    path("desk/runs/", running.all_runs, name="runs"),
    path("desk/runs/<number:number>/", running.run, name="run"),
    path("desk/lists/", running.list_maker, name="list_maker"),
    path("desk/jobs/", running.jobs, name="jobs"),
    path("desk/jobs/<number:number>/", running.job, name="job"),
    path("desk/jobs/<number:number>/cancel/", running.job_cancel, name="job_cancel"),
    path("desk/audit/", keeping.audit, name="audit"),
    path("desk/notices/", noticing.notices, name="desk_notices"),
    path("desk/outbox/", keeping.outbox, name="outbox"),
]

# Administrators.
urlpatterns += [
    path("desk/users/", keeping.users, name="users"),
    path("desk/policies/", keeping.policies, name="policies"),
    path("desk/backups/", keeping.backups, name="backups"),
    path("desk/people/<number:person>/suppress/", people.person_suppress, name="person_suppress"),
    path("desk/webhooks/", hooks.webhooks, name="webhooks"),
    path("desk/backups/<str:name>/file/", keeping.backup_file, name="backup_file"),
    path("desk/backups/<str:name>/drill/", keeping.backup_drill, name="backup_drill"),
]

# Players, and whoever has signed in.
urlpatterns += [
    path("my/results/", player.my_results, name="my_results"),
    path("my/results/<number:report>/confirm/", player.my_confirm, name="my_confirm"),
    path("my/results/<number:report>/<number:game>/", player.my_dispute, name="my_dispute"),
    path("my/requests/<number:number>/back/", corrections.take_back, name="take_back"),
    path("my/notices/", player.notices, name="notices"),
    path("mails/stop/<str:token>/", player.stop_mails, name="stop_mails"),
    path("my/changes/<str:pool>/<path:key>", players.my_explanation, name="my_explanation"),
]

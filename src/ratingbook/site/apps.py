"""The Django application of the site: templates and static files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.apps import AppConfig
from django.db.models.signals import post_migrate

BACKED_UP: Mapping[str, str] = {
    "auth.User": "", "site.Account": "accounts", "mfa.Authenticator": "second_factors",
    "site.Token": "tokens", "site.Draft": "", "site.Confirmation": "",
}  # fmt: skip
"""Tables that go along with a backup, and as what their rows are told.

Accounts have their second factors with them, and the hashes of passwords and tokens: whoever has a
backup has what the database has. Sessions stay behind, so everybody signs in once more.
"""


class SiteConfig(AppConfig):
    """Which actor of the office signs in by which account; accounts are Django's."""

    name = "ratingbook.site"
    label = "site"

    def ready(self) -> None:
        """Tell the office, which knows of no account and no draft, what is to be kept of them."""
        from ratingbook.office.acts.backed_up import keep_with_backups
        from ratingbook.office.acts.sweeping import let_wait

        _without_permissions()
        let_wait(files_of_drafts)
        keep_with_backups(BACKED_UP)


def _without_permissions() -> None:
    """Who may do what is said by the roles of the office: Django need not note 248 rights.

    That took a third of the time in which an office is made.
    """
    from django.contrib.contenttypes.management import create_contenttypes

    post_migrate.disconnect(create_contenttypes)
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")


def files_of_drafts() -> Iterable[str]:
    """The hashes of what directors have not submitted yet."""
    from ratingbook.site.models import Draft

    return Draft.objects.filter(report=None).values_list("sha256", flat=True)

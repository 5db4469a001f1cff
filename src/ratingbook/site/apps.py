"""The Django application of the site: templates and static files."""

from __future__ import annotations

from collections.abc import Iterable

from django.apps import AppConfig


class SiteConfig(AppConfig):
    """Which actor of the office signs in by which account; accounts are Django's."""

    name = "ratingbook.site"
    label = "site"

    def ready(self) -> None:
        """Files of drafts are no rubbish to the office, which knows of no draft."""
        from ratingbook.office.acts.sweeping import let_wait

        let_wait(files_of_drafts)


def files_of_drafts() -> Iterable[str]:
    """The hashes of what directors have not submitted yet."""
    from ratingbook.site.models import Draft

    return Draft.objects.filter(report=None).values_list("sha256", flat=True)

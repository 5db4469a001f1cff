"""What layers above keep beside the tables of the office: a backup has it, too."""

from __future__ import annotations

from collections.abc import Mapping

_tables: dict[str, str] = {}


def keep_with_backups(tables: Mapping[str, str]) -> None:
    """Let backups have tables of a layer above, each as ``application.Model``.

    With what their rows are told as, such as ``accounts``; nothing: nobody counts them.
    """
    _tables.update(tables)


def backed_up_beside() -> Mapping[str, str]:
    """All such tables."""
    return _tables

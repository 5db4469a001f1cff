"""A restore drill: a backup is restored by a process of its own, examined, and thrown away.

Django knows one office in a process; the one that serves people goes on with its own.
"""

from __future__ import annotations

import multiprocessing
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from ratingbook.office.home import start_django
from ratingbook.office.logic.stored import stored
from ratingbook.office.refused import OfficeRefused


def drill(file: Path) -> dict[str, Any]:
    """How the restoring went: ``seq``, ``hash``, ``digest`` and what was ``noticed``.

    Or the ``findings`` that refused it.
    """
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_restored, file).result()


def _restored(file: Path) -> dict[str, Any]:
    start_django()
    from ratingbook.office.acts.backups import restore

    with tempfile.TemporaryDirectory() as folder:
        try:
            said, noticed = restore(file, Path(folder) / "office")
            return {**said, "findings": [], "noticed": [stored(each) for each in noticed]}
        except OfficeRefused as refused:
            return {"findings": [stored(each) for each in refused.findings]}
        finally:
            from django.db import connections

            connections.close_all()

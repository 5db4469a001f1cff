"""Files that came with a request, written into a folder for those who read reports."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from django.utils.translation import gettext

from ratingbook.office.refused import refuse

MOST_BYTES = 12 * 2**20
"""Of the files of one report."""


@contextmanager
def written(files: Sequence[Any]) -> Iterator[Path]:
    """One file as it is, several as a folder."""
    if not files:
        raise refuse(
            "site.no-file", gettext("No file was chosen."),
            gettext("Choose the report of the event."),
        )  # fmt: skip
    if sum(each.size or 0 for each in files) > MOST_BYTES:
        raise refuse(
            "site.too-large",
            gettext("The files have more than {n} MB.").format(n=MOST_BYTES // 2**20),
            gettext("Send the report of one event; leave out pictures and whole databases."),
        )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        if len(files) == 1:
            path = Path(folder) / _name(files[0])
            path.write_bytes(files[0].read())
        else:
            path = Path(folder) / "folder"
            path.mkdir()
            for each in files:
                (path / _name(each)).write_bytes(each.read())
        yield path


def _name(file: Any) -> str:
    """The last part of a file's name; nothing of it leads out of a folder."""
    name = PurePosixPath(str(file.name or "").replace("\\", "/").replace("\0", "")).name[:120]
    return name if name.strip(".") else "report"

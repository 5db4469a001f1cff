"""Lists as programs published them before a list had a salt."""

from __future__ import annotations

import pytest

from ratingbook.office.acts import lists
from ratingbook.office.logic import lines


def as_of_before(then: pytest.MonkeyPatch) -> None:
    """From now on a list has the digest of three columns, and commits to nothing else."""
    then.setattr(lines, "digest", lines.digest_of_before)
    then.setattr(lines, "said_by", lambda *_: None)
    then.setattr(lists, "new_salt", lambda: None)

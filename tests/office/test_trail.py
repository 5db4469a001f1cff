"""The trail of all acts: what can be asked of it, and what it says."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import ratingbook
from ratingbook.office.acts.trail import KINDS

SOURCES = (Path(ratingbook.__file__).parent / part for part in ("office", "cli/office", "site"))


def entered() -> Iterator[str]:
    """The kinds of acts that the program names where it enters one."""
    for path in (each for folder in SOURCES for each in folder.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(call, ast.Call):
                continue
            name = getattr(call.func, "attr", getattr(call.func, "id", ""))
            at = {"fact": 0, "note": 1, "step": 1}.get(name)
            if at is None or len(call.args) <= at:
                continue
            kind = call.args[at]
            if isinstance(kind, ast.Constant) and isinstance(kind.value, str):
                yield kind.value


def test_all_kinds_that_the_program_enters_can_be_asked_for():
    found = set(entered()) - {"in", "out"}  # To and from other federations: facts "sending".
    assert len(found) > 30
    assert found <= set(KINDS)


def test_a_kind_that_there_is_not_is_refused_with_those_that_there_are(officer):
    (told,) = officer.does("audit", "--kind", "link", status=1)["findings"]
    assert (told["code"], told["severity"]) == ("office.audit-kind", "error")
    assert "linked" in told["remedy"]
    assert officer.does("audit", "--kind", "linked")["acts"] == []
    assert officer.does("audit", "--kind", "actor")["acts"]

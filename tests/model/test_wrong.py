"""Exceptions go to other processes whole, or whoever waits for them waits for ever."""

from __future__ import annotations

import ast
import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import ratingbook as rb
from ratingbook.client.connection import Problem
from ratingbook.desk.pool import NoPool
from ratingbook.engine.history import HistoryRefused
from ratingbook.engine.report.run import Unsettled
from ratingbook.engine.store.store import Foreign
from ratingbook.formats.format import FormatFault
from ratingbook.model import Finding, Findings, Severity
from ratingbook.model.sentences import sentence
from ratingbook.office.refused import OfficeRefused
from tests.conftest import ROOT

BUILT_IN = {"Exception", "ValueError", "TypeError", "LookupError", "RuntimeError", "OSError"}
FINDING: Any = Finding("x.y", Severity.ERROR, sentence("{n} is wrong.", n=7), remedy="Correct it.")


def _classes() -> Any:
    for path in sorted((ROOT / "src").rglob("*.py")):
        for each in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(each, ast.ClassDef):
                yield path, each


def test_exceptions_with_more_than_a_text_are_portable() -> None:
    alone = [
        f"{path.name}: {each.name}"
        for path, each in _classes()
        if BUILT_IN & {ast.unparse(base) for base in each.bases}
        and any(isinstance(part, ast.FunctionDef) and part.name == "__init__" for part in each.body)
        and not {"Portable", "Refused"} & {ast.unparse(base) for base in each.bases}
    ]
    assert not alone


@pytest.mark.parametrize(
    "error",
    [
        rb.Refused(Findings([FINDING])),
        HistoryRefused(Findings([FINDING])),
        NoPool(Findings([FINDING])),
        OfficeRefused([FINDING]),
        FormatFault(FINDING),
        Problem(404, "Not found", detail="nobody", findings=[FINDING]),
        Unsettled("round", 9),
        Foreign(Path("out")),
        rb.BadArgument("x is 5"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_exception_is_the_same_after_its_way(error: Exception) -> None:
    error.add_note("in the second file")
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(again) is type(error)
        assert str(again) == str(error)
        told = vars(again) | {"findings": list(vars(again).get("findings", ()))}
        was = vars(error) | {"findings": list(vars(error).get("findings", ()))}
        assert {**told, "_made": 0} == {**was, "_made": 0}


def _rated(path: str) -> int:
    return len(rb.rate(path, "fide"))


def test_a_pool_of_processes_gets_what_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "nothing.trf"
    path.write_text("nothing\n")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        waiting = pool.submit(_rated, str(path))
        with pytest.raises(rb.Refused) as refused:
            waiting.result(timeout=120)
    assert refused.value.findings.refused

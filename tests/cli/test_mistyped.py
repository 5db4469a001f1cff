"""Who mistypes a word of ours is told which was meant."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.conftest import Done
from tests.cli.test_names_of_files import REPORT


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        ("RATE", "rate"),
        ("Rat", "rate"),
        ("office recieve", "receive"),
        ("office actor lst", "list"),
        ("lab Compare", "compare"),
        ("rate REPORT --rulebook Fied", "fide"),
        ("rate REPORT --rulebook fide-2009 --set Cap_Rul=1", "cap_rule"),
        ("rate REPORT --rulebook fide-2009 --column wite=W", "white"),
        ("rate REPORT --rulebook fide-2009 --id Fied", "fide"),
        ("rate REPORT --rulebook fide-2009 --format jsno", "json"),
        ("rate REPORT --rulebook fide-2009 --format html --player Foxtrat", "Foxtrot"),
        ("convert REPORT x --format Trff", "trf26"),
        ("history . --rulebook elo --out x --id Nam", "name"),
    ],
)
def test_the_word_that_was_meant_is_named(call: str, meant: str, run: Callable[..., Done]) -> None:
    done = run(*(str(REPORT) if word == "REPORT" else word for word in call.split()))
    said = " ".join(done.err.split())
    assert done.status != 0
    assert "did you mean " in said, said
    assert meant in said.partition("did you mean ")[2], said


def test_parameters_in_the_name_as_the_lab_has_them(run: Callable[..., Done]) -> None:
    done = run("rate", REPORT, "--rulebook", "elo:k=24,scale=300")
    assert done.status != 0
    assert "--rulebook elo --set k=24 --set scale=300" in " ".join(done.err.split())

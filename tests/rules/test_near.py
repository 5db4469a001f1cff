"""Words that are almost known ones."""

from __future__ import annotations

import pytest

from ratingbook.rules import registry
from ratingbook.rules.near import did_you_mean, near


@pytest.mark.parametrize(
    ("asked", "known", "meant"),
    [
        ("RATE", ["rate", "list"], ["rate"]),
        ("Cap_Rule", ["cap", "cap-rule"], ["cap-rule"]),
        ("wite", ["white", "black"], ["white"]),
        ("trf", ["trf16", "trf26", "pgn"], ["trf16", "trf26"]),
        ("", ["white"], []),
        ("x", ["white", "black"], []),
    ],
)
def test_near_words(asked: str, known: list[str], meant: list[str]) -> None:
    assert near(asked, known) == meant


def test_all_are_named_where_none_is_near() -> None:
    assert did_you_mean("zzz", ["a", "b"], "it has") == "it has a, b"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("FIED", "did you mean fide?"),
        ("Icu", "examples/icu"),
        ("plain-elo", "examples/plain_elo"),
        ("nowhere-2022", "examples/tutorial"),
        ("Glico", "examples/models"),
    ],
)
def test_rule_books_of_the_example_packages_are_known(
    asked: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_others", dict)
    with pytest.raises(registry.UnknownRuleBook, match=said.replace("?", r"\?")):
        registry.edition(asked)

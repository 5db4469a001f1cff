"""Patterns that are compiled at first use."""

from __future__ import annotations

import copy
import pickle
import re

import pytest

from ratingbook.model.patterns import pattern


def test_does_what_a_compiled_pattern_does() -> None:
    looks, compiled = pattern(r"(?P<n>[a-z]+)", re.I), re.compile(r"(?P<n>[a-z]+)", re.I)
    text = "One two, 3"
    assert looks.findall(text) == compiled.findall(text)
    assert looks.sub("-", text) == compiled.sub("-", text)
    assert [m.span("n") for m in looks.finditer(text)] == [(0, 3), (4, 7)]
    assert (looks.pattern, looks.flags) == (compiled.pattern, compiled.flags)
    assert pattern(rb"[0-9]").search(b"a1")


def test_is_compiled_once_and_only_when_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[tuple[str, int]] = []
    of_re = re.compile

    def compile_(text: str, flags: int) -> re.Pattern[str]:
        compiled.append((text, flags))
        return of_re(text, flags)

    monkeypatch.setattr(re, "compile", compile_)
    looks = pattern("a")
    assert not hasattr(looks, "__len__")
    assert not compiled
    assert looks.match("a")
    assert looks.fullmatch("a")
    assert not looks.search("b")
    assert compiled == [("a", 0)]


def test_copies_and_goes_to_other_processes() -> None:
    looks = pattern("a", re.I)
    for each in (copy.deepcopy(looks), pickle.loads(pickle.dumps(looks))):
        assert each.match("A")

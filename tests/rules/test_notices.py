"""The sentences of findings: each is told somewhere, with all the words that it asks for."""

from __future__ import annotations

import ast
import importlib
import inspect
import string

import pytest

from ratingbook.rules.wording import Notices

MODULES = (
    "egf.findings", "fide.findings", "fide.pool_findings", "iccf.findings", "iecg.findings",
    "uscf.findings",
)  # fmt: skip
ALWAYS = {"batch", "count", "first", "p", "player", "who", "check"}
"""What the collectors fill in by themselves."""


def words_of(notices: Notices, code: str) -> set[str]:
    """The names in the braces of a notice."""
    severity, said = notices._known[code]
    texts = (severity, *said.values())
    fields = [field for text in texts for field in string.Formatter().parse(text)]
    return {name.split(".")[0].split("[")[0] for _, name, _, _ in fields if name}


@pytest.mark.parametrize("name", MODULES)
def test_each_notice_is_told_with_its_words(name: str) -> None:
    module = importlib.import_module(f"ratingbook.rules.{name}")
    told: dict[str, set[str]] = {}
    always = set(ALWAYS)
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        match node:
            case ast.Call(args=[ast.Name("NOTICES"), *_], keywords=held):
                always |= {keyword.arg or "" for keyword in held}
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        if node.func.attr == "tell":
            code = ast.literal_eval(node.args[0])
            told[code] = {keyword.arg or "" for keyword in node.keywords}
    assert told.keys() == module.NOTICES._known.keys()
    for code, given in told.items():
        words = words_of(module.NOTICES, code)
        assert words <= given | always, code
        assert given <= words, f"{code}: given in vain"

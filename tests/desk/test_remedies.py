"""The remedy of a finding names what there is: options, parameters, keys, columns."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer

import ratingbook
from ratingbook.cli.app import app
from ratingbook.formats.document.schema import FIELDS
from ratingbook.formats.tables import words
from ratingbook.rules import registry
from ratingbook.rules.book import RuleBook

SOURCE = Path(ratingbook.__file__).parent
FEDERATIONS = ("egf", "fide", "iccf", "iecg", "uscf")
CODE = re.compile(r"[a-z0-9]+\.[a-z0-9-]+")
QUOTED = re.compile(rf"([\"'])(?:{CODE.pattern})\1")


class Told(NamedTuple):
    """A finding as it stands in the source."""

    file: str
    code: str
    remedy: str


def texts(node: ast.expr) -> str:
    """The text of an expression; what is filled in stands as …."""
    match node:
        case ast.Constant(value=str(value)):
            return value
        case ast.JoinedStr(values=values):
            return "".join(
                texts(each) if isinstance(each, ast.Constant) else "…" for each in values
            )
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return texts(left) + texts(right)
        case ast.IfExp(body=body, orelse=orelse):
            return f"{texts(body)} {texts(orelse)}"
    return ""


def told() -> Iterator[Told]:
    """Every finding of the package: those of notices, and those that are built where they occur."""
    for federation in FEDERATIONS:
        module = importlib.import_module(f"ratingbook.rules.{federation}.findings")
        for name, (_, said) in module.NOTICES._known.items():
            remedy = re.sub(r"\{[^{}]*\}", "…", said.get("Remedy", ""))
            yield Told(f"rules/{federation}/findings.py", name.partition("/")[0], remedy)
    for path in sorted(SOURCE.rglob("*.py")):
        source = path.read_text("utf-8")
        # Every process of the tests goes through the package: where no code is, nothing is parsed.
        for node in ast.walk(ast.parse(source)) if QUOTED.search(source) else ():
            if not isinstance(node, ast.Call):
                continue
            given = [*node.args, *(each.value for each in node.keywords)]
            first = [texts(each) for each in given[:3]]
            at = next((n for n, text in enumerate(first) if CODE.fullmatch(text)), None)
            if at is not None:
                remedy = " ".join(texts(each) for each in given[at + 2 :])
                yield Told(str(path.relative_to(SOURCE)), first[at], remedy)


ALL = sorted({*told()})
BOOKS = [registry.load(name).edition(None) for name in registry.names()]
OPTIONS: dict[str, set[str]] = {}
"""By command."""


def _fill_options(command: Any, name: str) -> None:
    for each in command.params:
        OPTIONS.setdefault(name, set()).update(each.opts)
    if hasattr(command, "list_commands"):
        asked = typer.Context(command)
        for more in command.list_commands(asked):
            _fill_options(command.get_command(asked, more), f"{name} {more}".strip())


_fill_options(typer.main.get_command(app), "")

RATING = ("rate", "check", "history", "whatif")
"""Commands that join reports with players, and tell what rule books notice."""
READING = (*RATING, "convert", "grades")
"""Commands that read reports, and tell what is noticed there."""
BY_FAMILY = {
    "office": [name for name in OPTIONS if name.startswith("office ")],
    "client": ["office"], "verify": ["verify"], "convert": ["convert"], "history": ["history"],
    "correction": ["history"], "list": ["list"], "grades": ["grades"], "period": ["rate"],
}  # fmt: skip
"""By the first word of a code, who tells of it; else :data:`RATING` or :data:`READING` do."""
OTHER_KEYS = {
    "report.version": {"ratingbook"},
    "decision.no-reason": {"reason"},
    "uscf.national-rating": {"reason"},
    "uscf.no-fide-rating": {"fide"},
    "uscf.perhaps-match": {"match"},
    "pgn.tag": {"value"},
    "office.settings": {"office", "database", "url", "proxies", "sign_up", "contact"},
    "office.decision-kind": {"opening"},
    "office.mail": {"mail"},
    "doctor.files": {"files"},
}
"""What stands in quotes and is no key of the schema: the first key of all, values, other files."""


def commands_of(one: Told) -> Sequence[str]:
    """The commands in whose output a finding can stand."""
    family = one.code.partition(".")[0]
    if one.code == "list.letters":
        return ["office list"]
    if told_command := re.search(r"\bratingbook ([a-z]+(?: [a-z]+)*) --", one.remedy):
        return [told_command[1]]
    if "rate with --set" in one.remedy:
        return RATING
    if family == "list" and one.file.startswith("formats/"):
        return RATING
    return BY_FAMILY.get(family) or (READING if one.file.startswith("formats/") else RATING)


def homes_of(one: Told) -> list[RuleBook]:
    """The editions that tell of it."""
    family = one.code.partition(".")[0]
    return [book for book in BOOKS if book.name.startswith(f"{family}-")] or BOOKS


def named(pattern: str) -> list[tuple[Told, str]]:
    """What remedies name by a pattern, each with its finding."""
    found = [(one, match) for one in ALL for match in re.finditer(pattern, one.remedy)]
    return [(one, name) for one, match in found for name in match.groups() if name]


def test_there_are_remedies_to_look_at() -> None:
    assert len({one.code for one in ALL}) > 700
    assert len(named(r"(--[a-z]+)")) > 60


@pytest.mark.parametrize(("one", "option"), named(r"(?<![a-z])(--[a-z][a-z-]+)"))
def test_each_option_is_one_of_the_commands_that_tell_of_it(one: Told, option: str) -> None:
    lacking = {name for name in commands_of(one) if option not in OPTIONS[name]}
    if one.code.startswith("office."):
        # Its code does not say which act of the office tells of it.
        assert lacking < {*commands_of(one)}, one
    else:
        assert not lacking, one


@pytest.mark.parametrize(("one", "command"), named(r"`ratingbook ([a-z]+(?: [a-z]+)*)"))
def test_each_command_is_there(one: Told, command: str) -> None:
    assert command in OPTIONS, one


@pytest.mark.parametrize(
    ("one", "parameter"),
    named(r"(?<!edit PERSON )--set ([a-z]\w*)=|\bset ([a-z]+_[a-z0-9_]+|floor)\b"),
)
def test_each_parameter_is_one_of_the_federation(one: Told, parameter: str) -> None:
    having = [book.name for book in homes_of(one) if parameter in book.parameters._fields]
    if homes_of(one) is BOOKS:
        assert having, one
    else:
        assert having == [book.name for book in homes_of(one)], one


def keys_of(one: Told) -> set[str]:
    """Keys of the report document, of the federation's standings, decisions and parameters."""
    keys = {"standing", "history", "foreign", "pools", "decisions", "ids", "event", "rated"}
    keys |= {key for kind in FIELDS.values() for key in kind}
    for book in homes_of(one):
        keys |= {*book.standing_fields, *book.parameters._fields, *book.decisions}
    return keys | words.fields() | OTHER_KEYS.get(one.code, set())


@pytest.mark.parametrize(
    ("one", "key"),
    named(r'"([a-z_]+)"|`([a-z_]+)`|(?<![A-Za-z.{-])([a-z]+(?:_[a-z0-9]+)+)(?![a-z.(-])'),
)
def test_each_key_is_one_that_is_read(one: Told, key: str) -> None:
    assert key in keys_of(one) | OPTIONS.keys(), one


@pytest.mark.parametrize(
    ("one", "column"),
    named(r"\ba column (?!of\b|matters\b)([a-z]+[a-z_.]*[a-z])(?: or (?!above)([a-z_]+))?"),
)
def test_each_column_is_one_that_is_read(one: Told, column: str) -> None:
    assert column in words.fields() or f"{column}.…" in one.remedy, one

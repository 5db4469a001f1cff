"""What a reader could not see to be wrong is not written."""

import ast
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted(
    path for part in ("src", "examples", "benchmarks") for path in (ROOT / part).rglob("*.py")
)

MOST_BY_POSITION = 8
"""From here on nobody counts fields: they are given by their names, or by ``_replace``."""


def records(trees: Iterable[ast.AST]) -> set[str]:
    """The classes that are defined, also under the names that they are imported by."""
    nodes = [node for tree in trees for node in ast.walk(tree)]
    defined = {node.name for node in nodes if isinstance(node, ast.ClassDef)}
    imported = (each for node in nodes if isinstance(node, ast.ImportFrom) for each in node.names)
    return defined | {each.asname for each in imported if each.asname and each.name in defined}


def by_position(tree: ast.AST, known: Collection[str]) -> Iterator[str]:
    """The calls of known classes with too many arguments by position, but for ``*`` ones."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in known:
                count = sum(not isinstance(each, ast.Starred) for each in node.args)
                if count > MOST_BY_POSITION:
                    yield f"line {node.lineno}: {name} is built from {count} arguments by position"


def test_no_record_is_built_from_many_arguments_by_position():
    trees = {path: ast.parse(path.read_text("utf-8")) for path in SOURCES}
    known = records(trees.values())
    assert {"Standing", "FidePlayer"} <= known
    found = [
        f"{path.relative_to(ROOT)}, {each}"
        for path, tree in trees.items()
        for each in by_position(tree, known)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("call", "count"),
    [
        ("Standing(1, 2, 3, 4, 5, 6, 7, 8, 9)", 1),
        ("columns.Standing(1, 2, 3, 4, 5, 6, 7, 8, 9, *more)", 1),
        ("Told(Standing(1, 2, 3, 4, 5, 6, 7, 8, 9), 1, 2, 3, 4, 5, 6, 7, 8)", 2),
        ("Standing(1, 2, 3, 4, 5, 6, 7, 8, last=9)", 0),
        ("Standing(*row)", 0),
        ("rate_batch(1, 2, 3, 4, 5, 6, 7, 8, 9)", 0),
    ],
)
def test_finds_a_record_of_many_arguments(call, count):
    defined = "class Standing(NamedTuple): ...\ndef rate_batch(): ..."
    imported = "from columns import Standing as Told"
    known = records([ast.parse(defined), ast.parse(imported)])
    assert len(list(by_position(ast.parse(call), known))) == count

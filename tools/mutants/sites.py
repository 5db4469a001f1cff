"""Where a small fault can be put into a module, and the module with that fault.

A library for this (mutmut, cosmic-ray) puts a switch around each function or writes into the
source.  Rule functions must stay plain: Numba compiles them, and explanations show their
source.  So a module is changed as a tree, and handed to Python in place of the file.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
_EXTREMES = {"max": "min", "min": "max", "all": "any", "any": "all"}


@dataclass(frozen=True)
class Mutant:
    """One small fault: which node of a walk through the module, and what is done."""

    path: Path
    node: int
    line: int
    end_line: int
    before: str
    after: str
    on_import: bool
    """Whether it stands in no function."""

    @property
    def name(self) -> str:
        """How a report and a judgement name it."""
        return f"{self.path}:{self.line}: {self.before} -> {self.after}"


def mutants_of(path: Path, root: Path) -> list[Mutant]:
    """All faults that can be put into a module."""
    tree = ast.parse((root / path).read_text())
    found = []
    within = {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for line in range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1)
    }
    for place, node in enumerate(_walk(tree)):
        changed = _changed(node)
        if changed is None:
            continue
        found.append(
            Mutant(
                path, place, node.lineno, node.end_lineno or node.lineno,
                _shown(node), _shown(changed), node.lineno not in within,
            )
        )  # fmt: skip
    return found


def mutated(mutant: Mutant, root: Path) -> ast.Module:
    """The module with the fault in it."""
    tree = ast.parse((root / mutant.path).read_text())
    wanted = list(_walk(tree))[mutant.node]
    changed = _changed(wanted)
    assert changed is not None

    class Exchange(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> Any:
            return changed if node is wanted else self.generic_visit(node)

    Exchange().visit(tree)
    return ast.fix_missing_locations(tree)


def _walk(tree: ast.AST) -> Iterator[ast.expr]:
    """The expressions that do something: not annotations, docstrings, or words for people."""
    for field, value in ast.iter_fields(tree):
        if field in {"annotation", "returns", "decorator_list", "type_params"}:
            continue
        for node in value if isinstance(value, list) else [value]:
            if isinstance(node, ast.If) and _is_for_types(node.test):
                continue
            if isinstance(node, ast.expr):
                yield node
            if isinstance(node, ast.AST):
                yield from _walk(node)


def _is_for_types(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def _changed(node: ast.expr) -> ast.expr | None:
    """The expression with a fault, or None if it has no fault of its own to take."""
    made = _fault(node)
    return None if made is None else ast.copy_location(made, node)


def _fault(node: ast.expr) -> ast.expr | None:
    if isinstance(node, ast.Compare):
        first = _COMPARISONS[type(node.ops[0])]
        return ast.Compare(node.left, [first(), *node.ops[1:]], node.comparators)
    if isinstance(node, ast.BinOp):
        other = _ARITHMETIC.get(type(node.op))
        # Text and types are put together by + and |, and go wrong at once.
        is_text = any(isinstance(each, ast.JoinedStr) for each in (node.left, node.right))
        return None if is_text or other is None else ast.BinOp(node.left, other(), node.right)
    if isinstance(node, ast.BoolOp):
        return ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        return node.operand
    if isinstance(node, ast.IfExp):
        return ast.IfExp(node.test, node.orelse, node.body)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        name = _EXTREMES.get(node.func.id)
        return (
            None if name is None else ast.Call(ast.Name(name, ast.Load()), node.args, node.keywords)
        )
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            return ast.Constant(not node.value)
        if isinstance(node.value, int):
            return ast.Constant(node.value + 1)
        if isinstance(node.value, float):
            return ast.Constant(node.value * 1.01 + 0.001)
    return None


def _shown(node: ast.expr) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 60 else text[:57] + "..."

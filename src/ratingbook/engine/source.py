"""The program of a rule book as one number, whatever is said about it in words.

To take a program apart takes a second for the rule books of a federation.  What came of it is
kept with the compiled code, sealed as that is, under the hash of the very bytes.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import sys
from pathlib import Path

from ratingbook.engine.cache import keep, kept

_FILE = "sha256"
_SUM = 64
"""Hexadecimal digits of a sum."""
_WITH_DOCSTRINGS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def source_of(*packages: str) -> str:
    """SHA-256 of the functions in all modules of packages, without docstrings and comments."""
    texts = {
        f"{name}/{path.name}": path.read_bytes()
        for name in sorted(packages)
        for path in sorted(_folder(name).glob("*.py"))
    }
    # Versions of Python take a program apart in different ways.
    stamp = hashlib.sha256(repr(sys.version_info[:2]).encode())
    for name, data in texts.items():
        stamp.update(f"\n{name}\n{hashlib.sha256(data).hexdigest()}".encode())
    place = f"source-{stamp.hexdigest()[:32]}"
    known = kept(place).get(_FILE, b"").decode("ascii", "replace")
    if len(known) == _SUM:
        return known
    total = hashlib.sha256()
    for name, data in texts.items():
        total.update(f"{name}\n{_shape(data)}\n".encode())
    keep(place, {_FILE: total.hexdigest().encode()})
    return total.hexdigest()


def _folder(package: str) -> Path:
    module = importlib.import_module(package)
    assert module.__file__ is not None
    return Path(module.__file__).parent


def _shape(data: bytes) -> str:
    """The program in a file without what is said about it."""
    tree = ast.parse(data)
    for node in ast.walk(tree):
        if not isinstance(node, _WITH_DOCSTRINGS):
            continue
        node.body = [
            each
            for each in node.body
            if not (
                isinstance(each, ast.Expr)
                and isinstance(each.value, ast.Constant)
                and isinstance(each.value.value, str)
            )
        ]
    return ast.dump(tree)

"""Puts a fault into functions that are there already, wherever they are held.

A module that has been imported need not be imported again for a fault within a function: every
function that was made of the code at fault gets the other code.  What ran on import, or was
remembered before, stays as it was; so a fault that nobody notices is tried once more in a
process that imports everything anew.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType

from tools.mutants.sites import Mutant, mutated

Functions = dict[str, list[FunctionType]]
"""All functions of a process by the file that they stand in."""


def functions_under(folder: Path) -> Functions:
    """The functions that there are now, of files within a folder."""
    found: Functions = {}
    for each in gc.get_objects():
        if type(each) is FunctionType and each.__code__.co_filename.startswith(str(folder)):
            found.setdefault(each.__code__.co_filename, []).append(each)
    return found


def patch(mutant: Mutant, root: Path, functions: Functions) -> int:
    """Give the functions their fault; how many got one."""
    path = root / mutant.path
    # What this module imports from __future__ is no matter there.
    sound = compile(path.read_text(), str(path), "exec", dont_inherit=True)
    faulty = compile(mutated(mutant, root), str(path), "exec", dont_inherit=True)
    changed = {
        before: after
        for before, after in zip(_codes(sound), _codes(faulty), strict=True)
        if before != after
    }
    patched = 0
    for function in functions.get(str(path), []):
        if function.__code__ in changed:
            function.__code__ = changed[function.__code__]
            patched += 1
    return patched


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A piece of code and all within it, in the order of the source."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)

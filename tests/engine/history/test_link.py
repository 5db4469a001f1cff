"""Compiled loops: what is told of them before they are called, and what they leave behind."""

from __future__ import annotations

import dis
import gc
import inspect
import os
import pickle
import subprocess
import sys
import weakref
from types import CodeType, FunctionType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numba import njit

from ratingbook.engine import link
from ratingbook.engine.cache import cache_folder
from ratingbook.engine.link import Compiled, Linker
from ratingbook.engine.loops import passing
from ratingbook.rules.fide import change
from tests.conftest import ROOT


def total(values, start):
    """Adds up."""
    for place in range(len(values)):
        start += values[place]
    return start


@pytest.fixture
def loop(tmp_path):
    return Compiled(njit(total), tmp_path)


def test_ready_once_it_has_been_called(loop, tmp_path):
    whole, broken = (np.arange(4), 0), (np.arange(4) / 2, 0.0)
    assert not loop.is_ready_for(whole)
    assert loop(*whole) == 6
    assert loop.is_ready_for(whole)
    assert loop.is_ready_for((np.arange(9), 5)), "other values of the same types"
    assert not loop.is_ready_for(broken), "other types are compiled anew"
    assert Compiled(njit(total), tmp_path).is_ready_for(whole), "a later run knows of it"


def test_without_a_folder_it_is_compiled_in_each_run(tmp_path):
    folder = tmp_path / "a file" / "folder"
    folder.parent.write_text("no folder can be here")
    loop: Any = Linker({}, folder).link(total)
    assert loop(np.arange(4), 0) == 6
    assert not loop.is_ready_for((np.arange(4), 0))


def test_rule_books_that_are_linked_in_turns_have_folders_of_their_own(tmp_path):
    """Compiled code of one in the folder of the other would be taken for the other's."""
    first, second = Linker({}, tmp_path / "first"), Linker({}, tmp_path / "second")
    for linker in (second, first):
        linker.link(total)(np.arange(4), 0)
    for name in ("first", "second"):
        assert len(list((tmp_path / name).rglob("*.nbi"))) == 1


def compiled_anew(folder, values=4):
    """Links and runs in a process of its own, as a later run does."""
    code = (
        "import sys, numpy as np\n"
        "from pathlib import Path\n"
        "from ratingbook.engine.link import Linker\n"
        "from tests.engine.history.test_link import total\n"
        "loop = Linker({}, Path(sys.argv[1])).link(total)\n"
        "print(loop(np.arange(int(sys.argv[2])), 0), sum(loop._function.stats.cache_hits.values()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder), str(values)],
        capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    made, hits = done.stdout.split()
    return int(made), int(hits)


def test_what_one_installation_compiled_is_found_by_another_of_the_same_code(tmp_path):
    """Numba looks beside where the source lies, and another place compiled for itself."""
    code = (
        "import sys, numpy as np\n"
        "from pathlib import Path\n"
        "from ratingbook.engine.link import Linker\n"
        "sys.path.insert(0, sys.argv[2])\n"
        "from loop_of_two_places import total\n"
        "loop = Linker({}, Path(sys.argv[1])).link(total)\n"
        "print(loop(np.arange(4), 0), sum(loop._function.stats.cache_hits.values()))"
    )
    told = []
    for number, place in enumerate(("one", "other")):
        (tmp_path / place).mkdir()
        (tmp_path / place / "loop_of_two_places.py").write_text(
            "\n" * number + inspect.getsource(total), "utf-8"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "kept" / "code"), str(tmp_path / place)],
            capture_output=True, text=True, check=True, cwd=ROOT,
        )  # fmt: skip
        told.append(done.stdout.split())
    assert told == [["6", "0"], ["6", "1"]]


class Planted:
    """Runs where it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (open, (str(self.path), "w"))


def test_damaged_or_planted_compiled_code_is_made_again_and_does_not_run(tmp_path):
    """Limits H5 and H6: an index is a pickle, and ran where it was read, or was the end."""
    folder, spoor = tmp_path / "cache" / "code", tmp_path / "it-ran"
    assert compiled_anew(folder) == (6, 0)
    (index,) = folder.rglob("*.nbi")
    index.write_bytes(pickle.dumps(Planted(spoor)))
    pickle.loads(index.read_bytes()).close()
    assert spoor.exists(), "it would run"
    spoor.unlink()
    assert compiled_anew(folder) == (6, 0)
    assert not spoor.exists()
    assert compiled_anew(folder) == (6, 1), "what was made again is kept"


class LeavesCallers:
    """Holds what it was first called with in a cycle, as errors with tracebacks do."""

    __name__ = "leaves_callers"

    def __init__(self):
        self.stats = SimpleNamespace(cache_misses={})

    def __call__(self, column):
        if not self.stats.cache_misses:
            self.stats.cache_misses[column.kind] = 1
            cycle = [column]
            cycle.append(cycle)


def test_columns_are_not_held_by_what_compiling_left(tmp_path):
    gc.disable()
    try:
        column = np.zeros(8)
        held = weakref.ref(column)
        Compiled(LeavesCallers(), tmp_path)(column)
        del column
        assert held() is None
    finally:
        gc.enable()


_KEYS = """
from ratingbook.engine.bindings import NoBulk, bulk_of
from ratingbook.engine.history.program import Program
from ratingbook.rules import registry

for name in {name.rpartition("-")[0]: name for name in registry.names()}.values():
    book = registry.edition(name)
    try:
        bulk_of(book)
    except NoBulk:
        continue
    program = Program(book, compiled=False)
    print(name, program.rules, program.key)
"""


def test_code_has_the_same_key_in_every_process():
    """A checkpoint is of another process: where the keys differ it is never taken up."""
    told = [
        subprocess.run(
            [sys.executable, "-c", _KEYS], env={**os.environ, "PYTHONHASHSEED": seed},
            check=True, capture_output=True, text=True,
        ).stdout.splitlines()
        for seed in ("1", "2")
    ]  # fmt: skip
    assert len(told[0]) >= 5
    assert told[0] == told[1]


def test_what_is_compiled_is_kept_below_the_cache_of_the_user(tmp_path, monkeypatch):
    monkeypatch.delenv("RATINGBOOK_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder().parent == tmp_path / "ratingbook" / "compiled"


def test_the_names_that_a_function_reads_are_those_that_python_tells():
    many = compile("\n".join(f"a{n}.b{n}(c{n})" for n in range(300)), "many", "exec")
    asked = compile(
        f"def many():\n    return {'+'.join(f'd{n}' for n in range(300))}", "many", "exec"
    )
    modules = (link, change, passing)
    codes = [f.__code__ for m in modules for f in vars(m).values() if isinstance(f, FunctionType)]
    codes += [many, *(each for each in asked.co_consts if isinstance(each, CodeType))]
    read = 0
    for code in codes:
        told = {step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"}
        for inner in code.co_consts:
            if isinstance(inner, CodeType):
                told |= link._global_names(inner)
        assert link._global_names(code) == told
        read += len(told)
    assert read > 500

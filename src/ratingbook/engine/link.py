"""Binds the engine's loops to the functions of a rule book, and compiles them.

The :mod:`.loops` call rule functions by names that stand for any rule book.
Linking makes a copy of a loop whose global names are those of one rule book.  In plain
Python that is all.  Compiled, every function that is reached is handed to Numba as it
stands, so the very functions that are read and explained run in bulk.

The cache of compiled code has a folder for each state of the code: its name is a hash
over everything that is reached, since Numba itself looks at the outermost file only.
"""

from __future__ import annotations

import builtins
import dis
import gc
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from enum import EnumType
from functools import cache
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from ratingbook.engine.declared import NotAsDeclared, declared_by
from ratingbook.engine.loops import halves, passing, rows
from ratingbook.model.patterns import pattern
from ratingbook.rules.paragraph import RuleFault

_OPTIONS: Mapping[str, Any] = {
    # The bits are Python's, and a division by zero is an error in both.
    "error_model": "python",
    "fastmath": False,
    # Rows of changes are written while the next ones are made.
    "nogil": True,
    "no_cfunc_wrapper": True,
}
"""How everything is compiled; what was compiled otherwise is not taken for it."""

_LOOPS = "ratingbook.engine.loops."
"""In plain Python only the loops are bound; the functions of the rule book stay as they are."""

_HOT = frozenset(
    {"counts", "side_of", "fold_add", "load_facts", "load_entered", "load_tally"}
    | {"store_tally", "load_side", "store_side", "load_standing", "store_standing"}
    | {"enter", "kernel_of", "leave", "outcome"}
)
"""What is called for every game or player, with all that it calls: a call costs more than it."""
_HOT_LOOPS = (halves.half_of, halves.entering, passing.pass_side, rows.write_row)
"""Of the loops themselves."""

_ADDRESS = pattern(r" at 0x[0-9a-f]+")
_STYLE = pattern(r"\x1b\[[0-9;]*m")
_IN_FILE = pattern(r'File "(.+)", line (\d+):')
_DEFINED = pattern(r"def (\w+)\(")
_OF_NUMBA = pattern(
    r"Failed in |- Resolution failure for |During: |File \"|No implementation of function|"
    r"There are \d+ candidate|Overload|Rejected|None$|<source elided>|>>>|def |\^"
)
"""Lines that say how the compiler works, not what is the matter."""
_MARK = ".compiled"
_NOTHING = object()
NO_RESULTS: Mapping[str, Any] = {}
_COMPILER = ("ratingbook.engine.at_once", "ratingbook.engine.lending")
"""What imports Numba, and is imported where a loop is compiled or called."""
_LOAD_GLOBAL = dis.opmap["LOAD_GLOBAL"]
_TABLE = 8
"""From this length on a tuple of numbers becomes an array in compiled code."""


class Linker:
    """Makes the functions of one rule book's loops, plain or compiled."""

    def __init__(
        self, names: Mapping[str, Any], folder: Path | None, results: Mapping[str, Any] = NO_RESULTS
    ) -> None:
        """``results``: what compiled loops take of the functions of some names."""
        self._names = dict(names)
        self._results = {id(names[name]): kind for name, kind in results.items()}
        self._compiled = folder is not None
        self._folder = folder
        self._is_kept = False
        self._done: dict[int, Any] = {}
        self._hot = self._called_for_each() if self._compiled else frozenset[int]()

    def link(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function with its global names bound, to be compiled if there is a folder for it."""
        if self._folder is None:
            plain: Callable[..., Any] = self._linked(_plain(function), outermost=True)
            return plain
        self._is_kept = can_keep(self._folder)
        made = self._linked(_plain(function), outermost=True)
        return Compiled(made, self._folder, is_kept=self._is_kept)

    def _linked(self, function: FunctionType, *, outermost: bool = False) -> Any:
        if id(function) in self._done:
            return self._done[id(function)]
        code = function.__code__
        bound: dict[str, Any] = {"__name__": function.__module__, "__builtins__": builtins}
        if self._compiled:
            for name in sorted(_global_names(code)):
                value = self._meant(function, name)
                if value is not _NOTHING:
                    bound[name] = self._value(value)
        else:
            self._bind(function, bound)
        copy = FunctionType(code, bound, function.__name__, function.__defaults__)
        copy.__qualname__ = function.__qualname__
        copy.__module__ = function.__module__
        if self._compiled:
            # What the compiler infers is compared with it.
            copy.__dict__["declared"] = declared_by(function, self._results.get(id(function)))
        is_hot = id(function) in self._hot
        made = self._jitted(copy, outermost, is_hot) if self._compiled else copy
        self._done[id(function)] = made
        return made

    def _bind(self, function: FunctionType, bound: dict[str, Any]) -> None:
        """The same in plain Python, which every report goes through."""
        own, loops = _names_read(function)
        bound |= own
        given = self._names if _is_loop(function) else {}
        for name in own:
            if name in given:
                bound[name] = given[name]
        for name, loop in loops:
            if name not in given:
                bound[name] = self._done.get(id(loop)) or self._linked(loop)

    def _meant(self, function: FunctionType, name: str) -> Any:
        """What a name of a function stands for; nothing: for something that Python brings."""
        if _is_loop(function) and name in self._names:
            return self._names[name]
        return function.__globals__.get(name, _NOTHING)

    def _called_for_each(self) -> frozenset[int]:
        """The functions that are called for every game or player, by their identities."""
        found: set[int] = set()
        waiting = [each for name, each in self._names.items() if name in _HOT]
        waiting += _HOT_LOOPS
        while waiting:
            function = waiting.pop()
            if isinstance(function, FunctionType) and id(function) not in found:
                found.add(id(function))
                names = _global_names(function.__code__)
                waiting += [self._meant(function, name) for name in names]
        return frozenset(found)

    def _value(self, value: Any) -> Any:
        if isinstance(value, FunctionType) and (self._compiled or _is_loop(value)):
            return self._linked(value)
        if self._compiled and _is_table(value):
            import numpy as np

            return np.array(value)
        return value

    def _jitted(self, function: FunctionType, outermost: bool, hot: bool) -> Any:
        from numba import njit

        from ratingbook.engine.at_once import AtOnce, Plain

        made = njit(
            function,
            forceinline=hot,
            # Nothing but the outermost is called from outside compiled code.
            no_cpython_wrapper=not outermost,
            pipeline_class=AtOnce if outermost else Plain,
            **_OPTIONS,
        )
        if outermost and self._is_kept and self._folder is not None:
            from ratingbook.engine.kept import keep_in

            keep_in(self._folder, made)
        return made


class Compiled:
    """A loop that is compiled for the types it is called with, once in the life of its folder."""

    def __init__(self, function: Any, folder: Path, *, is_kept: bool = True) -> None:
        self._function = function
        self._folder = folder
        self._is_kept = is_kept

    def __call__(self, *arguments: Any) -> Any:
        """Run; the first time compile, or load what was compiled before."""
        from ratingbook.engine.lending import lend

        return self._run([lend(each) for each in arguments], arguments)

    def for_many_calls(self) -> Callable[..., Any]:
        """The same for somebody who passes the same columns in one call after the other.

        They are laid out once, and held as long as what this gives.
        """
        from ratingbook.engine.lending import lend

        before: list[tuple[Any, Any]] = []

        def run(*arguments: Any) -> Any:
            known = before or [(None, None)] * len(arguments)
            before[:] = [
                (each, lent if each is told else lend(each))
                for each, (told, lent) in zip(arguments, known, strict=True)
            ]
            return self._run([lent for _, lent in before], arguments)

        return run

    def _run(self, lent: list[Any], arguments: tuple[Any, ...]) -> Any:
        known = self._compiled_here()
        from numba.core.errors import NumbaError

        try:
            made = self._function(*lent)
        except NotAsDeclared as error:
            raise error.fault from None
        except NumbaError as error:
            raise RuleFault(_why_not_compiled(str(error))) from error
        if self._compiled_here() > known:
            self._note(arguments)
        return made

    def _compiled_here(self) -> int:
        """How often the code was compiled, and not taken from the folder."""
        return sum(self._function.stats.cache_misses.values()) if self._is_kept else 0

    def is_ready_for(self, arguments: tuple[Any, ...]) -> bool:
        """Whether a call with arguments of these types has nothing to compile."""
        return self._is_kept and os.path.exists(self._mark_of(arguments))

    def _note(self, arguments: tuple[Any, ...]) -> None:
        # Numba's errors on the way hold all callers, and so all columns, until then.
        gc.collect()
        from ratingbook.engine.sealed import adding

        # On a full disk it is compiled in every run.
        with suppress(OSError), adding(self._folder):
            self._mark_of(arguments).touch()

    def _mark_of(self, arguments: tuple[Any, ...]) -> Path:
        import hashlib

        from numba import typeof

        from ratingbook.engine.lending import lend

        types = repr([self._function.__name__, *(str(typeof(lend(each))) for each in arguments)])
        return self._folder / f"{hashlib.sha256(types.encode()).hexdigest()[:32]}{_MARK}"


def has_compiled(folder: Path) -> bool:
    """Whether something was compiled there."""
    return any(folder.glob(f"*{_MARK}"))


def _why_not_compiled(told: str) -> str:
    """What Numba tells on a hundred lines, in one: the innermost function, and the reason."""
    lines = [line.strip() for line in _STYLE.sub("", told).splitlines()]
    place, name = "", "a function"
    for number, line in enumerate(lines):
        if found := _IN_FILE.match(line):
            place = f" ({Path(found[1]).name}:{found[2]})"
            defined = (_DEFINED.match(each) for each in lines[number + 1 :])
            name = next((f"the function {each[1]}" for each in defined if each), name)
            break
    reasons = [line.removeprefix("- ") for line in lines if line and not _OF_NUMBA.match(line)]
    reason = reasons[0] if reasons else lines[0]
    return f"{name}{place} does not compile: {reason.rstrip('.')}"


def fingerprint(functions: Iterable[Callable[..., Any]], names: Mapping[str, Any]) -> str:
    """A hash over everything that the functions reach: code, constants, columns, tables."""
    import hashlib

    digest = hashlib.sha256()
    seen: set[int] = set()
    waiting: list[Any] = [*functions, *(names[name] for name in sorted(names))]
    while waiting:
        value = waiting.pop()
        if isinstance(value, FunctionType):
            if id(value) in seen:
                continue
            seen.add(id(value))
            _feed(digest, _code_text(value.__code__))
            _feed(digest, _steady(value.__defaults__))
            for name in sorted(_global_names(value.__code__)):
                is_bound = _is_loop(value) and name in names
                if not is_bound and name in value.__globals__:
                    _feed(digest, name)
                    waiting.append(value.__globals__[name])
        elif isinstance(getattr(value, "__wrapped__", None), FunctionType):
            waiting.append(value.__wrapped__)
        elif isinstance(value, EnumType):
            _feed(digest, repr(list(value.__members__.items())))
        elif isinstance(value, type):
            _feed(digest, f"{value.__qualname__}{getattr(value, '__annotations__', '')}")
        elif isinstance(value, ModuleType):
            _feed(digest, value.__name__)
        elif hasattr(value, "cache_info"):
            # A function that remembers what it gave.
            waiting.append(value.__wrapped__)
        else:
            _feed(digest, _steady(value))
    return digest.hexdigest()


def load_compiler() -> None:
    """Load all that a compiled loop needs before it runs, which takes half a second."""
    for each in _COMPILER:
        import_module(each)
    from numba.core.registry import cpu_target

    cpu_target.target_context.refresh()


def can_keep(folder: Path) -> bool:
    """Make ready a folder for what is compiled; False where nothing can be kept there."""
    from ratingbook.engine.sealed import open_sealed, own_folder, why_not_kept

    if why_not_kept(folder) or not (own_folder(folder.parent) and own_folder(folder)):
        return False
    open_sealed(folder)
    return True


def folder_of(key: str) -> Path:
    """Where the compiled code of a key is kept, if it has been compiled."""
    import hashlib

    import llvmlite
    import numba

    from ratingbook.engine.cache import cache_folder

    versions = (
        f"{sys.version_info[0]}.{sys.version_info[1]}-{numba.__version__}-{llvmlite.__version__}"
    )
    compiled = hashlib.sha256(f"{key}{_OPTIONS}{sorted(_HOT)}".encode()).hexdigest()
    return cache_folder() / f"{versions}-{compiled[:32]}"


def why_compiled_code_is_not_kept() -> str:
    """Why rules have to be compiled in every run; empty: they need not."""
    from ratingbook.engine.cache import cache_folder
    from ratingbook.engine.sealed import why_not_kept

    return why_not_kept(cache_folder())


def _is_loop(function: FunctionType) -> bool:
    return function.__module__.startswith(_LOOPS)


def _plain(function: Callable[..., Any]) -> FunctionType:
    if not isinstance(function, FunctionType):
        raise TypeError(f"{function!r} is no plain function")
    return function


@cache
def _names_read(
    function: FunctionType,
) -> tuple[Mapping[str, Any], tuple[tuple[str, FunctionType], ...]]:
    """What a loop reads of its module, and which of that are loops themselves.

    Names of attributes among them do no harm.
    """
    known = function.__globals__
    own = {name: known[name] for name in function.__code__.co_names if name in known}
    loops = [(name, value) for name, value in own.items() if isinstance(value, FunctionType)]
    return own, tuple((name, value) for name, value in loops if _is_loop(value))


@cache
def _global_names(code: CodeType) -> frozenset[str]:
    """The names that a function, and those defined within it, read from its module."""
    names, given = set(), 0
    for operation, argument in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        given = given << 8 | argument
        if operation == _LOAD_GLOBAL:
            # The lowest bit says whether it is called.
            names.add(code.co_names[given >> 1])
        if operation != dis.EXTENDED_ARG:
            given = 0
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _global_names(constant)
    return frozenset(names)


def _code_text(code: CodeType) -> str:
    constants = [
        _code_text(each) if isinstance(each, CodeType) else _steady(each)
        # The first constant is the docstring, or what takes its place.
        for each in code.co_consts
    ]
    return f"{code.co_name}{code.co_code.hex()}{code.co_varnames}{code.co_names}{constants}"


def _steady(value: Any) -> str:
    """What ``repr`` tells, with sets in an order that is the same in every process."""
    if isinstance(value, frozenset | set):
        return f"{{{', '.join(sorted(map(_steady, value)))}}}"
    if type(value) is tuple:
        return f"({', '.join(map(_steady, value))}{',' if len(value) == 1 else ''})"
    if type(value) is dict:
        told = (f"{_steady(key)}: {_steady(each)}" for key, each in value.items())
        return f"{{{', '.join(told)}}}"
    if is_dataclass(value) and not isinstance(value, type):
        return f"{type(value).__qualname__}({_steady(_vars_of(value))})"
    # Where a thing lies in memory is another matter in each process.
    return _ADDRESS.sub("", repr(value))


def _vars_of(value: Any) -> dict[str, Any]:
    """The fields of a dataclass."""
    return {each.name: getattr(value, each.name) for each in fields(value)}


def _is_table(value: Any) -> bool:
    if not isinstance(value, tuple) or len(value) < _TABLE or hasattr(value, "_fields"):
        return False
    if all(type(each) is int for each in value):
        return True
    width = len(value[0]) if isinstance(value[0], tuple) else 0
    return width > 0 and all(
        isinstance(row, tuple) and len(row) == width and all(type(each) is int for each in row)
        for row in value
    )


def _feed(digest: Any, text: str) -> None:
    digest.update(text.encode())
    digest.update(b"\0")

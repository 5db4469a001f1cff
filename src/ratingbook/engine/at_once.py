"""All that a loop reaches becomes machine code in one go.

Numba by itself optimises and translates every function that is called from compiled code,
and does so again in each of its callers, into which it links the function.  Nobody calls
those but the loop itself: here they are kept as they were lowered, and are linked together
when somebody asks where a function of a library begins, which is for the loop alone.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import CodeType
from typing import Any

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.environment import lookup_environment
from numba.core.typed_passes import NopythonTypeInference

from ratingbook.engine.declared import (
    NUMBER,
    NotAsDeclared,
    Wrong,
    fault_in,
    plain_hint,
    wanted_of,
)
from ratingbook.engine.natural import hints_of

types: Any = numba.core.types
_ENVIRONMENT = "_ZN08NumbaEnv"
"""What the names of Numba's environments begin with."""
_LINKED = "weak_odr"
"""How functions are linked that may be needed by what is linked later."""
_DROPPED = "linkonce_odr"
"""What has been inlined wherever it was called goes."""


_FOR_ARRAYS = frozenset({"NopythonRewrites", "InlineOverloads", "WithLift"})
"""Passes for expressions over whole arrays and for contexts, which loops and rules do not use."""


class Plain(Compiler):  # type: ignore[misc]  # Numba brings no types.
    """Compiles a function of a rule book without the passes that find nothing in it."""

    def define_pipelines(self) -> Any:
        """The usual passes but for some, each of which looks at the whole function."""
        (passes,) = super().define_pipelines()
        code = self.state.func_id.code
        has_inner = any(isinstance(each, CodeType) for each in code.co_consts)
        without = _FOR_ARRAYS if has_inner else _FOR_ARRAYS | {"InlineClosureLikes"}
        passes.passes = [each for each in passes.passes if each[0].__name__ not in without]
        if getattr(self.state.func_id.func, "declared", None) is not None:
            passes.add_pass_after(_AsDeclared, NopythonTypeInference)
        passes.finalize()
        return [passes]


@register_pass(mutates_CFG=False, analysis_only=True)
class _AsDeclared(AnalysisPass):  # type: ignore[misc]  # Numba brings no types.
    """Whether a function of somebody's own rule book gives numbers of the kind that it declares.

    A column of whole numbers takes any number in machine code, and NaN for one of 19 figures.
    """

    _name = "as_declared"

    def __init__(self) -> None:
        """Numba's own has to be called by name."""
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Look at the type that was inferred; changes nothing."""
        function = state.func_id.func
        wrong = _wrong_type(state.return_type, function.declared)
        if wrong is not None:
            code = function.__code__
            raise NotAsDeclared(fault_in(code, code.co_firstlineno, wrong))
        return False


def _wrong_type(inferred: Any, kind: Any) -> Wrong | None:
    """As :func:`.wrong_in`, of a type of Numba's."""
    kind = plain_hint(kind)
    if hasattr(kind, "_fields"):
        known = dict(zip(getattr(inferred, "fields", ()), inferred, strict=False))
        for name, hint in hints_of(kind).items():
            if name not in known:
                return Wrong(_told(inferred), f"a {kind.__name__}")
            wrong = _wrong_type(known[name], hint)
            if wrong is not None:
                return Wrong(f"{wrong.given} for {name} of {kind.__name__}", wrong.wanted)
        return None
    wanted = wanted_of(kind)
    if wanted is None or isinstance(inferred, _WHOLE_TYPES):
        return None
    if wanted == NUMBER and isinstance(inferred, types.Float):
        return None
    return Wrong(_told(inferred), wanted)


def _told(inferred: Any) -> str:
    """A type of Numba's in the words of Python."""
    if isinstance(inferred, types.Optional):
        return f"{_told(inferred.type)}, or None"
    return next(
        (told for kind, told in _WORDS.items() if isinstance(inferred, kind)), str(inferred)
    )


_WORDS: Mapping[Any, str] = {
    types.Float: "a float", types.Integer: "an int", types.NoneType: "None",
    types.UnicodeType: "a str", types.StringLiteral: "a str",
}  # fmt: skip
_WHOLE_TYPES = (types.Integer, types.Boolean, types.IntEnumMember)


class AtOnce(Plain):
    """Compiles a loop, and all that it calls into libraries that wait for it."""

    def _compile_core(self) -> Any:
        with _waiting(self.state.targetctx.codegen()):
            return super()._compile_core()


@contextmanager
def _waiting(codegen: Any) -> Iterator[None]:
    """Libraries that are made meanwhile wait; Numba's lock is held by whoever compiles."""
    usual, collects = codegen._library_class, gc.isenabled()
    codegen._library_class = _Waiting
    # A tenth of the time went into looking at what all is needed to the end.
    gc.disable()
    try:
        yield
    finally:
        codegen._library_class = usual
        if collects:
            gc.enable()


class _Waiting(JITCodeLibrary):  # type: ignore[misc]  # Numba brings no types.
    """Lowered functions, which are translated only if somebody asks where one begins."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self._is_translated = False

    def finalize(self) -> None:
        """Nothing is added from here on."""
        self._raise_if_finalized()
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
        self._finalized = True

    @property
    def codegen(self) -> Any:
        """What places environments, of which there are none before the translation."""
        return self._codegen if self._is_translated else _NowhereYet()

    def get_pointer_to_function(self, name: str) -> int:
        """Where a function begins; translates what it reaches, if it is one of this library."""
        self._ensure_finalized()
        if not self._is_translated and _defines(self._final_module, name):
            self._translate()
        return int(super().get_pointer_to_function(name))

    def _get_module_for_linking(self) -> Any:
        """For others who link this library: with all that it reaches, as they expect it."""
        self._ensure_finalized()
        if self._shared_module is None and not self._is_translated:
            self._link()
        return super()._get_module_for_linking()

    def _translate(self) -> None:
        self._codegen._check_llvm_bugs()
        if self._shared_module is None:
            self._link()
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()
        self._is_translated = True
        for each in self._final_module.global_variables:
            if each.name.startswith(_ENVIRONMENT):
                environment = lookup_environment(each.name)
                if environment is not None:
                    self._codegen.set_env(each.name, environment)

    def _link(self) -> None:
        own = {each.name for each in self._final_module.functions if not each.is_declaration}
        for module in self._reached():
            self._final_module.link_in(module, preserve=True)
        for function in self._final_module.functions:
            if function.name not in own and function.linkage.name == _LINKED:
                function.linkage = _DROPPED

    def _reached(self) -> list[Any]:
        """The modules of all libraries that are reached from this one, each once."""
        seen: set[Any] = {self}
        waiting, modules = list(reversed(self._linking_libraries)), []
        while waiting:
            library = waiting.pop()
            if library in seen:
                continue
            seen.add(library)
            if isinstance(library, _Waiting) and not library._is_translated:
                waiting += reversed(library._linking_libraries)
                modules.append(library._own_module)
            else:
                modules.append(library._get_module_for_linking())
        return modules

    @property
    def _own_module(self) -> Any:
        """What was lowered here, to be linked any number of times."""
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage.name == "external":
                function.linkage = _LINKED
        return self._final_module


class _NowhereYet:
    """Stands for the code generator of a library that is not translated."""

    def set_env(self, name: str, environment: Any) -> None:
        """Numba keeps the environment until the library is translated."""


def _defines(module: Any, name: str) -> bool:
    try:
        return not module.get_function(name).is_declaration
    except NameError:
        return False

"""All that a loop reaches becomes machine code in one go.

Numba by itself optimises and translates every function that is called from compiled code,
and does so again in each of its callers, into which it links the function.  Nobody calls
those but the loop itself: here they are kept as they were lowered, and are linked together
when somebody asks where a function of a library begins, which is for the loop alone.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.environment import lookup_environment

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
        passes.finalize()
        return [passes]


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

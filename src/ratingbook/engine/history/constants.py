"""Parameters as constants of the compiled loops.

Compiled for the numbers of one edition, the loops ask nothing about rules that the
edition does not have.  Numba is told of a type that carries the values: its fields are
constants, and it takes no room at run time.
"""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)


class Constants:
    """Parameters that compiled code takes as they are now."""

    def __init__(self, parameters: Any) -> None:
        self.values = tuple((name, _plain(value)) for name, value in parameters._asdict().items())


class ConstantsType(types.Type):
    """The type of :class:`Constants`: each set of values has its own."""

    def __init__(self, values: tuple[tuple[str, bool | int | float], ...]) -> None:
        self.values = values
        super().__init__(name=f"Constants{values!r}")


def _plain(value: Any) -> bool | int | float:
    """The value without the name that an IntEnum gives it."""
    return value if isinstance(value, bool | float) else int(value)


def _type(value: bool | int | float) -> Any:
    if isinstance(value, bool):
        return types.boolean
    return types.float64 if isinstance(value, float) else types.int64


def _typeof(value: Constants, context: Any) -> ConstantsType:
    return ConstantsType(value.values)


def _unbox(kind: ConstantsType, given: Any, context: Any) -> Any:
    return NativeValue(context.context.get_dummy_value())


class _Attributes(AttributeTemplate):  # type: ignore[misc]  # Numba brings no types.
    key = ConstantsType

    def generic_resolve(self, kind: ConstantsType, name: str) -> Any:
        values = dict(kind.values)
        return _type(values[name]) if name in values else None


def _constant(context: Any, builder: Any, kind: ConstantsType, value: Any, name: str) -> Any:
    found = dict(kind.values)[name]
    return context.get_constant(_type(found), found)


typeof_impl.register(Constants)(_typeof)
register_model(ConstantsType)(models.OpaqueModel)
unbox(ConstantsType)(_unbox)
infer_getattr(_Attributes)
lower_getattr_generic(ConstantsType)(_constant)

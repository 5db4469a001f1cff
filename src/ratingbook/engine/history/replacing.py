"""``_replace`` of NamedTuples in compiled code.

A field keeps its type, so that a standing has one type wherever it comes from.  What does
not fit into that type is an error when it is compiled: plain Python would not cut it.
"""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import Any

from numba.core import types
from numba.core.errors import TypingError
from numba.core.typeconv import Conversion
from numba.core.types.containers import BaseNamedTuple
from numba.core.types.misc import VarArg, unliteral
from numba.core.typing.templates import AttributeTemplate, bound_function, signature
from numba.extending import infer_getattr, lower_builtin

_KEY = "NamedTuple._replace"


def replaced_type(context: Any, row: Any, unnamed: Any, changes: Any) -> Any:
    """The signature of ``row._replace(field=value, ...)``: a field that stays is given ``none``."""
    name = row.instance_class.__name__
    kinds = dict(zip(row.fields, row.types, strict=True))
    if unnamed or not changes.keys() <= kinds.keys():
        raise TypingError(f"_replace takes fields of {name} by their names.")
    for field, given in changes.items():
        fit = context.can_convert(unliteral(given), kinds[field])
        if fit is None or fit >= Conversion.unsafe:
            raise TypingError(f"{name}.{field} is {kinds[field]}: it cannot become {given}.")
    taken = (kinds[field] if field in changes else types.none for field in kinds)
    fields = [Parameter(each, Parameter.POSITIONAL_OR_KEYWORD, default=None) for each in kinds]
    return signature(row, *taken, recvr=row).replace(pysig=Signature(fields))


def replaced(context: Any, builder: Any, called: Any, given: Any) -> Any:
    """The row with the values that are given, which have the types of their fields by now."""
    row, *values = given
    for place, (kind, value) in enumerate(zip(called.args[1:], values, strict=True)):
        if kind != types.none:
            row = builder.insert_value(row, value, place)
    return row


class _Replace(AttributeTemplate):  # type: ignore[misc]  # Numba brings no types.
    key = BaseNamedTuple

    @bound_function(_KEY)  # type: ignore[untyped-decorator]  # Numba brings no types.
    def resolve__replace(self, row: Any, unnamed: Any, changes: Any) -> Any:
        return replaced_type(self.context, row, unnamed, changes)


infer_getattr(_Replace)
lower_builtin(_KEY, BaseNamedTuple, VarArg(types.Any))(replaced)

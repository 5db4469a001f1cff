"""Columns that are lent to compiled loops: an address and a length, nothing that is counted.

An array of NumPy has seven fields in compiled code, and every call that takes one counts it,
with two atomic operations.  The loops take sixty of them, in tuples, through all their
functions.  Whoever calls a loop holds the arrays until it is done, so the loop is handed the
address of a list of addresses for each tuple, and reads from it what it wants.
"""

from __future__ import annotations

import hashlib
import operator
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import typeof
from numba.core import cgutils, types
from numba.core.types.containers import UniTuple
from numba.core.types.misc import CPointer, unliteral
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_global, signature
from numba.extending import (
    NativeValue,
    infer_getattr,
    intrinsic,
    lower_builtin,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)
from numba.np.arrayobj import fix_integer_index, make_array, populate_array
from numba.np.numpy_support import from_dtype

_WORD = ir.IntType(64)

_LINE = 64
"""Bytes that come from memory together."""
_NUMBER = 8
"""Bytes of the longest number."""
_ALL = (1 << 64) - 1


class Lent:
    """What is lent for the time of a call: an array, a NamedTuple of such, or one of numbers."""

    __slots__ = ("_list", "_value", "address", "kind")

    def __init__(self, value: Any) -> None:
        # Held, so that nothing moves.
        self._value, words = value, list[int]()
        self.kind = _laid(value, words)
        self._list = np.array([each & _ALL for each in words], np.uint64)
        self.address = self._list.ctypes.data


def lend(value: Any) -> Any:
    """Columns and parameters as compiled loops take them; a single number as it is."""
    return Lent(value) if isinstance(value, np.ndarray | tuple) else value


class Column(types.Type):
    """The type of a lent array, which lies in one piece; its name is written often, so short."""

    def __init__(self, dtype: Any, ndim: int) -> None:
        self.dtype, self.ndim = dtype, ndim
        super().__init__(name=f"Column{ndim}_{_digest(str(dtype))}")


class Columns(types.Type):
    """The type of a lent NamedTuple: where in the list each field begins, and its type."""

    def __init__(self, fields: tuple[tuple[str, int, Any], ...]) -> None:
        self.fields = {name: (place, kind) for name, place, kind in fields}
        super().__init__(name=f"Columns_{_digest(repr(fields))}")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _laid(value: Any, words: list[int]) -> Any:
    """Adds the words of columns to a list; gives their type."""
    if isinstance(value, bool | int | float):
        # A float lies in its list with its bits.
        words.append(int(np.float64(value).view(np.int64)) if isinstance(value, float) else value)
        return typeof(value if isinstance(value, bool | float) else int(value))
    if hasattr(value, "_fields"):
        begin = len(words)
        return _columns(
            tuple(
                (name, len(words) - begin, _laid(each, words))
                for name, each in zip(value._fields, value, strict=True)
            )
        )
    if not (value.flags.c_contiguous and value.flags.aligned):
        raise TypeError("compiled loops take columns that lie in one piece")
    words += (value.ctypes.data, *value.shape)
    return _column(value.dtype, value.ndim)


@cache
def _column(dtype: np.dtype[Any], ndim: int) -> Column:
    return Column(from_dtype(dtype), ndim)


@cache
def _columns(fields: tuple[tuple[str, int, Any], ...]) -> Columns:
    return Columns(fields)


def _typeof(value: Lent, context: Any) -> Any:
    return value.kind


class _ColumnModel(models.StructModel):  # type: ignore[misc]  # Numba brings no types.
    """Where it begins, and how many elements each dimension has."""

    def __init__(self, manager: Any, kind: Column) -> None:
        sizes = [(f"size{number}", types.intp) for number in range(kind.ndim)]
        super().__init__(manager, kind, [("data", CPointer(kind.dtype)), *sizes])


class _ColumnsModel(models.PrimitiveModel):  # type: ignore[misc]  # Numba brings no types.
    """Where the list of addresses begins."""

    def __init__(self, manager: Any, kind: Columns) -> None:
        super().__init__(manager, kind, _WORD.as_pointer())


def _unbox(kind: Any, given: Any, c: Any) -> Any:
    told = c.pyapi.object_getattr_string(given, "address")
    begin = c.builder.bitcast(c.pyapi.long_as_voidptr(told), _WORD.as_pointer())
    c.pyapi.decref(told)
    return NativeValue(_read(c.context, c.builder, kind, begin))


def _read(context: Any, builder: Any, kind: Any, begin: Any) -> Any:
    """What the list of addresses says from some place on."""
    if isinstance(kind, Columns):
        return begin
    model = context.get_value_type(kind)
    if not isinstance(kind, Column):
        word = _word(builder, begin, 0)
        if kind == types.boolean:
            return builder.trunc(word, model)
        return builder.bitcast(word, model)
    column = ir.Constant(model, ir.Undefined)
    for number in range(1 + kind.ndim):
        word = _word(builder, begin, number)
        if number == 0:
            word = builder.inttoptr(word, model.elements[0])
        column = builder.insert_value(column, word, number)
    return column


def _word(builder: Any, begin: Any, number: int) -> Any:
    word = builder.load(builder.gep(begin, [_WORD(number)]))
    # Nobody writes into the list while it is lent.
    word.set_metadata("invariant.load", builder.module.add_metadata([]))
    return word


class _Fields(AttributeTemplate):  # type: ignore[misc]  # Numba brings no types.
    key = Columns

    def generic_resolve(self, kind: Columns, name: str) -> Any:
        return kind.fields[name][1] if name in kind.fields else None


def _field(context: Any, builder: Any, kind: Columns, value: Any, name: str) -> Any:
    place, field = kind.fields[name]
    return _read(context, builder, field, builder.gep(value, [_WORD(place)]))


class _Get(AbstractTemplate):  # type: ignore[misc]  # Numba brings no types.
    def generic(self, given: Any, named: Any) -> Any:
        column, index = given
        if isinstance(column, Column):
            return _element(column, index)
        return None


class _Set(AbstractTemplate):  # type: ignore[misc]  # Numba brings no types.
    def generic(self, given: Any, named: Any) -> Any:
        column, index, value = given
        if not isinstance(column, Column):
            return None
        element = _element(column, index)
        if element is None or self.context.can_convert(value, element.return_type) is None:
            return None
        return signature(types.none, column, element.args[1], value)


class _Length(AbstractTemplate):  # type: ignore[misc]  # Numba brings no types.
    def generic(self, given: Any, named: Any) -> Any:
        (column,) = given
        return signature(types.intp, column) if isinstance(column, Column) else None


def _element(column: Column, index: Any) -> Any:
    """The signature of taking an element, or a row of two dimensions."""
    index = unliteral(index)
    if isinstance(index, types.Integer):
        row = column.dtype if column.ndim == 1 else Column(column.dtype, column.ndim - 1)
        return signature(row, column, index)
    is_pair = isinstance(index, UniTuple) and isinstance(index.dtype, types.Integer)
    if is_pair and index.count == column.ndim == 2:
        return signature(column.dtype, column, index)
    return None


def _place(context: Any, builder: Any, called: Any, given: Any) -> Any:
    """Where the element is, or the row begins."""
    column, index = called.args[:2]
    if isinstance(index, UniTuple):
        index = index.dtype
        indices = cgutils.unpack_tuple(builder, given[1], 2)
    else:
        indices = [given[1]]
    data, place = builder.extract_value(given[0], 0), None
    for dimension in range(column.ndim):
        size = builder.extract_value(given[0], 1 + dimension)
        if place is not None:
            place = builder.mul(place, size)
        if dimension < len(indices):
            index_here = fix_integer_index(context, builder, index, indices[dimension], size)
            place = index_here if place is None else builder.add(place, index_here)
    return builder.gep(data, [place])


def _get(context: Any, builder: Any, called: Any, given: Any) -> Any:
    place = _place(context, builder, called, given)
    if not isinstance(called.return_type, Column):
        return context.unpack_value(builder, called.return_type, place)
    row = ir.Constant(context.get_value_type(called.return_type), ir.Undefined)
    row = builder.insert_value(row, place, 0)
    return builder.insert_value(row, builder.extract_value(given[0], 2), 1)


def _set(context: Any, builder: Any, called: Any, given: Any) -> Any:
    column, _, kind = called.args
    value = context.cast(builder, given[2], kind, column.dtype)
    context.pack_value(builder, column.dtype, value, _place(context, builder, called, given))
    return context.get_dummy_value()


def _length(context: Any, builder: Any, called: Any, given: Any) -> Any:
    return builder.extract_value(given[0], 1)


@intrinsic  # type: ignore[untyped-decorator]  # Numba brings no types.
def slice_of(typing: Any, column: Any, first: Any, end: Any) -> Any:
    """Elements of a column as an array, as the functions of rule books take them."""
    made = types.Array(column.dtype, 1, "C")

    def generate(context: Any, builder: Any, called: Any, given: Any) -> Any:
        array = make_array(made)(context, builder)
        size = context.get_abi_sizeof(context.get_data_type(made.dtype))
        populate_array(
            array,
            data=builder.gep(builder.extract_value(given[0], 0), [given[1]]),
            shape=(builder.sub(given[2], given[1]),),
            strides=(_WORD(size),),
            itemsize=size,
            meminfo=None,
        )
        return array._getvalue()

    return made(column, types.intp, types.intp), generate


@intrinsic  # type: ignore[untyped-decorator]  # Numba brings no types.
def prefetch(typing: Any, column: Any, index: Any) -> Any:
    """Ask the processor to bring an element into its cache; nothing waits for it."""

    def generate(context: Any, builder: Any, called: Any, given: Any) -> Any:
        byte = ir.IntType(8).as_pointer()
        place = builder.bitcast(builder.gep(builder.extract_value(given[0], 0), [given[1]]), byte)
        size = context.get_abi_sizeof(context.get_data_type(column.dtype))
        whole = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, whole, whole, whole])
        name = "llvm.prefetch.p0"
        called = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
        # A number lies in one line, a record may lie in one more than it would fill.
        for begin in sorted({*range(0, size, _LINE), size - 1 if size > _NUMBER else 0}):
            line = builder.gep(place, [_WORD(begin)])
            builder.call(called, [line, whole(0), whole(3), whole(1)])
        return context.get_dummy_value()

    return types.none(column, index), generate


@intrinsic  # type: ignore[untyped-decorator]  # Numba brings no types.
def sure(typing: Any, condition: Any) -> Any:
    """Tell the compiler that something is so, which it then need not look at."""

    def generate(context: Any, builder: Any, called: Any, given: Any) -> Any:
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(1)])
        name = "llvm.assume"
        assume = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
        builder.call(assume, [context.cast(builder, given[0], condition, types.boolean)])
        return context.get_dummy_value()

    return types.none(condition), generate


typeof_impl.register(Lent)(_typeof)
register_model(Column)(_ColumnModel)
register_model(Columns)(_ColumnsModel)
unbox(Column)(_unbox)
unbox(Columns)(_unbox)
infer_getattr(_Fields)
lower_getattr_generic(Columns)(_field)
infer_global(operator.getitem)(_Get)
infer_global(operator.setitem)(_Set)
infer_global(len)(_Length)
lower_builtin(operator.getitem, Column, types.Any)(_get)
lower_builtin(operator.setitem, Column, types.Any, types.Any)(_set)
lower_builtin(len, Column)(_length)

MADE_BY = (_laid, _read, _place, _get, _set, _length)
"""The functions by which the code of columns is made: others make other code."""

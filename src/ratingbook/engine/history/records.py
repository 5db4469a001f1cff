"""NamedTuples of numbers as rows of NumPy record arrays, and functions that read and write them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from enum import IntEnum
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import numpy as np

from ratingbook.engine.natural import hints_of
from ratingbook.rules.units import Unit

_FEW = 1 << 7
_WIDEST_SMALL_SCALE = 10_000
"""Numbers of units with a greater scale do not fit into 32 bits."""


def number_type(annotation: Any) -> type[np.generic]:
    """The type of a column, by the annotation of a field.

    Whole numbers with a unit (ratings, games, half points) fit into 32 bits, those on
    the scale of a sum into 64; so does a plain ``int``.  Codes and members of an enumeration
    need eight.
    """
    plain, scale, few = annotation, 0, False
    if get_origin(annotation) is Annotated:
        plain, *rest = get_args(annotation)
        units = [each for each in rest if isinstance(each, Unit)]
        scale = max((each.scale for each in units), default=0)
        few = any(each.few for each in units)
    if plain is float:
        return np.float64
    if plain is bool:
        return np.bool_
    if isinstance(plain, type) and issubclass(plain, IntEnum):
        return np.int8 if all(abs(each) < _FEW for each in plain) else np.int32
    if plain is int and few:
        return np.int8
    if plain is int:
        return np.int32 if 0 < scale <= _WIDEST_SMALL_SCALE else np.int64
    raise TypeError(f"a column cannot hold {annotation!r}: give numbers, booleans or an IntEnum")


_fields: dict[type[Any], Mapping[str, type[np.generic]]] = {}


def fields_of(row: type[Any]) -> Mapping[str, type[np.generic]]:
    """The fields of a NamedTuple and the types of their columns."""
    if row not in _fields:
        hints = hints_of(row)
        _fields[row] = {name: number_type(hints[name]) for name in row._fields}
    return _fields[row]


def record_type(**parts: type[Any] | type[np.generic]) -> np.dtype[np.void]:
    """A record of several NamedTuples, each under its prefix, and of single numbers.

    ``record_type(own=Standing, folds=np.bool_)`` has ``own_rating``, …, ``folds``; the
    prefix ``_`` stands for none.
    """
    return _aligned(_columns(parts))


CACHE_LINE = 64


def record_types(
    aside: Collection[str], **parts: type[Any] | type[np.generic]
) -> tuple[np.dtype[np.void], np.dtype[np.void]]:
    """Such a record in two: without the columns that lie ``aside``, and these.

    Of the first, which every side reads, none lies in two cache lines if it fits into one.
    """
    columns = _columns(parts)
    near = _aligned([each for each in columns if each[0] not in aside])
    if CACHE_LINE // 2 < near.itemsize < CACHE_LINE:
        placed: Mapping[str, Any] = near.fields or {}
        near = np.dtype(
            {
                "names": list(placed),
                "formats": [each[0] for each in placed.values()],
                "offsets": [each[1] for each in placed.values()],
                "itemsize": CACHE_LINE,
            },
            align=True,
        )
    return near, _aligned([each for each in columns if each[0] in aside])


def _columns(
    parts: Mapping[str, type[Any] | type[np.generic]],
) -> list[tuple[str, type[np.generic]]]:
    columns: list[tuple[str, type[np.generic]]] = []
    for prefix, part in parts.items():
        if issubclass(part, np.generic):
            columns.append((prefix, part))
            continue
        start = "" if prefix == "_" else f"{prefix}_"
        columns += [(start + name, kind) for name, kind in fields_of(part).items()]
    return columns


def _aligned(columns: list[tuple[str, type[np.generic]]]) -> np.dtype[np.void]:
    """The largest first, so that nothing is lost between them."""
    columns.sort(key=lambda column: -np.dtype(column[1]).itemsize)
    return np.dtype(columns, align=True)


def zeros(count: int, kind: np.dtype[np.void]) -> np.ndarray[Any, Any]:
    """Records that begin with a cache line, so that none of that size lies in two."""
    size = count * kind.itemsize
    raw = np.zeros(size + CACHE_LINE, np.uint8)
    first = -raw.ctypes.data % CACHE_LINE
    return raw[first : first + size].view(kind)


def accessors(
    row: type[Any], whole: type[Any], prefix: str = "", *, members: bool = False
) -> tuple[Callable[..., Any], Callable[..., None]]:
    """``load(records, index) -> row`` and ``store(records, index, row)`` of a NamedTuple.

    They are written out, since compiled code cannot go through fields by name.  Whole
    numbers are loaded as ``whole``: ``int`` in Python, 64 bits in compiled code, so that
    both reckon alike and a function compiles for one type only.  With ``members`` the codes
    of an enumeration are loaded as its members, which have names for people.
    """
    start = f"{prefix}_" if prefix else ""
    kinds = fields_of(row)
    enums = _enumerations(row) if members else {}
    loaded = ", ".join(
        f"{f'as_{name}' if name in enums else _python(kind)}(record[{start + name!r}])"
        for name, kind in kinds.items()
    )
    stored = "".join(f"    record[{start + name!r}] = value.{name}\n" for name in kinds)
    source = (
        f"def load(records, index):\n    record = records[index]\n    return row({loaded})\n"
        f"def store(records, index, value):\n    record = records[index]\n{stored}"
    )
    names = {f"as_{name}": kind for name, kind in enums.items()}
    made = _written_out(source, row, whole, names)
    return made["load"], made["store"]


_loaders: dict[tuple[type[Any], bool], Callable[..., Any]] = {}


def loader(row: type[Any], *, members: bool = True) -> Callable[..., Any]:
    """What reads a row of records in Python; it is written out once, not for each explanation."""
    if (row, members) not in _loaders:
        _loaders[row, members] = accessors(row, int, members=members)[0]
    return _loaders[row, members]


def parted_accessors(
    row: type[Any],
    whole: type[Any],
    prefix: str,
    aside: Collection[str],
    *,
    rare: bool = False,
) -> tuple[Callable[..., Any], Callable[..., None]]:
    """``load(records, others, index, last) -> row``, ``store(records, others, index, row, last)``.

    The fields that lie ``aside`` are columns of the ``others``.  Where they are ``rare``, the
    ``last`` argument says whether they are wanted; else they are not touched, and read as 0.
    """
    kinds = fields_of(row)
    loaded = {name: f"{_python(kind)}(record['{prefix}_{name}'])" for name, kind in kinds.items()}
    stored = {name: f"record['{prefix}_{name}'] = value.{name}" for name in kinds}
    near = [name for name in kinds if name not in aside]
    far = [name for name in kinds if name in aside]
    asked = f"    if {'last' if rare else 'True'}:\n        record = others[index]\n"
    load = [
        "def load(records, others, index, last):\n    record = records[index]\n",
        *(f"    {name} = {loaded[name]}\n" for name in near),
        *(f"    {name} = {_python(kinds[name])}(0)\n" for name in far),
        asked if far else "",
        *(f"        {name} = {loaded[name]}\n" for name in far),
        f"    return row({', '.join(kinds)})\n",
    ]
    store = [
        "def store(records, others, index, value, last):\n    record = records[index]\n",
        *(f"    {stored[name]}\n" for name in near),
        asked if far else "",
        *(f"        {stored[name]}\n" for name in far),
    ]
    made = _written_out("".join(load + store), row, whole, {})
    return made["load"], made["store"]


def reader(
    row: type[Any], whole: type[Any], parameters: Collection[str], known: Mapping[str, Any]
) -> Callable[..., Any]:
    """``read(records, index, p) -> row``: the ``parameters`` among the fields are those of ``p``.

    Where these are constants of the compiled loops, nothing is asked about rules that the
    edition does not have.  The ``known`` ones have these values in all records.
    """
    places = {name: f"record[{name!r}]" for name in row._fields}
    places |= {name: f"p.{name}" for name in parameters}
    places |= {name: repr(value) for name, value in known.items()}
    kinds = fields_of(row)
    read = ", ".join(f"{_python(kind)}({places[name]})" for name, kind in kinds.items())
    source = f"def read(records, index, p):\n    record = records[index]\n    return row({read})\n"
    made: Callable[..., Any] = _written_out(source, row, whole, {})["read"]
    return made


def _written_out(
    source: str, row: type[Any], whole: type[Any], names: Mapping[str, Any]
) -> dict[str, Any]:
    """What a source defines."""
    known: dict[str, Any] = {"row": row, "whole": whole, "__name__": __name__, **names}
    exec(compile(source, f"<columns of {row.__name__}>", "exec"), known)
    return known


def _enumerations(row: type[Any]) -> dict[str, type[IntEnum]]:
    """The fields of a NamedTuple that hold members of enumerations."""
    hints = get_type_hints(row)
    return {
        name: hints[name]
        for name in row._fields
        if isinstance(hints[name], type) and issubclass(hints[name], IntEnum)
    }


def _python(kind: type[np.generic]) -> str:
    if issubclass(kind, np.bool_):
        return "bool"
    return "float" if issubclass(kind, np.floating) else "whole"

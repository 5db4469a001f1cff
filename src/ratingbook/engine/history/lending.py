"""Arrays without a count of references, for compiled loops.

Every call that takes an array counts it, with two atomic operations, which cost more than
what is done for a game.  Within the loops that is needless: whoever calls them holds the
arrays until they are done.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core.types import none
from numba.extending import intrinsic


@intrinsic  # type: ignore[untyped-decorator]  # Numba brings no types.
def lent(typing: Any, array: Any) -> Any:
    """The same array, which nobody counts from here on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        made = context.make_array(signature.args[0])(context, builder, arguments[0])
        made.meminfo = ir.Constant(made.meminfo.type, None)
        made.parent = ir.Constant(made.parent.type, None)
        return made._getvalue()

    return array(array), generate


@intrinsic  # type: ignore[untyped-decorator]  # Numba brings no types.
def prefetch(typing: Any, array: Any, index: Any) -> Any:
    """Ask the processor to bring an element into its cache; nothing waits for it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        made = context.make_array(signature.args[0])(context, builder, arguments[0])
        byte = ir.IntType(8).as_pointer()
        stride = builder.extract_value(made.strides, 0)
        address = builder.add(
            builder.ptrtoint(made.data, stride.type), builder.mul(arguments[1], stride)
        )
        place = builder.inttoptr(address, byte)
        whole = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, whole, whole, whole])
        name = "llvm.prefetch.p0"
        called = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
        builder.call(called, [place, whole(0), whole(3), whole(1)])
        return context.get_dummy_value()

    return none(array, index), generate

"""Arrays without a count of references, for compiled loops.

Every call that takes an array counts it, with two atomic operations, which cost more than
what is done for a game.  Within the loops that is needless: whoever calls them holds the
arrays until they are done.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
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

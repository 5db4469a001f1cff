"""The database as it is at one moment, however long somebody reads it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from django.db import connection, transaction


@contextmanager
def one_state(*, alone: bool = False) -> Iterator[None]:
    """Read one state of all tables while others go on writing.

    ``alone``: where the database is one file nobody writes meanwhile, so that kept files stay, too.
    Nobody writes within.  Within a transaction the state is that of the transaction.
    """
    with ExitStack() as stack:
        if not connection.in_atomic_block:
            _begin(stack, alone=alone)
        yield


def _begin(stack: ExitStack, *, alone: bool) -> None:
    if connection.vendor == "sqlite" and not alone:
        # Transactions of the office take the lock of those who write at once; this one never does.
        one: Any = connection
        mode, one.transaction_mode = one.transaction_mode, "DEFERRED"
        try:
            stack.enter_context(transaction.atomic())
        finally:
            one.transaction_mode = mode
    else:
        stack.enter_context(transaction.atomic())
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
    # Nothing was written, and a database that is damaged ends nothing well.
    stack.callback(transaction.set_rollback, True)

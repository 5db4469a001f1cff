"""Whether the tables of an office are those of this version of the program."""

from __future__ import annotations

from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def are_of_this_version() -> bool:
    """Whether there is nothing to migrate."""
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())

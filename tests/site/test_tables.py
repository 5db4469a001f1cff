"""A new office has its tables at once, and they are those that the migrations make."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from ratingbook.office import home as homes
from ratingbook.office.making import making


def schema(path: Path) -> dict[object, Any]:
    """Tables with columns and references, indexes, triggers, and what is noted as migrated."""
    base = sqlite3.connect(path)
    found: dict[object, Any] = {}
    for kind, name, sql in base.execute("SELECT type, name, sql FROM sqlite_master").fetchall():
        if kind == "table":
            columns = base.execute(f"PRAGMA table_info('{name}')").fetchall()
            references = base.execute(f"PRAGMA foreign_key_list('{name}')").fetchall()
            found[name] = sorted(x[1:] for x in columns), sorted(x[2:] for x in references)
        else:
            found[kind, name] = sql
    for table in ("django_migrations", "django_content_type", "auth_permission"):
        which = "app, name" if table == "django_migrations" else "1"
        found["rows", table] = sorted(base.execute(f"SELECT {which} FROM {table}").fetchall())
    base.close()
    return found


@pytest.mark.slow
def test_tables_made_at_once_are_those_of_the_migrations(tmp_path):
    with making(tmp_path / "at once") as made_at_once:
        at_once = homes.connect(made_at_once.home)
        homes.migrate()
    with making(tmp_path / "step by step") as made_by_steps:
        step_by_step = homes.connect(made_by_steps.home)
        call_command("migrate", verbosity=0)
    made, migrated = schema(at_once.sqlite_file), schema(step_by_step.sqlite_file)
    assert made.keys() == migrated.keys()
    assert {name for name in made if made[name] != migrated[name]} == set()
    assert "trigger" in {each[0] for each in made if isinstance(each, tuple)}
    homes.migrate()


def test_models_have_the_tables_that_migrations_give_them(staffed):
    homes.connect(staffed)
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)

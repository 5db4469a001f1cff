"""Triggers that keep facts as they were written, made from one table for both databases.

They stop slips; the chain of hashes shows what passed by them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db.backends.base.base import BaseDatabaseWrapper


@dataclass(frozen=True)
class Guard:
    """How a table is kept: which column may once go from nothing to a fact.

    ``draft`` is a condition on a row (``{row}``) under which it is not yet kept.
    """

    model: str
    once: str | None = None
    draft: str | None = None


_DRAFT_RUN = (
    "EXISTS (SELECT 1 FROM office_run r WHERE r.id = {row}.run_id"
    " AND r.state IN ('draft', 'checked', 'discarded'))"
)
GUARDS = (
    Guard("Fact"),
    Guard("FactSubject"),
    Guard("Evidence"),
    Guard("Blob", once="suppressed_by"),
    Guard("Person"),
    Guard("PersonName", once="revoked_by"),
    Guard("ExternalId", once="revoked_by"),
    Guard("PersonAttribute", once="revoked_by"),
    Guard("PersonRelation", once="revoked_by"),
    Guard("Report"),
    Guard("ReportVersion"),
    Guard("Section"),
    Guard("SectionStep"),
    Guard("Entry"),
    Guard("Link", once="revoked_by"),
    Guard("Game"),
    Guard("Decision", once="revoked_by"),
    Guard("Approval"),
    Guard("Correction"),
    Guard("CorrectionStep"),
    Guard("CorrectionApproval"),
    Guard("Reached"),
    Guard("GameFix", once="revoked_by"),
    Guard("SectionFix", once="revoked_by"),
    Guard("Sending"),
    Guard("SendingStep"),
    Guard("Publication"),
    Guard("List"),
    Guard("ListRow"),
    Guard("Audit"),
    Guard("Change", draft=_DRAFT_RUN),
    Guard("RunSection", draft=_DRAFT_RUN),
)
MESSAGE = "office: what is written is kept"


def insert_trigger(table: str) -> str:
    """The trigger of SQLite that refuses a row in whose way another one stands."""
    return f"{table}_kept_insert"


def _table(guard: Guard) -> Any:
    return apps.get_model("office", guard.model)._meta


def _columns(guard: Guard) -> list[str]:
    return [field.column for field in _table(guard).concrete_fields if field.column]


def _keys(guard: Guard) -> list[list[str]]:
    """The sets of columns by which a row replaces another: primary key and what is unique."""
    meta = _table(guard)
    found = [[field.column for field in meta.pk_fields]]
    found += [[field.column] for field in meta.concrete_fields if field.unique and field.column]
    found += [
        [meta.get_field(name).column for name in constraint.fields]
        for constraint in meta.constraints
        if not constraint.condition
    ]
    return [list(each) for each in dict.fromkeys(map(tuple, found))]


def _is_allowed(guard: Guard, same: str) -> str:
    """The condition under which a row may be changed."""
    allowed = []
    if guard.draft:
        allowed.append(guard.draft.format(row="OLD"))
    if guard.once:
        others = [column for column in _columns(guard) if column != guard.once]
        equal = " AND ".join(f'OLD."{each}" {same} NEW."{each}"' for each in others)
        allowed.append(f"(OLD.{guard.once} IS NULL AND NEW.{guard.once} IS NOT NULL AND {equal})")
    return " OR ".join(allowed) or "1 = 0"


def _for_sqlite(guard: Guard) -> Iterator[tuple[str, str]]:
    table = _table(guard).db_table
    refuse = f"SELECT RAISE(ABORT, '{MESSAGE}'); END"
    update = _is_allowed(guard, "IS")
    deletion = guard.draft.format(row="OLD") if guard.draft else "1 = 0"
    yield f"{table}_kept_update", (f"BEFORE UPDATE ON {table} WHEN NOT ({update}) BEGIN {refuse}")
    yield f"{table}_kept_delete", (f"BEFORE DELETE ON {table} WHEN NOT ({deletion}) BEGIN {refuse}")
    if guard.draft:
        return
    there = " OR ".join(
        "EXISTS (SELECT 1 FROM {} o WHERE {})".format(
            table, " AND ".join(f'o."{column}" = NEW."{column}"' for column in key)
        )
        for key in _keys(guard)
    )
    # REPLACE INTO would delete the row that stands in its way.
    yield insert_trigger(table), f"BEFORE INSERT ON {table} WHEN {there} BEGIN {refuse}"


def wanted(vendor: str) -> Mapping[str, str]:
    """The triggers of a database and what they say."""
    if vendor == "sqlite":
        return {
            name: f"CREATE TRIGGER {name} {body}"
            for guard in GUARDS
            for name, body in _for_sqlite(guard)
        }
    found = {}
    for guard in GUARDS:
        table = _table(guard).db_table
        update = _is_allowed(guard, "IS NOT DISTINCT FROM")
        deletion = guard.draft.format(row="OLD") if guard.draft else "1 = 0"
        found[f"{table}_kept"] = (
            f"BEGIN IF TG_OP = 'TRUNCATE' THEN RAISE EXCEPTION '{MESSAGE}'; END IF; "
            f"IF TG_OP = 'DELETE' THEN IF NOT ({deletion}) THEN RAISE EXCEPTION '{MESSAGE}'; "
            f"END IF; RETURN OLD; END IF; "
            f"IF NOT ({update}) THEN RAISE EXCEPTION '{MESSAGE}'; END IF; RETURN NEW; END"
        )
    return found


def present(connection: BaseDatabaseWrapper) -> Mapping[str, str]:
    """The triggers that the database has."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(
                "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE %s",
                ["%_kept_%"],
            )
            return dict(cursor.fetchall())
        cursor.execute(
            "SELECT p.proname, p.prosrc FROM pg_proc p WHERE (SELECT count(*) FROM pg_trigger t "
            "WHERE t.tgfoid = p.oid AND t.tgenabled = 'O') = 2 AND p.proname LIKE %s",
            ["%%_kept"],
        )
        return dict(cursor.fetchall())


def make(connection: BaseDatabaseWrapper) -> None:
    """Make all triggers anew: a remade table has lost its own."""
    tables = set(connection.introspection.table_names())
    if not {_table(guard).db_table for guard in GUARDS} <= tables:
        return
    with connection.cursor() as cursor:
        for name, text in wanted(connection.vendor).items():
            if connection.vendor == "sqlite":
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
                cursor.execute(text)
                continue
            table = name.removesuffix("_kept")
            cursor.execute(
                f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger "
                f"LANGUAGE plpgsql AS $_${text}$_$"
            )
            for suffix, when in (
                ("row", f"BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW"),
                ("all", f"BEFORE TRUNCATE ON {table} FOR EACH STATEMENT"),
            ):
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}_{suffix} ON {table}")
                cursor.execute(f"CREATE TRIGGER {name}_{suffix} {when} EXECUTE FUNCTION {name}()")

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

    ``draft`` is a condition on a row (``{row}``) under which it is not yet kept.  Of a table that
    gets ``many`` rows at once PostgreSQL looks for what they name together, not row by row: that
    took as long as all else.  What they name is kept, so that it cannot go afterwards.
    """

    model: str
    once: str | None = None
    draft: str | None = None
    many: bool = False


_DRAFT_RUN = (
    "EXISTS (SELECT 1 FROM office_run r WHERE r.id = {row}.run_id"
    " AND r.state IN ('draft', 'checked', 'discarded'))"
)
GUARDS = (
    Guard("Fact"),
    Guard("FactSubject", many=True),
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
    Guard("Entry", many=True),
    Guard("Link", once="revoked_by", many=True),
    Guard("Game", many=True),
    Guard("Substitution", many=True),
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
    Guard("ListRow", many=True),
    Guard("Audit"),
    Guard("Change", draft=_DRAFT_RUN),
    Guard("RunSection", draft=_DRAFT_RUN),
    Guard("Needed", draft=_DRAFT_RUN),
)
MESSAGE = "office: what is written is kept"
NOBODY = "office: a row names what is not there"


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
    found = {f"{_table(each).db_table}_known": _names_what_is_there(each) for each in _many()}
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


def _many() -> list[Guard]:
    return [guard for guard in GUARDS if guard.many]


def _names_what_is_there(guard: Guard) -> str:
    """Look for what new rows name; planned anew each time, for one row and for thousands."""
    missing = " OR ".join(
        f'EXISTS (SELECT 1 FROM added a WHERE a."{field.column}" IS NOT NULL AND NOT EXISTS '
        f"(SELECT 1 FROM {field.related_model._meta.db_table} o "
        f'WHERE o."{field.target_field.column}" = a."{field.column}"))'
        for field in _table(guard).concrete_fields
        if field.related_model
    )
    return (
        f"DECLARE bad boolean; BEGIN EXECUTE 'SELECT {missing}' INTO bad; IF bad THEN "
        f"RAISE EXCEPTION '{NOBODY}' USING ERRCODE = 'foreign_key_violation'; END IF; "
        "RETURN NULL; END"
    )


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
            "SELECT p.proname, p.prosrc FROM pg_proc p JOIN (VALUES (%s, 2), (%s, 1)) v (name, own)"
            " ON p.proname LIKE v.name WHERE (SELECT count(*) FROM pg_trigger t "
            "WHERE t.tgfoid = p.oid AND t.tgenabled = 'O') = v.own",
            ["%_kept", "%_known"],
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
            table, _, what = name.rpartition("_")
            cursor.execute(
                f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger "
                f"LANGUAGE plpgsql AS $_${text}$_$"
            )
            if what == "known":
                _forget_references(cursor, table)
            for suffix, when in _WHEN[what].items():
                on = when.format(table=table)
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}_{suffix} ON {table}")
                cursor.execute(f"CREATE TRIGGER {name}_{suffix} {on} EXECUTE FUNCTION {name}()")


_WHEN: Mapping[str, Mapping[str, str]] = {
    "kept": {
        "row": "BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW",
        "all": "BEFORE TRUNCATE ON {table} FOR EACH STATEMENT",
    },
    "known": {
        "new": "AFTER INSERT ON {table} REFERENCING NEW TABLE AS added FOR EACH STATEMENT",
    },
}
"""When the triggers of PostgreSQL are asked, by the end of their functions' names."""


def _forget_references(cursor: Any, table: str) -> None:
    """The trigger looks for what rows name: the constraints would do so again, one by one."""
    cursor.execute(
        "SELECT conname FROM pg_constraint WHERE contype = 'f' AND conrelid = %s::regclass", [table]
    )
    for (name,) in cursor.fetchall():
        cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')

"""Backups: facts, rows and files in one archive, the same for both databases.

What layers above keep goes along where they say so; a backup without it is an older one.
"""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db import connection, migrations, models, transaction
from django.db.migrations.loader import MigrationLoader

from ratingbook.formats.tools.nearby import not_there
from ratingbook.model import Findings, Place, Severity
from ratingbook.model.sentences import sentence
from ratingbook.office.acts import standings
from ratingbook.office.acts.audit import note
from ratingbook.office.acts.backed_up import backed_up_beside
from ratingbook.office.acts.bundles import digest
from ratingbook.office.acts.doctor import examine
from ratingbook.office.acts.sweeping import referred_to, sweep
from ratingbook.office.home import Home, kept_settings
from ratingbook.office.making import Making, holds_office, making, with_tables
from ratingbook.office.refused import OfficeRefused, not_written, refuse
from ratingbook.office.store import blobs, ledger
from ratingbook.office.store.damage import DAMAGED
from ratingbook.office.store.ledger import Who, check_may
from ratingbook.office.store.moment import one_state

VERSION = "backup/1"
_LEFT_OUT = ("Job",)
"""Work under way belongs to its machine."""
_HASHES = "sha256"
"""By table the hash of its rows; a backup without them is an older one."""
_SETTINGS = "settings.json"
"""What the office says of itself in office.json; a backup without it is an older one."""
_CHUNK = 5000
_NOT_READ: tuple[type[Exception], ...] = (OSError, tarfile.TarError, *DAMAGED)


def _tables() -> list[type[models.Model]]:
    """The tables, each after those that it names."""
    found = [
        each for each in apps.get_app_config("office").get_models()
        if each.__name__ not in _LEFT_OUT
    ]  # fmt: skip
    found += map(apps.get_model, backed_up_beside())
    ordered: list[type[models.Model]] = []
    while found:
        for each in found:
            needs = {f.related_model for f in each._meta.concrete_fields if f.related_model}
            if needs <= {*ordered, each}:
                ordered.append(each)
                found.remove(each)
                break
    return ordered


def _name_of(model: type[models.Model]) -> str:
    """What the rows of a table are called in a backup."""
    own = model._meta.app_label == "office"
    return model.__name__ if own else f"{model._meta.app_label}.{model.__name__}"


def backup(home: Home, out: Path, who: Who) -> dict[str, Any]:
    """Write the office as it is at one moment; others go on meanwhile.

    Files that nothing refers to are not in it, and are deleted.
    """
    check_may(who, "*")
    if out.exists():
        raise refuse(
            "office.out", sentence("{out} exists already.", out=out), sentence("Name another file.")
        )
    beside = out.with_name(out.name + ".new")
    try:
        # For the office's eyes only, as its folder is.
        beside.touch(mode=0o600)
        with tarfile.open(beside, "w") as archive, one_state(alone=True):
            head = ledger.head()
            said: dict[str, Any] = {"ratingbook": VERSION, "seq": head.seq, "hash": head.hash}
            rows: dict[str, int] = {}
            hashes: dict[str, str] = {}
            for model in _tables():
                name, data = _name_of(model), b"".join(_lines(model))
                _add(archive, _part_of(name), data)
                rows[name] = model._default_manager.count()
                hashes[name] = hashlib.sha256(data).hexdigest()
            files = referred_to()
            for each in files:
                _add(archive, f"files/{each}", blobs.load(home, each))
            kept = kept_settings(home)
            _add(archive, _SETTINGS, json.dumps(kept._asdict()).encode())
            told = {**said, "rows": rows, _HASHES: hashes}
            _add(archive, "backup.json", json.dumps(told).encode())
            said |= {"files": len(files), "digest": digest(), **_counted(rows)}
        beside.replace(out)
    except OSError as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise not_written(out, error) from None
    note(who, "backup", str(out), sentence("written"))
    return {**said, "swept": sweep(home)}


def _part_of(table: str) -> str:
    return f"rows/{table}.jsonl"


def _counted(rows: Mapping[str, int]) -> dict[str, int]:
    """What is told of what layers above keep."""
    return {what: rows.get(name, 0) for name, what in backed_up_beside().items() if what}


def _add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    info = tarfile.TarInfo(name)
    info.size = len(data)
    archive.addfile(info, io.BytesIO(data))


def _lines(model: type[models.Model]) -> Iterator[bytes]:
    """The rows as JSON, a line each."""
    names = [field.attname for field in model._meta.concrete_fields if field.column]
    order = [field.attname for field in model._meta.pk_fields]
    rows = model._default_manager.order_by(*order).values_list(*names)
    for row in rows.iterator(chunk_size=_CHUNK):
        said = {name: _said(value) for name, value in zip(names, row, strict=True)}
        yield (json.dumps(said, ensure_ascii=False) + "\n").encode()


def _said(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    return value


def _read(field: models.Field[Any, Any], value: Any) -> Any:
    if value is None:
        return None
    if isinstance(field, models.BinaryField):
        return bytes.fromhex(value)
    if isinstance(field, models.DateTimeField):
        return datetime.fromisoformat(value)
    if isinstance(field, models.DateField):
        return date.fromisoformat(value)
    return value


def restore(file: Path, folder: Path, database: str = "") -> tuple[dict[str, Any], Findings]:
    """An office from a backup; it is examined before anybody uses it.

    With what there is to say of it.  Where the backup is damaged nothing is left, so that a good
    one finds its place.
    """
    if missing := not_there(file):
        raise refuse(
            "office.backup", missing,
            sentence("Name a file that `ratingbook office backup` wrote."), Place(file=str(file)),
        )  # fmt: skip
    try:
        if not tarfile.is_tarfile(file):
            raise _no_backup(file)
        with tarfile.open(file) as archive, making(folder, database) as made:
            parts = {each.name: each for each in archive.getmembers() if each.isfile()}
            if "backup.json" not in parts:
                raise _no_backup(file)
            said = json.loads(_part(archive, parts, "backup.json"))
            left = _take_settings(archive, parts, made)
            if said["ratingbook"] != VERSION:
                raise ValueError(sentence("it is {what!r}", what=said["ratingbook"]))
            with with_tables(made.home):
                is_there = made.is_there()
                for name in parts:
                    if name.startswith("files/"):
                        kept = blobs.keep(made.home, _part(archive, parts, name))
                        if f"files/{kept}" != name:
                            raise ValueError(sentence("{name} is damaged", name=name))
                if not is_there:
                    with transaction.atomic():
                        _fill_all(archive, parts, said)
                        _set_sequences()
                head = ledger.head()
                if (head.seq, head.hash) != (said["seq"], said["hash"]):
                    raise (
                        holds_office() if is_there
                        else ValueError(sentence("{name} is damaged", name="backup.json"))
                    )  # fmt: skip
                lost = [each for each in referred_to() if f"files/{each}" not in parts]
                if lost:
                    raise ValueError(sentence("{name} is not in it", name=f"files/{lost[0]}"))
                # Here, so that nothing is left of what is not whole.
                examined = examine(made.home)
                damage = Findings(each for each in examined if each.code != standings.LOST)
                if damage.refused:
                    raise OfficeRefused(examined)
                rows = {_name_of(each): each._default_manager.count() for each in _tables()}
    except _NOT_READ as error:
        raise refuse(
            "office.backup",
            sentence(
                "It is no backup of an office, or damaged: {error}.",
                error=error.args[0] if isinstance(error, ValueError) else error,
            ),
            sentence("Take another one; nothing of this is used."),
            Place(file=str(file)),
        ) from None
    restored = {
        "seq": said["seq"], "hash": said["hash"], "digest": digest(), **_counted(rows),
        "compared": _HASHES in said,
    }  # fmt: skip
    return restored, _noticed(examined, left, is_compared=restored["compared"])


def _take_settings(
    archive: tarfile.TarFile, parts: dict[str, tarfile.TarInfo], made: Making
) -> Sequence[str] | None:
    """Let the office say of itself what it said; gives what is left out, None of an older one."""
    if _SETTINGS not in parts:
        return None
    kept = json.loads(_part(archive, parts, _SETTINGS))
    made.settings = kept["said"]
    left: list[str] = kept["left"]
    return left


def _tell_settings(left: Sequence[str] | None, findings: Findings) -> None:
    """Tell what of office.json is to be written there."""
    if left is None:
        findings.add(
            Severity.INFO, "office.settings-left",
            sentence(
                "The backup has nothing of office.json: the name of the office, its site and its "
                "mail are not said."
            ),
            remedy=sentence("Write into office.json what the office said there."),
        )  # fmt: skip
    elif left:
        findings.add(
            Severity.INFO, "office.settings-left",
            sentence(
                "Of office.json came along what the office is called and how its site is; not "
                "{what}: so that what is only tried writes to nobody.",
                what=", ".join(left),
            ),
            remedy=sentence("Write it into office.json once this is the office itself."),
        )  # fmt: skip


def _noticed(examined: Findings, left: Sequence[str] | None, *, is_compared: bool) -> Findings:
    """What is wrong in the office that was backed up; of an older backup less is known."""
    # The office stands all the same: it is mended there.
    findings = Findings(
        replace(each, severity=Severity.WARNING) for each in examined if each.severity.refuses
    )
    _tell_settings(left, findings)
    if not is_compared:
        findings.add(
            Severity.WARNING, "office.backup-older",
            sentence(
                "The backup keeps no hashes of its rows: of accounts, addresses and birth dates "
                "nobody can tell whether they are as they were written."
            ),
            remedy=sentence("Make a new backup, and keep that."),
        )  # fmt: skip
    return findings


def _no_backup(file: Path) -> OfficeRefused:
    """What is said of another file."""
    return refuse(
        "office.backup",
        sentence("It is no backup of an office."),
        sentence("Name a file that `ratingbook office backup` wrote."),
        Place(file=str(file)),
    )


def _fill_all(
    archive: tarfile.TarFile, parts: dict[str, tarfile.TarInfo], said: Mapping[str, Any]
) -> None:
    """All tables, with the bytes and as many rows as the backup says that it has.

    Facts hang together by hashes of their own, and rows follow from facts; of what is private,
    and of accounts, nothing else would tell that it is damaged.
    """
    told, hashes = said.get("rows"), said.get(_HASHES)
    tables = _tables()
    if unknown := {*(told or ())} - {*map(_name_of, tables)}:
        raise _of_newer(min(unknown))
    # A table that came later is as empty as where an office was brought to this version.
    later = _came_later(archive, parts) if told is None else {*map(_name_of, tables)} - {*told}
    for model in tables:
        name = _name_of(model)
        part = _part_of(name)
        if part not in parts:
            if name in later:
                continue
            raise ValueError(sentence("{name} is not in it", name=part))
        data = _part(archive, parts, part)
        if hashes is not None and hashlib.sha256(data).hexdigest() != hashes.get(name):
            raise ValueError(sentence("{name} is damaged", name=part))
        _fill(model, data)
        found = model._default_manager.count()
        if told is not None and found != told.get(name):
            raise ValueError(
                sentence(
                    "{part} has {n} rows in place of {told}",
                    part=part, n=found, told=told.get(name),
                )
            )  # fmt: skip


def _came_later(archive: tarfile.TarFile, parts: dict[str, tarfile.TarInfo]) -> set[str]:
    """The tables that came after a backup was made that does not say which it has.

    It was made by a program that knew all that came until the last table or column that is in it.
    Layers above kept nothing in backups then.
    """
    came = _came()
    known = {
        number for (name, column), number in came.items()
        if (part := _part_of(name)) in parts and (not column or column in _first(archive, part))
    }  # fmt: skip
    made = max(known, default=0)
    beside = {_name_of(each) for each in _tables() if each._meta.app_label != "office"}
    return {name for (name, _), number in came.items() if number > made} | beside


def _came() -> dict[tuple[str, str], int]:
    """By table, and by table and column, the migration of the office that brought it."""
    tables = {each._meta.model_name: each for each in apps.get_app_config("office").get_models()}
    steps = sorted(
        (name, step) for (app, name), step in MigrationLoader(None).disk_migrations.items()
        if app == "office"
    )  # fmt: skip
    came: dict[tuple[str, str], int] = {}
    for number, (_, step) in enumerate(steps, 1):
        for each in step.operations:
            if isinstance(each, migrations.CreateModel):
                came[_name_of(tables[each.name_lower]), ""] = number
            elif isinstance(each, migrations.AddField):
                table = tables[each.model_name_lower]
                columns = {field.name: field.attname for field in table._meta.concrete_fields}
                came[_name_of(table), columns[each.name_lower]] = number
    return came


def _first(archive: tarfile.TarFile, part: str) -> Mapping[str, Any]:
    """The first row of a table, if it has any."""
    file = archive.extractfile(part)
    assert file is not None
    row: Mapping[str, Any] = json.loads(file.readline() or b"{}")
    return row


def _of_newer(what: str) -> ValueError:
    """The refusal of what is whole, and would lose something here."""
    return ValueError(
        sentence(
            "it has {what}, which this version does not know; the one that wrote it restores it",
            what=what,
        )
    )


def _part(archive: tarfile.TarFile, parts: dict[str, tarfile.TarInfo], name: str) -> bytes:
    file = archive.extractfile(parts[name])
    assert file is not None
    return file.read()


def _fill(model: type[models.Model], data: bytes) -> None:
    fields = {f.attname: f for f in model._meta.concrete_fields if f.column}
    rows = []
    for line in data.splitlines():
        said = json.loads(line)
        if unknown := said.keys() - fields.keys():
            raise _of_newer(f"{_name_of(model)}.{min(unknown)}")
        rows.append(model(**{name: _read(fields[name], value) for name, value in said.items()}))
    model._default_manager.bulk_create(rows, batch_size=_CHUNK)


def _set_sequences() -> None:
    """PostgreSQL numbers on after the numbers that were restored."""
    from django.core.management.color import no_style

    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), _tables()):
            cursor.execute(statement)

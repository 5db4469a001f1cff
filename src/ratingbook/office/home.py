"""The folder of an office: its settings, its database, its files.

``office.json`` names the database; without one it is ``office.sqlite3`` in the folder.  It may
have a ``name``, too, which pages show, and a ``language``, in which the office writes to people.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from ratingbook.office.refused import not_installed, refuse

CONFIG = "office.json"
UNFINISHED = "office.unfinished"
"""It lies in the folder while an office is made there, and after it if that was killed."""
SQLITE_FILE = "office.sqlite3"
VARIABLES = ("RATINGBOOK_OFFICE", "RATINGBOOK_HOME")
_VERSION = 1
_SETTINGS = ("ratingbook.office.settings", "ratingbook.site.settings")
"""Both in every process: one migration makes all tables, those of accounts, too."""
_BUSY_SECONDS = 30
_WRITTEN = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; "
_PRAGMAS = (
    # Else REPLACE INTO gets past the triggers that refuse a DELETE.
    "PRAGMA recursive_triggers=ON; "
    # Indexes of a million games do not fit into the 2 MB that SQLite takes by itself.
    "PRAGMA cache_size=-65536;"
)


_URL = ("https://", "http://")
_CONTACT = re.compile(r"https?://[^\s\"'<>]+|[^\s@:/?&\"'<>]+@[^\s@:/?&\"'<>]+")


@dataclass(frozen=True)
class Home:
    """An office on disk; ``database`` is a URL of PostgreSQL, or empty for SQLite."""

    folder: Path
    database: str = ""
    name: str = ""
    """What the office is called on its pages."""
    language: str = ""
    """In which it writes to whoever has chosen none; empty: English."""
    contact: str = ""
    """Where anybody complains or asks: an address of mail, or an https URL; empty: nowhere."""

    @property
    def contact_link(self) -> str:
        """The same as a link."""
        is_mail = bool(self.contact) and not self.contact.startswith(_URL)
        return f"mailto:{self.contact}" if is_mail else self.contact

    @property
    def files(self) -> Path:
        """Where files are kept by their hashes."""
        return self.folder / "files"

    @property
    def snapshots(self) -> Path:
        """What runs read; a cache."""
        return self.folder / "snapshots"

    @property
    def sqlite_file(self) -> Path:
        """The database, where it is SQLite."""
        return self.folder / SQLITE_FILE

    @property
    def is_sqlite(self) -> bool:
        """Whether the database is a file of the folder."""
        return not self.database

    @property
    def is_read_only(self) -> bool:
        """Whether the office lies where nobody may write, as on a medium of an archive."""
        parts = (self.sqlite_file, self.folder)
        return (
            self.is_sqlite
            and self.sqlite_file.exists()
            and not all(os.access(each, os.W_OK) for each in parts)
        )


def folder_of(given: Path | None) -> Path:
    """The folder of the office: as given, else by the environment, else this one."""
    if given is not None:
        return given
    named = next((os.environ[name] for name in VARIABLES if os.environ.get(name)), ".")
    return Path(named)


def check_settings(home: Home) -> None:
    """Refuse what is no URL of a database."""
    _database(home)


_OF_A_MACHINE = ("office", "database")
_SENDS = ("mail", "webhooks")
"""How others are written to: an office that is tried somewhere else writes to nobody."""


class Kept(NamedTuple):
    """What a copy of an office has of its settings."""

    said: Mapping[str, Any]
    left: Sequence[str]
    """What it has not, though the office says it."""


def kept_settings(home: Home) -> Kept:
    """What is said in ``office.json`` of the office, wherever it lies."""
    every: Mapping[str, Any] = json.loads((home.folder / CONFIG).read_text("utf-8"))
    said = {key: x for key, x in every.items() if key not in (*_OF_A_MACHINE, *_SENDS)}
    return Kept(said, [key for key in _SENDS if every.get(key)])


def write_settings(home: Home, kept: Mapping[str, Any]) -> None:
    """By this a folder is an office; ``kept`` is what another one of it says of itself."""
    said = {"office": _VERSION, "database": home.database}
    text = json.dumps({**kept, **said}, indent=1, ensure_ascii=False)
    beside = home.folder / f"{CONFIG}.new"
    beside.write_text(text + "\n", "utf-8")
    beside.replace(home.folder / CONFIG)


def find(folder: Path) -> Home:
    """The office in a folder."""
    try:
        data = json.loads((folder / CONFIG).read_text("utf-8"))
        said = (str(data.get(key, "")) for key in ("database", "name", "language", "contact"))
        home = Home(folder, *said)
    except FileNotFoundError:
        if (folder / UNFINISHED).exists():
            raise refuse(
                "office.unfinished",
                f"The office in {folder.resolve()} is not finished: the command that makes it is "
                "still at work, or was killed.",
                "If it is not at work, give the same `ratingbook office init` or "
                "`ratingbook office restore` again, for the same folder: it begins anew, and "
                "takes away what is left.",
            ) from None
        raise refuse(
            "office.no-office",
            f"There is no office in {folder.resolve()}.",
            "Name its folder with --home or RATINGBOOK_OFFICE; `ratingbook office init` makes one.",
        ) from None
    except (OSError, ValueError, AttributeError) as error:
        raise refuse(
            "office.settings", f"{folder / CONFIG} cannot be read: {error}.",
            'Write {"office": 1, "database": ""} into it, or the URL of the database.',
        ) from None  # fmt: skip
    if home.contact and not _CONTACT.fullmatch(home.contact):
        raise refuse(
            "office.settings",
            f"{folder / CONFIG} names as contact {home.contact!r}: no address of mail and no URL.",
            'Write "contact": "office@example.org", or "https://example.org/complaints".',
        )
    return home


_connected: list[Home] = []
"""The office that Django is connected to, if any."""


def current() -> Home:
    """The office that is open."""
    return _connected[-1]


def read_only() -> Path | None:
    """The folder of the office that is open, if it may only be read."""
    return _connected[-1].folder if _connected and _connected[-1].is_read_only else None


def start_django() -> None:
    """Give Django our settings, unless it has some; which database comes with :func:`connect`."""
    try:
        import django
        from django.conf import settings
    except ImportError as error:
        raise not_installed(error) from None
    if not settings.configured:
        settings.configure(default_settings=_with_defaults(_SETTINGS))
        django.setup()


def connect(home: Home) -> Home:
    """Let Django use the database of this office, in place of another one if need be."""
    start_django()
    from django.db import connections

    databases = {"default": _database(home)}
    _connected[:] = [home]
    connections.close_all()
    connections.settings = connections.configure_settings(databases)
    # A new connection is made for this database; there may have been none for another.
    with suppress(AttributeError):
        del connections["default"]
    return home


def _with_defaults(modules: tuple[str, ...]) -> Any:
    from django.conf import UserSettingsHolder, global_settings

    holder = UserSettingsHolder(global_settings)
    applications: list[str] = []
    for ours in map(import_module, modules):
        for name in filter(str.isupper, dir(ours)):
            setattr(holder, name, getattr(ours, name))
        applications += ours.INSTALLED_APPS
    holder.INSTALLED_APPS = applications
    return holder


def migrate() -> None:
    """Make the tables and triggers, or bring them to this version."""
    from django.core.management import call_command
    from django.db import connection

    if connection.introspection.table_names():
        call_command("migrate", verbosity=0, interactive=False)
    else:
        _make_tables()


def _make_tables() -> None:
    """All tables of an empty database at once, as if each migration had been done.

    To go through the history of every table costs seconds; a test compares what comes of both.
    """
    from django.apps import apps
    from django.core.management.sql import emit_post_migrate_signal
    from django.db import connection
    from django.db.migrations.loader import MigrationLoader
    from django.db.migrations.recorder import MigrationRecorder

    record = MigrationRecorder(connection)
    done = sorted(MigrationLoader(None).disk_migrations)
    with connection.schema_editor() as editor:
        for model in apps.get_models():
            if model._meta.managed and not model._meta.proxy:
                editor.create_model(model)
        editor.create_model(record.Migration)
        rows = [record.Migration(app=app, name=name) for app, name in done]
        record.migration_qs.bulk_create(rows)
    emit_post_migrate_signal(verbosity=0, interactive=False, db="default")


def _whole(home: Home) -> Path:
    """The file of a database that is only read, if all of it stands in the file."""
    log = home.sqlite_file.with_name(f"{SQLITE_FILE}-wal")
    if log.exists() and log.stat().st_size:
        raise refuse(
            "office.read-only",
            f"Nobody may write in {home.folder}, and {log.name} there holds what is not yet in "
            f"{SQLITE_FILE}.",
            "Copy the folder to where you may write, and use that; before another time is archived,"
            " let every program that uses the office end.",
        )
    return home.sqlite_file


def _database(home: Home) -> dict[str, Any]:
    """The settings of Django for the database."""
    if home.is_read_only:
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": f"{_whole(home).absolute().as_uri()}?immutable=1",
            "OPTIONS": {"init_command": _PRAGMAS},
        }
    if home.is_sqlite:
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": str(home.sqlite_file.absolute()),
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": _BUSY_SECONDS,
                "init_command": _WRITTEN + _PRAGMAS,
            },
        }
    url = urlsplit(home.database)
    if url.scheme not in ("postgresql", "postgres") or not url.path.strip("/"):
        raise refuse(
            "office.database", f"{home.database!r} is not the URL of a PostgreSQL database.",
            "Write postgresql://user:password@host:port/name, or leave it out for SQLite.",
        )  # fmt: skip
    options = dict(parse_qsl(url.query))
    host = options.pop("host", url.hostname or "")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(url.path.strip("/")),
        "USER": options.pop("user", unquote(url.username or "")),
        "PASSWORD": unquote(url.password or ""),
        "HOST": host,
        "PORT": options.pop("port", str(url.port or "")),
        "OPTIONS": options,
    }

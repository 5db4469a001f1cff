"""Somebody in front of an office."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from ratingbook.cli.app import app
from ratingbook.office.acts import setup
from ratingbook.office.store.ledger import Who


class Officer:
    """Gives commands in one office, and reads the answers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def does(self, *arguments: object, status: int = 0) -> dict[str, Any]:
        command = ["office", *map(str, arguments), "--home", str(self.folder), "--format", "json"]
        result = CliRunner().invoke(app, command)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == status, result.output
        found: dict[str, Any] = json.loads(result.stdout)
        return found

    def sees(self, *arguments: object, status: int = 0) -> str:
        command = ["office", *map(str, arguments), "--home", str(self.folder)]
        result = CliRunner().invoke(app, command)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == status, result.output
        return result.output


def begun(folder: Path, database: str) -> Path:
    """An empty folder that has become an office."""
    from django.db import connections

    Officer(folder).does("init", "--as", "tina", "--database", database)
    connections.close_all()
    return folder


def add_colleagues(who: Who) -> None:
    """Two officers, who may accept and publish what another one asks for, and a player."""
    for name in ("udo", "vera"):
        setup.add_actor(name, ["officer"], who)
    setup.add_actor("anna", ["player"], who)

"""What an office says of itself goes along with a backup; where its database is does not."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

from django.db import connections

from ratingbook.office import home as home_module
from ratingbook.office.acts import backups
from ratingbook.office.home import CONFIG, Home

SAID = {
    "name": "Schachbund Erfunden", "language": "de", "contact": "office@example.org",
    "site": {"url": "https://ratings.example.org", "second_factor": "all"},
}  # fmt: skip
SENDS = {"mail": {"host": "mail.example.org", "password": "secret"}}


def says(home: Home, **more: object) -> None:
    known = json.loads((home.folder / CONFIG).read_text("utf-8"))
    (home.folder / CONFIG).write_text(json.dumps({**known, **SAID, **more}), "utf-8")


def restored(file: Path, folder: Path) -> tuple[dict[str, object], list[str]]:
    connections.close_all()
    home_module.start_django()
    _, findings = backups.restore(file, folder)
    connections.close_all()
    return json.loads((folder / CONFIG).read_text("utf-8")), [each.code for each in findings]


def test_an_office_is_called_as_it_was_and_writes_to_nobody(home, tina, tmp_path):
    says(home, **SENDS)
    backups.backup(home, tmp_path / "b.tar", tina)
    assert b"secret" not in (tmp_path / "b.tar").read_bytes()
    said, codes = restored(tmp_path / "b.tar", tmp_path / "other")
    assert said == {**SAID, "office": 1, "database": ""}
    assert codes == ["office.settings-left"]
    assert home_module.find(tmp_path / "other").name == SAID["name"]


def test_nothing_is_told_where_all_came_along(home, tina, tmp_path):
    says(home)
    backups.backup(home, tmp_path / "b.tar", tina)
    assert restored(tmp_path / "b.tar", tmp_path / "other")[1] == []


def test_a_backup_of_before_has_none_and_says_so(home, tina, tmp_path):
    says(home)
    backups.backup(home, tmp_path / "b.tar", tina)
    with (
        tarfile.open(tmp_path / "b.tar") as new,
        tarfile.open(tmp_path / "old.tar", "w") as old,
    ):
        for each in new.getmembers():
            file = new.extractfile(each)
            if each.name != "settings.json" and file is not None:
                old.addfile(each, io.BytesIO(file.read()))
    said, codes = restored(tmp_path / "old.tar", tmp_path / "other")
    assert "name" not in said
    assert codes == ["office.settings-left"]

"""Files and archives: what is opened, and what is refused before it does harm."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from ratingbook.formats.lists import check_list, files, looks_like_list
from ratingbook.model import Severity
from tests.formats.helpers import codes, one
from tests.formats.lists.fide.test_txt import COMBINED, file, line
from tests.formats.lists.fide.test_xml import player, xml

LIST = file(line(), line(number="2"))


def archive(
    path: Path, members: Mapping[str, str | bytes], *, how: int = zipfile.ZIP_DEFLATED
) -> Path:
    with zipfile.ZipFile(path, "w", how) as written:
        for name, data in members.items():
            written.writestr(name, data)
    return path


def saved(path: Path, data: str | bytes) -> Path:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (LIST, "FIDE list (TXT)"),
        (xml(player()), "FIDE list (XML)"),
        ("ID;Country;Title;Name;Games;Rating;Gender;\n1;A;;B;1;2000;M;\n", "ICCF list"),
        ("Number;Name;Country;Rating;TER;Games;\n1;A;B;2000;2000;3;\n", "IECG list"),
    ],
)
def test_every_list_is_recognised_plain_and_zipped(tmp_path: Path, text: str, kind: str) -> None:
    plain = saved(tmp_path / "list.txt", text)
    packed = archive(
        tmp_path / "list.zip", {"list.txt": text, "__MACOSX/._list.txt": "x", "d/": ""}
    )
    for path in (plain, packed):
        assert looks_like_list(path) == kind
        findings, count = check_list(path)
        assert count == (2 if "TXT" in kind else 1)
        assert not findings.refused


def test_samples_of_reports_are_no_lists(reference: Path) -> None:
    files = [path for path in (reference / "samples").rglob("*") if path.is_file()]
    files = [path for path in files if "_list_" not in path.name]
    assert len(files) > 15
    assert [path for path in files if looks_like_list(path)] == []


def test_what_is_no_list(tmp_path: Path) -> None:
    assert looks_like_list(tmp_path) is None
    assert looks_like_list(tmp_path / "missing") is None
    assert looks_like_list(Path("a\0b")) is None
    assert looks_like_list(saved(tmp_path / "empty", "")) is None
    assert looks_like_list(saved(tmp_path / "broken.zip", b"PK\x03\x04" + b"x" * 100)) is None
    office = {"[Content_Types].xml": "<x/>", "xl/workbook.xml": "<x/>"}
    assert looks_like_list(archive(tmp_path / "book.xlsx", office)) is None
    os.mkfifo(tmp_path / "pipe")
    assert looks_like_list(tmp_path / "pipe") is None


def test_the_pool_is_in_the_name_of_the_archive_or_its_member(tmp_path: Path) -> None:
    text = file(line("2101  9   20 "), header=COMBINED[:113] + "OCT26 Gms K  B-day Flag")
    for name, member in (("rapid.zip", "list.txt"), ("list.zip", "blitz_rating_list.txt")):
        findings, _ = check_list(archive(tmp_path / name, {member: text}))
        assert codes(findings) == {}


def test_archives_that_are_refused(tmp_path: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as packed:
        packed.writestr("list.txt", LIST)
    bad: dict[str, Mapping[str, str | bytes]] = {
        "nested.zip": {"list.zip": inner.getvalue()},
        "hidden.zip": {"list.txt": inner.getvalue()},
        "gzip.zip": {"list.txt": b"\x1f\x8b" + b"x" * 50},
        "several.zip": {"one.txt": LIST, "two.txt": LIST},
        "many.zip": {f"{n}.txt": LIST for n in range(200)},
    }
    for name, members in bad.items():
        path = archive(tmp_path / name, members)
        findings, count = check_list(path)
        assert count == 0, name
        one(findings, "list.archive", Severity.FATAL)
    assert looks_like_list(tmp_path / "nested.zip") == "zip archive"
    assert looks_like_list(tmp_path / "several.zip") == "zip archive"
    other = archive(tmp_path / "packed.zip", {"list.txt": LIST}, how=zipfile.ZIP_LZMA)
    one(check_list(other)[0], "list.archive", Severity.FATAL)


def test_an_archive_that_is_damaged(tmp_path: Path) -> None:
    path = archive(tmp_path / "list.zip", {"list.txt": LIST * 200})
    data = path.read_bytes()
    for at in range(0, len(data), 7):
        saved(path, data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :])
        findings, _ = check_list(path)
        assert all(finding.message and finding.remedy for finding in findings)
    saved(path, data[:-30])
    assert check_list(path)[0].refused


def test_a_directory_that_is_damaged(tmp_path: Path) -> None:
    """It may name places before the beginning of the file, and members without a name."""
    path = archive(tmp_path / "list.zip", {"list.txt": LIST})
    data = path.read_bytes()
    for at in range(data.rfind(b"PK\x01\x02"), len(data)):
        for byte in (b"\0", b"\x01", b"\xff"):
            saved(path, data[:at] + byte + data[at + 1 :])
            findings, count = check_list(path)
            assert findings.refused == (count == 0)
            looks_like_list(path)


def test_an_encrypted_archive(tmp_path: Path) -> None:
    path = archive(tmp_path / "list.zip", {"list.txt": LIST})
    data = bytearray(path.read_bytes())
    data[6] |= 1
    data[data.rfind(b"PK\x01\x02") + 8] |= 1
    saved(path, bytes(data))
    assert "encrypted" in one(check_list(path)[0], "list.archive", Severity.FATAL).message


def test_a_bomb_stops_where_it_becomes_too_large(tmp_path: Path) -> None:
    """Blanks pack a thousand to one; nothing beyond the limit is unpacked."""
    path = archive(
        tmp_path / "list.zip", {"list.txt": COMBINED + "\n" + (" " * 99 + "\n") * 400_000}
    )
    assert path.stat().st_size < 200_000
    findings, _ = check_list(path)
    one(findings, "list.too-large", Severity.FATAL)


def test_the_size_of_a_plain_list_is_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_BYTES", 100)
    findings, _ = check_list(saved(tmp_path / "list.txt", LIST))
    one(findings, "list.too-large", Severity.FATAL)


def test_a_file_that_cannot_be_opened(tmp_path: Path) -> None:
    one(check_list(tmp_path / "missing")[0], "file.unreadable", Severity.FATAL)
    one(check_list(tmp_path)[0], "file.unreadable", Severity.FATAL)
    one(check_list(Path("a\0b"))[0], "file.unreadable", Severity.FATAL)

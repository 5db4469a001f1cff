"""Encodings told by letters: a handful of names is enough, and the guess is always told."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from ratingbook.formats import read, read_bytes
from ratingbook.formats.lists import read_entries
from ratingbook.formats.tools.encodings import guessed, naming
from ratingbook.formats.tools.text import decode
from ratingbook.model import Severity
from tests.formats.helpers import one, with_code

NAMES = {
    "cp1251": ("Смирнов, Алексей", "Кузнецова, Ольга", "Щербаков, Юрий"),
    "koi8-r": ("Смирнов, Алексей", "Кузнецова, Ольга", "Щербаков, Юрий"),
    "cp866": ("Смирнов, Алексей", "Кузнецова, Ольга", "Щербаков, Юрий"),
    "cp1250": ("Dvořák, Jiří", "Wałęsa, Stanisław", "Kovačević, Željko"),
    "cp1254": ("Yıldız, Ayşe", "Öztürk, Çağlar", "Şahin, İbrahim"),
    "gb18030": ("王伟", "李娜", "张敏"),
    "cp932": ("佐藤 健", "鈴木 美咲", "高橋 ゆうた"),
    "utf-16-le": ("Смирнов, Алексей", "Dvořák, Jiří", "王伟"),
    "utf-16-be": ("Смирнов, Алексей", "Dvořák, Jiří", "王伟"),
}


def trf(names: tuple[str, ...]) -> str:
    """A small event of these players, everybody against the next one."""
    lines = ["012 Open 2011", "042 2011/05/01", "052 2011/05/01"]
    for rank, name in enumerate(names, 1):
        other = rank % len(names) + 1
        lines.append(f"001 {rank:4} m    {name:33} {2000 + rank} RUS {rank:11}            1.0 "
                     f"{rank:4}  {other:4} w =")  # fmt: skip
    return "\r\n".join(lines) + "\r\n"


@pytest.mark.parametrize("encoding", NAMES)
def test_a_few_names_tell_the_encoding(encoding: str) -> None:
    decoded = decode(trf(NAMES[encoding]).encode(encoding))
    assert [line.text for line in decoded.lines] == trf(NAMES[encoding]).splitlines()
    assert encoding in one(decoded.findings, "text.encoding", Severity.INFO).message


@pytest.mark.parametrize(
    "names",
    [("Müller, Jürgen",), ("Peña, José",), ("Ångström, Åsa",), ("Sørensen, Søren",), ("É",),
     ("Þórðarson, Æsa",), ("Guimarães, João", "Conceição, Inês")],
)  # fmt: skip
def test_western_names_stay_western(names: tuple[str, ...]) -> None:
    decoded = decode(trf(names).encode("iso-8859-1"))
    assert decoded.encoding == "iso-8859-1"
    assert names[0] in decoded.lines[3].text


def test_the_found_file_in_cp1251(reference: Path) -> None:
    reading = read(reference / "samples" / "found" / "enc_cp1251.trf")
    assert reading.encoding == "cp1251"
    assert reading.report is not None
    assert reading.report.event.name == "Кубок города"


def test_one_short_word_is_doubtful_and_the_other_encoding_is_named() -> None:
    data = "Ян;1".encode("cp1251")
    assert not guessed(data).sure
    finding = one(decode(data).findings, "text.encoding", Severity.WARNING)
    assert "cp1251" in finding.message
    assert "gb18030" in finding.message


def test_signs_say_nothing_of_letters() -> None:
    assert decode("1½ – 0½ §3".encode("cp1252")).encoding == "cp1252"
    assert decode("1½ 0½".encode("iso-8859-1")).encoding == "iso-8859-1"


def test_what_is_told_is_taken() -> None:
    data = trf(NAMES["cp1251"]).encode("iso8859-5")
    with naming("iso8859-5"):
        reading = read_bytes(data)
    assert reading.report is not None
    assert reading.report.entries[0].name == "Смирнов, Алексей"
    assert not with_code(reading.findings, "text.encoding")


def test_what_is_told_wrongly_is_said() -> None:
    with naming("utf-8"):
        decoded = decode("Großmeister Müller".encode("iso-8859-1"))
    assert one(decoded.findings, "text.encoding", Severity.WARNING).where.line == 1


def test_json_in_an_encoding_that_is_told() -> None:
    document = '{"ratingbook": "report/1", "event": {"name": "Кубок"}, "players": [], "games": []}'
    with naming("cp1251"):
        reading = read_bytes(document.encode("cp1251"))
    assert reading.report is not None
    assert reading.report.event.name == "Кубок"


def test_xml_is_read_as_it_declares() -> None:
    xml = '<?xml version="1.0" encoding="windows-1257"?>\n<a name="Šķēle, Ģirts"/>'
    decoded = decode(xml.encode("cp1257"))
    assert decoded.encoding == "cp1257"
    assert "Šķēle, Ģirts" in decoded.lines[1].text


def test_a_list_in_cyrillic(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    head = "ID;Country;Title;Name;Games;Rating;Gender;\n"
    rows = [f"{n};RUS;;{name};9;2000;M;\n" for n, name in enumerate(NAMES["koi8-r"], 1)]
    path.write_bytes((head + "".join(rows)).encode("koi8-r"))
    entries, findings = read_entries(path)
    assert [entry.name for entry in entries] == list(NAMES["koi8-r"])
    assert "koi8-r" in one(findings, "list.encoding", Severity.INFO).message
    path.write_bytes((head + "".join(rows)).encode("utf-16"))
    with naming("utf-16"):
        entries, _ = read_entries(path)
    assert [entry.name for entry in entries] == list(NAMES["koi8-r"])


@pytest.mark.parametrize("name", ["€", "¢", "€¢", "¢£¥"])
def test_a_name_of_signs_is_no_letter_of_another_encoding(name: str) -> None:
    text = f"White,Black,Result\nDoe,{name},1-0\n{name},Roe,1-0\n"
    reading = read_bytes(text.encode("cp1252"))
    assert reading.report is not None
    assert name in {entry.name for entry in reading.report.entries}


@pytest.mark.parametrize("line", [b"a" * 300_000 + b" \xe9", b"\xe9 " + b"'" * 300_000])
def test_a_word_without_end_takes_no_longer_than_others(line: bytes) -> None:
    begun = time.process_time()
    guessed(line)
    # From each letter on it would be minutes.
    assert time.process_time() - begun < 5

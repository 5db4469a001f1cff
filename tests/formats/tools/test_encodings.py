"""Encodings told by letters: a handful of names is enough, and the guess is always told."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

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


PEOPLE = {
    ("cp1253", "iso8859-7", "cp737"): "Παπαδόπουλος Γιώργος Νικολάου Ελένη Γεωργίου Κώστας",
    ("euc_kr",): "김민수 이영희 박지훈 최서연 정현우 강동원 윤미래 임수정",
    ("big5",): "陳大文 林美麗 黃志明 張家豪 李淑芬 王建國 吳雅婷 劉俊傑",
    ("euc_jp", "cp932"): "田中太郎 佐藤花子 鈴木一郎 高橋さくら 伊藤ケン 渡辺ヒロシ 山本久美子",
    ("koi8-r", "cp1251", "cp866", "iso8859-5"):
        "Смирнов Ольга Щербаков Юрий Кузнецов Пётр Агата Иванов Васильева Анна Шипчан Златко",
    ("koi8-u", "cp1251"): "Коваленко Олександр Шевченко Ірина Їжак Бойко Євген Лисенко Панджабі",
    ("gb18030",): "王伟 李娜 张敏 刘洋 陈静 杨帆 赵磊 黄丽华 周建军",
    ("cp1252", "cp850"): "Müller Jürgen Weiß Núñez José Lefèvre Hélène Ødegård Åse Gonçalves João",
    ("cp1250", "cp852", "iso8859-2"):
        "Dvořák Jiří Šárka Čermák Győző Szűcs Wiśniewski Łukasz Žižka Aleš Ionuţ Đorđe Wałęsa",
    ("cp1254",): "Yıldız Ayşe Öztürk Çağlar Şahin İbrahim Gökçe Doğan Uğur Işıl",
    ("cp1257",): "Bērziņš Jānis Kļaviņa Līga Šimkutė Rūta Čepaitė Põder Žukauskienė Mägi",
    ("cp1255",): "כהן לוי מזרחי פרץ ביטון אברהם יעקב שרה רחל",
    ("cp1256",): "محمد أحمد فاطمة حسن علي خالد مريم يوسف",
    # None of these is tried: nothing may be sure.
    ("johab",): "김민수 이영희 박지훈 최서연 정현우",
    ("cp869",): "Παπαδόπουλος Γιώργος Νικολάου Ελένη Γεωργίου",
}  # fmt: skip


@pytest.mark.parametrize("number", [1, 2, 5, 50])
@pytest.mark.parametrize(
    ("encoding", "names"), [(each, names) for many, names in PEOPLE.items() for each in many]
)
def test_no_guess_is_wrong_and_sure(encoding: str, names: str, number: int) -> None:
    chance = Random(f"{encoding} {number}")
    for _ in range(3 if number == 50 else 8):
        people = [" ".join(chance.sample(names.split(), 2)) for _ in range(number)]
        text = "Name;Rating\r\n" + "".join(f"{name};2100\r\n" for name in people)
        data = text.encode(encoding)
        guess = guessed(data)
        if data.decode(guess.encoding, errors="replace") != text:
            assert not guess.sure, (people, guess)
        elif number == 50:
            assert guess.sure, guess
        if not guess.sure:
            finding = one(decode(data).findings, "text.encoding", Severity.WARNING)
            assert "--encoding" in finding.remedy


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
    assert "it may also be iso-8859-1" in finding.message
    assert "--encoding" in finding.remedy


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


IN_DOUBT = "Agnès"
"""In Central Europe it were Agnčs."""


def test_what_a_list_is_in_is_a_warning_where_its_letters_leave_it_open(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    head = "ID;Country;Title;Name;Games;Rating;Gender;\n"
    ascii_rows = "".join(f"{n};DEN;;Jensen, Nobody {n};9;2000;M;\n" for n in range(10, 40_000))
    row = f"5;DEN;;{IN_DOUBT};9;2000;M;\n"
    for text in (head + row, head + ascii_rows + row):
        path.write_bytes(text.encode("cp1252"))
        entries, findings = read_entries(path)
        assert entries[-1].name == IN_DOUBT
        finding = one(findings, "list.encoding", Severity.WARNING)
        assert finding.first
        assert IN_DOUBT in finding.message
        assert "; it may also be " in finding.message
        assert "--encoding" in finding.remedy


def test_plain_western_names_are_no_warning(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    head = "ID;Country;Title;Name;Games;Rating;Gender;\n"
    names = ("Müller, Jürgen", "Schäfer, Günter", "Weiß, Jörg", "Böhm, Käthe", "Größe, Björn")
    rows = "".join(f"{n};GER;;{name};9;2000;M;\n" for n, name in enumerate(names, 1))
    path.write_bytes((head + rows).encode("cp1252"))
    one(read_entries(path)[1], "list.encoding", Severity.INFO)


@pytest.mark.parametrize("words", [("André",), ("Grün", "Dvořák"), ("Čapek",), NAMES["koi8-r"][:2]])
def test_a_guess_in_doubt_is_one_between_different_texts(words: tuple[str, ...]) -> None:
    for codec in ("cp1252", "cp1250", "koi8-r"):
        data = "\n".join(words).encode(codec, errors="ignore")
        guess = guessed(data)
        if guess.other and not data.isascii():
            assert data.decode(guess.encoding, "replace") != data.decode(guess.other, "replace")

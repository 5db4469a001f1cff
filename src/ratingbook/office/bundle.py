"""Bundles: what a published list is made of, so that anyone can make it again.

A bundle is a ZIP archive or a folder: ``manifest.json``, the tables that were fed, the numbers
that came of them, the list, and the chain of facts.  Nothing here needs the office installed.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ratingbook.formats.tools.nearby import not_there
from ratingbook.model import Finding, Findings, Place, Severity
from ratingbook.model.patterns import pattern
from ratingbook.office import engine
from ratingbook.office.logic.chain import canonical
from ratingbook.office.logic.chained import Broken, Chained, followed
from ratingbook.office.logic.digests import table_digest
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.signing import why_not_signed

VERSION = "bundle/2"
_READ = ("bundle/1", VERSION)
"""The first had all facts whole, as bundles for auditors have them still."""
MANIFEST = "manifest.json"
SIGNATURE = "signature.json"
"""Of the manifest, which has the hashes of all other files; where the office has a key."""
_NEEDED = {
    "list": ("date", "revision", "digest", "rows", "decimals"),
    "rules": ("rulebook", "parameters", "assume", "source", "engine"),
}
_DAY = (1980, 1, 1, 0, 0, 0)
_KEY = pattern("[0-9A-Fa-f]{64}")
_LONGEST_KEY = 4096
"""Bytes of a file with a key that are read."""


def parquet(table: pa.Table) -> bytes:
    """A table as a file of a bundle."""
    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd")
    return sink.getvalue()


def write(out: Path, files: Mapping[str, bytes]) -> None:
    """Write a bundle: an archive where the name ends in ``.zip``, else a folder."""
    if out.suffix.lower() != ".zip":
        out.mkdir(parents=True, exist_ok=False)
        for name, data in files.items():
            (out / name).write_bytes(data)
        return
    with zipfile.ZipFile(out, "x", zipfile.ZIP_STORED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, _DAY), data)


@dataclass(frozen=True)
class Verified:
    """What became of a bundle: the list that it is of, and what is not as it says."""

    manifest: Mapping[str, Any]
    findings: Findings
    rows: int = 0
    is_compared: bool = False
    """Whether the numbers were made again: not where the bundle itself is not as it was made."""
    facts: Chained = field(default_factory=Chained)
    """How much of the chain the bundle shows."""


def verify(path: Path, key: str | None = None) -> Verified:
    """Make the numbers of a bundle again, and say what differs.

    With ``key``, a public key in hexadecimal digits or a file that holds one, it must be signed by
    that one.
    """
    findings = Findings()
    if key is not None:
        found = _public_key(key)
        if isinstance(found, Finding):
            return Verified({}, Findings([found]))
        key = found
    files = _read(path, findings)
    manifest = {} if findings.refused else _manifest(files, findings)
    if not manifest:
        return Verified({}, findings.in_file(str(path)))
    _check_signature(files, key, findings)
    for name, sha256 in manifest["files"].items():
        if hashlib.sha256(files.get(name, b"")).hexdigest() != sha256:
            _tell(findings, "verify.damaged", f"{name} is not what the manifest says.")
    if not findings.refused:
        chain = _check_chain(files, manifest, findings)
        rows = _check(files, manifest, findings)
        return Verified(
            manifest, findings.in_file(str(path)), rows or 0, rows is not None, chain or Chained()
        )
    return Verified(manifest, findings.in_file(str(path)))


def _tell(findings: Findings, code: str, message: str, remedy: str = "") -> None:
    findings.add(
        Severity.ERROR, code, message,
        remedy=remedy or "Ask the office for the bundle again, and for its reason.",
    )  # fmt: skip


def _public_key(said: str) -> str | Finding:
    """The digits of a key, as they are or from a file; or why there are none."""
    text, where = said.strip(), Place()
    if _KEY.fullmatch(text):
        return text.lower()
    why = "it is empty"
    if text:
        where = Place(file=text)
        try:
            with Path(text).open("rb") as file:
                held = file.read(_LONGEST_KEY).decode("ascii", "replace").strip()
            if _KEY.fullmatch(held):
                return held.lower()
            why = "the file holds none" if held else "the file is empty"
        except (OSError, ValueError) as error:
            missing = isinstance(error, FileNotFoundError)
            why = "there is no such file" if missing else f"the file cannot be read ({error})"
    return Finding(
        "verify.key", Severity.FATAL, f"--key is no public key: {why}.", where,
        "Give the 64 digits that `ratingbook office key` shows, or a file with them.",
    )  # fmt: skip


def _read(path: Path, findings: Findings) -> dict[str, bytes]:
    try:
        if path.is_dir():
            return {each.name: each.read_bytes() for each in path.iterdir() if each.is_file()}
        if path.exists() and not path.is_file():
            raise ValueError("it is a pipe or a device")
        with zipfile.ZipFile(path) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    except (OSError, zipfile.BadZipFile, RuntimeError, ValueError) as error:
        findings.add(
            Severity.FATAL, "verify.unreadable",
            not_there(path) or f"The bundle cannot be read: {error}.",
            Place(file=str(path)), "A bundle is a ZIP archive or a folder with manifest.json.",
        )  # fmt: skip
        return {}


def _manifest(files: Mapping[str, bytes], findings: Findings) -> dict[str, Any]:
    try:
        found = json.loads(files[MANIFEST])
        if found["ratingbook"] not in _READ:
            raise ValueError(f"it is {found['ratingbook']!r}, not {VERSION!r}")
        for key in ("files", "digest", "until", "head"):
            found[key]
        for part, keys in _NEEDED.items():
            for key in keys:
                found[part][key]
        return dict(found)
    except (KeyError, TypeError, ValueError) as error:
        findings.add(
            Severity.FATAL, "verify.no-manifest", f"{MANIFEST} is missing or not understood: "
            f"{error}.", remedy="Take a bundle that `ratingbook office bundle` wrote.",
        )  # fmt: skip
        return {}


def _check_signature(files: Mapping[str, bytes], key: str | None, findings: Findings) -> None:
    """A signature is of the manifest; without a key to compare it says who, not that it is he."""
    if SIGNATURE not in files:
        if key is not None:
            _tell(
                findings, "verify.unsigned",
                "The bundle is not signed, so no key says whose it is.",
                "Ask the office for a signed one: it signs once it has a key (`ratingbook office "
                "key --make`). Without --key only the numbers are checked.",
            )  # fmt: skip
        return
    try:
        said = json.loads(files[SIGNATURE])
        why = why_not_signed(files[MANIFEST], said)
    except (ValueError, AttributeError):
        why = "the signature cannot be read"
    except ImportError as error:
        findings.add(
            Severity.WARNING if key is None else Severity.ERROR, "verify.signature-unchecked",
            f"The signature is not checked: {error}.",
            remedy='Install it: pip install "ratingbook[office]".',
        )  # fmt: skip
        return
    if why:
        _tell(findings, "verify.signature", f"The bundle is not as it was signed: {why}.")
    elif key is not None and said["public_key"] != key:
        _tell(
            findings, "verify.other-key",
            f"The bundle is signed by another key than the one given: {said['public_key']}.",
            "Compare the key with the one that the office publishes (`ratingbook office key`); if "
            "that is right, the bundle is not from there.",
        )  # fmt: skip


def _check(
    files: Mapping[str, bytes], manifest: Mapping[str, Any], findings: Findings
) -> int | None:
    """Numbers, then the list; gives the ratings made again, if they could be."""
    tables = {}
    try:
        for name in (*engine.TABLES, "changes", "ratings"):
            if f"{name}.parquet" in files:
                tables[name] = pq.read_table(io.BytesIO(files[f"{name}.parquet"]))
        fed = engine.Fed(**{name: tables[name] for name in engine.TABLES if name in tables})
        said = manifest["rules"]
        rules = engine.Rules(said["rulebook"], said["parameters"], said["assume"])
        rated = engine.rate(fed, rules, date.fromisoformat(manifest["until"]))
    except OfficeRefused as error:
        findings.extend(error.findings)
        return None
    except (KeyError, TypeError, ValueError, pa.ArrowException) as error:
        _tell(findings, "verify.tables", f"The tables of the bundle cannot be rated: {error}.")
        return None
    for name, made in (("changes", rated.changes), ("ratings", rated.ratings)):
        _compare(name, tables.get(name), made, findings)
    if rated.digest != manifest["digest"] and not findings.refused:
        _tell(findings, "verify.digest", "The digest in the manifest is of other numbers.")
    _check_list(files, manifest, rated, findings)
    now = engine.rule_source(said["rulebook"])
    if now != said["source"]:
        findings.add(
            Severity.INFO, "verify.other-rule-source",
            f"The list was made by ratingbook {said['engine']}, rule source {said['source'][:8]}; "
            f"here it is {now[:8]}.",
        )  # fmt: skip
    return len(rated.ratings)


def _compare(name: str, given: pa.Table | None, made: pa.Table, findings: Findings) -> None:
    """Bit for bit; where that fails, the first row that differs."""
    if given is None:
        _tell(findings, "verify.missing", f"The bundle lacks {name}.parquet.")
        return
    if given.column_names == made.column_names and table_digest(given) == table_digest(made):
        return
    if len(given) != len(made):
        _tell(
            findings, "verify.differs",
            f"{name} has {len(given)} rows; made again it has {len(made)}.",
        )  # fmt: skip
    for old, new in zip(given.to_pylist(), made.to_pylist(), strict=False):
        if old != new:
            keys = [k for k in new if old.get(k) != new[k]]
            what = ", ".join(f"{k} {old.get(k)} (made again: {new[k]})" for k in keys)
            _tell(findings, "verify.differs", f"{name}, player {new['player']}: {what}.")
            return


def _check_list(
    files: Mapping[str, bytes], manifest: Mapping[str, Any], rated: engine.RatedTables,
    findings: Findings,
) -> None:  # fmt: skip
    """The ratings on the list are those of the run, as they are rounded."""
    scale = 10.0 ** manifest["list"]["decimals"]
    import math

    exact = {
        player: math.floor(rating * scale + 0.5) / scale
        for player, rating in zip(
            rated.ratings["player"].to_pylist(), rated.ratings["rating"].to_pylist(), strict=True
        )
        if rating is not None
    }
    try:
        rows = list(csv.DictReader(io.StringIO(files["list.csv"].decode())))
        lines = [[row.get("id"), *(_number(row.get(key)) for key in _DIGESTED)] for row in rows]
    except (KeyError, ValueError, csv.Error) as error:
        _tell(findings, "verify.list", f"list.csv cannot be read: {error}.")
        return
    if hashlib.sha256(canonical(lines)).hexdigest() != manifest["list"]["digest"]:
        _tell(
            findings, "verify.list",
            "The lines of list.csv are not those of which the list has its digest.",
        )  # fmt: skip
    for row in rows:
        printed = row.get("rating") or ""
        if row.get("id") not in exact or float(printed or "nan") != exact[row["id"]]:
            _tell(
                findings, "verify.list",
                f"The list prints {printed or 'no rating'} for player {row.get('id')}; made again "
                f"it is {exact.get(row.get('id', ''), 'none')}.",
            )  # fmt: skip
            return


_DIGESTED = ("rating", "games")
"""What the digest of a list covers of a line, besides the number of the player."""


def _number(text: str | None) -> int | float | None:
    """A number as the list had it before it became a text."""
    if not text:
        return None
    return int(text) if text.lstrip("-").isdecimal() else float(text)


def _check_chain(
    files: Mapping[str, bytes], manifest: Mapping[str, Any], findings: Findings
) -> Chained | None:
    """The facts hang together, end at the head that the list names, and say this list."""
    try:
        chain = followed(files.get("facts.jsonl", b""))
    except Broken as error:
        _tell(findings, "verify.chain", str(error))
        return None
    if chain.end != manifest["head"]:
        _tell(findings, "verify.chain", "The facts do not end at the head that the list names.")
    elif chain.last:
        _check_said(chain, manifest, findings)
    return chain


def _check_said(chain: Chained, manifest: Mapping[str, Any], findings: Findings) -> None:
    """The list and the publication that the chain holds are those of the manifest."""
    of, rules, one = manifest["list"], manifest["rules"], chain.newest("list")
    made = [each for each in chain.said.get("published", []) if each.get("run") == one.get("run")]
    last = made[-1] if made else {}
    told = [("list", one, key, of[key]) for key in ("date", "revision", "digest", "rows")]
    told += [("published", last, key, rules[key]) for key in _NEEDED["rules"] if key != "source"]
    told.append(("published", last, "rule_source", rules["source"]))
    # A revision of a list that is older than its run has the numbers of its own day.
    if not of["date"] == manifest["until"] < str(last.get("until")):
        told += [("published", last, key, manifest[key]) for key in ("until", "digest")]
    for kind, said, key, value in told:
        if said.get(key) != value:
            _tell(
                findings, "verify.said",
                f"The manifest says {key} {value}; the fact “{kind}” says {said.get(key)}.",
            )  # fmt: skip
            return

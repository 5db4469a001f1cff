"""Bundles: what a published list is made of, so that anyone can make it again.

A bundle is a ZIP archive or a folder: ``manifest.json``, the tables that were fed, the numbers
that came of them, the list, and the chain of facts.  Nothing here needs the office installed.
"""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ratingbook.formats.tools.nearby import not_there
from ratingbook.model import Finding, Findings, Place, Severity
from ratingbook.model.patterns import pattern
from ratingbook.office.engine.fed import TABLES, Fed
from ratingbook.office.engine.rating import rate
from ratingbook.office.engine.rules import Rules, rule_source
from ratingbook.office.logic import manifest as manifests
from ratingbook.office.logic.chained import Broken, Chained, followed
from ratingbook.office.logic.digests import table_digest
from ratingbook.office.logic.manifest import Misshapen
from ratingbook.office.refused import OfficeRefused
from ratingbook.office.relisted import Relisted, relisted
from ratingbook.office.signing import why_not_signed
from ratingbook.office.unpacked import (
    DAY,
    FACTS,
    LIST,
    MANIFEST,
    NAMED,
    NEEDED,
    NUMBERS,
    SIGNATURE,
    Unreadable,
    is_archive,
    reading,
    table,
    unpacked,
)

VERSION = manifests.LAST_KIND
_KEY = pattern("[0-9A-Fa-f]{64}")
_LONGEST_KEY = 4096
"""Bytes of a file with a key that are read."""


def parquet(table: pa.Table) -> bytes:
    """A table as a file of a bundle."""
    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd")
    return sink.getvalue()


def write(out: Path, files: Mapping[str, bytes]) -> None:
    """Write a bundle: an archive where the name ends in ``.zip``, else a folder.

    Whole or not at all: half of one would be in the way of the next.
    """
    if out.suffix.lower() != ".zip":
        out.mkdir(parents=True, exist_ok=False)
        try:
            for name, data in files.items():
                (out / name).write_bytes(data)
        except OSError:
            shutil.rmtree(out, ignore_errors=True)
            raise
        return
    file = out.open("xb")
    try:
        with file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            for name, data in files.items():
                archive.writestr(zipfile.ZipInfo(name, DAY), data)
    except OSError:
        out.unlink(missing_ok=True)
        raise


@dataclass(frozen=True)
class Signed:
    """Who signed a bundle, and whether that is who was named."""

    public_key: str | None = None
    """None: nobody, or not so that it could be checked."""
    is_given: bool = False
    """Whether it is the key that was given; else nobody has said whose it is."""


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
    signed: Signed = Signed()
    coefficients_said: int = 0
    """Of the list: K that hang on ages, which the bundle does not hold."""
    is_said_bound: bool = False
    """Whether the chain commits to what the list tells of persons, K among it."""

    @property
    def is_list_shown(self) -> bool:
        """Whether the chain says this list, so that its head stands for it."""
        return bool(self.facts.last)

    @property
    def is_publication_shown(self) -> bool:
        """Whether the chain says by which rules, and which numbers were published."""
        return self.is_list_shown and bool(_publication(self.facts))

    @property
    def is_pool_shown(self) -> bool:
        """Whether the chain says the name of the pool."""
        return bool(self.facts.pools)


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
    signed = _check_signature(files, key, findings)
    _check_files(files, manifest, findings)
    if findings.refused:
        return Verified(manifest, findings.in_file(str(path)), signed=signed)
    chain = _check_chain(files, manifest, signed, findings)
    made = _check(files, manifest, chain or Chained(), findings)
    rows, printed = made or (0, Relisted())
    return Verified(
        manifest, findings.in_file(str(path)), rows, made is not None, chain or Chained(), signed,
        printed.coefficients_said, printed.is_said_bound,
    )  # fmt: skip


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


_NO_BUNDLE = "A bundle is a ZIP archive or a folder with manifest.json."
_DAMAGED = "The archive is damaged, or did not come to its end: fetch it anew from the office."


def _read(path: Path, findings: Findings) -> dict[str, bytes]:
    try:
        found = unpacked(path)
    except Unreadable as error:
        findings.add(
            Severity.FATAL, "verify.unreadable", not_there(path) or f"{error}.",
            Place(file=str(path)), _DAMAGED if is_archive(path) else _NO_BUNDLE,
        )  # fmt: skip
        return {}
    if found.others:
        _tell_others(found.others, findings)
    if found.contradicted:
        _tell(
            findings, "verify.contradicted",
            "The archive says one thing in its table, and another beside the file: "
            f"{_first(found.contradicted)}. Programs can take other files out of it than these.",
        )  # fmt: skip
    elif found.is_marked and not found.others:
        findings.add(
            Severity.INFO, "verify.marked",
            "The archive is not packed as the office packs it: the days, permissions and programs "
            "that it names are not checked. The files in it are.",
        )  # fmt: skip
    return found.files


def _tell_others(names: Sequence[str], findings: Findings) -> None:
    _tell(
        findings, "verify.other-files",
        "The bundle holds what its manifest does not name, or names that stand twice: "
        f"{_first(names)}.",
        "Nothing is known of them. Take them out, or ask the office for the bundle again.",
    )  # fmt: skip


def _first(names: Sequence[str]) -> str:
    return ", ".join(names[:_MOST_NAMES]) + (" …" if len(names) > _MOST_NAMES else "")


_MOST_NAMES = 5


def _manifest(files: Mapping[str, bytes], findings: Findings) -> dict[str, Any]:
    try:
        if MANIFEST not in files:
            raise Misshapen("it is not there")
        return manifests.read(files[MANIFEST])
    except Misshapen as error:
        findings.add(
            Severity.FATAL, "verify.no-manifest", f"{MANIFEST} is missing or not understood: "
            f"{error}.", remedy="Take a bundle that `ratingbook office bundle` wrote.",
        )  # fmt: skip
        return {}


def _check_files(
    files: Mapping[str, bytes], manifest: Mapping[str, Any], findings: Findings
) -> None:
    """The files are those that the manifest names, each as it says."""
    named = manifest["files"]
    strange = [
        *(name for name in named if name not in NAMED),
        *(name for name in files if name not in {MANIFEST, SIGNATURE, *named}),
    ]
    if strange:
        _tell_others(strange, findings)
    for name in NEEDED:
        if name not in named:
            _tell(findings, "verify.missing", f"The manifest names no {name}.")
    for name, sha256 in named.items():
        if name in NAMED and name not in files:
            _tell(findings, "verify.missing", f"{name} is missing.")
        elif name in NAMED and hashlib.sha256(files[name]).hexdigest() != sha256:
            _tell(findings, "verify.damaged", f"{name} is not what the manifest says.")


def _check_signature(files: Mapping[str, bytes], key: str | None, findings: Findings) -> Signed:
    """A signature is of the manifest; without a key to compare it says who, not that it is he."""
    if SIGNATURE not in files:
        if key is not None:
            _tell(
                findings, "verify.unsigned",
                "The bundle is not signed, so no key says whose it is.",
                "Ask the office for a signed one: it signs once it has a key (`ratingbook office "
                "key --make`). Where no key is asked for, the numbers alone are checked.",
            )  # fmt: skip
        return Signed()
    try:
        said = json.loads(files[SIGNATURE])
        why = why_not_signed(files[MANIFEST], said)
    except (ValueError, AttributeError, RecursionError):
        why = "the signature cannot be read"
    except ImportError as error:
        findings.add(
            Severity.WARNING if key is None else Severity.ERROR, "verify.signature-unchecked",
            f"The signature is not checked: {error}.",
            remedy='Install it: pip install "ratingbook[office]".',
        )  # fmt: skip
        return Signed()
    if why:
        _tell(findings, "verify.signature", f"The bundle is not as it was signed: {why}.")
        return Signed()
    by = said["public_key"].lower()
    if key is not None and by != key:
        _tell(
            findings, "verify.other-key",
            f"The bundle is signed by another key than the one given: {by}.",
            "Compare the key with the one that the office publishes (`ratingbook office key`); if "
            "that is right, the bundle is not from there.",
        )  # fmt: skip
    return Signed(by, by == key)


def _check(
    files: dict[str, bytes], manifest: Mapping[str, Any], chain: Chained, findings: Findings
) -> tuple[int, Relisted] | None:
    """Numbers, then the list; gives the ratings made again, if they could be, and what it is."""
    said = manifest["rules"]
    rules = Rules(said["rulebook"], said["parameters"], said["assume"])
    try:
        tables = {name: table(files, f"{name}.parquet") for name in (*TABLES, *NUMBERS)}
        _check_birth_dates(tables["players"], manifest, findings)
        fed_tables: dict[str, Any] = {name: tables[name] for name in TABLES}
        fed = Fed(**fed_tables)
        with reading("What the tables say"):
            rated = rate(fed, rules, date.fromisoformat(manifest["until"]))
            now = rule_source(said["rulebook"])
    except OfficeRefused as error:
        findings.extend(error.findings)
        return None
    except Unreadable as error:
        _tell(findings, "verify.tables", f"The tables of the bundle cannot be rated: {error}.")
        return None
    for name, made in (("changes", rated.changes), ("ratings", rated.ratings)):
        _compare(name, tables[name], made, findings)
    if rated.digest != manifest["digest"] and not findings.refused:
        _tell(findings, "verify.digest", "The digest in the manifest is of other numbers.")
    published = chain.commit if chain.last == "list" else None
    printed = relisted(files[LIST], manifest, rules, rated, fed, published)
    for each in printed.differences:
        _tell(findings, "verify.list", each)
    if now != said["source"]:
        findings.add(
            Severity.INFO, "verify.other-rule-source",
            f"The list was made by ratingbook {said['engine']}, rule source {said['source'][:8]}; "
            f"here it is {now[:8]}.",
        )  # fmt: skip
    return len(rated.ratings), printed


def _check_birth_dates(
    players: pa.Table | None, manifest: Mapping[str, Any], findings: Findings
) -> None:
    births = Fed(players, players).births if players is not None else {}
    has_dates = bool(births)
    if manifest["stand_ins"] and not manifest["birth_dates"]:
        count = sum(isinstance(each, date) for each in births.values())
        if count != manifest["stand_ins"]:
            _tell(
                findings, "verify.said",
                f"The manifest says that {manifest['stand_ins']} dates stand in for birth dates; "
                f"there are {count}.",
            )  # fmt: skip
        return
    if has_dates != manifest["birth_dates"]:
        _tell(
            findings, "verify.said",
            f"The manifest says that birth dates are {'not ' if has_dates else ''}in the bundle; "
            f"they are{'' if has_dates else ' not'}.",
        )  # fmt: skip


def _compare(name: str, given: pa.Table | None, made: pa.Table, findings: Findings) -> None:
    """Bit for bit; where that fails, the first row that differs."""
    if given is None:
        return
    kinds, right = ([(f.name, _plain(f.type)) for f in each.schema] for each in (given, made))
    if kinds != right:
        other = next((a for a, b in zip(kinds, right, strict=False) if a != b), None)
        what = f"{other[0]} is of the kind {other[1]}" if other else "there are more or fewer"
        _tell(findings, "verify.differs", f"{name} has other columns than made again: {what}.")
        return
    if table_digest(given) == table_digest(made):
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


def _plain(kind: pa.DataType) -> pa.DataType:
    """What a column holds, however its values are kept."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return pa.string() if pa.types.is_large_string(kind) else kind


def _check_chain(
    files: Mapping[str, bytes], manifest: Mapping[str, Any], signed: Signed, findings: Findings
) -> Chained | None:
    """The facts hang together, end at the head that the list names, and say this list."""
    try:
        chain = followed(files[FACTS])
    except Broken as error:
        _tell(findings, "verify.chain", str(error))
        return None
    if chain.end != manifest["head"]:
        _tell(findings, "verify.chain", "The facts do not end at the head that the list names.")
        return chain
    if manifest["whole_facts"] != (chain.whole == chain.count > 0) or (
        chain.whole and not manifest["whole_facts"]
    ):
        _tell(
            findings, "verify.said",
            f"The manifest says that facts are {'' if manifest['whole_facts'] else 'not '}whole; "
            f"{chain.whole} of {chain.count} are.",
        )  # fmt: skip
    if chain.last:
        _check_said(chain, manifest, findings)
    _tell_by_hash(chain, signed, findings)
    return chain


def _tell_by_hash(chain: Chained, signed: Signed, findings: Findings) -> None:
    """A hash says nothing, and whoever made the bundle chose for how much it stands."""
    is_bound = bool(chain.last and _publication(chain))
    if chain.last and not chain.by_hash:
        return
    if not chain.last:
        what = (
            "The bundle shows no fact, only the hash of the last one, which anybody can copy: "
            "nothing in it says that these numbers and this list are what the office published"
        )
    else:
        what = f"Of the facts up to {chain.by_hash} the bundle has the hash of the last one alone"
        if not is_bound:
            what += (
                ", and with them the publication: the numbers are bound to the list only as far "
                "as it prints them, and the rules are not"
            )
    findings.add(
        Severity.INFO if is_bound or signed.is_given else Severity.WARNING, "verify.facts-by-hash",
        f"{what}.",
        remedy="Facts of before facts had parts can be shown whole only: ask for a bundle that is "
        "signed, and give its key, or as an auditor for one with whole facts. Compare the digest "
        "of the list with the one that the office shows.",
    )  # fmt: skip


def _publication(chain: Chained) -> dict[str, Any]:
    """What was said when the run of the list was published; empty: it is not shown."""
    run = chain.newest("list").get("run")
    made = [each for each in chain.said.get("published", []) if each.get("run") == run]
    return made[-1] if made else {}


def _check_said(chain: Chained, manifest: Mapping[str, Any], findings: Findings) -> None:
    """The list and the publication that the chain holds are those of the manifest."""
    of, rules = manifest["list"], manifest["rules"]
    if chain.last != "list":
        _tell(
            findings, "verify.said",
            f"The facts end with one that is “{chain.last}”, not with that of a list.",
        )  # fmt: skip
        return
    one, last, about = chain.newest("list"), _publication(chain), dict(chain.about)
    told = [("list", one, key, of[key]) for key in ("date", "revision", "digest", "rows")]
    told.append(("list", {"number": about.get("list")}, "number", str(of["number"])))
    if last or not chain.by_hash:
        same = ("rulebook", "parameters", "assume", "engine")
        told += [("published", last, key, rules[key]) for key in same]
        told.append(("published", last, "rule_source", rules["source"]))
        # A revision of a list that is older than its run has the numbers of its own day.
        if not of["date"] == manifest["until"] < str(last.get("until")):
            told += [("published", last, key, manifest[key]) for key in ("until", "digest")]
    if chain.pools:
        told.append(
            ("pool", {"pool": chain.pools.get(about.get("pool", ""))}, "pool", manifest["pool"])
        )
    for kind, said, key, value in told:
        if said.get(key) != value:
            _tell(
                findings, "verify.said",
                f"The manifest says {key} {value}; the fact “{kind}” says {said.get(key)}.",
            )  # fmt: skip
            return

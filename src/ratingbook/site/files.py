"""Files of published lists: made when somebody first asks, and kept with their checksums.

They lie among the snapshots, which are a cache: whoever suppresses a person empties it, and a
file that is made again is made without the name.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import tempfile
from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

from django.db.models import Count
from django.utils.translation import gettext as _

from ratingbook.desk.list_files import REGISTER_OF, file_of, forms_of
from ratingbook.office import bundle
from ratingbook.office.acts.bundles import bundle_of, needs_birth_dates, only_with_birth_dates
from ratingbook.office.acts.lists import listing_again, proof_of
from ratingbook.office.engine.rules import Rules
from ratingbook.office.home import current
from ratingbook.office.refused import OfficeRefused, refuse
from ratingbook.office.store import models as m

BUNDLE = "bundle"
CHECKSUM = ".sha256"
_ENDINGS = {
    "fide-txt": "fide.txt", "fide-xml": "fide.xml", "iccf": "iccf.txt", "iecg": "iecg.txt",
    BUNDLE: "bundle.zip",
}  # fmt: skip
"""Where the name of a file does not end as its form is called."""
_NONE, _THERE = "none", "there"
_MOST_TRIED = 2000
"""Players up to whom a page finds out whether the bundle can be public."""
_MOST_PAGES = 5000
"""Players from which on nobody wants to print a list: to set it takes minutes."""


@dataclass(frozen=True)
class Kept:
    """A file that was made."""

    form: str
    name: str
    size: int
    sha256: str

    @property
    def base64(self) -> str:
        """The checksum as headers have it."""
        return base64.b64encode(bytes.fromhex(self.sha256)).decode()


@dataclass(frozen=True)
class File:
    """A form of a list; ``size`` and ``sha256`` are known once it was made."""

    form: str
    name: str
    size: int | None
    sha256: str | None
    players: int
    """How many are in it: files of a register have those with a number there."""


def forms(one: m.List) -> dict[str, int]:
    """The forms in which a list can be had, with how many players are in each.

    Of its bundle only the page of its files tells: pages that are kept until the next fact have
    these, and whether there is a bundle is found out.  A form in which nobody would be is none.
    """
    known = forms_of([key for key, _, _ in one.columns])
    registers = {REGISTER_OF[form] for form in known if form in REGISTER_OF}
    numbered = _numbered(one, registers) if registers else {}
    found = {
        form: numbered.get(REGISTER_OF[form], 0) if form in REGISTER_OF else one.rows
        for form in known
        if form != "pdf" or one.rows <= _MOST_PAGES
    }
    return {form: count for form, count in found.items() if count or form not in REGISTER_OF}


def _numbered(one: m.List, registers: Collection[str]) -> dict[str, int]:
    """How many players of a list have a number of each register."""
    people = m.ListRow.objects.filter(list=one).values("person")
    live = m.ExternalId.objects.filter(
        scheme__in=registers, revoked_by__isnull=True, person__in=people
    )
    counted = live.order_by().values("scheme").annotate(n=Count("person", distinct=True))
    return dict(counted.values_list("scheme", "n"))


def has_bundle(one: m.List) -> bool:
    """Whether everybody can have the bundle; found out and kept, unless that takes long."""
    said = _said_of_bundle(one)
    if not said and one.rows <= _MOST_TRIED:
        said = _NONE if needs_birth_dates(current(), one) else _THERE
        _say_of_bundle(one, said)
    return said != _NONE


def _mark(one: m.List) -> Path:
    """The file that says whether there is a bundle for everybody."""
    made_as = bundle.VERSION.replace("/", "-")
    return current().snapshots / "files" / f"{one.id}-{made_as}.said"


def _said_of_bundle(one: m.List) -> str:
    try:
        return _mark(one).read_text("utf-8")
    except OSError:
        return ""


def _say_of_bundle(one: m.List, said: str) -> None:
    path = _mark(one)
    path.parent.mkdir(parents=True, exist_ok=True)
    _put(path, said.encode())


def name_of(pool: str, day: date, revision: int, form: str) -> str:
    """What a file is called where it is saved."""
    plain = re.sub(r"[^\w.-]+", "-", pool).strip("-.") or "list"
    return f"{plain}-{day}-r{revision}.{_ENDINGS.get(form, form)}"


def files_of(one: m.List, hidden: int) -> tuple[File, ...]:
    """The files of a list, with checksums of those that were made already."""
    found = []
    every = forms(one) | ({BUNDLE: one.rows} if has_bundle(one) else {})
    for form, players in every.items():
        known = _known(one, form, hidden)
        name = name_of(one.pool.name, one.date, one.revision, form)
        found.append(
            File(
                form, name, known.size if known else None, known.sha256 if known else None, players
            )
        )
    return tuple(found)


def kept(one: m.List, form: str, hidden: int) -> tuple[Kept, Path]:
    """A file of a list and where it lies; made if it was not yet."""
    if form == BUNDLE and not has_bundle(one):
        raise only_with_birth_dates()
    if form not in (*forms(one), BUNDLE):
        raise refuse(
            "office.no-form", _("There is no file “{form}” of this list.").format(form=form),
            _("There is {forms}.").format(forms=", ".join(forms(one))),
        )  # fmt: skip
    known = _known(one, form, hidden)
    if known is None:
        name = name_of(one.pool.name, one.date, one.revision, form)
        data = _made(one, form)
        known = Kept(form, name, len(data), hashlib.sha256(data).hexdigest())
        path = _path(one, form, hidden)
        path.parent.mkdir(parents=True, exist_ok=True)
        _put(path, data)
        _put(path.with_suffix(".json"), json.dumps(asdict(known)).encode())
    return known, _path(one, form, hidden)


def _put(path: Path, data: bytes) -> None:
    """Whole or not at all, however many make it at once."""
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(data)
    Path(file.name).replace(path)


def _path(one: m.List, form: str, hidden: int) -> Path:
    # Whose numbers are in it belongs to the name: an earlier program had only those of the office.
    whose = REGISTER_OF.get(form, "both")
    # A bundle that an earlier program made may hold more than this one lets out.
    made_as = bundle.VERSION.replace("/", "-") if form == BUNDLE else form
    # As may what it made of who is suppressed: it left out the name alone.
    seen = f"{hidden}-numbers" if hidden else "0"
    return current().snapshots / "files" / f"{one.id}-{seen}-{made_as}-{whose}.data"


def _known(one: m.List, form: str, hidden: int) -> Kept | None:
    path = _path(one, form, hidden)
    try:
        said = json.loads(path.with_suffix(".json").read_text("utf-8"))
        return Kept(**said) if path.exists() else None
    except (OSError, ValueError, TypeError):
        return None


def _bundle(one: m.List) -> dict[str, bytes]:
    try:
        return bundle_of(current(), one)[1]
    except OfficeRefused as refused:
        if "office.needs-birth-dates" in {each.code for each in refused.findings}:
            _say_of_bundle(one, _NONE)
        raise


def _made(one: m.List, form: str) -> bytes:
    if form == BUNDLE:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "bundle.zip"
            bundle.write(out, _bundle(one))
            return out.read_bytes()
    run = m.Run.objects.get(id=one.run_id)
    book = Rules(run.rulebook, run.parameters, run.assume).book().edition(one.date)
    data, findings = file_of(
        listing_again(one, REGISTER_OF.get(form)), book, form, besides=proof_of(one)
    )
    if data is None:
        raise OfficeRefused(findings)
    return data

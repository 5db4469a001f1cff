"""The catalogues of the site: collects what is marked, brings them up to date, compiles them.

    python -m tools.messages

Marked is what templates and code of the site pass to gettext, and what lower layers say through a
``Language``; patterns and titles of rule books and the words of the model go in as they stand.
"""

from __future__ import annotations

import ast
import io
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from ratingbook.desk.asker import pattern_for_the_asker
from ratingbook.formats.document.schema import FIELDS
from ratingbook.formats.tables.mapping import Shape
from ratingbook.formats.tools.notes import Remark
from ratingbook.model.sentences import stated
from ratingbook.office.logic import called
from ratingbook.office.logic.versions import called as field_called
from ratingbook.rules.catalogue import EDITIONS
from ratingbook.rules.registry import edition, families
from ratingbook.rules.wording import Notices

SOURCE = Path(__file__).parent.parent / "src" / "ratingbook"
SITE = SOURCE / "site"
LOCALE = SITE / "locale"
_BELOW = (
    "desk/account.py", "desk/cross_table.py", "desk/editions.py", "desk/language.py",
    "desk/planned.py", "desk/whatif.py", "office/acts/notices.py", "office/logic/corrections.py",
)  # fmt: skip
"""Modules below the site that say something through a ``Language``."""
_KEYWORDS = {
    **DEFAULT_KEYWORDS,
    "say": None,
    "sentence": None,
    "Evidence": None,
    "counted": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "fact": None,
    "note": None,
    "either": None,
    "did_you_mean": None,
}
_ACTS = {"fact": 0, "note": 1, "step_fact": 1}
"""Calls by which the office writes what was done, and where they say the act that pages show."""
_WRITTEN = ("office/", "site/")
"""Where they are."""
_MADE = datetime(2026, 1, 1, tzinfo=UTC)
"""Every catalogue bears the same day: what changes in it is its messages."""
SIGNED_IN = frozenset(
    """
    abroad accounts anomalies ask_correction asked audit backups bring_in calendar candidates
    _which_rating choosing correction_fields crossed crossing decisions desk desk_base
    desk_correction desk_corrections
    desk_nav desk_notices desk_person desk_report directing director draft fields forms
    histogram hooks identity job jobs keeping kept last_decided list_maker moved my_correction
    my_dispute my_events my_page my_report my_results new_correction new_report no_person
    nothing_done notices noticing officer outbox own own_event people person_field person_fields
    person_suppress player_forms policies pool_field problems question_fields report_field reports
    road run running runs subjects suppressing tokens told typed typed_report uploads users webhooks
    words
    """.split()
)
"""Templates and modules of pages that nobody sees who has not signed in."""


_FINDINGS = "findings/"
"""How the places of what findings and reasons say begin: not every language has all of them."""
_REFUSING = "refusing/"
"""How those of findings begin that refuse a report: nothing of it is on a public page."""
_TO_SENDERS = "remedies/"
"""How those of what is to be done about a file begin: pages that everybody sees do not say it."""
_OF_EVENTS = (
    "asker", "engine/intake/", "engine/passed_over.py", "engine/titles.py", "formats/",
    "office/acts/explain.py", "rules/",
)  # fmt: skip
"""What reads and checks reports, and says of corrections what became of them: pages of events,
corrections and explanations tell it to everybody."""
_NOT_OF_EVENTS = (
    "formats/__init__", "formats/catalogue", "formats/convert", "formats/differences",
    "formats/document/schema", "formats/format.py", "formats/go/writing", "formats/lists/",
    "formats/players", "formats/registers", "formats/registry", "formats/standings",
    "rules/near", "rules/registry", "rules/series", "rules/settings",
)  # fmt: skip
"""What no report that is rated brings about: lists, players files, what is written or chosen."""
TOLD = (
    "engine/history/decided.py", "engine/history/fit.py", "engine/history/months.py",
    "engine/history/plan.py", "engine/history/pools.py", "engine/history/stages.py",
    "engine/history/timetable.py", "engine/intake/", "engine/options.py",
    "engine/passed_over.py", "engine/titles.py", "formats/", "office/", "rules/",
)  # fmt: skip
"""Where reasons are given and things are counted that pages show.

What reads the files of a history, and corrections of one, speaks at a shell only.
"""


_OF_PLAYERS = tuple(
    f"{begins}{of}" for begins in (_FINDINGS, _REFUSING) for of in ("rules/", "engine/intake/")
)
_OF_A_PLAYER = re.compile(r"(Player )?\{(player|who|called)\}.")


class Found(NamedTuple):
    """A message, and in which file it stands."""

    context: str | None
    one: str
    many: str | None
    file: str

    @property
    def is_public(self) -> bool:
        """Whether everybody can come to see it."""
        path = Path(self.file)
        return not (
            path.stem in SIGNED_IN
            or self.file == "site/views/player.py"
            or self.file.startswith((_REFUSING, f"{_TO_SENDERS}formats/"))
            or (self.file.startswith((_FINDINGS, _TO_SENDERS)) and not _is_of_events(self.file))
        )


def _is_of_events(file: str) -> bool:
    """Whether a page of an event may say what stands there."""
    place = file.removeprefix(_FINDINGS).removeprefix(_TO_SENDERS)
    return place.startswith(_OF_EVENTS) and not (
        place.startswith(_NOT_OF_EVENTS) or "/write" in place
    )


@cache
def messages() -> tuple[Found, ...]:
    """All that is marked, in the order of files."""
    found: list[Found] = []
    for path in sorted((SITE / "templates").rglob("*.html")):
        found += _in_template(path)
    modules = [*SITE.rglob("*.py"), *(SOURCE / each for each in _BELOW)]
    for path in sorted(modules):
        found += in_code(path.read_bytes(), path)
    of_findings = tuple(_of_findings())
    found += _of_operations()
    return (*found, *_of_rules(), *_of_model(), *of_findings, *_to_the_asker(of_findings))


def _of_operations() -> Iterator[Found]:
    """What the operations of the API do, as the page about it tells: the first of their texts."""
    for path in sorted((SITE / "api").glob("*.py")):
        for each in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(each, ast.FunctionDef) and any(map(_declares, each.decorator_list)):
                first, *_ = (ast.get_docstring(each) or "").split("\n\n")
                yield Found(None, " ".join(first.split()), None, _name(path))


def _declares(decorator: ast.expr) -> bool:
    """Whether a function is an operation by it."""
    called = decorator.func if isinstance(decorator, ast.Call) else None
    return isinstance(called, ast.Name) and called.id in ("reads", "writes")


def _name(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def _in_template(path: Path) -> Iterator[Found]:
    from django.conf import settings
    from django.utils.translation.template import templatize

    if not settings.configured:
        settings.configure()
    # Django writes a template as the calls of gettext that are in it, which is no whole module.
    code = templatize(path.read_text("utf-8"), origin=str(path)).encode()
    for _, function, said, _ in extract_python(io.BytesIO(code), _KEYWORDS, (), {}):
        # Babel says None for what is no literal, and a single text for a single argument.
        some: object = said
        given: Sequence[str | None] = (some,) if isinstance(some, str) else said or ()
        yield from _marked(str(function), given, _name(path))


def in_code(code: bytes, path: Path) -> Iterator[Found]:
    """What calls mark, also where one stands within another, or within a text with braces."""
    tree = ast.parse(code)
    calls = [each for each in ast.walk(tree) if isinstance(each, ast.Call)]
    refusing = {id(each) for call in calls if _refuses(call) for each in ast.walk(call)}
    remedies = [each for call in calls for each in _remedies_of(call)]
    done = {id(each) for remedy in remedies for each in ast.walk(remedy)}
    for call in sorted(calls, key=lambda each: (each.lineno, each.col_offset)):
        function = getattr(call.func, "id", getattr(call.func, "attr", ""))
        if function in _KEYWORDS:
            begins = _REFUSING if id(call) in refusing else _TO_SENDERS if id(call) in done else ""
            given = [_literal(each) for each in call.args]
            if function in _ACTS and len(given) > _ACTS[function]:
                given[_ACTS[function]] = _act(call.args[_ACTS[function]], tree)
            yield from _marked(function, given, f"{begins}{_name(path)}")


def _refuses(call: ast.Call) -> bool:
    """Whether a call makes a finding that refuses, by the severity that it is given."""
    named = [each for each in call.args if isinstance(each, ast.Attribute)]
    return any(
        getattr(each.value, "id", "") == "Severity" and each.attr in ("ERROR", "FATAL")
        for each in named
    ) or getattr(call.func, "id", "") in ("refuse", "OfficeRefused")


def _remedies_of(call: ast.Call) -> list[ast.expr]:
    """What a call that makes a finding is given as what is to be done."""
    named = [each.value for each in call.keywords if each.arg == "remedy"]
    is_made = getattr(call.func, "attr", getattr(call.func, "id", "")) in ("add", "Finding")
    return named + (call.args[4:5] if is_made else [])


def _literal(argument: ast.expr) -> str | None:
    """The text that stands there as it is; None: something else does."""
    found = argument.value if isinstance(argument, ast.Constant) else None
    return found if isinstance(found, str) else None


def _act(argument: ast.expr, module: ast.Module) -> str | None:
    """An act as it stands there, or in the constant that is named, here or in the office."""
    name = getattr(argument, "id", getattr(argument, "attr", None))
    if name is None:
        return _literal(argument)
    return _constants(module).get(name) or _constants_of_office().get(name)


def _constants(module: ast.Module) -> dict[str, str]:
    """The texts to which a module gives names."""
    return {
        name.id: said
        for each in module.body if isinstance(each, ast.Assign) and (said := _literal(each.value))
        for name in each.targets if isinstance(name, ast.Name)
    }  # fmt: skip


@cache
def _constants_of_office() -> dict[str, str]:
    paths = sorted((SOURCE / "office").rglob("*.py"))
    return {
        name: said for path in paths
        for name, said in _constants(ast.parse(path.read_bytes())).items()
    }  # fmt: skip


def _marked(function: str, given: Sequence[str | None], file: str) -> Iterator[Found]:
    """What a call marks by the texts that it is given."""
    parts = [*filter(None, given)]
    if function in _ACTS:
        act = given[_ACTS[function]] if len(given) > _ACTS[function] else None
        parts = [act] if act and file.startswith(_WRITTEN) else []
    # What has a context that only a constant names is collected where the words are.
    context = parts.pop(0) if parts and function in ("pgettext", "npgettext") else None
    if function == "counted":
        one, *several = parts or [""]
        for text in filter(None, (one, *(several or [one and f"{one}s"]))):
            yield Found(None, f"{{count}} {text}", None, file)
    elif function == "did_you_mean":
        yield Found(None, f"{parts[0] if parts else 'there is'} {{all}}", None, file)
    elif function == "either":
        yield from (Found(None, text, None, file) for text in parts)
    elif parts and parts[0]:
        many = parts[1] if "ngettext" in function or "npgettext" in function else None
        yield Found(context, parts[0], many, file)


def _of_rules() -> Iterator[Found]:
    """Sentences, titles of paragraphs and of columns of our own rule books."""
    from ratingbook.rules.listing import Column
    from ratingbook.rules.paragraph import rules_in
    from ratingbook.site.shown.list_facts import PATTERNS

    yield from (Found(None, text, None, "rules/listing.py") for text in PATTERNS)
    files: dict[str, dict[str, None]] = {}
    for name, place in EDITIONS.items():
        book = edition(name)
        module = place.partition(":")[0]
        own = files.setdefault(module.removeprefix("ratingbook.").replace(".", "/"), {})
        own |= dict.fromkeys(paragraph.title for paragraph in book.text.paragraphs)
        titles = ("FIDE rapid", "FIDE blitz", "European", book.federation)
        own |= dict.fromkeys(f"{title} rating list of {{day}}" for title in titles)
        fields = (name.replace("_", " ") for name in book.standing_fields)
        own |= dict.fromkeys(name.capitalize() for name in fields)
    for package in [*files, "rules"]:
        module = f"ratingbook.{package.replace('/', '.')}"
        own = files.setdefault(package, {})
        for rule in rules_in(module):
            own |= dict.fromkeys((rule.text, rule.otherwise))
        folder = import_module(module).__path__
        for part in pkgutil.iter_modules(folder) if package != "rules" else ():
            for value in vars(import_module(f"{module}.{part.name}")).values():
                some = value if isinstance(value, tuple) else ()
                own |= dict.fromkeys(c.title for c in some if isinstance(c, Column))
    for file, own in files.items():
        yield from (Found(None, text, None, file) for text in own if _has_words(text))


def _has_words(text: str) -> bool:
    return any(part.isalpha() for part in text)


def _of_findings() -> Iterator[Found]:
    """What findings and the reasons of the office say, and what it calls its acts."""
    from ratingbook.office.logic.anomalies import LOOKS

    for words in (*LOOKS, *_DONE, *_NAMED, *_ELSEWHERE):
        yield Found(None, words, None, f"{_FINDINGS}office")
    yield from _of_keys()
    for words in (*_OF_LIBRARIES, *(str(each.id) for each in read(ENGLISH) if each.id)):
        yield Found(None, words, None, f"{_FINDINGS}libraries")
    for words in _OF_CORRECTIONS:
        yield Found(None, words, None, "office/acts/corrections.py")
    yield Found(None, *_TOO_SHORT, "libraries")
    yield from _of_histories()
    for name in _fields_of_reports():
        yield Found(None, name, None, f"{_FINDINGS}documents")
    for shape in Shape:
        yield Found(None, shape.value, None, f"{_FINDINGS}formats/tables/mapping")
    for path in sorted(SOURCE.rglob("*.py")):
        name = _name(path)
        if name.startswith(TOLD) and name not in _BELOW:
            for each in in_code(path.read_bytes(), path):
                of = (x for x in (_REFUSING, _TO_SENDERS) if each.file.startswith(x))
                yield each._replace(file=f"{next(of, _FINDINGS)}{name}")
    for module, values in _values_of("rules", "formats"):
        name = module.removeprefix("ratingbook.").replace(".", "/")
        for value in values:
            if isinstance(value, Notices):
                for text, refuses in value.texts:
                    begins = _REFUSING if refuses else _FINDINGS
                    yield Found(None, text, None, f"{begins}{name}")
            elif isinstance(value, Remark):
                said = (value.what, _FINDINGS), (value.remedy, _TO_SENDERS)
                for text, begins in ((stated(text).pattern, begins) for text, begins in said):
                    file = f"{_REFUSING if value.severity.refuses else begins}{name}"
                    yield from (Found(None, each, None, file) for each in [text] if each)


def _of_keys() -> Iterator[Found]:
    """What users call keys of the program: pages of corrections tell them to everybody."""
    file = "office/logic/called.py"
    books = [*map(edition, EDITIONS)]
    parts = dict.fromkeys(
        x for keys in (FIELDS["standing"], *(b.standing_fields for b in books)) for x in keys
    )
    yield from (Found(called.OF_STANDING, x.replace("_", " "), None, file) for x in parts)
    yield from (Found(called.OF_DECISION, x, None, file) for x in _DECISIONS)
    names = dict.fromkeys(called.SETTINGS.values())
    yield from (Found(called.OF_SETTING, x, None, file) for x in names)
    yield from (Found(None, x, None, file) for x in called.VALUES)


def _to_the_asker(found: Iterable[Found]) -> Iterator[Found]:
    """What is said of a player, as it is said to whoever asks what if."""
    file = f"{_FINDINGS}asker"
    yield Found(None, "You", None, file)
    yield Found(None, "you", None, file)
    for each in found:
        if each.file.startswith(_OF_PLAYERS) and _OF_A_PLAYER.match(each.one):
            yield Found(None, pattern_for_the_asker(each.one), None, file)


def _fields_of_reports() -> dict[str, None]:
    """What a new version of a report may say otherwise, in words."""
    fields = [name for each in ("event", "player", "standing", "game") for name in FIELDS[each]]
    return dict.fromkeys(str(field_called(name)) for name in (*fields, *_HELD))


def _of_histories() -> Iterator[Found]:
    """What rule books say of words of events that they do not know, and of their reforms."""
    texts: dict[str, None] = {}
    for book in map(edition, EDITIONS):
        words = book.bulk.event_words.values()
        texts |= dict.fromkeys(
            text for text in (*(x.otherwise for x in words), *(x.text for x in book.reforms))
            if text
        )  # fmt: skip
    yield from (Found(None, text, None, f"{_FINDINGS}rules") for text in texts)


def _values_of(*layers: str) -> Iterator[tuple[str, list[object]]]:
    """What stands in the modules of layers, with the names of these."""
    for layer in layers:
        folder = import_module(f"ratingbook.{layer}").__path__
        for part in pkgutil.walk_packages(folder, f"ratingbook.{layer}."):
            values: list[object] = []
            for value in vars(import_module(part.name)).values():
                values += value if isinstance(value, tuple | list) else [value]
                values += value.values() if isinstance(value, dict) else []
            yield part.name, values


def _of_model() -> Iterator[Found]:
    """Words that a page says of games, players, reports and runs; and what games are called."""
    from ratingbook.desk.birth_dates import AS_GROWN_UP, AS_LISTED, WITHOUT_REASONS
    from ratingbook.model import Colour, GameStatus, Severity, StandingStatus
    from ratingbook.rules.book import RatedBy

    enums: tuple[type[Enum], ...] = (Severity, Colour, GameStatus, StandingStatus, RatedBy)
    for enum in enums:
        yield from (Found(None, str(each.value), None, "model") for each in enum)
    # A name of rules is one in every language.
    known = [
        word.replace("_", " ") for book in map(edition, EDITIONS)
        for words in book.bulk.event_words.values() for word in words.known
        if len(word) > 1 and word not in families()
    ]  # fmt: skip
    for words in dict.fromkeys((WITHOUT_REASONS, AS_GROWN_UP, AS_LISTED, *_WORDS, *known)):
        yield Found(None, words, None, "model")
    for event, number, colour in product(("", "{event}, "), ("", "round {n}, "), Colour):
        yield Found(None, f"{event}{number}{colour.value} against {{opponent}}", None, "model")


_WORDS = (
    # In sentences of rule books.
    "the event", "opponent", "average", "category", "default", "away", "up", "losses", "wins",
    "mixed", "quick", "regular", "special", "standard", "FIDE event", "Step 3", "Step 4", "Step 5",
    "yes", "no", "none", "nobody", "both", "no game", "swiss", "round robin", "team", "knockout",
    "scheveningen", "match",
    # What tables beside lists are called.
    "By country",
    # Lists, classes and pools of which one asks what if.
    "rapid", "blitz", "online regular", "online quick", "online blitz", "open class",
    "master class", "national",
    # Formats whose names are words, and lists that have a number.
    "report document", "SwissPerfect, zipped", "Swiss-Manager, own file", "Vega, other files",
    "Swiss-Manager, two files", "US Chess cross table", "ICCF rating list {number}",
    "IECG rating list {number}",
    # Of reports, corrections, runs and jobs.
    "checked", "ready", "held", "refused", "withdrawn", "superseded", "published", "open", "joined",
    "rejected", "accepted", "waiting", "running", "done", "failed", "cancelled", "draft",
    "discarded", "received", "who is it?", "sent", "unwanted", "asked",
    "joined to an earlier request", "taken back", "approved", "put on the next list",
    # Of people.
    "admin", "officer", "director", "player", "signed in", "each", "digest", "accept", "refuse",
    "hold", "withdraw",
)  # fmt: skip


_HELD = ("officials", "standing", "foreign", "ids", "pools", "history", "decisions", "rated")
"""Keys of a report document that hold more than a value."""
_DONE = (
    "run", "key", "correction rejected", "correction withdrawn", "correction reopened",
)  # fmt: skip
"""Kinds of jobs and acts that no call names."""
_OF_CORRECTIONS = ("the same was asked before",)
"""Reasons that the office itself gives on the public page of a correction."""
_ELSEWHERE = ("reported", "settled")
"""What becomes of games elsewhere."""
_NAMED = (
    "class",
    "decisions",
    "federation",
    "grade",
    "highest grade",
    "kind",
    "players",
    "pool",
    "status",
    "transfer",
)
"""Tables and columns of a history, as its findings name them."""
_DECISIONS = (
    "opening", "title", "rating", "base rating", "initial rating", "reset rating",
    "adjusted rating", "ceiling", "cash limit", "cash prize", "money floor", "floor reduction",
)  # fmt: skip
_OF_LIBRARIES = (
    "Already have an account? Then please %(link)ssign in%(end_link)s.",
    "Are you sure you want to sign out?",
    "Be patient, you are sending too many requests.",
    "Please type your current password.",
    "Too many failed login attempts. Try again later.",
    "You are about to deactivate authenticator app based authentication. Are you sure?",
    "You are about to generate a new set of recovery codes for your account.",
    "You are already logged in as %(user_display)s.",
    "You have signed out.",
    "You must type the same password each time.",
)
"""Of the library of accounts, whose German calls everybody *du*; ours goes before it.

So does what :data:`ENGLISH` calls otherwise in English, too.
"""
ENGLISH = SITE / "words" / "en" / "LC_MESSAGES" / "django.po"
"""What the site calls things on the pages of that library, as it does on its own."""
_TOO_SHORT = (
    "This password is too short. It must contain at least %d character.",
    "This password is too short. It must contain at least %d characters.",
)
"""Of Django, which does not say it in all languages."""


def catalogue(language: str, known: Catalog | None = None) -> Catalog:
    """What is marked, with what is known of its translations."""
    made = Catalog(
        language, domain="django", project="ratingbook", version="1", fuzzy=False,
        header_comment=f"# The site of ratingbook in {language}; made by `make messages`.",
        creation_date=_MADE, revision_date=_MADE, last_translator="ratingbook",
        language_team="ratingbook", msgid_bugs_address="", copyright_holder="", charset="utf-8",
    )  # fmt: skip
    places: dict[tuple[str | None, str], list[Found]] = {}
    for each in messages():
        places.setdefault((each.context, each.one), []).append(each)
    for (context, one), some in places.items():
        many = next((each.many for each in some if each.many), None)
        old = known.get(one, context) if known is not None else None
        said = old.string if old is not None else None
        if (many is not None) != isinstance(said, tuple):
            # One became several, or several one: what was said no longer fits.
            said = None
        where = [(file, None) for file in dict.fromkeys(each.file for each in some)]
        made.add(
            one if many is None else (one, many), said or None, context=context,
            locations=where,  # type: ignore[arg-type]  # A file without a line.
        )  # fmt: skip
    return made


def languages() -> list[Path]:
    """The catalogues that there are."""
    return sorted(LOCALE.glob("*/LC_MESSAGES/django.po"))


def read(path: Path) -> Catalog:
    """A catalogue as it stands."""
    with path.open("rb") as file:
        return read_po(file, path.parts[-3], "django")


def compiled(made: Catalog) -> bytes:
    """The form in which gettext reads a catalogue, of what is translated."""
    said = Catalog(
        made.locale, domain="django", project=made.project, version=made.version, fuzzy=False,
        creation_date=_MADE, revision_date=_MADE, charset="utf-8",
    )  # fmt: skip
    for each in made:
        if each.id and _is_said(each):
            said.add(each.id, each.string, context=each.context)
    out = io.BytesIO()
    write_mo(out, said)
    return out.getvalue()


def written(made: Catalog) -> bytes:
    """The form in which people read it."""
    out = io.BytesIO()
    write_po(out, made, width=100, omit_header=False, include_lineno=False)
    return out.getvalue()


def missing(made: Catalog, *, public: bool = False) -> list[Message]:
    """Messages without a translation; if wished of those only that everybody can see."""
    shown = {(x.context, x.one) for x in messages() if x.is_public or not public}
    return [
        each
        for each in made
        if each.id and not _is_said(each) and (each.context, _one(each)) in shown
    ]


def _one(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _is_said(message: Message) -> bool:
    said: Iterable[str | None] = (
        [message.string] if isinstance(message.string, str) else message.string or [None]
    )
    return all(said)


def main(codes: Iterable[str]) -> None:
    """Bring all catalogues up to date; a code that has none yet gets one."""
    for code in codes:
        path = LOCALE / code / "LC_MESSAGES" / "django.po"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(written(catalogue(code)))
    ENGLISH.with_suffix(".mo").write_bytes(compiled(read(ENGLISH)))
    for path in languages():
        made = catalogue(path.parts[-3], read(path))
        path.write_bytes(written(made))
        path.with_suffix(".mo").write_bytes(compiled(made))
        print(f"{path.parts[-3]}: {len(made)} messages, {len(missing(made))} not translated")


if __name__ == "__main__":
    main(sys.argv[1:])

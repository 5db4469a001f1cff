"""The client has all that the description of the API has: operations, parameters and fields."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest

pytest.importorskip("httpx")
pytest.importorskip("django")

import httpx

from ratingbook.client import Client
from ratingbook.desk.askable import askable, askable_of_event
from ratingbook.rules import registry

DAY = "2026-04-01"
BOOKS = [registry.load(name).edition(None) for name in registry.names()]
OWN = {one.name: "1" for book in BOOKS for one in askable(book) if one.kind is not object} | {
    "grade": "3k", "birth_year": "1990",
}  # fmt: skip
"""What rule books read of a player beside what every one reads."""
EVENT = {one.name: "1" for book in BOOKS for one in askable_of_event(book)}
ASKED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "pools": ({}, {}),
    "lists": ({}, {}),
    "list_of": ({"pool": "a/b", "day": DAY, "revision": 1}, {}),
    "list_named": ({"name": "a@2026-04-01r1"}, {}),
    "printed": ({"pool": "a", "day": DAY, "revision": 1}, {}),
    "rows": (
        {"pool": "a", "day": DAY, "revision": 1},
        {"name": "x", "federation": "x", "club": "x", "title": "x", "sex": "w", "active": True},
    ),
    "changes": ({"pool": "a", "day": DAY, "revision": 1, "kind": "left"}, {}),
    "files": ({"pool": "a", "day": DAY, "revision": 1}, {}),
    "downloads": ({}, {}),
    "search": ({"query": "x", "club": "x"}, {}),
    "player": ({"person": 1, "pool": "a"}, {}),
    "results": ({"person": 1, "pool": "a"}, {}),
    "history": ({"person": 1, "pool": "a"}, {}),
    "explain": ({"person": 1, "pool": "a", "key": "2026-03-20 x/y", "listed": 1}, {}),
    "explain_on_list": ({"person": 1, "listed": 1}, {}),
    "why": ({"person": 1, "pool": "a"}, {}),
    "events": ({"year": 2026, "pool": "a"}, {}),
    "event": ({"report": 1}, {}),
    "section": ({"report": 1, "section": 0, "notation": "trf"}, {}),
    "corrections": ({}, {}),
    "correction": ({"number": 1}, {}),
    "correction_players": ({"number": 1}, {}),
    "correction_entry": ({"number": 1}, {}),
    "correction_numbers": ({"number": 1}, {}),
    "rulebooks": ({}, {}),
    "rulebook": ({"name": "fide"}, {}),
    "paragraphs": ({"name": "fide-2024"}, {}),
    "parameters": ({"name": "fide-2024"}, {}),
    "example": ({"name": "fide-2024", "number": 1}, {}),
    "expected": (
        {"rulebook": "fide", "rating": 1, "opponent": 2, "day": DAY, "handicap": 1}, {},
    ),
    "whatif": (
        {"source": ["3k/give2=1"], "rulebook": "egf"},
        {"player": 1, "rating": 1, "games": 1, "target": 1, "event": EVENT, "own": OWN},
    ),
    "statistics": ({"pool": "a"}, {}),
    "status": ({}, {}),
    "me": ({}, {}),
    "report": ({"number": 1}, {}),
    "reports": ({}, {}),
    "desk_reports": ({}, {}),
    "desk_waiting": ({"report": 1}, {}),
    "desk_corrections": ({"state": "open"}, {}),
}  # fmt: skip
"""How each method that reads is asked for all that it can be asked for."""
NO_READS = {"close", "json", "arrow", "send"}
"""Methods of the client that ask for no operation that reads, or for any."""
BY_THE_CLIENT = {"format", "limit", "cursor"}
"""Parameters by which the client itself fetches all of a table."""
OTHERWISE = {
    ("whatif", "h1"): "stones stand with the opponent, as in 3k/give2=1",
    ("whatif", "m1"): "a margin stands with the score, as in 1600=1:7",
}
"""Parameters that the client has no name for, and why."""
OF_PAGES = {
    "Event": {"section", "notation", "page", "pages"}, "GameRow": {"bar"},
    "Player": {"page", "pages"},
}  # fmt: skip
"""Fields that the client leaves aside: of parts that it has whole elsewhere, and of pictures."""
INSIDE = {"lists": ("pools", "years", "lists"), "players": ("players",), "rules": ("families",)}
"""Fields of answers of which the client gives the items."""


@pytest.fixture
def described(browser) -> Any:
    """What the API says of itself."""
    return json.loads(browser.get("/api/v1/openapi.json").content)


def reads(described: Any) -> dict[str, tuple[str, Any]]:
    """The operations that read, by name: path and description."""
    return {
        item["get"]["operationId"]: (path, item["get"])
        for path, item in described["paths"].items()
        if "get" in item
    }


class Stopped(Exception):
    """The request is known, and is not answered."""


def request_of(name: str) -> Any:
    """What a method asks for."""
    made: list[Any] = []

    def kept(request: Any) -> Any:
        made.append(request)
        raise Stopped

    first, named = ASKED[name]
    transport = httpx.MockTransport(kept)
    with Client("http://x", transport=transport) as client, pytest.raises(Stopped):
        # What comes in parts is asked for when the first is wanted.
        next(getattr(client, name)(**first, **named))
    return made[0]


def operation_of(request: Any, described: Any) -> str:
    """Which operation a request is of; of several the one whose path says most."""
    path = request.url.raw_path.decode().partition("?")[0]
    fitting = [
        (each.count("{"), operation)
        for operation, (each, _) in reads(described).items()
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", each), path)
    ]
    assert fitting, path
    return min(fitting)[1]


def test_every_method_that_reads_is_asked_for_all_that_it_knows():
    methods = {name for name, _ in inspect.getmembers(Client, inspect.isfunction) if name[0] != "_"}
    assert methods - NO_READS == ASKED.keys()
    for name, (first, named) in ASKED.items():
        known = list(inspect.signature(getattr(Client, name)).parameters)[1:]
        assert known == [*first, *named], name


def test_every_operation_that_reads_has_a_method(described):
    methods = {operation_of(request_of(name), described): name for name in ASKED}
    assert len(methods) == len(ASKED)
    assert reads(described).keys() - methods.keys() == set()


@pytest.mark.parametrize("name", ASKED)
def test_every_parameter_of_an_operation_can_be_said(described, name):
    request = request_of(name)
    operation = operation_of(request, described)
    known = {
        each["name"]
        for each in reads(described)[operation][1].get("parameters", ())
        if each["in"] == "query"
    }
    missing = known - BY_THE_CLIENT - request.url.params.keys()
    assert missing == {each for of, each in OTHERWISE if of == operation}
    assert request.url.params.keys() - known == set()


@pytest.mark.parametrize("name", ASKED)
def test_answers_have_the_fields_that_the_client_has_and_no_others(described, name):
    operation = operation_of(request_of(name), described)
    answer = reads(described)[operation][1]["responses"]["200"]
    schema = answer["content"]["application/json"]["schema"]
    schemas = described["components"]["schemas"]
    kind = get_type_hints(getattr(Client, name))["return"]
    if get_origin(kind) is Iterator:
        kind, schema = get_args(kind)[0], items(fields_of(schema, schemas)["items"])
    for each in INSIDE.get(operation, ()):
        found = fields_of(schema, schemas)[each]
        schema = items(found)
    if get_origin(kind) in (list, Sequence):
        kind = get_args(kind)[0]
        schema = items(schema) if operation not in INSIDE else schema
    assert [*unlike(kind, schema, schemas, operation)] == []


def test_the_answer_to_a_report_has_the_fields_that_the_client_has(described):
    answers = described["paths"]["/api/v1/reports"]["post"]["responses"]
    schema = answers["201"]["content"]["application/json"]["schema"]
    kind = get_type_hints(Client.send)["return"]
    assert [*unlike(kind, schema, described["components"]["schemas"], "send")] == []


def items(schema: Any) -> Any:
    return schema["items"]


def looked_up(schema: Any, schemas: Any) -> Any:
    name = schema.get("$ref", "").rpartition("/")[2]
    return schemas[name] if name else schema


def fields_of(schema: Any, schemas: Any) -> Any:
    return looked_up(schema, schemas)["properties"]


PLAIN: dict[Any, tuple[str, str | None]] = {
    str: ("string", None), int: ("integer", None), float: ("number", None),
    bool: ("boolean", None), date: ("string", "date"), datetime: ("string", "date-time"),
}  # fmt: skip


def unlike(kind: Any, schema: Any, schemas: Any, where: str) -> Iterator[str]:
    """Where a type of the client is not what the description says."""
    origin, of = get_origin(kind), get_args(kind)
    found = looked_up(schema, schemas)
    several = found.get("anyOf")
    if origin in (Union, UnionType):
        yield from unlike_of_several(of, several or [found], schemas, where)
    elif several:
        yield f"{where}: one of several"
    elif isinstance(kind, type) and is_dataclass(kind):
        known = found.get("properties", {})
        left = known.keys() - {each.name for each in fields(kind)}
        for name in left ^ OF_PAGES.get(kind.__name__, set()):
            yield f"{where}.{name}: not in the client, or needlessly left aside"
        for each in fields(kind):
            if each.name not in known or each.name not in found["required"]:
                yield f"{where}.{each.name}: not there"
                continue
            hint = get_type_hints(kind)[each.name]
            yield from unlike(hint, known[each.name], schemas, f"{where}.{each.name}")
    elif origin is tuple and of[1:] == (...,):
        yield from unlike(of[0], found["items"], schemas, f"{where}[]")
    elif origin is tuple:
        every = found.get("prefixItems", ())
        if len(every) != len(of):
            yield f"{where}: another length"
        for at, (one, said) in enumerate(zip(of, every, strict=False)):
            yield from unlike(one, said, schemas, f"{where}[{at}]")
    elif kind is object:
        # Whatever it is.
        return
    elif origin is Mapping:
        if found.get("type") != "object":
            yield f"{where}: no object"
    elif PLAIN[kind] != (found.get("type"), found.get("format")):
        yield f"{where}: {found.get('type')}, {found.get('format')}"


def unlike_of_several(
    kinds: Sequence[Any], schemas_of: Sequence[Any], schemas: Any, where: str
) -> Iterator[str]:
    """None where the description knows null, and each other kind one of those that there are."""
    left = [each for each in schemas_of if each.get("type") != "null"]
    if (NoneType in kinds) != (len(left) < len(schemas_of)):
        yield f"{where}: none"
    every = [each for each in kinds if each is not NoneType]
    if len(every) != len(left):
        yield f"{where}: {len(left)} kinds"
    for kind, schema in zip(every, left, strict=False):
        yield from unlike(kind, schema, schemas, where)

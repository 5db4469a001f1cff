"""How operations are declared: each is a route of ``access.ROUTES`` in the space ``api``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from http import HTTPStatus
from inspect import signature
from types import GenericAlias
from typing import Any, TypeVar, get_type_hints

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_noop
from ninja import NinjaAPI, Schema
from ninja.decorators import decorate_view
from ninja.errors import HttpError, ValidationError
from pydantic import BaseModel, Field, create_model

from ratingbook.site.access import ROUTES
from ratingbook.site.answers import CSV
from ratingbook.site.api.answers import ARROW, MEDIA
from ratingbook.site.api.described import model_of
from ratingbook.site.problems import MEDIA as PROBLEM
from ratingbook.site.problems import problem, refusal, wrong
from ratingbook.site.shown.findings import Noticed

View = TypeVar("View", bound=Callable[..., HttpResponse])
SPACE = "api"
NOT_UNDERSTOOD = "This cannot be understood"
_MEANS = {"pool": {"description": "The name of a pool."}}
"""What a parameter is, wherever it is asked for."""
_PROBLEMS = (400, 401, 403, 404, 405, 406, 409, 413, 422, 429, 500)
DESCRIPTION = gettext_noop(
    "All that the pages of this office show, as data, and the upload of reports. Errors are "
    "problem details (RFC 9457). Tokens are made on the page of one's account."
)


class Problem(Schema):
    """Problem details (RFC 9457); ``findings`` say what is wrong, and what to do."""

    type: str
    title: str
    status: int
    detail: str


class Service(NinjaAPI):
    """The API, and how it is described."""

    _described: Any = None

    def get_openapi_schema(self, *args: Any, **kwargs: Any) -> Any:
        """The description, with problems, forms and tokens; made once, since nothing changes it."""
        if self._described is None:
            self._described = self._describe(*args, **kwargs)
        return self._described

    def _describe(self, *args: Any, **kwargs: Any) -> Any:
        said = super().get_openapi_schema(*args, **kwargs)
        components = said["components"]
        components["schemas"] |= _schemas_of_problems()
        for code in _PROBLEMS:
            components.setdefault("responses", {})[str(code)] = {
                "description": HTTPStatus(code).phrase,
                "content": {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}},
            }
        for schema in components["schemas"].values():
            _without_titles(schema.get("properties", {}).values())
        components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        for item in said["paths"].values():
            item.pop("head", None)
            for method, operation in item.items():
                _complete(method, operation)
        return said


def _without_titles(schemas: Iterable[dict[str, Any]]) -> None:
    """What a field is called stands before it; made of that, a title says it once more."""
    for each in schemas:
        each.pop("title", None)


def _schemas_of_problems() -> dict[str, Any]:
    """The schemas of problems, and of the findings in them."""
    findings: Any = GenericAlias(list, (model_of(Noticed),))
    told: Any = (findings, Field(min_length=1))
    made = create_model("Problem", __base__=Problem, __doc__=Problem.__doc__, findings=told)
    said = made.model_json_schema(ref_template="#/components/schemas/{model}")
    return {**said.pop("$defs"), "Problem": said}


def _complete(method: str, operation: dict[str, Any]) -> None:
    rule = ROUTES[f"{SPACE}:{operation.pop('x-route')}"]
    responses = operation["responses"]
    for code in _PROBLEMS:
        responses[code] = {"$ref": f"#/components/responses/{code}"}
    scopes = rule.scopes(method.upper())
    operation["security"] = [{"token": []}] if scopes else [{}, {"token": []}]
    if scopes:
        named = " or ".join(f"`{each}`" for each in scopes)
        operation["description"] = (
            f"{operation.get('description', '')}\n\nFor the role {rule.audience.value}, by a token "
            f"with the scope {named}."
        ).strip()
    for each in operation.get("parameters", ()):
        _without_titles([each["schema"]])
        each.update(_MEANS.get(each["name"], {}))
    if asked := operation.pop("x-asked", None):
        operation["parameters"] = [*operation.get("parameters", []), *asked()]
    if operation.pop("x-table", False):
        content = responses[200]["content"]
        content[MEDIA[CSV]] = {"schema": {"type": "string"}}
        content[MEDIA[ARROW]] = {"schema": {"type": "string", "format": "binary"}}


service = Service(
    title="ratingbook", version="1", description=DESCRIPTION, docs_url=None, urls_namespace=SPACE
)


def reads(
    path: str, name: str, gives: Any, *, has_table: bool = False, tag: str = "",
    asked: Callable[[], list[dict[str, Any]]] | None = None,
) -> Callable[[View], View]:  # fmt: skip
    """An operation that reads.

    ``asked`` says what stands in its query besides, once somebody wants the description; what is
    asked for that is not in it the operation finds itself.
    """
    said = {"x-route": name, "x-table": has_table, "x-asked": asked}
    operation: Callable[[View], View] = service.api_operation(
        ["GET", "HEAD"], path, url_name=name, operation_id=name, response={200: model_of(gives)},
        tags=[tag or name], openapi_extra=said,
    )  # fmt: skip

    def made(view: View) -> View:
        # What describes its query itself looks for it there itself, too.
        known = None if asked is not None else _asked_for(view, path)
        unsaid = frozenset[str]() if has_table else frozenset({_SHAPE})
        return operation(decorate_view(_refusing_others(known, None, unsaid))(view))

    return made


_SHAPE = "format"
"""What every query may say; where there is one form only it is of no use to anybody."""


def _asked_for(view: Callable[..., HttpResponse], path: str) -> frozenset[str]:
    """What may stand in the query of an operation."""
    hints = get_type_hints(view, include_extras=True)
    found = set[str]()
    for name in list(signature(view).parameters)[1:]:
        kind = getattr(hints[name], "__origin__", hints[name])
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            found |= kind.model_fields.keys()
        elif not re.search(rf"[{{:]{name}}}", path):
            found.add(name)
    return frozenset(found)


def not_asked(others: Sequence[str], known: frozenset[str], where: str = "query") -> HttpResponse:
    """The answer to a query, or a form, in which something stands that nothing reads."""
    there = f"There is {', '.join(sorted(known))}." if known else "There is none."
    findings = [
        wrong("site.unknown-field", f"Nothing is asked for by {each}.", there, f"{where}.{each}")
        for each in others
    ]
    told = f"Nothing is asked for by {', '.join(others)}. {there}"
    return problem(422, findings, NOT_UNDERSTOOD, told)


def _refusing_others(
    known: frozenset[str] | None, form: frozenset[str] | None, unsaid: frozenset[str] = frozenset()
) -> Callable[[Any], Any]:
    """A mistyped filter would give all rows, and what is mistyped in a form would be lost.

    It is refused, and those are named that there are in the query and in the ``form``, but for
    the ``unsaid``; None: the operation looks itself.
    """

    def refusing(run: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(run)
        def checked(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
            sent: dict[str, tuple[Iterable[str], frozenset[str] | None]]
            sent = {"query": (request.GET, known)}
            if form is not None:
                sent["form"] = ([*request.POST, *request.FILES], form)
            for where, (said, there) in sent.items():
                others = [each for each in said if there is not None and each not in there]
                if others:
                    return not_asked(others, (there or frozenset()) - unsaid, where)
            # Of two values one would be left out without a word.
            if twice := [name for name, values in request.GET.lists() if len(values) > 1]:
                return problem(422, [
                    wrong("site.said-twice", f"{each} is said more than once.", "Say it once.",
                          f"query.{each}")
                    for each in twice
                ], NOT_UNDERSTOOD)  # fmt: skip
            return run(request, *args, **named)

        return checked

    return refusing


def writes(path: str, name: str, gives: Mapping[int, Any], *, route: str) -> Callable[[View], View]:
    """An operation that sends something; ``route`` is that of its path."""
    response = {status: model_of(each) for status, each in gives.items()}
    operation: Callable[[View], View] = service.post(
        path, url_name=route, operation_id=name, response=response, tags=[route],
        openapi_extra={"x-route": route},
    )  # fmt: skip

    def made(view: View) -> View:
        form = _asked_for(view, path)
        return operation(decorate_view(_refusing_others(frozenset(), form))(view))

    return made


@service.exception_handler(ValidationError)
def _invalid(request: HttpRequest, error: Any) -> HttpResponse:
    """What was asked is not as the description says."""
    said = [(list(map(str, each["loc"])), _plainly(each["msg"])) for each in error.errors]
    findings = [bad_value(where[-1], what, ".".join(where)) for where, what in said]
    return problem(422, findings, NOT_UNDERSTOOD)


def bad_value(name: str, what: str, path: str) -> Noticed:
    """That a value is none of what its description says."""
    remedy = "Write it as the description of the API has it, /api/v1/openapi.json; or leave it out."
    return wrong("site.bad-value", f"{name}: {what}", remedy, path)


def _plainly(message: str) -> str:
    """What is wrong with a value, without the word by which pydantic begins what we say."""
    return message.removeprefix("Value error, ")


@service.exception_handler(HttpError)
def _refused(request: HttpRequest, error: Any) -> HttpResponse:
    """Bodies that cannot be read, and the like."""
    return refusal(
        error.status_code, "site.bad-body", str(error),
        "Send it as the description of the API has it, /api/v1/openapi.json.",
    )  # fmt: skip


@service.exception_handler(Exception)
def _left(request: HttpRequest, error: Any) -> HttpResponse:
    """All others are told where those of pages are: ``errors``."""
    raise error

"""Ask the API of an office whatever its description lets one ask, and look at every answer.

``python -m tools.api_fuzz OFFICE [--examples 100]``: by Schemathesis, without and with a token for
everything. No answer may be a fault of ours (5xx), of a form or of a status that the description
does not know, or of another shape than it says. The office is copied, since reports are sent to it.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast


def fuzz(folder: Path, examples: int, seed: int = 1) -> tuple[int, list[str]]:
    """How many answers were looked at, and what was wrong with some."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "office"
        shutil.copytree(folder, copy)
        return _fuzzed(copy, examples, seed)


def _fuzzed(folder: Path, examples: int, seed: int) -> tuple[int, list[str]]:
    from ratingbook.office.home import start_django

    start_django()
    from django.conf import settings
    from django.core.handlers.wsgi import WSGIHandler
    from django.db import connections

    from ratingbook.site.api.limits import RATES
    from ratingbook.site.opening import open_site

    open_site(folder)
    before = getattr(settings, RATES)
    setattr(settings, RATES, {"address": 10**9, "token": 10**9})
    asked, wrong = 0, []
    try:
        application = WSGIHandler()
        for token in ("", _token()):
            for told in _answers(application, token, examples, seed):
                asked += 1
                wrong += [told] if told else []
    finally:
        setattr(settings, RATES, before)
        connections.close_all()
    return asked, wrong


def _token() -> str:
    """A token of somebody who may do everything."""
    from ratingbook.office.store.ledger import Who
    from ratingbook.office.store.models import Actor
    from ratingbook.site import accounts, tokens

    admin = next(each for each in Actor.objects.order_by("name") if "admin" in each.roles)
    user = accounts.add_user("fuzzing-the-api", _free(admin.name), Who(admin.name))
    return tokens.make(user, "fuzz", tokens.SCOPES, 1, Who(admin.name))


def _free(admin: str) -> str:
    """An actor without an account: an admin of its own."""
    from ratingbook.office.acts.setup import add_actor
    from ratingbook.office.store.ledger import Who

    add_actor("fuzz", ["admin"], Who(admin))
    return "fuzz"


def _answers(application: Any, token: str, examples: int, seed: int) -> Iterator[str]:
    """What is wrong with each answer; empty: nothing."""
    import schemathesis

    headers = {"Host": "localhost"} | ({"Authorization": f"Bearer {token}"} if token else {})
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", application, headers=headers)
    known = _known()
    for result in schema.get_all_operations():
        # What cannot be read of the description raises here: the description is at fault then.
        operation: Any = cast(Any, result).ok()
        here = known.get(operation.path, known[""])
        yield from _asked(operation, headers, here, examples, seed)


def _asked(
    operation: Any, headers: Mapping[str, str], known: Mapping[str, Any], examples: int, seed: int
) -> list[str]:
    """What is wrong with the answers of an operation."""
    from hypothesis import HealthCheck, Phase, given, settings, strategies
    from hypothesis import seed as seeded
    from schemathesis.checks import not_a_server_error
    from schemathesis.core.failures import FailureGroup
    from schemathesis.specs.openapi import checks

    wanted = [
        not_a_server_error, checks.status_code_conformance, checks.content_type_conformance,
        checks.response_schema_conformance,
    ]  # fmt: skip
    found = list[str]()

    def ask(case: Any, what: int) -> None:
        if what:
            # Of what is there; else nearly everything would be answered by 404.
            names = dict(case.path_parameters or {})
            case.path_parameters = {key: known.get(key, value) for key, value in names.items()}
        if what > 1 and case.method == "GET":
            case.query = {} if what == 2 else {"format": ("csv", "arrow")[what - 3]}
        answer, told = case.call(headers=headers), ""
        try:
            case.validate_response(answer, checks=wanted)
        except FailureGroup as failures:
            told = "; ".join(str(each) for each in failures.exceptions)
        except AssertionError as failure:
            told = str(failure)
        found.append(f"{case.method} {case.formatted_path}: {told}"[:2000] if told else "")

    test = given(operation.as_strategy(), strategies.sampled_from(range(5)))(ask)
    test = settings(
        max_examples=examples, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )(test)  # fmt: skip
    seeded(seed)(test)()
    return found


def _known() -> dict[str, dict[str, Any]]:
    """Something that is there, by the names in paths; for some paths otherwise."""
    from ratingbook.office.store import models as m

    usual: dict[str, Any] = {
        "person": 1, "report": 1, "section": 0, "number": 1, "name": "fide-2024",
    }  # fmt: skip
    one = m.List.objects.order_by("id").select_related("pool").first()
    if one is not None:
        usual |= {"pool": one.pool.name, "day": one.date.isoformat()}
    change = m.Change.objects.order_by("pk").select_related("batch__pool").first()
    if change is None:
        return {"": usual}
    of = {"person": change.person, "pool": change.batch.pool.name, "key": change.batch.key}
    return {"": usual, "/api/v1/players/{person}/changes/{pool}/{key}": usual | of}


def main() -> None:
    """As the command says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("office", type=Path)
    parser.add_argument("--examples", type=int, default=100, help="of each operation, twice")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    asked, wrong = fuzz(given.office, given.examples, given.seed)
    for each in dict.fromkeys(wrong):
        print(each)
    print(f"{asked} answers, {len(wrong)} of them wrong")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()

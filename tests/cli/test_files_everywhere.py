"""Every command takes ``-o``, and what it prints goes into that file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Done
from tests.cli.test_examples_in_help import EVERY


@pytest.mark.parametrize("name", EVERY)
def test_each_command_takes_it(name: str) -> None:
    found = [each for each in EVERY[name].params if "-o" in each.opts]
    assert len(found) == 1
    assert "--out" in found[0].opts


def test_an_answer_of_the_office_goes_into_the_file(
    tmp_path: Path, run: Callable[..., Done]
) -> None:
    pytest.importorskip("django")
    home = tmp_path / "office"
    refused = tmp_path / "refused.json"
    done = run("office", "reports", "--home", home, "-o", refused)
    assert (done.status, done.out) == (1, "")
    said: Any = json.loads(refused.read_text("utf-8"))
    assert said["findings"]
    done = run("office", "reports", "--home", home, "-o", tmp_path / "x.html")
    assert done.status == 2
    assert "it writes .txt, .json" in " ".join(done.err.split())


@pytest.mark.parametrize("given", [(), ("list.zip", "-o", "other.zip")])
def test_a_file_of_its_own_is_named_once(given: tuple[str, ...], run: Callable[..., Done]) -> None:
    done = run("office", "bundle", "1", *given)
    assert done.status == 2
    assert ("name the new file once" if given else "name the new file: OUT") in done.err

"""The package, as good as installed."""

import os
import tomllib
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A search path on which the package is as good as installed."""
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text("utf-8"))["project"]
    folder = tmp_path_factory.mktemp("installed")
    info = folder / f"elo_rating-{project['version']}.dist-info"
    info.mkdir()
    head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(head)
    ((group, points),) = project["entry-points"].items()
    lines = (f"{name} = {value}\n" for name, value in points.items())
    (info / "entry_points.txt").write_text(f"[{group}]\n{''.join(lines)}")
    return os.pathsep.join((str(folder), str(PACKAGE / "src")))

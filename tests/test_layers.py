"""Imports go down only and never in a circle, rules are pure, rating one event loads little."""

import ast
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
MODULES = sorted((SOURCE / "ratingbook").rglob("*.py"))

LAYERS = (
    "cli", "site", "office", "lab", "client", "desk", "checks", "engine", "formats", "rules",
    "model",
)  # fmt: skip
"""From the top down: a layer may import itself and what stands to its right."""

PURE_LAYERS = ("rules", "model")
"""Layers that import the standard library and ratingbook only."""

FILES = {
    "glob",
    "io",
    "logging",
    "mmap",
    "os",
    "pathlib",
    "pickle",
    "shutil",
    "sqlite3",
    "tempfile",
}
NETWORK = {"asyncio", "ftplib", "http", "smtplib", "socket", "socketserver", "ssl", "urllib"}
PROCESSES = {"multiprocessing", "signal", "subprocess", "threading"}
CLOCK_AND_CHANCE = {"locale", "platform", "random", "secrets", "time"}
OUTSIDE_WORLD = FILES | NETWORK | PROCESSES | CLOCK_AND_CHANCE
"""Modules through which a rule could read or change something other than its arguments."""

OUTSIDE_CALLS = {"breakpoint", "exec", "input", "open", "print"}

SYS_ATTRIBUTES = {"argv", "stdin", "stdout", "stderr"}
CLOCK_ATTRIBUTES = {"now", "today", "utcnow"}
OUTSIDE_ATTRIBUTES = SYS_ATTRIBUTES | CLOCK_ATTRIBUTES

BULK = {"duckdb", "numba", "numpy", "pandas", "polars", "pyarrow", "pyspark", "scipy"}
HEAVY = BULK | {"django", "httpx", "hypothesis", "jsonschema", "pydantic"}
"""What rating one event has no use for."""
OF_OTHER_COMMANDS = {
    "ratingbook.cli.lab.commands", "ratingbook.cli.office.commands", "ratingbook.client",
    "ratingbook.engine.history", "ratingbook.engine.sealed", "ratingbook.lab", "ratingbook.office",
    "ratingbook.site",
}  # fmt: skip
"""Of ratingbook itself, too."""


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(source: str, module: str, *, is_package: bool = False) -> Iterator[str]:
    """Every module that ``source`` may import, wherever the import stands.

    ``from a import b`` gives ``a.b``, since ``b`` may be a module.
    """
    package = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=aliases):
                yield from (alias.name for alias in aliases)
            case ast.ImportFrom(module=base, names=aliases, level=level):
                above = package[: len(package) - level + 1] if level else []
                parent = ".".join([*above, *([base] if base else [])])
                yield from (f"{parent}.{alias.name}" for alias in aliases)
            case ast.Call(
                func=ast.Name(id="import_module" | "__import__")
                | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield name


def layer(module: str) -> str | None:
    """Name of the layer; None for the package ratingbook itself and for other packages."""
    match module.split("."):
        case ["ratingbook", "__main__", *_]:
            return "cli"
        case ["ratingbook", name, *_] if not name.startswith("__"):
            return name
    return None


def upward(source: str, module: str, *, is_package: bool = False) -> list[str]:
    """The imports of ``source`` that a module of its layer may not make."""
    own = layer(module)
    # The package itself is imported by every layer, so it may import none.
    allowed = LAYERS[LAYERS.index(own) :] if own else ()
    return [
        name
        for name in imports(source, module, is_package=is_package)
        if (found := layer(name)) is not None and found not in allowed
    ]


def modules_named(names: Iterator[str], known: Collection[str]) -> Iterator[str]:
    """The modules behind imported names: ``a.b`` is ``a`` where ``b`` is no module."""
    for name in names:
        module = name
        while module and module not in known:
            module = module.rpartition(".")[0]
        if module:
            yield module


def circle(sources: Mapping[str, str], packages: Collection[str] = ()) -> list[str]:
    """Modules of which each is imported by the next, the last one being the first again."""
    graph = {
        module: set(modules_named(imports(source, module, is_package=module in packages), sources))
        - {module}
        for module, source in sources.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as found:
        return list(found.args[1])
    return []


def foreign(source: str, module: str) -> list[str]:
    """The imports of ``source`` from neither the standard library nor ratingbook."""
    ours = sys.stdlib_module_names | {"ratingbook"}
    return [name for name in imports(source, module) if name.split(".")[0] not in ours]


def outside(source: str, module: str) -> list[str]:
    """Where ``source`` reads or changes something other than its arguments."""
    found = [name for name in imports(source, module) if name.split(".")[0] in OUTSIDE_WORLD]
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(id=name) if name in OUTSIDE_CALLS:
                found.append(f"{name}, line {node.lineno}")
            case ast.Attribute(attr=name) if name in OUTSIDE_ATTRIBUTES:
                found.append(f"{ast.unparse(node)}, line {node.lineno}")
    return found


every_module = pytest.mark.parametrize("path", MODULES, ids=module_name)
every_pure_module = pytest.mark.parametrize(
    "path", [path for path in MODULES if layer(module_name(path)) in PURE_LAYERS], ids=module_name
)


@every_module
def test_belongs_to_a_layer(path):
    assert layer(module_name(path)) in (None, *LAYERS)


@every_module
def test_imports_go_down_only(path):
    is_package = path.stem == "__init__"
    assert upward(path.read_text("utf-8"), module_name(path), is_package=is_package) == []


def test_no_module_needs_one_that_needs_it():
    """Imports for types only, and within functions, count as well."""
    sources = {module_name(path): path.read_text("utf-8") for path in MODULES}
    packages = {module_name(path) for path in MODULES if path.stem == "__init__"}
    assert circle(sources, packages) == []


@every_pure_module
def test_rules_and_model_import_the_standard_library_only(path):
    assert foreign(path.read_text("utf-8"), module_name(path)) == []


@every_pure_module
def test_rules_and_model_touch_nothing_outside(path):
    assert outside(path.read_text("utf-8"), module_name(path)) == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("ratingbook.model.report", "import ratingbook.rules"),
        ("ratingbook.model.report", "from ratingbook import rules"),
        ("ratingbook.rules.fide.k", "from ratingbook.engine import rate"),
        ("ratingbook.rules.fide.k", "from ...engine import rate"),
        ("ratingbook.rules.fide.k", "from ... import engine"),
        ("ratingbook.formats.fide.trf", "def read():\n    import ratingbook.engine.rate"),
        ("ratingbook.engine.rate", "if TYPE_CHECKING:\n    from ratingbook.office import Run"),
        ("ratingbook.engine.rate", "importlib.import_module('ratingbook.lab')"),
    ],
)
def test_finds_an_import_that_goes_up(module, source):
    assert len(upward(source, module)) == 1


@pytest.mark.parametrize(
    "back",
    [
        "import ratingbook.cli.a",
        "from ratingbook.cli.a import A",
        "from .a import A",
        "if TYPE_CHECKING:\n    from ratingbook.cli.a import A",
        "def f():\n    from ratingbook.cli import a",
        "from ratingbook.cli import c",
    ],
)
def test_finds_a_circle(back):
    sources = {
        "ratingbook.cli": "",
        "ratingbook.cli.a": "from ratingbook.cli.b import B",
        "ratingbook.cli.b": back,
        "ratingbook.cli.c": "from ratingbook.cli import a",
    }
    found = circle(sources, {"ratingbook.cli"})
    assert {"ratingbook.cli.a", "ratingbook.cli.b"} <= set(found)


def test_a_way_down_by_two_ways_is_no_circle():
    below = "from ratingbook.cli import c"
    assert circle({"ratingbook.cli.a": f"import ratingbook.cli.b\n{below}",
                   "ratingbook.cli.b": below, "ratingbook.cli.c": ""}) == []  # fmt: skip


def test_finds_a_module_outside_the_layers():
    assert layer("ratingbook.rounding") not in (None, *LAYERS)


@pytest.mark.parametrize("source", ["import ratingbook.model", "from ratingbook.rules import load"])
def test_the_package_itself_imports_no_layer(source):
    assert len(upward(source, "ratingbook", is_package=True)) == 1


def test_a_relative_import_in_a_package_starts_at_the_package():
    assert list(imports("from .k import K", "ratingbook.rules", is_package=True)) == [
        "ratingbook.rules.k.K"
    ]


@pytest.mark.parametrize("source", ["import numpy as np", "def f():\n    from numba import njit"])
def test_finds_a_third_party_import(source):
    assert len(foreign(source, "ratingbook.rules.fide.k")) == 1


@pytest.mark.parametrize(
    "source",
    [
        "from pathlib import Path",
        "import urllib.request",
        "open('table.csv')",
        "show = print",
        "sys.stdout.write('2420')",
        "date.today()",
    ],
)
def test_finds_a_look_outside(source):
    assert len(outside(source, "ratingbook.rules.fide.k")) == 1


def test_rating_one_event_loads_nothing_heavy():
    reports = ROOT / "examples" / "reports"
    program = """
import sys
from ratingbook.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print(*sorted({*sys.modules}), file=sys.stderr)
"""
    command = ["rate", f"{reports}/spring-open.trf", "--rulebook", "fide-2009"]
    options = ["--players", f"{reports}/spring-open-players.csv", "--explain", "5"]
    done = subprocess.run(
        [sys.executable, "-c", program, *command, *options],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    loaded = set(done.stderr.splitlines()[-1].split())
    assert "ratingbook" in loaded
    assert loaded & (HEAVY | OF_OTHER_COMMANDS) == set()

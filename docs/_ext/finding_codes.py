"""Writes the table of all finding codes, from the places in the code where they are made."""

import ast
from pathlib import Path

from sphinx.application import Sphinx

from ratingbook.model.sentences import parts_of

SOURCE = Path(__file__).parents[2] / "src" / "ratingbook"
SEVERITIES = ("FATAL", "ERROR", "WARNING", "INFO")


def text_of(node: ast.expr | None) -> str:
    """The words of a message, with … for what is filled in."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(map(part_of, node.values))
    if isinstance(node, ast.BinOp):
        return text_of(node.left) + text_of(node.right)
    if isinstance(node, ast.IfExp):
        return text_of(node.body)
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "sentence":
        return "".join(
            part.before + ("…" if part.name is not None else "")
            for part in parts_of(text_of(node.args[0]))
        )
    return "…" if node is not None else ""


def part_of(node: ast.expr) -> str:
    """A part of an f-string: its text, what is counted, or … for something else."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    call = node.value if isinstance(node, ast.FormattedValue) else None
    if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "counted":
        _, one, *many = map(text_of, call.args)
        return f"… {many[0] if many else one + 's'}"
    return "…"


def severities_of(node: ast.expr) -> set[str]:
    """The severities that an expression can be."""
    return {
        part.attr
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute) and part.attr in SEVERITIES
    }


HELPERS = {"refuse": 0, "_tell": 1, "_one": 0}
"""Functions of the office that make an error of a code: which argument that is."""


def of_helper(call: ast.Call) -> tuple[str, ast.expr] | None:
    """Code and message of a call of a helper; None for any other call."""
    place = HELPERS.get(getattr(call.func, "id", ""))
    if place is None or len(call.args) < place + 2:
        return None
    code = call.args[place]
    return (text_of(code), call.args[place + 1]) if isinstance(code, ast.Constant) else None


def codes() -> dict[str, tuple[set[str], str]]:
    """Code → severities and message, over all modules."""
    found: dict[str, tuple[set[str], str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(call, ast.Call) or len(call.args) < 2:
                continue
            helped = of_helper(call)
            if helped is not None and "." in helped[0] and " " not in helped[0]:
                found.setdefault(helped[0], (set(), text_of(helped[1])))[0].add("ERROR")
                continue
            if len(call.args) < 3:
                continue
            first, second, message = call.args[:3]
            code = text_of(second) if severities_of(first) else text_of(first)
            grave = severities_of(first) or severities_of(second)
            if grave and "." in code and " " not in code:
                known = found.setdefault(code, (set(), text_of(message)))
                known[0].update(grave)
    return found


def write_table(app: Sphinx) -> None:
    """Write ``generated/finding-codes.md``, which the page on findings includes."""
    folder = Path(app.srcdir) / "generated"
    folder.mkdir(exist_ok=True)
    lines = ["| code | severity | what it says |", "|---|---|---|"]
    for code, (grave, message) in sorted(codes().items()):
        order = ", ".join(name.lower() for name in SEVERITIES if name in grave)
        words = " ".join(message.split()).replace("|", "\\|").replace("<", "&lt;")
        lines.append(f"| `{code}` | {order} | {words} |")
    page = "\n".join(lines) + "\n"
    path = folder / "finding-codes.md"
    if not path.exists() or path.read_text("utf-8") != page:
        path.write_text(page, "utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("builder-inited", write_table)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""Writes one page for each installed rule book, and their timeline, before the docs are read.

Everything on a page is generated from the rule book itself.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from sphinx.application import Sphinx

from ratingbook.desk.editions import (
    numbering,
    performed_by,
    rated_example,
    timeline,
    validity,
)
from ratingbook.desk.explained import in_order_of_rounds
from ratingbook.engine.explain import Step
from ratingbook.engine.rate import RatedRow
from ratingbook.rules import registry
from ratingbook.rules.book import RuleBook
from ratingbook.rules.series import Series
from ratingbook.rules.settings import shown
from ratingbook.rules.text import Paragraph, Performed


def rulebook_page(name: str) -> str:
    """The page of an installed edition, in Markdown."""
    book = registry.edition(name)
    return "\n".join(
        (
            *_head(book),
            *_paragraphs(book),
            *_parameters(book),
            *_amendments(book),
            *_readings(book),
            *_tables(book),
            *_examples(book),
        )
    )


def timeline_page() -> str:
    """The editions of each federation over time, with what changed, in Markdown."""
    lines = [
        "# Editions over time",
        "",
        "`rate`, `check`, `list` and `history` take the name of a series in place of an edition, "
        "and pick the edition by the day: `--rulebook fide`. `rulebooks fide` prints the same.",
        "",
    ]
    series = registry.families()
    for name in series:
        book = registry.series(name)
        lines += [f"## {book.federation}: `{name}`", "", *_timeline(book), ""]
    single = [n for n in registry.names() if not any(n in of for of in series.values())]
    names = ", ".join(f"`{name}` ({validity(registry.edition(name))})" for name in single)
    if single:
        lines += ["## Federations with one edition", "", f"{names}.", ""]
    return "\n".join(lines)


def _timeline(book: Series) -> Iterator[str]:
    yield "| from | edition | what changed |"
    yield "|---|---|---|"
    before: RuleBook | None = None
    for since, name, what in timeline(book):
        text = _cell(what)
        if name:
            edition = next(each for each in book.editions if each.name == name)
            text += _changes(before, edition)
            before = edition
        link = f"[`{name}`](../rulebooks/generated/{name}.md)" if name else ""
        yield f"| {since} | {link} | {text} |"


def _changes(before: RuleBook | None, edition: RuleBook) -> str:
    """The parameters that differ from those of the edition before."""
    if before is None:
        return ""
    old, new = before.parameters._asdict(), edition.parameters._asdict()
    found = [
        f"`{name}` {shown(old[name])} → {shown(value)}"
        for name, value in new.items()
        if value != old.get(name)
    ]
    return f"; {', '.join(found)}" if found else ""


def _head(book: RuleBook) -> Iterator[str]:
    yield f"# {book.name}: {book.title}\n"
    yield f"- **Federation**: {book.federation}"
    yield f"- **In force**: {validity(book)}"
    yield f"- **Rated by**: {book.rated_by}"
    yield f"- **Source**: {book.text.source}"
    if book.text.url:
        yield f"- **Regulation**: <{book.text.url}>"
    yield f"\n{numbering(book)}\n"
    yield "**On this page**\n"
    if book.text.paragraphs:
        links = (
            f"[§ {each.number} {each.title}](<#{_anchor(f'§ {each.number} {each.title}')}>)"
            for each in book.text.paragraphs
        )
        yield f"- [Paragraphs](#paragraphs): {' · '.join(links)}"
    parts = ["Parameters", "Readings", *(table.title for table in book.text.tables)]
    if book.settings.amendments or book.reforms:
        parts.insert(1, "Within the edition")
    yield from (f"- [{part}](<#{_anchor(part)}>)" for part in (*parts, "Worked examples"))
    yield ""


def _anchor(heading: str) -> str:
    """What MyST makes of a heading, as GitHub does."""
    kept = (c for c in heading.lower() if c.isalnum() or c in " -_")
    return "".join(kept).replace(" ", "-")


def _folded(title: str, *lines: str) -> Iterator[str]:
    """Lines that unfold on demand."""
    yield f"<details>\n<summary>{title}</summary>\n"
    yield from lines
    yield "</details>\n"


def _paragraphs(book: RuleBook) -> Iterator[str]:
    """Each paragraph with its text, and with the very code that implements it."""
    yield "## Paragraphs\n"
    for paragraph in book.text.paragraphs:
        yield f"### § {paragraph.number} {paragraph.title}\n"
        if paragraph.article:
            yield f"{_article(paragraph)}\n"
        yield f"{paragraph.text}\n"
        if paragraph.performed is not Performed.FUNCTION:
            performer = performed_by(book, paragraph)
            yield f"*{performer[0].upper()}{performer[1:]}.*\n"
        code = [
            f"`{rule.module}`\n\n```python\n{inspect.getsource(rule.function).rstrip()}\n```\n"
            for rule in book.rules_of(paragraph)
        ]
        if code:
            yield from _folded("The code", *code)


def _article(paragraph: Paragraph) -> str:
    """The place in the federation's own text, with a link where it is public."""
    article = f"[{paragraph.article}]({paragraph.url})" if paragraph.url else paragraph.article
    return f"In the federation's own text: {article}."


def _parameters(book: RuleBook) -> Iterator[str]:
    yield "## Parameters\n"
    yield f"Each can be set: `ratingbook rate REPORT --rulebook {book.name} --set NAME=VALUE`.\n"
    yield "| parameter | value | meaning |\n|---|---|---|"
    for name, value in book.parameters._asdict().items():
        yield f"| `{name}` | {shown(value)} | {_cell(book.settings.docs[name])} |"
    yield ""


def _amendments(book: RuleBook) -> Iterator[str]:
    if not book.settings.amendments and not book.reforms:
        return
    yield "## Within the edition\n"
    yield "| from | what changes | parameters |\n|---|---|---|"
    for each in book.settings.amendments:
        changes = ", ".join(f"`{name}` = {shown(value)}" for name, value in each.changes.items())
        where = "".join(f" ({name} = {shown(value)})" for name, value in each.where.items())
        yield f"| {each.day or book.valid_from} | {_cell(each.text)}{where} | {changes} |"
    for reform in book.reforms:
        yield f"| {reform.day} | all ratings once: {_cell(reform.text)} | |"
    yield ""


def _readings(book: RuleBook) -> Iterator[str]:
    yield "## Readings\n"
    yield "Where the text leaves something open, this is what we take it to say, and why.\n"
    yield "| | open place | reading | why | parameter |\n|---|---|---|---|---|"
    for reading in book.text.readings:
        parameter = f"`{reading.parameter}`" if reading.parameter else ""
        cells = (reading.id, reading.question, reading.taken, reading.why, parameter)
        yield "| " + " | ".join(_cell(cell) for cell in cells) + " |"
    yield ""


def _tables(book: RuleBook) -> Iterator[str]:
    for table in book.text.tables:
        yield f"## {table.title}\n"
        yield "| " + " | ".join(table.columns) + " |"
        yield "|" + "---|" * len(table.columns)
        for row in table.rows:
            yield "| " + " | ".join(_cell(str(cell)) for cell in row) + " |"
        yield ""


def _examples(book: RuleBook) -> Iterator[str]:
    yield "## Worked examples\n"
    for example in book.text.examples:
        yield f"### {example.title}\n"
        yield f"*Numbers from: {example.source}.*\n"
        for rated in rated_example(book, example):
            yield from _explanation(rated)
        yield from _folded("The report", f"```json\n{_compact(example.document)}\n```\n")


def _compact(document: Mapping[str, object]) -> str:
    """A report with each player and each game in one line."""
    parts = []
    for key, value in document.items():
        text = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list):
            items = (json.dumps(item, ensure_ascii=False) for item in value)
            text = "[\n  " + ",\n  ".join(items) + "]" if value else "[]"
        parts.append(f"{json.dumps(key)}: {text}")
    return "{" + ",\n ".join(parts) + "}"


def _explanation(rated: RatedRow) -> Iterator[str]:
    row = rated.row
    before = "unrated" if row.before is None else f"{row.before:g}"
    after = "unrated" if row.after is None else f"{row.after:g}"
    yield f"**{row.name or row.id}**: {before} → **{after}**\n"
    lines = ["| | § | step |", "|---|---|---|"]
    game = None
    for step in in_order_of_rounds(rated.explanation):
        lines.append(_step_row(step, game))
        game = step.game
    yield from _folded("Step by step", *lines, "")


def _step_row(step: Step, game: str | None) -> str:
    about = step.game if step.game and step.game != game else ""
    article = f" ({step.article})" if step.article else ""
    return f"| {_cell(about or '')} | {step.paragraph}{_cell(article)} | {_cell(step.text)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;").replace("*", "\\*")


def write_pages(app: Sphinx) -> None:
    """Write ``rulebooks/generated/<name>.md``; a page that did not change stays untouched."""
    folder = Path(app.srcdir) / "rulebooks" / "generated"
    folder.mkdir(parents=True, exist_ok=True)
    pages = {folder / f"{name}.md": rulebook_page(name) for name in registry.names()}
    timeline = Path(app.srcdir) / "generated" / "timeline.md"
    timeline.parent.mkdir(exist_ok=True)
    for stale in set(folder.iterdir()) - set(pages):
        stale.unlink()
    for path, page in {**pages, timeline: timeline_page()}.items():
        if not path.exists() or path.read_text("utf-8") != page:
            path.write_text(page, "utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""Writes one page for each installed rule book, and their timeline, before the docs are read."""

from pathlib import Path

from sphinx.application import Sphinx

from ratingbook.cli.pages import rulebook_page, timeline_page
from ratingbook.rules import registry


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

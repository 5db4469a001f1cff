"""Configuration of the documentation (Sphinx)."""

import builtins
import re
import sys
from pathlib import Path

from sphinx.application import Sphinx

import ratingbook

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "ratingbook"
author = "The ratingbook contributors"
project_copyright = "the ratingbook contributors"
version = release = ratingbook.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "rulebook_pages", "finding_codes"]
# The timeline is a page of its own; of the other generated file, parts stand within pages.
exclude_patterns = ["_build", "generated/finding-codes.md"]

html_theme = "furo"
html_title = f"ratingbook {release}"

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_default_options = {"members": True, "show-inheritance": True}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"

# Every reference must lead somewhere. The standard library's have no page here, since the build
# fetches no inventory and so works without a network; nor have type variables (one capital letter).
_modules = "|".join(map(re.escape, sorted(sys.stdlib_module_names)))
_builtins = "|".join(map(re.escape, dir(builtins)))
nitpick_ignore_regex = [
    (r"py:.*", rf"({_modules})(\..+)?"),
    (r"py:.*", rf"({_builtins})(\..+)?"),
    (r"py:.*", r"ratingbook\..+\.[A-Z]"),
    # Other libraries, whose pages are elsewhere, and what a history keeps to itself.
    (r"py:.*", r"(numpy|pyarrow)\..+"),
    (r"py:.*", r"(pa|pd|pl)\.(Table|DataFrame)"),
    (r"py:.*", r"ratingbook\.engine\.history\.(align|columns|plan|run|correct|state|together)\..+"),
    (r"py:.*", r"ratingbook\.desk\.(rated|lists)\..+"),
    # The type of a rule book, or a series, or its name; what a function takes as its source and
    # as its players, which its own text describes.
    (r"py:.*", "Book|Given|PlayersGiven"),
    # The name of a unit within an annotation.
    (r"py:.*", "games|number|player|points|rating|score|year"),
]
# Such a name may also be that of several fields.
suppress_warnings = ["ref.python"]


def without_factories(
    app: Sphinx, what: str, name: str, thing: object, options: object, signature: str | None,
    returned: str | None,
) -> tuple[str | None, str | None]:  # fmt: skip
    """A signature that is Python: a default that is made anew each time is shown as "...".

    Sphinx would otherwise cut the signature at commas, and take the pieces for types.
    """
    return signature and signature.replace("<factory>", "..."), returned


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    app.connect("autodoc-process-signature", without_factories)

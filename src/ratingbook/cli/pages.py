"""What all pages share: the templates, and styles and scripts that stand in the page itself."""

from __future__ import annotations

import base64
import hashlib
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined


@cache
def environment() -> Environment:
    """The templates; every value is text, never markup."""
    return Environment(
        loader=PackageLoader("ratingbook.cli"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def inline(*names: str) -> tuple[str, str]:
    """The text of styles or scripts, and what the content security policy calls it."""
    loader = environment().loader
    assert loader is not None
    text = "".join(loader.get_source(environment(), name)[0] for name in names)
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return text, f"sha256-{digest}"

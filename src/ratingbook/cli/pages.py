"""What all pages share: the templates, and styles and scripts that stand in the page itself."""

from __future__ import annotations

import base64
import hashlib
from functools import cache

from jinja2 import BytecodeCache, Environment, PackageLoader, StrictUndefined
from jinja2.bccache import Bucket

from ratingbook import __version__
from ratingbook.engine.cache import keep, kept

_FILE = "code"


class KeptTemplates(BytecodeCache):
    """Translated templates in the user's cache: to translate one takes as long as to fill it in.

    What Jinja would read of its own files is run as it stands, so nothing is read that this user
    has not sealed.
    """

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take the template from the cache, if it is there."""
        if code := kept(_name_of(bucket)).get(_FILE):
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Put a translated template into the cache."""
        keep(_name_of(bucket), {_FILE: bucket.bytecode_to_string()})


def _name_of(bucket: Bucket) -> str:
    """By template and its text; another version of ours may have it translated otherwise."""
    said = f"{__version__} {bucket.key} {bucket.checksum}"
    return f"page-{hashlib.sha256(said.encode()).hexdigest()[:32]}"


@cache
def environment() -> Environment:
    """The templates; every value is text, never markup."""
    return Environment(
        loader=PackageLoader("ratingbook.cli"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=KeptTemplates(),
    )


def inline(*names: str) -> tuple[str, str]:
    """The text of styles or scripts, and what the content security policy calls it."""
    loader = environment().loader
    assert loader is not None
    text = "".join(loader.get_source(environment(), name)[0] for name in names)
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return text, f"sha256-{digest}"

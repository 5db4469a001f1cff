"""Run the command where Python has nothing of POSIX, as on Windows; a line of arguments each."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

MODULES = frozenset({"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"})
"""Of these the interpreter itself has loaded posix, which nobody asks for by name."""
NAMES = (
    "chown", "fchmod", "fchown", "fork", "getegid", "geteuid", "getgid", "getpgid", "getuid",
    "killpg", "mkfifo", "sched_getaffinity", "setsid", "statvfs", "O_DIRECTORY", "O_NOFOLLOW",
    "O_NONBLOCK", "O_CLOEXEC",
)  # fmt: skip


class Nothing(MetaPathFinder):
    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def main() -> None:
    sys.meta_path.insert(0, Nothing())
    for module in MODULES - {"posix"}:
        sys.modules.pop(module, None)
    for name in NAMES:
        if hasattr(os, name):
            delattr(os, name)
    from typer.testing import CliRunner

    from ratingbook.cli.app import app

    for line in sys.stdin:
        result = CliRunner().invoke(app, shlex.split(line))
        error = result.exception
        if error is not None and not isinstance(error, SystemExit):
            raise error
        print(result.exit_code, result.output.replace("\n", " ")[:2000])


if __name__ == "__main__":
    main()

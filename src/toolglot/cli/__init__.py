"""The command ``toolglot``. It needs the extra ``cli`` (click and rich); the rest of the package does without."""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with ``argv`` (default: the process's own arguments) and return its exit code.

    0: fine. 1: a tool of a list could not be read. 2: usage or bad input. 3: an internal error.
    """
    try:
        import click  # noqa: F401
        import rich  # noqa: F401
    except ImportError:
        print('toolglot: the command line needs click and rich: pip install "toolglot[cli]"', file=sys.stderr)
        return 2
    from .app import run

    return run(sys.argv[1:] if argv is None else list(argv))

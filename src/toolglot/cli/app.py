"""The command group, and what becomes of an error: one line on standard error and an exit code."""

from __future__ import annotations

import os
import sys
import traceback

import click

import toolglot as tg

from .dialects import dialects
from .output import complain
from .project import project

#: Set to anything to see the traceback of an internal error.
TRACEBACK_VARIABLE = "TOOLGLOT_TRACEBACK"


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 fine, 1 a tool of a list could not be read, 2 usage or bad input, 3 internal error.",
)
@click.version_option(tg.__version__, prog_name="toolglot", message="%(prog)s %(version)s")
def app() -> None:
    """One tool contract, every model's dialect.

    FILE, wherever a command takes one, is JSON: one schema, one tool (an object with name and inputSchema), a list of
    tools, a tools/list result, or a JSON-RPC response around one. "-" is standard input. A tool without inputSchema is
    one without parameters.
    """


app.add_command(project)
app.add_command(dialects)


def run(argv: list[str]) -> int:
    """Run the command group; every error ends here."""
    try:
        with app.make_context("toolglot", argv) as context:
            code = app.invoke(context)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return 2
    except click.ClickException as error:
        complain(error.format_message())
        return 2
    except click.exceptions.Exit as error:
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        complain("interrupted")
        return 130
    except BrokenPipeError:
        # The reader has gone (toolglot ... | head): end as a process that SIGPIPE ends, with nothing left to flush.
        _discard_output()
        return 141
    except OSError as error:
        _discard_output()
        complain(f"standard output cannot be written: {error.strerror or error}")
        return 2
    except (tg.UnknownDialect, tg.SchemaError) as error:
        complain(str(error))
        return 2
    except Exception as error:
        if os.environ.get(TRACEBACK_VARIABLE):
            traceback.print_exc()
        complain(f"internal error ({type(error).__name__}); set {TRACEBACK_VARIABLE}=1 to see where: {error}")
        return 3
    return code if isinstance(code, int) else 0


def _discard_output() -> None:
    """Point standard output at nothing, so that the interpreter's last flush stays silent."""
    try:
        descriptor = sys.stdout.fileno()
    except (AttributeError, OSError, ValueError):
        return
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, descriptor)
    os.close(nothing)

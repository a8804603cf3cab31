"""The command line: every job without a window. Runs where PySide6 is not installed."""

from __future__ import annotations

import json
import multiprocessing
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from minerva_desktop.cli.parser import GlobalOptions, build_parser, split_globals
from minerva_desktop.errors import Cancelled, MinervaError, UsageError

DONE, FAILED, USAGE, PARTLY = 0, 1, 2, 3


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code. Without a command the window opens."""
    multiprocessing.freeze_support()  # first: a frozen program's child processes start here too
    arguments = list(sys.argv[1:] if argv is None else argv)
    as_json = "--json" in arguments
    try:
        if arguments[:1] == ["--child"]:
            from minerva_desktop.bench import _children

            return _children.run(arguments[1:])
        options, rest = split_globals(arguments)
        as_json = options.json
        parsed = build_parser().parse_args(rest)
        if parsed.command is None:
            return _open_window(options)
        if parsed.command == "open":
            return _open_window(options, parsed.files)
        return _run(options, parsed)
    except UsageError as error:
        return _fail(error, as_json, USAGE)
    except MinervaError as error:
        return _fail(error, as_json, FAILED)
    except KeyboardInterrupt:
        return _fail(Cancelled("Stopped; what was finished is kept."), as_json, FAILED)
    except BrokenPipeError:
        sys.stderr.close()
        return FAILED


def main_window() -> int:
    """Entry point of the graphical launcher."""
    multiprocessing.freeze_support()
    return main([])


def _run(options: GlobalOptions, parsed: Any) -> int:
    from minerva_desktop.cli import commands  # the parts behind it load slowly

    result, code = commands.run(options, parsed)
    if options.json:
        print(json.dumps(result.data, ensure_ascii=False, indent=2, allow_nan=False))
    elif result.text:
        print(result.text)
    sys.stdout.flush()
    return code


def _fail(error: MinervaError, as_json: bool, code: int) -> int:
    if as_json:
        print(
            json.dumps(
                {"error": {"code": error.code, "message": error.message, "hint": error.hint}}, ensure_ascii=False
            )
        )
    else:
        print(f"minerva-desktop: {error.message}", file=sys.stderr)
        if error.hint:
            print(error.hint, file=sys.stderr)
    return code


def _open_window(options: GlobalOptions, files: list[Path] | None = None) -> int:
    from minerva_desktop import display
    from minerva_desktop.settings import load_settings

    problem = display.no_window()
    if problem is not None:
        display.tell_on_desktop(f"{problem.message}\n{problem.hint}")
        raise problem
    try:
        from minerva_desktop.ui.app import run
    except ImportError as error:
        raise MinervaError(
            f"The window cannot be opened, because Qt cannot be loaded: {error}.",
            hint="“minerva-desktop doctor” names what is missing. Every command works without the window.",
            code="no-window",
        ) from error
    return run(options.library, load_settings(), offline=options.offline, files=files)


if __name__ == "__main__":
    sys.exit(main())

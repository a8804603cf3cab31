"""What the grammar of the command line is made with: parsers that raise, groups of commands, kinds of values."""

from __future__ import annotations

import argparse
import re
from typing import NoReturn

from minerva_desktop.errors import UsageError


class Parser(argparse.ArgumentParser):
    """Raises instead of printing, so that ``--json`` holds for wrong usage too."""

    def error(self, message: str) -> NoReturn:
        message = re.sub(r"\bsk-[\w-]+", "…", message)  # a key in the wrong place is not repeated
        raise UsageError(f"{message[:1].upper()}{message[1:]}.", hint=f"See “{self.prog} --help”.")


Commands = argparse._SubParsersAction  # the class has no public name


def group(commands: Commands[Parser], name: str, text: str, dest: str = "action") -> Commands[Parser]:
    parser = commands.add_parser(name, help=text)
    return parser.add_subparsers(dest=dest, metavar=dest.upper(), required=True, parser_class=Parser)


def page_numbers(text: str) -> list[int]:
    from minerva_desktop.cli.reading import pages  # what is behind it loads slowly

    try:
        return pages(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{text}” names no pages, such as 3,5 or 2-4") from None


def positive(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"“{text}” is not a number above 0")
    return number

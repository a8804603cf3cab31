"""The grammar of ``models``."""

from __future__ import annotations

import argparse

from minerva_desktop.cli.grammar import Commands, Parser, positive
from minerva_desktop.errors import UsageError


def add_models(group: Commands[Parser]) -> None:
    group.add_parser("list", help="the servers that are known, which is in use, and where their keys are kept")
    add = group.add_parser("add", help="add a server, or change what is named of one")
    add.add_argument("name", metavar="NAME", help="openai, ollama, lmstudio, llamacpp and vllm need no --url")
    add.add_argument("--url", metavar="URL", help="such as http://127.0.0.1:11434/v1")
    add.add_argument("--model", metavar="M", help="the model for all roles that are not named")
    add.add_argument("--role", metavar="ROLE=MODEL", action="append", default=[], help="may be repeated")
    add.add_argument("--no-key", action="store_true", help="send no key to this server")
    add.add_argument("--context", metavar="N", type=int, help="tokens that the model can read at once; 0 = find out")
    add.add_argument("--price-in", metavar="X", help="US dollars for a million tokens read")
    add.add_argument("--price-out", metavar="Y", help="US dollars for a million tokens written")
    add.add_argument("--key", dest="typed_key", nargs="?", action=_NoSecret, help=argparse.SUPPRESS)
    use = group.add_parser("use", help="ask the models of this server from now on")
    use.add_argument("name", metavar="NAME", help="or none")
    group.add_parser("remove", help="forget a server and its key").add_argument("name", metavar="NAME")
    key = group.add_parser("key", help="keep the key of a server; it is read from standard input or asked for")
    key.add_argument("name", metavar="NAME")
    key.add_argument("--forget", action="store_true", help="take the key out of where it is kept")
    key.add_argument("typed_key", nargs="*", action=_NoSecret, help=argparse.SUPPRESS)
    key.add_argument("--key", dest="typed_key", nargs="?", action=_NoSecret, help=argparse.SUPPRESS)
    test = group.add_parser("test", help="ask a server once what it can do")
    test.add_argument("name", metavar="NAME", nargs="?", default="", help="the one in use, when none is named")
    calls = group.add_parser("calls", help="what was asked of models, newest first")
    calls.add_argument("--limit", type=positive, default=50)
    calls.add_argument("--job", metavar="ID", default="", help="only what this job asked")
    calls.add_argument("--clear", action="store_true", help="forget them")
    group.add_parser("spending", help="tokens and dollars of this month, and the limits")


class _NoSecret(argparse.Action):
    """A key on the command line would stand in the shell's history, and other programs could read it."""

    def __call__(self, parser: argparse.ArgumentParser, _: object, values: object, option: str | None = None) -> None:
        if values or option:
            raise UsageError(
                "A key is not taken from the command line, where others can read it.",
                hint="“models key NAME” asks for it, or reads it from standard input.",
            )

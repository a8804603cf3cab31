"""The grammar of the command line. Global options stand before or after the command."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from minerva_desktop import __version__
from minerva_desktop.cli import review
from minerva_desktop.cli.grammar import Commands, Parser, group, page_numbers, positive
from minerva_desktop.cli.grammar_looking import add_bench, add_inspect
from minerva_desktop.cli.grammar_models import add_models
from minerva_desktop.errors import UsageError


@dataclass(frozen=True, slots=True)
class GlobalOptions:
    library: Path | None = None
    offline: bool = False
    json: bool = False


def split_globals(arguments: Sequence[str]) -> tuple[GlobalOptions, list[str]]:
    """Take ``--library DIR``, ``--offline`` and ``--json`` out of the arguments, wherever they stand before ``--``."""
    library: Path | None = None
    offline = as_json = False
    rest: list[str] = []
    words = iter(arguments)
    for word in words:
        if word == "--":
            rest.extend([word, *words])
        elif word == "--offline":
            offline = True
        elif word == "--json":
            as_json = True
        elif word == "--library":
            value = next(words, None)
            if not value:
                raise UsageError("--library needs a folder.", hint="For example: --library ~/papers/library")
            library = Path(value).expanduser()
        elif word.startswith("--library="):
            library = Path(word.partition("=")[2]).expanduser()
        else:
            rest.append(word)
    return GlobalOptions(library, offline, as_json), rest


def build_parser() -> argparse.ArgumentParser:
    """The parser of everything but the global options."""
    parser = Parser(
        prog="minerva-desktop",
        description="A research library that reads papers and shows where every statement comes from. "
        "Without a command the window opens.",
        epilog="Global options, before or after the command: --library DIR, --offline, --json.",
    )
    parser.add_argument("--version", action="version", version=f"minerva-desktop {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    _papers(commands)
    _asking(commands)
    _numbers(commands)
    _deciding(commands)
    _keeping(commands)
    return parser


def _entities(entities: Commands[Parser]) -> None:
    entities.add_parser("suggest", help="which may be one, and why")
    entities.add_parser("merged", help="which were made one")
    for name, text, other in (
        ("merge", "make two one, under the second's name", "into"),
        ("split", "take one out of another again", ""),
        ("alias", "another name under which one is found", "alias"),
        ("dismiss", "say that two are not the same, so that it is not suggested again", "other"),
    ):
        command = entities.add_parser(name, help=text)
        command.add_argument("name", metavar="NAME")
        if other:
            command.add_argument(other, metavar=other.upper())
        command.add_argument("--type", metavar="T", help="such as Material, where the name alone is not enough")


def _papers(commands: Commands[Parser]) -> None:
    commands.add_parser("demo", help="build a throw-away library from the sample papers and ask it two questions")
    ingest = commands.add_parser("ingest", help="read papers into the library")
    ingest.add_argument("paths", nargs="+", metavar="PATH", type=Path)
    ingest.add_argument("--password", help="for encrypted files")
    ingest.add_argument(
        "--ocr", action="store_true", help="recognise the text of scans (seconds a page; needs Tesseract)"
    )
    _engine(ingest)
    _estimate(ingest)
    _web(commands)
    find = commands.add_parser("find", help="passages of my library")
    find.add_argument("query", metavar="QUERY")
    find.add_argument("--limit", type=positive, default=10)
    where = commands.add_parser("whereis", help="where a sentence, a quotation or a number with its unit stands")
    where.add_argument("text", metavar="TEXT", help="- for standard input")
    where.add_argument("--limit", type=positive, default=10)
    commands.add_parser("papers", help="the papers of the library")
    remove = commands.add_parser("remove", help="take a paper out of the library (undo brings it back)")
    remove.add_argument("paper", metavar="PAPER", help="id, sha256 prefix, DOI or file name")
    jobs = group(commands, "jobs", "history of the reading jobs")
    jobs.add_parser("list", help="all jobs")
    for name, text in (("show", "one job with its files"), ("cancel", "stop a job"), ("resume", "go on with a job")):
        job = jobs.add_parser(name, help=text)
        job.add_argument("id", metavar="ID")
        if name == "resume":
            _engine(job)
    textbook = group(commands, "textbook", "the textbooks that facts are checked with")
    add = textbook.add_parser("add", help="add textbooks (PDF, Markdown, text)")
    add.add_argument("paths", nargs="+", metavar="PATH", type=Path)
    add.add_argument("--level", type=int, choices=(1, 2, 3, 4), help="1 (introduction) to 4 (advanced)")
    add.add_argument(
        "--engine", choices=("builtin", "model"), default="builtin", help="who holds the facts you have against them"
    )
    textbook.add_parser("list", help="the textbooks")
    out = textbook.add_parser("remove", help="take a textbook out (undo brings it back)")
    out.add_argument("textbook", metavar="TEXTBOOK", help="id, beginning of an id, title or file name")
    _lexicon(group(commands, "lexicon", "teach the program names, units and what to leave out"))
    _entities(group(commands, "entities", "materials, methods and other things that are one under two names"))
    again = commands.add_parser("reextract", help="take the facts of papers anew, with the lexicon as it is now")
    again.add_argument("papers", nargs="*", metavar="PAPER", help="id, sha256 prefix, DOI or file name; none = all")
    _engine(again)
    _estimate(again)
    describe = commands.add_parser("describe", help="let a model describe the figures and equations of a paper")
    describe.add_argument("paper", metavar="PAPER", help="id, sha256 prefix, DOI or file name")
    describe.add_argument(
        "--pages", type=page_numbers, metavar="3,5", help="these pages; else those that have something"
    )


def _engine(command: Parser) -> None:
    command.add_argument(
        "--engine",
        choices=("builtin", "model"),
        default="auto",
        help="the rules alone, or a language model beside them; else the model when one is in use",
    )


def _estimate(command: Parser) -> None:
    command.add_argument("--estimate", action="store_true", help="only say what a model would take; nothing is sent")


def _web(commands: Commands[Parser]) -> None:
    search = commands.add_parser("search", help="papers on the web: words, a DOI, an arXiv id, a PMID or an address")
    search.add_argument(
        "query", metavar="QUERY", help="words or an identifier; - for a list of references on standard input"
    )
    search.add_argument("--max-per-source", type=positive, metavar="N", help="most results of each source (1 to 200)")
    search.add_argument(
        "--source",
        action="append",
        choices=("arxiv", "openalex", "crossref", "semanticscholar"),
        help="may be repeated",
    )
    search.add_argument("--years", metavar="A-B", help="such as 2015-2020, 2015- or -2020")
    search.add_argument("--ingest", action="store_true", help="take what is found into the library")
    _engine(search)
    commands.add_parser("duplicates", help="papers that are likely versions of one work")
    merge = commands.add_parser("merge", help="call papers versions of one work (undo takes them apart)")
    merge.add_argument("paper", metavar="PAPER", help="the one that the others are versions of")
    merge.add_argument("others", metavar="OTHER", nargs="+")
    commands.add_parser("split", help="call a version a work of its own again").add_argument("paper", metavar="PAPER")
    watch = commands.add_parser("watch", help="folders whose new PDFs are taken in by themselves")
    watch.add_argument("folder", metavar="DIR", nargs="?", type=Path, help="watch this one from now on")
    watch.add_argument("--only-new", action="store_true", help="leave out what is in it already")
    watch.add_argument("--once", action="store_true", help="look once for what is new")
    watch.add_argument("--stop", metavar="DIR", type=Path, help="watch it no more")
    notices = commands.add_parser("notices", help="papers that were retracted or corrected")
    notices.add_argument("--check", action="store_true", help="ask Crossref and OpenAlex first")
    network = commands.add_parser("network", help="every request that was made")
    network.add_argument("--limit", type=positive, default=100)
    network.add_argument("--clear", action="store_true", help="forget them")


def _lexicon(group: Commands[Parser]) -> None:
    kinds = "materials, properties, methods, applications, aliases, units or blacklist"

    def action(name: str, text: str) -> Parser:
        parser = group.add_parser(name, help=text)
        parser.add_argument("lexicon_kind", metavar="KIND", help=kinds)
        return parser

    listing = group.add_parser("list", help="what you taught, and what of it is left out")
    listing.add_argument("lexicon_kind", metavar="KIND", nargs="?", help=kinds)
    action("add", "teach one thing, or change the one of that name").add_argument(
        "cells", nargs="+", metavar="KEY=VALUE", help="a column and what stands in it; several names joined by “;”"
    )
    action("remove", "take it back").add_argument("name", metavar="NAME")
    action("import", "take over the rows of a CSV file").add_argument("file", metavar="FILE", type=Path)
    group.add_parser("export", help="write the lexicon as CSV files").add_argument("dir", metavar="DIR", type=Path)
    group.add_parser("check", help="name every row that is left out and why")


def _asking(commands: Commands[Parser]) -> None:
    ask = commands.add_parser("ask", help="answer a question from the library, with citations")
    ask.add_argument("question", metavar="QUESTION")
    ask.add_argument("--route", choices=("auto", "graph", "vector", "hybrid"), default="auto")
    ask.add_argument(
        "--engine",
        choices=("auto", "builtin", "model", "both"),
        default="auto",
        help="who writes the query and words the answer; auto: a language model where one is in use",
    )
    ask.add_argument("--accepted-only", action="store_true", help="leave out what waits for review")
    ask.add_argument(
        "--after", metavar="QUESTION", default="", help="the question before it, for one that goes on: “and of AlN?”"
    )
    ask.add_argument(
        "--explain", action="store_true", help="show how it was answered: what was understood, looked at, and how long"
    )
    ask.add_argument(
        "--format",
        choices=("text", "markdown", "json"),
        default="text",
        help="text and markdown number their references; json is --json",
    )
    asked = group(commands, "asked", "the questions that were asked (with --json nothing is kept)")
    listed = asked.add_parser("list", help="latest first")
    listed.add_argument("--text", metavar="WORDS", default="", help="only those with these words, also in the answer")
    listed.add_argument("--limit", type=positive, default=50)
    asked.add_parser("show", help="the answer as it was given, as Markdown").add_argument("id", metavar="ID")
    forget = asked.add_parser("forget", help="take questions out of the history")
    forget.add_argument("ids", metavar="ID", nargs="*")
    forget.add_argument("--all", action="store_true", help="all of them")
    cypher = commands.add_parser("cypher", help="a read-only Cypher query on the graph")
    cypher.add_argument("query", metavar="QUERY")
    graph = group(commands, "graph", "the graph of accepted facts")
    graph.add_parser("stats", help="how many nodes and edges of each type")
    graph.add_parser("nodes", help="up to 200 nodes")
    graph.add_parser("show", help="what is known around a node").add_argument("name", metavar="NAME")
    path = graph.add_parser("path", help="the accepted facts that join two nodes on the shortest way")
    path.add_argument("source", metavar="NAME")
    path.add_argument("target", metavar="OTHER")
    rank = graph.add_parser("rank", help="the best connected nodes (PageRank)")
    rank.add_argument("--near", action="append", metavar="NAME", help="seen from this node; may be given again")
    rank.add_argument("--limit", type=positive, default=20)
    groups = graph.add_parser("groups", help="nodes that are joined more among themselves (communities)")
    groups.add_argument("--resolution", type=float, default=1.0, help="higher: more and smaller groups (default 1)")


def _numbers(commands: Commands[Parser]) -> None:
    values = commands.add_parser("values", help="all values of a property across papers, in one unit")
    values.add_argument(
        "property", metavar="PROPERTY", nargs="?", help="such as band_gap; without one: those there are"
    )
    values.add_argument("--material", metavar="NAME", action="append", default=[], help="may be repeated")
    values.add_argument("--unit", metavar="U", help="such as meV; else the property's own")
    values.add_argument("--status", choices=("accepted", "waiting", "all"), default="all")
    values.add_argument("--accepted-only", action="store_true", help="leave out what waits for review")
    values.add_argument("--csv", action="store_true", help="a table for a spreadsheet")
    disagreements = commands.add_parser("disagreements", help="materials on whose values papers disagree")
    disagreements.add_argument("property", metavar="PROPERTY", nargs="?", help="such as band_gap; without one: all")
    disagreements.add_argument("--accepted-only", action="store_true", help="leave out what waits for review")


def _deciding(commands: Commands[Parser]) -> None:
    review.add_parsers(group(commands, "review", "what waits for a decision, and deciding it"), positive)
    commands.add_parser("undo", help="take the last change back")
    commands.add_parser("redo", help="do the last undone change again")
    history = commands.add_parser("history", help="what was changed, newest first")
    history.add_argument("--limit", type=positive, default=50)


def _keeping(commands: Commands[Parser]) -> None:
    sets = group(commands, "questions", "question sets over your own library: what the answers are worth")
    make = sets.add_parser("make", help="draft a set from the accepted facts, for you to edit")
    make.add_argument("file", metavar="FILE", type=Path, help="the question set to write (.toml)")
    make.add_argument("--most", metavar="N", type=int, default=60, help="at most so many questions (60)")
    put = sets.add_parser("run", help="ask every question of a set; what comes of it is kept among the runs")
    put.add_argument("file", metavar="FILE", type=Path, help="the question set")
    put.add_argument("--split", metavar="HALF", choices=("dev", "test"), default="", help="one half of the questions")
    runs = group(commands, "runs", "what each reading of papers found, and how two of them differ")
    runs.add_parser("list", help="all runs, newest first")
    runs.add_parser("show", help="one run: what it was made of and what it found").add_argument("run", metavar="ID")
    diff = runs.add_parser("diff", help="facts that only one of two runs found, and those that changed")
    diff.add_argument("a", metavar="A")
    diff.add_argument("b", metavar="B")
    audit = commands.add_parser("audit", help="check that record, graph, search index and files agree")
    audit.add_argument(
        "--repair", action="store_true", help="make anew what follows from the record and does not fit it"
    )
    audit.add_argument("--strict", action="store_true", help="fail on warnings too")
    commands.add_parser("rebuild", help="make graph and vectors anew from the catalog")
    export = commands.add_parser("export", help="take the library along")
    export.add_argument(
        "format",
        choices=("canonical", "gold"),
        help="canonical: what the library knows; gold: your decisions with what was read and where",
    )
    export.add_argument("out", metavar="OUT", type=Path)
    importing = commands.add_parser("import", help="bring a bibliography or a Zotero folder with its papers")
    importing.add_argument("file", metavar="FILE", type=Path)
    importing.add_argument("--dry-run", action="store_true", help="only show the records and their files")
    _engine(importing)
    settings = group(commands, "settings", "read and change settings")
    settings.add_parser("get", help="one setting or all").add_argument("key", nargs="?", metavar="KEY")
    change = settings.add_parser("set", help="change a setting")
    change.add_argument("key", metavar="KEY")
    change.add_argument("value", metavar="VALUE")
    add_models(group(commands, "models", "language models that you may let help: servers, keys, what they cost"))
    add_inspect(commands)
    add_bench(commands)
    opened = commands.add_parser("open", help="open the window, and read these files into the library")
    opened.add_argument("files", metavar="FILE", nargs="*", type=Path)
    commands.add_parser("doctor", help="say what works here and what is missing")

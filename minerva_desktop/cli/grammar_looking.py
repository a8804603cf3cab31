"""The grammar of ``inspect`` and ``bench``."""

from __future__ import annotations

from pathlib import Path

from minerva_desktop.cli.grammar import Commands, Parser, group


def add_inspect(commands: Commands[Parser]) -> None:
    inspect = group(commands, "inspect", "what one part makes of one input", dest="kind")
    value = inspect.add_parser("value", help="a value as written")
    value.add_argument("text", metavar="TEXT")
    value.add_argument("--property", metavar="P", dest="property_id")
    inspect.add_parser("formula", help="a chemical formula").add_argument("text", metavar="TEXT")
    inspect.add_parser("material", help="a material string taken apart").add_argument("text", metavar="TEXT")
    for kind, text in (
        ("quantities", "every quantity of a text file (- for standard input)"),
        ("links", "which entities belong together (JSON: text, and entities unless they are to be found)"),
        ("document", "what was read of a file, without its sentences"),
        ("sentences", "the sentences of a file with their places"),
        ("relations", "candidates and what every check says of them"),
        ("critic", "the critic on entities and relations given as JSON"),
        ("gold", "how the rules do on a gold set (export gold): precision and recall by relation"),
        ("duplicates", "which records of a JSON list are one paper, and what they give together"),
    ):
        command = inspect.add_parser(kind, help=text)
        command.add_argument("files", nargs="+", metavar="FILE")
        if kind in {"document", "sentences", "relations"}:
            command.add_argument("--password")
        if kind in {"relations", "critic", "links", "gold"}:
            command.add_argument("--domain", metavar="D")
        if kind == "relations":
            command.add_argument("--explain", action="store_true", help="name the rule and what triggered it")
    verdict = inspect.add_parser("verdict", help="a claim against a passage, or a model's reply as it is parsed")
    verdict.add_argument("text", metavar="TEXT")
    verdict.add_argument("--passage", metavar="P")
    inspect.add_parser("cypher", help="whether a query may run").add_argument("text", metavar="TEXT")
    relevance = inspect.add_parser("relevance", help="whether a search would keep a paper with this title")
    relevance.add_argument("--query", required=True, metavar="Q")
    relevance.add_argument("--title", required=True, metavar="T")
    relevance.add_argument("--abstract", default="", metavar="A")
    relevance.add_argument("--domain", metavar="D", help="the domain pack whose names count")
    inspect.add_parser("question", help="type, route, concepts and entities").add_argument("text", metavar="TEXT")


def add_bench(commands: Commands[Parser]) -> None:
    bench = commands.add_parser("bench", help="measure")
    bench.add_argument("name", metavar="NAME", nargs="?", help="without a name: the benchmarks there are")
    bench.add_argument("--data", metavar="DIR", type=Path)
    bench.add_argument(
        "--sentences", metavar="N", type=int, help="extract-speed: go through the papers for N sentences"
    )
    bench.add_argument("--relations", metavar="N", type=int, help="graph: how many the large library has (500000)")
    bench.add_argument(
        "--set", metavar="FILE", type=Path, dest="questions", help="ask: your questions, over the library of --library"
    )
    bench.add_argument(
        "--split", metavar="HALF", choices=("dev", "test"), help="ask, multihop, scifact, retrieval-peers: one half"
    )
    bench.add_argument(
        "--cache", metavar="DIR", type=Path, help="scifact, retrieval-peers: keep vectors there for the next time"
    )
    bench.add_argument(
        "--curve", action="store_true", help="ask: precision and coverage over how strong evidence must be"
    )
    bench.add_argument("--kills", metavar="N", type=int, help="graph: how often a writing process is killed (200)")
    bench.add_argument(
        "--sizes", metavar="N,N", type=_sizes, help="ask-latency: numbers of passages (10000,100000; also 1000000)"
    )
    bench.add_argument("--plot", metavar="FILE", type=Path, help="ask-latency: a PNG of the growth")
    bench.add_argument("--folder", metavar="DIR", type=Path, help="smoke: keep library, settings and caches here")
    bench.add_argument("--shots", metavar="DIR", type=Path, help="smoke: keep a picture of the window after each step")


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(int(item) for item in text.split(","))

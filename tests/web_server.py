"""Servers on this machine that behave as the real services do: they check path, parameters and headers as those do, and
answer in their form. Faults are put in front of the answers."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

HTML = b"<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in to the network.</body></html>"


@dataclass
class Request:
    """What arrived, and when (monotonic seconds)."""

    path: str
    parameters: dict[str, str]
    headers: dict[str, str]
    time: float
    raw: str


Answer = tuple[int, dict[str, str], bytes]
Fault = Callable[["Handler"], bool]
"""Sends something else than the answer; ``False`` = go on to the answer after all."""


@dataclass
class Server:
    """One service. ``faults`` are used up one by one, each by one request; ``always`` stays."""

    answer: Callable[[Request], Answer]
    faults: list[Fault] = field(default_factory=list)
    always: Fault | None = None
    delay: float = 0.0
    seen: list[Request] = field(default_factory=list)
    url: str = ""
    busy: int = 0
    most_at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def host(self) -> str:
        return self.url.removeprefix("http://")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    service: Server

    def do_GET(self) -> None:
        server = self.service
        parts = urlsplit(self.path)
        parameters = {name: values[-1] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
        request = Request(
            parts.path, parameters, {k.lower(): v for k, v in self.headers.items()}, time.monotonic(), self.path
        )
        with server.lock:
            server.seen.append(request)
            server.busy += 1
            server.most_at_once = max(server.most_at_once, server.busy)
            fault = server.faults.pop(0) if server.faults else server.always
        try:
            if server.delay:
                time.sleep(server.delay)
            if fault is None or not fault(self):
                self.reply(*server.answer(request))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            with server.lock:
                server.busy -= 1

    def reply(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if "Content-Length" not in headers:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


@contextmanager
def serve(*servers: Server) -> Iterator[None]:
    """Run servers, each on a port of its own."""
    running = []
    for server in servers:
        handler = type("Bound", (Handler,), {"service": server})
        running.append(_Quiet(("127.0.0.1", 0), handler))
        server.url = f"http://127.0.0.1:{running[-1].server_address[1]}"
        threading.Thread(target=running[-1].serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield
    finally:
        for one in running:
            one.shutdown()
            one.server_close()


# ------------------------------------------------------------------------------------------------------------ faults
def status(code: int, headers: dict[str, str] | None = None, body: bytes = b"no") -> Fault:
    return lambda handler: handler.reply(code, headers or {}, body) or True


def body(data: bytes, kind: str = "application/json", code: int = 200) -> Fault:
    return lambda handler: handler.reply(code, {"Content-Type": kind}, data) or True


def half_sent(data: bytes = b'{"status": "ok", "mess') -> Fault:
    def send(handler: Handler) -> bool:
        handler.reply(200, {"Content-Type": "application/json", "Content-Length": str(len(data) * 4)}, data)
        handler.close_connection = True
        return True

    return send


def loris(seconds: float = 30.0) -> Fault:
    """A byte now and then, for ever."""

    def send(handler: Handler) -> bool:
        handler.reply(200, {"Content-Type": "application/json", "Content-Length": "100000"}, b"{")
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(0.03)
        return True

    return send


def endless(kind: str = "application/json") -> Fault:
    """More than anyone wants, without saying how much."""

    def send(handler: Handler) -> bool:
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.close_connection = True
        for _ in range(20_000):
            handler.wfile.write(b" " * 65536)
        return True

    return send


def redirect(to: str, code: int = 302) -> Fault:
    return status(code, {"Location": to}, b"")


# ---------------------------------------------------------------------------------------------------------- services
ELEMENTS = "niobium tantalum titanium hafnium vanadium molybdenum tungsten rhenium gallium indium".split()


def work(number: int) -> dict[str, Any]:
    """A made-up work."""
    element = ELEMENTS[number % len(ELEMENTS)]
    return {
        "number": number,
        "title": f"Superconducting {element} nitride films of series {number}",
        "authors": [("Ada", f"Berg{number}"), ("Chen", "Dahl")],
        "year": 2000 + number % 25,
        "doi": f"10.5555/films.{number}",
        "abstract": f"We grow {element} nitride films and measure Tc = {number} K where x<y and the thickness d > 5 nm.",
    }


def arxiv_answer(total: int = 500) -> Callable[[Request], Answer]:
    """The Atom interface over ``total`` made-up works; an identifier of work n is 2101.0000n, zero-filled."""

    def answer(request: Request) -> Answer:
        given = request.parameters
        known = {"search_query", "id_list", "start", "max_results", "sortBy", "sortOrder"}
        if request.path != "/api/query" or not set(given) <= known:
            return 404, {}, b"not here"
        if given.get("sortBy", "relevance") not in ("relevance", "lastUpdatedDate", "submittedDate"):
            return (
                400,
                {"Content-Type": "application/atom+xml"},
                _atom([_atom_error("sortBy must be in: relevance")], 1),
            )
        start, most = int(given.get("start", "0")), int(given.get("max_results", "10"))
        names = [name for name in given.get("id_list", "").split(",") if name]
        for name in names:
            if not re.fullmatch(r"\d{4}\.\d{4,5}(v\d+)?|[a-z.-]+/\d{7}(v\d+)?", name):
                return (
                    400,
                    {"Content-Type": "application/atom+xml"},
                    _atom([_atom_error(f"incorrect id format for {name}")], 1),
                )
        if names:
            numbers = [int(name.split(".")[1].split("v")[0]) for name in names if name.startswith("2101.")]
            found = [number for number in numbers if number < total]
            return 200, {"Content-Type": "application/atom+xml"}, _atom([_atom_entry(n) for n in found], len(found))
        if not given.get("search_query"):
            return 200, {"Content-Type": "application/atom+xml"}, _atom([], 0)
        numbers = list(range(start, min(start + most, total)))
        return 200, {"Content-Type": "application/atom+xml"}, _atom([_atom_entry(n) for n in numbers], total)

    return answer


def _atom(entries: list[str], total: int) -> bytes:
    return f"""<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">
  <id>https://arxiv.org/api/x</id><title>arXiv Query</title><updated>2026-01-01T00:00:00Z</updated>
  <opensearch:itemsPerPage>10</opensearch:itemsPerPage>
  <opensearch:totalResults>{total}</opensearch:totalResults>
  <opensearch:startIndex>0</opensearch:startIndex>
{"".join(entries)}</feed>""".encode()


def _atom_entry(number: int) -> str:
    made = work(number)
    people = "".join(f"<author><name>{given} {family}</name></author>" for given, family in made["authors"])
    name = f"2101.{number:05d}v2"
    return f"""<entry><id>http://arxiv.org/abs/{name}</id><title>{made["title"]}</title>
<updated>2021-02-01T00:00:00Z</updated><published>{made["year"]}-01-05T00:00:00Z</published>
<link href="https://arxiv.org/abs/{name}" rel="alternate" type="text/html"/>
<link href="https://arxiv.org/pdf/{name}" rel="related" type="application/pdf" title="pdf"/>
<summary>  {escape(made["abstract"])}
</summary><arxiv:doi>{made["doi"].upper()}</arxiv:doi>{people}</entry>"""


def _atom_error(said: str) -> str:
    return f"""<entry><id>https://arxiv.org/api/errors#{said.replace(" ", "_")}</id><title>Error</title>
<summary>{said}</summary><author><name>arXiv api core</name></author></entry>"""


def openalex_answer(total: int = 500, key: str = "") -> Callable[[Request], Answer]:
    """Works of OpenAlex. With ``key`` only that key is taken; its budget is in the headers."""

    def answer(request: Request) -> Answer:
        given = dict(request.parameters)
        budget = {
            "Content-Type": "application/json",
            "X-RateLimit-Limit-USD": "1",
            "X-RateLimit-Remaining-USD": "0.984",
            "X-RateLimit-Remaining": "9840",
        }
        if given.get("api_key", key) != key:
            return 401, {"Content-Type": "application/json"}, b'{"error": "Unauthorized", "message": "Invalid API key"}'
        single = re.fullmatch(
            r"/works/(?:https://doi\.org/(?P<doi>.+)|pmid:(?P<pmid>\d+)|pmcid:PMC\d+)", unquote(request.path)
        )
        if single:
            found = re.fullmatch(r"10\.5555/films\.(\d+)", single["doi"] or "10.5555/films.7")
            if found is None:
                return 404, {"Content-Type": "text/html"}, b"<!doctype html><title>404 Not Found</title>"
            return 200, budget, json.dumps(_openalex_work(int(found[1]))).encode()
        known = {"search", "filter", "per-page", "per_page", "page", "cursor", "sort", "select", "api_key", "mailto"}
        if request.path != "/works":
            return 404, {"Content-Type": "text/html"}, b"<!doctype html><title>404 Not Found</title>"
        if not set(given) <= known:
            said = f"{', '.join(sorted(set(given) - known))} is not a valid parameter."
            return 400, budget, json.dumps({"error": "Invalid query parameters error.", "message": said}).encode()
        per_page, page = int(given.get("per-page", given.get("per_page", "25"))), int(given.get("page", "1"))
        if not 1 <= per_page <= 100:
            return (
                400,
                budget,
                b'{"error": "Pagination error.", "message": "per-page parameter must be between 1 and 100"}',
            )
        numbers = range((page - 1) * per_page, min(page * per_page, total))
        meta = {"count": total, "db_response_time_ms": 20, "page": page, "per_page": per_page, "groups_count": None}
        works = [_openalex_work(number) for number in numbers]
        return 200, budget, json.dumps({"meta": meta, "results": works, "group_by": []}).encode()

    return answer


def _openalex_work(number: int) -> dict[str, Any]:
    made = work(number)
    index: dict[str, list[int]] = {}
    for place, word in enumerate(made["abstract"].split()):
        index.setdefault(word, []).append(place)
    doi = f"https://doi.org/{made['doi']}"
    return {
        "id": f"https://openalex.org/W{number}",
        "doi": doi,
        "title": made["title"],
        "display_name": made["title"],
        "publication_year": made["year"],
        "type": "article",
        "ids": {
            "openalex": f"https://openalex.org/W{number}",
            "doi": doi,
            "pmid": f"https://pubmed.ncbi.nlm.nih.gov/{900 + number}",
        },
        "open_access": {"is_oa": True, "oa_status": "gold", "oa_url": f"https://example.org/{number}"},
        "primary_location": {
            "source": {"display_name": "Journal of Films"},
            "is_oa": True,
            "pdf_url": None,
            "landing_page_url": doi,
        },
        "best_oa_location": None,
        "locations": [],
        "authorships": [{"author": {"display_name": f"{given} {family}"}} for given, family in made["authors"]],
        "is_retracted": number == 13,
        "abstract_inverted_index": dict(reversed(index.items())),
    }


_SELECTS = frozenset(
    "abstract URL resource member posted score created degree update-policy short-title license ISSN container-title issued "
    "update-to issue prefix approved indexed article-number clinical-trial-number accepted author group-title DOI "
    "is-referenced-by-count updated-by event chair standards-body original-title funder translator published archive "
    "published-print alternative-id subject subtitle published-online publisher-location content-domain reference title link "
    "type publisher volume references-count ISBN issn-type assertion deposited page content-created short-container-title "
    "relation editor".split()
)


def crossref_answer(total: int = 500) -> Callable[[Request], Answer]:
    """Works of Crossref, with its complaints."""
    kind = {"Content-Type": "application/json;charset=utf-8", "x-api-pool": "polite"}

    def answer(request: Request) -> Answer:
        given = request.parameters
        agent = request.headers.get("user-agent", "")
        if "mailto" in given and f"mailto:{given['mailto']}" not in agent:
            return 400, kind, b'{"status":"failed"}'
        single = re.fullmatch(r"/works/(?P<doi>[^/]+)", request.path)
        if single:
            found = re.fullmatch(r"10\.5555/films\.(\d+)", unquote(single["doi"]))
            if found is None:
                return 404, {"Content-Type": "text/plain"}, b"Resource not found."
            message = {
                "status": "ok",
                "message-type": "work",
                "message-version": "1.0.0",
                "message": _crossref_work(int(found[1])),
            }
            return 200, kind, json.dumps(message).encode()
        known = set(
            "query query.bibliographic query.author rows offset cursor filter select sort order mailto sample".split()
        )
        wrong = [name for name in given if name not in known]
        wrong += [name for name in given.get("select", "DOI").split(",") if name not in _SELECTS]
        if request.path != "/works" or wrong or not 0 <= int(given.get("rows", "20")) <= 1000:
            said = [
                {"type": "unknown-parameter", "value": name, "message": f"Parameter {name} is not known."}
                for name in wrong
            ]
            return (
                400,
                kind,
                json.dumps({"status": "failed", "message-type": "validation-failure", "message": said}).encode(),
            )
        start, rows = int(given.get("offset", "0")), int(given.get("rows", "20"))
        numbers = list(range(start, min(start + rows, total)))
        exact = re.search(r"of series (\d+)", given.get("query.bibliographic", ""))
        if exact:
            numbers = [int(exact[1]), *[number for number in numbers if number != int(exact[1])]][:rows]
        message = {
            "facets": {},
            "total-results": total,
            "items-per-page": rows,
            "items": [_crossref_work(n) for n in numbers],
        }
        return 200, kind, json.dumps({"status": "ok", "message-type": "work-list", "message": message}).encode()

    return answer


def _crossref_work(number: int) -> dict[str, Any]:
    made = work(number)
    return {
        "DOI": made["doi"].upper(),
        "type": "journal-article",
        "title": [made["title"].replace("nitride", "<i>nitride</i>")],
        "author": [
            {"given": given, "family": family, "sequence": "first", "affiliation": []}
            for given, family in made["authors"]
        ],
        "issued": {"date-parts": [[made["year"], 5]]},
        "container-title": ["Journal of Films"],
        "abstract": f"<jats:title>Abstract</jats:title><jats:p>{escape(made['abstract'])}</jats:p>",
        "URL": f"https://doi.org/{made['doi']}",
    }


def unpaywall_answer(pdf: str = "https://example.org/open.pdf") -> Callable[[Request], Answer]:
    """Unpaywall; it insists on an e-mail."""
    kind = {"Content-Type": "application/json"}

    def answer(request: Request) -> Answer:
        if not re.fullmatch(r"[^@\s]+@[^@\s]+\.[a-z]+", request.parameters.get("email", "")):
            return 422, kind, b'{"error": true, "message": "Email address required in API call"}'
        found = re.fullmatch(r"/v2/10\.5555/films\.(\d+)", request.path)
        if found is None:
            return 404, kind, b'{"error": true, "message": "not in our database"}'
        made = work(int(found[1]))
        place = {
            "url": pdf,
            "url_for_pdf": pdf,
            "url_for_landing_page": None,
            "is_best": True,
            "host_type": "repository",
        }
        data = {
            "doi": made["doi"],
            "doi_url": f"https://doi.org/{made['doi']}",
            "title": made["title"],
            "year": made["year"],
            "is_oa": True,
            "genre": "journal-article",
            "best_oa_location": place,
            "oa_locations": [place],
        }
        return 200, kind, json.dumps(data).encode()

    return answer

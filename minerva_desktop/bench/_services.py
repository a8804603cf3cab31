"""Made-up answers of the three services over loopback, each after the same delay."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

_SENTENCE = "Films of niobium nitride were grown at {n} degrees and their critical temperature was measured to be 16 K."
_TOTAL = 5000


class Services:
    """Servers of arXiv, OpenAlex and Crossref; ``asked`` counts the requests that reached them."""

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self.asked = 0
        self.urls: dict[str, str] = {}
        self.lock = threading.Lock()


@contextmanager
def run_services(delay: float) -> Iterator[Services]:
    """Run the three servers; every answer takes ``delay`` seconds longer than its making."""
    services = Services(delay)
    servers = []
    for name, answer in (("arxiv", _arxiv), ("openalex", _openalex), ("crossref", _crossref)):
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(services, answer))
        server.daemon_threads = True
        services.urls[name] = f"http://127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        servers.append(server)
    try:
        yield services
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()


def _handler(services: Services, answer: Callable[[dict[str, str]], bytes]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            with services.lock:
                services.asked += 1
            time.sleep(services.delay)
            query = parse_qs(urlsplit(self.path).query)
            body = answer({name: values[-1] for name, values in query.items()})
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            return

    return Handler


def _abstract(number: int) -> str:
    return " ".join(_SENTENCE.format(n=number + place) for place in range(8))


def _arxiv(asked: dict[str, str]) -> bytes:
    start, rows = int(asked.get("start", "0")), int(asked.get("max_results", "10"))
    entries = "".join(
        f"<entry><id>http://arxiv.org/abs/2101.{number:05d}v1</id><title>Films of series {number}</title>"
        f"<published>2021-01-05T00:00:00Z</published><summary>{_abstract(number)}</summary>"
        f"<author><name>Ada Berg</name></author></entry>"
        for number in range(start, start + rows)
    )
    return (
        '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:o="http://a9.com/-/spec/opensearch/1.1/">'
        f"<o:totalResults>{_TOTAL}</o:totalResults>{entries}</feed>"
    ).encode()


def _openalex(asked: dict[str, str]) -> bytes:
    rows, page = int(asked.get("per-page", "25")), int(asked.get("page", "1"))
    works = []
    for number in range((page - 1) * rows, page * rows):
        index: dict[str, list[int]] = {}
        for place, word in enumerate(_abstract(number).split()):
            index.setdefault(word, []).append(place)
        works.append(
            {
                "id": f"https://openalex.org/W{number}",
                "doi": f"https://doi.org/10.5555/films.{number}",
                "title": f"Films of series {number}",
                "publication_year": 2021,
                "type": "article",
                "abstract_inverted_index": index,
                "authorships": [{"author": {"display_name": "Ada Berg"}}],
            }
        )
    return json.dumps({"meta": {"count": _TOTAL}, "results": works}).encode()


def _crossref(asked: dict[str, str]) -> bytes:
    start, rows = int(asked.get("offset", "0")), int(asked.get("rows", "20"))
    items = [
        {
            "DOI": f"10.5555/films.{number}",
            "type": "journal-article",
            "title": [f"Films of series {number}"],
            "author": [{"given": "Ada", "family": "Berg"}],
            "issued": {"date-parts": [[2021]]},
            "abstract": f"<jats:p>{_abstract(number)}</jats:p>",
        }
        for number in range(start, start + rows)
    ]
    return json.dumps({"message-type": "work-list", "message": {"total-results": _TOTAL, "items": items}}).encode()

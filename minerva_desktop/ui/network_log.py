"""Every request that the program made, for a person who wants to know."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote_plus, urlsplit

from PySide6.QtCore import Qt

from minerva_desktop.sources.options import LABELS, WebOptions
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.log_table import LogKind, LogTable
from minerva_desktop.ui.models import RowsModel
from minerva_desktop.ui.tables import Column
from minerva_desktop.ui.theme import tokens
from minerva_desktop.ui.widgets import button, label

MOST = 2_000
COLUMNS = (
    Column(22),
    Column(14, share=1),
    Column(24, share=6),
    Column(5),
    Column(6, rank=2),
    Column(6, rank=3),
    Column(12, share=3, rank=1),
)
Line = dict[str, Any]


def service_of(url: str) -> str:
    """The name of the service that an address belongs to; its host for any other."""
    for name, base in WebOptions.from_environment().base_urls.items():
        if url == base or url.startswith((f"{base}/", f"{base}?")):
            return LABELS[name]
    return urlsplit(url).netloc or url


def what_of(url: str) -> str:
    """What was asked: the path and the parameters."""
    parts = urlsplit(url)
    return unquote_plus(parts.path + (f"?{parts.query}" if parts.query else "")) or "/"


class NetworkModel(RowsModel):
    """The requests."""

    columns = (
        ("Time (UTC)", lambda line: str(line["at"]).replace("T", " ")[:19], lambda line: str(line["at"]), False),
        ("Service", lambda line: service_of(line["url"]), None, False),
        ("What", lambda line: what_of(line["url"]), None, False),
        ("Status", lambda line: str(line["status"] or "–"), lambda line: line["status"], True),
        ("Cached", lambda line: "cached" if line["cached"] else "", None, False),
        ("ms", lambda line: "" if line["cached"] else str(line["ms"]), lambda line: line["ms"], True),
        ("Error", lambda line: line["error"], None, False),
    )

    def look(self, row: Line, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.ForegroundRole and column in (3, 6):
            bad = row["error"] or not (row["cached"] or 200 <= row["status"] < 400)
            return tokens().refused if bad else tokens().accepted if column == 3 else None
        if role == Qt.ItemDataRole.ToolTipRole and column == 2:
            return f"{row['method']} {row['url']}"
        return super().look(row, column, role)


class NetworkLog(LogTable):
    """The requests to the network."""

    def __init__(self, bridge: Bridge) -> None:
        kind = LogKind(
            one="request",
            many="requests",
            name="Requests that were made",
            about=(
                "Every request of this program to the network, answered from the cache or not. Keys and your e-mail address "
                "are hidden."
            ),
            hint="Filter by service, address or error",
            empty=("No request was made", "A search of the web, or taking in what it found, makes some."),
            columns=COLUMNS,
            fields=("at", "method", "url", "status", "cached", "ms", "error"),
            words=lambda line: str(line["url"]),
            field_of=lambda line, name: line[name],
            fetch=lambda: bridge.workbench.network_log(MOST),
            forget=lambda: bridge.workbench.clear_network_log(),
        )
        forget = button("Clear", self.clear, tip="Forget every request")
        super().__init__(bridge, NetworkModel(), kind, forget)
        self.count = label(kind="muted")
        layout = self.layout()
        assert layout is not None
        layout.addWidget(self.count)
        self.filtered.connect(self._show_count)

    def _show_count(self, shown: list[Line], total: int) -> None:
        many = f"{total} requests" if total != 1 else "1 request"
        self.count.setText(many if len(shown) == total else f"{len(shown)} of {many}")

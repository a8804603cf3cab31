"""The commands that one panel of the window does by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minerva_desktop.ui.main_window import MainWindow


def panel_commands(window: MainWindow) -> dict[str, Callable[[], Any]]:
    """What each of these commands does, by its id."""
    library, find, review, graph, page = window.library, window.find, window.review, window.graph, window.page
    return {
        "add-files": library.choose_files,
        "add-folder": library.choose_folder,
        "add-textbooks": library.choose_textbooks,
        "audit": library.upkeep.audit,
        "find-line": find.focus_search,
        "find-stop": find.stop,
        "find-ingest": find.ingest,
        "find-tick": find.toggle_ticks,
        "find-open": find.open_page,
        "find-copy": find.copy_citation,
        "ask-new": window.ask.new_topic,
        "ask-stop": window.ask.stop,
        "ask-history": window.ask.search_history,
        "ask-evidence": window.ask.focus_evidence,
        "ask-how": window.ask.explain,
        "ask-copy": lambda: window.ask.copy_answer("text"),
        "ask-copy-markdown": lambda: window.ask.copy_answer("markdown"),
        "ask-web": window.ask.search_web,
        "remove": library.remove_marked,
        "accept": review.accept,
        "reject": review.reject,
        "edit-fact": review.deciding.edit,
        "reverse": review.deciding.reverse,
        "relabel": review.deciding.tell_relations,
        "reopen": review.deciding.reopen,
        "review-undo": review.deciding.undo,
        "accept-all": review.deciding.accept_all,
        "review-filter": review.focus_search,
        "review-order": review.head.next_order,
        "open-page": review.open_page,
        "next-fact": lambda: review.step(1),
        "previous-fact": lambda: review.step(-1),
        "learn": review.learning.learn,
        "learn-not": review.learning.dismiss,
        "learn-why": review.learning.why,
        "suggestions": lambda: review.learning.show_all(),
        "export-gold": library.upkeep.choose_gold,
        "runs-open": window.readings.open_page,
        "duplicates": library.upkeep.show_duplicates,
        "job-history": library.upkeep.show_jobs,
        "graph-expand": graph.expand_chosen,
        "graph-fit": graph.canvas.fit,
        "graph-clear": graph.start_anew,
        "values-open": window.values.open_page,
        "values-copy": window.values.copy_csv,
        "values-export": window.values.export_picture,
        "values-disagreements": window.values.show_disagreements,
        "reading-order": page.toggle_order,
        "describe-page": page.describe,
        "page-next": page.next_page,
        "page-previous": page.previous_page,
        "zoom-in": lambda: page.zoom_by(1.2),
        "zoom-out": lambda: page.zoom_by(1 / 1.2),
        "zoom-fit": page.canvas.fit_width,
    }

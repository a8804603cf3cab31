"""What the window says of embedding in the background."""

from __future__ import annotations

from minerva_desktop.ui.main_window import MainWindow
from minerva_desktop.workbench.embedding import Embedding

pytest_plugins = ["tests.ui_fixtures"]


def test_the_status_line_says_how_far_embedding_is_and_falls_silent(window: MainWindow) -> None:
    line = window.status.embedding
    assert not line.isVisible()
    for state, words in (
        (Embedding("running", 1200, 3400), "Search by meaning: 1\u2009200 passages of 3\u2009400 embedded"),
        (Embedding("waiting", 1200, 3400), "Search by meaning: 2\u2009200 passages to embed after the running job"),
        (Embedding("stopped", 3399, 3400), "Search by meaning: 1 passage not embedded yet"),
        (Embedding("failed", 1, 3, "The disk is full."), "Search by meaning: embedding failed"),
    ):
        window.bridge.embedding.emit(state)
        assert (line.isVisible(), line.text()) == (True, words)
    assert line.toolTip() == "The disk is full."
    window.bridge.embedding.emit(Embedding("done", 3400, 3400))
    assert not line.isVisible()

"""What a model that sees says of a paper's pages. Generated text: never evidence, never searched."""

from __future__ import annotations

from collections.abc import Sequence

from minerva_desktop.errors import MinervaError, NotFound
from minerva_desktop.events import CancelToken, Progress, ProgressSink, ignore_progress
from minerva_desktop.pipeline import describing_pages
from minerva_desktop.records import ChangeSet, GeneratedText, PageImage
from minerva_desktop.workbench.estimates import Estimates


class Pages(Estimates):
    """Descriptions of figures and equations."""

    def describe_pages(
        self,
        ref: str,
        pages: Sequence[int] | None = None,
        *,
        progress: ProgressSink = ignore_progress,
        cancel: CancelToken | None = None,
    ) -> list[GeneratedText]:
        """Show pages to the model that takes the role "vision", and keep what it says of them in place of what it said
        before. ``pages`` None: those with figures or dense equations. ``progress`` tells each page with ``status`` ok or
        failed.

        Raises:
            NotFound: the paper has no such page.
            ModelError: no page could be described.
            MinervaError: no model can be asked, code ``no-model``; a page cannot be drawn.
        """
        paper = self.paper(ref)
        document = self.library.catalog.document(paper.id)
        chosen = describing_pages.pages_to_describe(document) if pages is None else sorted(set(pages))
        if wrong := [page for page in chosen if not 1 <= page <= len(document.pages)]:
            raise NotFound(f"“{paper.title}” has no page {wrong[0]}; it has {len(document.pages)}.")
        asker = self.asker(f"describe {paper.id[:10]}")
        if asker is None:
            why = "the program is offline" if self.offline or self.settings.offline else "none is in use"
            raise MinervaError(
                f"There is no language model to look at pages: {why}.", hint="See “models list”.", code="no-model"
            )
        token = cancel or CancelToken()

        def render(page: int, scale: float) -> PageImage:
            progress(Progress("", "read", f"page {page}", chosen.index(page), len(chosen), "pages"))
            return self.page_image(paper.id, page, scale)

        said = describing_pages.describe(paper.id, document, chosen, render, asker, token)
        if said.failed and not said.pages:
            raise said.failed[0][1]
        self.library.models.save_generated(paper.id, said.pages, said.texts)
        failed = dict(said.failed)
        for number, page in enumerate(chosen, 1):
            message, status = (failed[page].message, "failed") if page in failed else ("", "ok")
            progress(Progress("", "write", f"page {page}", number, len(chosen), "pages", message, status))
        self._announce(ChangeSet("Described pages", papers=(paper.id,)))
        return list(said.texts)

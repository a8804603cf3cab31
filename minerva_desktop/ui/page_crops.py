"""Pictures of pages for the place of an evidence: fetched off the window's thread, kept, and fetched ahead."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from PySide6.QtGui import QImage

from minerva_desktop.records import Evidence
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.widgets import error_text

SCALE = 2.0
"""Pixels of a picture for one point of the page: sharp in the size in which it is shown, and on dense screens nearly."""
KEPT = 10

Key = tuple[str, int]
Got = Callable[[QImage | None, str], None]
"""Gets the page's picture, or None and why there is none."""


class PageCrops:
    """The pages of evidences. Pages that stand in the cache come at once, in the same call."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self._pages: OrderedDict[Key, QImage] = OrderedDict()
        self._failed: dict[Key, str] = {}
        self._waiting: dict[Key, list[Got]] = {}

    def want(self, evidence: Evidence, got: Got) -> None:
        """Fetch the page on which an evidence begins."""
        key = _key(evidence)
        if key is None:
            got(None, "")
        elif key in self._pages:
            self._pages.move_to_end(key)
            got(self._pages[key], "")
        elif key in self._failed:
            got(None, self._failed[key])
        else:
            self._fetch(key, got)

    def prefetch(self, evidence: Evidence) -> None:
        """Fetch it, because it will be wanted soon."""
        key = _key(evidence)
        if key is not None and key not in self._pages and key not in self._failed and key not in self._waiting:
            self._fetch(key, lambda *_: None)

    def has(self, evidence: Evidence) -> bool:
        """Whether its page would come at once."""
        return _key(evidence) in self._pages

    def forget(self) -> None:
        """Ask again for what could not be drawn."""
        self._failed.clear()

    def _fetch(self, key: Key, got: Got) -> None:
        waiting = self._waiting.setdefault(key, [])
        waiting.append(got)
        if len(waiting) > 1:
            return
        workbench = self._bridge.workbench

        def work() -> QImage:
            image = workbench.page_image(key[0], key[1], SCALE)
            stride = image.width * 3
            picture = QImage(image.rgb, image.width, image.height, stride, QImage.Format.Format_RGB888).copy()
            picture.setDevicePixelRatio(image.scale)  # so that its logical size is that of the page, in points
            return picture

        def done(picture: QImage) -> None:
            self._pages[key] = picture
            while len(self._pages) > KEPT:
                self._pages.popitem(last=False)
            for call in self._waiting.pop(key, []):
                call(picture, "")

        def failed(error: Exception) -> None:
            self._failed[key] = error_text(error)[0]
            for call in self._waiting.pop(key, []):
                call(None, self._failed[key])

        self._bridge.query(work, done, failed)


def _key(evidence: Evidence) -> Key | None:
    return (evidence.paper, evidence.boxes[0][0]) if evidence.boxes else None

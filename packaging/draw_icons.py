"""Draws the program's icon in the sizes and formats that desktops want: PNG for Linux, .ico for Windows, .icns for macOS.

Usage: ``python packaging/draw_icons.py FOLDER``; Qt is the only thing needed.
"""

from __future__ import annotations

import os
import struct
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

ROOT = Path(__file__).resolve().parent.parent
SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
# Apple's names of the sizes that an .icns file may hold as PNG.
APPLE = {16: b"icp4", 32: b"icp5", 64: b"icp6", 128: b"ic07", 256: b"ic08", 512: b"ic09"}
WINDOWS = (16, 24, 32, 48, 64, 128, 256)


def main(folder: Path) -> int:
    application = QGuiApplication.instance() or QGuiApplication(sys.argv[:1])
    assert application is not None
    renderer = QSvgRenderer(str(ROOT / "resources" / "icon" / "minerva-desktop.svg"))
    if not renderer.isValid():
        print("The icon cannot be read.", file=sys.stderr)
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    pictures = {size: _png(renderer, size) for size in SIZES}
    for size, data in pictures.items():
        (folder / f"minerva-desktop-{size}.png").write_bytes(data)
    (folder / "minerva-desktop.ico").write_bytes(_ico({size: pictures[size] for size in WINDOWS}))
    (folder / "minerva-desktop.icns").write_bytes(_icns({size: pictures[size] for size in APPLE}))
    return 0


def _png(renderer: QSvgRenderer, size: int) -> bytes:
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # the stubs know file names only
    return bytes(data.data())


def _ico(pictures: dict[int, bytes]) -> bytes:
    """A header, a table of 16 bytes for each picture, the pictures (PNG, as Windows reads since Vista)."""
    offset = 6 + 16 * len(pictures)
    table, body = b"", b""
    for size, data in pictures.items():
        side = 0 if size == 256 else size
        table += struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(data), offset + len(body))
        body += data
    return struct.pack("<HHH", 0, 1, len(pictures)) + table + body


def _icns(pictures: dict[int, bytes]) -> bytes:
    body = b"".join(APPLE[size] + struct.pack(">I", 8 + len(data)) + data for size, data in pictures.items())
    return b"icns" + struct.pack(">I", 8 + len(body)) + body


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))

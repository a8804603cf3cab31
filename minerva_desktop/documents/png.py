"""A rendered page as a PNG file, by the format's own few rules: no library is needed for that."""

from __future__ import annotations

import struct
import zlib

from minerva_desktop.records import PageImage

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_RGB8 = (8, 2, 0, 0, 0)  # bits, true colour, the only compression and filter methods, not interlaced
_LEVEL = 6


def png_of(image: PageImage) -> bytes:
    """The picture as a PNG file; the same pixels give the same bytes."""
    stride = image.width * 3
    rows = b"".join(b"\x00" + image.rgb[at : at + stride] for at in range(0, stride * image.height, stride))
    header = struct.pack(">IIBBBBB", image.width, image.height, *_RGB8)
    return _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows, _LEVEL)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

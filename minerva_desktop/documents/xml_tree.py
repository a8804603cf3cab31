"""XML as a tree, read as far as it goes. Nothing is fetched and no entity is expanded."""

from __future__ import annotations

from typing import Any

from lxml import etree


def parse_xml(data: bytes) -> tuple[Any, bool]:
    """The root element (None when there is none) and whether the XML is broken. Nothing is fetched or expanded."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False, recover=True,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError:
        root = None
    return root, any(entry.level >= etree.ErrorLevels.FATAL for entry in parser.error_log)


def local_name(node: Any) -> str:
    """Tag without its namespace; empty for entities and the like."""
    tag = node.tag
    return tag.rsplit("}", 1)[-1] if isinstance(tag, str) else ""

"""Document → candidate entities and relations, each with its place in a sentence."""

from minerva_desktop.extraction.extractor import Extraction, KnownNames, extract

__all__ = ["Extraction", "KnownNames", "extract"]

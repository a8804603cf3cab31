"""Finding passages: by words, by meaning, and both fused."""

from minerva_desktop.retrieval.fusion import fuse_rrf, fuse_sum
from minerva_desktop.retrieval.index import index_textbooks, index_vectors
from minerva_desktop.retrieval.search import SearchResult, search
from minerva_desktop.retrieval.words import rank_texts

__all__ = ["SearchResult", "fuse_rrf", "fuse_sum", "index_textbooks", "index_vectors", "rank_texts", "search"]

"""One open library: folder, lock, catalog (SQLite, the record), graph (Kuzu) and vectors (FAISS), audit, rebuild."""

from minerva_desktop.library.audit import AuditCheck, AuditReport, AuditSample, Circumstances
from minerva_desktop.library.base import Job, Tools
from minerva_desktop.library.catalog import Catalog
from minerva_desktop.library.library import Library, gate_of
from minerva_desktop.library.model_store import ModelStore
from minerva_desktop.library.products import product_of

__all__ = [
    "AuditCheck",
    "AuditReport",
    "AuditSample",
    "Catalog",
    "Circumstances",
    "Job",
    "Library",
    "ModelStore",
    "Tools",
    "gate_of",
    "product_of",
]

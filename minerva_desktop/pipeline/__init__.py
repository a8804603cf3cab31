"""Jobs: the stages in order, with progress, cancel and resume."""

from minerva_desktop.pipeline.checking import CheckedPaper, check_extraction
from minerva_desktop.pipeline.engines import BUILTIN, Engines, guest_engines
from minerva_desktop.pipeline.ingest import Ingestion
from minerva_desktop.pipeline.items import IngestItem, collect_files
from minerva_desktop.pipeline.manifest import guests_of, manifest_of
from minerva_desktop.pipeline.rechecking import recheck_waiting
from minerva_desktop.pipeline.reports import DONE
from minerva_desktop.pipeline.textbooks import add_textbook_files

__all__ = [
    "BUILTIN",
    "DONE",
    "CheckedPaper",
    "Engines",
    "IngestItem",
    "Ingestion",
    "add_textbook_files",
    "check_extraction",
    "collect_files",
    "guest_engines",
    "guests_of",
    "manifest_of",
    "recheck_waiting",
]

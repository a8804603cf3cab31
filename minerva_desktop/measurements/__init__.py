"""Numbers across papers: all values of a property in one unit, and the materials on whose values papers disagree.

Facts and papers are handed in; nothing here opens a library. ``scales`` chooses the unit and converts, ``readings`` makes
values of facts, ``circumstances`` reads how they were measured, ``values`` gathers them by material, ``comparing`` holds
two of them against each other, ``disagreeing`` finds the papers that say different things, ``tables`` writes CSV.
"""

from minerva_desktop.measurements.disagreeing import disagreements_of, other_values
from minerva_desktop.measurements.readings import Reading, Sources, readings_of
from minerva_desktop.measurements.scales import Scale, scale_for
from minerva_desktop.measurements.tables import CSV_COLUMNS, csv_text, value_words
from minerva_desktop.measurements.values import values_report

__all__ = [
    "CSV_COLUMNS",
    "Reading",
    "Scale",
    "Sources",
    "csv_text",
    "disagreements_of",
    "other_values",
    "readings_of",
    "scale_for",
    "value_words",
    "values_report",
]

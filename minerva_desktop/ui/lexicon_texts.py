"""What the window says of each kind of a lexicon."""

from __future__ import annotations

TITLES = {
    "materials": "Materials",
    "properties": "Properties",
    "methods": "Methods",
    "applications": "Applications",
    "aliases": "Aliases",
    "units": "Units",
    "blacklist": "Blacklist",
}

EMPTY = {
    "materials": (
        "Teach materials",
        "Materials that the program does not know yet, by name, formula or short form. For example: name Metglas, "
        "synonyms “metallic glass ribbon”, symbols MG.",
    ),
    "properties": (
        "Teach properties",
        "What is measured in your field, with a unit. For example: label “gravity anomaly”, symbols Δg, unit Gal, "
        "low 0, high 10.",
    ),
    "methods": (
        "Teach methods",
        "Ways in which materials are made. For example: name “flash sintering”, synonyms “field-assisted sintering”, "
        "symbols FS.",
    ),
    "applications": (
        "Teach applications",
        "What materials are used for. For example: name “neutron detectors”, synonyms “neutron counters”.",
    ),
    "aliases": (
        "Say what a spelling stands for",
        "One thing under many names becomes one. For example: spelling YBCO, type Material, canonical YBa2Cu3O7.",
    ),
    "units": (
        "Teach units",
        "Units of your field, each in units that are known. For example: symbol Gal, definition 0.01 m/s^2.",
    ),
    "blacklist": (
        "Rule names out",
        "Names that are never to be taken for a material, property, method or application. For example: term “target”, "
        "type Material.",
    ),
}

EFFECT = "Takes effect for papers read from now on."

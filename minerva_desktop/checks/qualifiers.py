"""What stands around a material's name and makes it another material, another phase, or another specimen."""

from __future__ import annotations

import re

from minerva_desktop.checks.lexicon import Lexicon, fold_name, words_of
from minerva_desktop.language.elements import symbol_for_name

_HARD = frozenset(
    "amorphous cubic hexagonal tetragonal orthorhombic monoclinic rhombohedral wurtzite zincblende blende rutile anatase "
    "brookite alpha beta gamma delta epsilon α β γ δ ε κ liquid molten gaseous vapor porous monolayer bilayer layer "
    "nanocrystalline nanostructured nanoporous hydrogenated deuterated oxidized strained relaxed bcc fcc hcp irradiated "
    "implanted stainless white red black grey gray doped codoped substituted alloyed stabilized superheated supercooled "
    "compressed metastable pressurized graphitic vitreous fused overdoped underdoped".split()
)
"""Words before a name that make it another phase or another composition."""

_HARD_PAIR = re.compile(r"\b([np])-type\s*$", re.IGNORECASE)
_POLYTYPE = re.compile(r"(?:^|[\s(\-–])(\d+[HRCT])[\s\-–]*$")
_DOPED_BEFORE = re.compile(
    r"((?:[A-Z][a-z]?|[A-Za-z]{4,})(?:[,/]\s?[A-Z][a-z]?)*)[\s-](?:co)?(?:doped|substituted|stabilized|stabilised|alloyed)\s*$"
)
_DOPED_AFTER = re.compile(
    r"^\s*(?:\([^()]{1,20}\)\s*)?(?:co)?(?:doped|substituted|alloyed|stabili[sz]ed)\s+(?:with|by)\s+(?:\S+\s+)?(\w+)"
)
_PHASE_AFTER = re.compile(
    r"^\s*(?:\([^()]{1,20}\)\s*)?in\s+(?:its|the)\s+(\w+(?:[\s-]\w+)?)\s+(?:phase|form|structure|polytype|state|modification)"
)
_ALONG_AFTER = re.compile(r"^\s*(?:\([^()]{1,20}\)\s*)?(?:along|parallel to|perpendicular to)\s+(\S+)")


def hard_qualifiers(before: str, written: str, after: str) -> set[str]:
    """What makes it another phase or composition: amorphous, 4H, doped with aluminium."""
    hard: set[str] = set()
    polytype = _POLYTYPE.search(before) or re.match(r"(\d+[HRCT])[-–\s]", written)
    if polytype:
        hard.add(polytype.group(1).casefold())
    if _HARD_PAIR.search(before):
        hard.add("typed")
    doped = _DOPED_BEFORE.search(before)
    if doped:
        hard.add(f"doped {_dopant(doped.group(1))}")
    else:
        words = re.findall(r"[^\s,;:.()]+", before)[-2:] if before[-1:] in {" ", "-", "–"} else []
        parts = [part for word in words for part in re.split(r"[-–]", word.casefold())]
        hard |= {_SAME.get(part, part) for part in parts[-3:] if part in _HARD}
    doped = _DOPED_AFTER.match(after)
    if doped:
        hard.add(f"doped {_dopant(doped.group(1))}")
    phase = _PHASE_AFTER.match(after)
    if phase:
        hard |= {_SAME.get(part, part) for part in re.split(r"[\s-]", phase.group(1).casefold())}
    return hard


_SAME = {
    "α": "alpha",
    "β": "beta",
    "γ": "gamma",
    "δ": "delta",
    "ε": "epsilon",
    "zincblende": "blende",
    "zinc": "blende",
}


def _dopant(word: str) -> str:
    return (symbol_for_name(word) or word).casefold()


def soft_qualifiers(after: str, lexicon: Lexicon) -> set[str]:
    """What makes it another specimen of the same: a film, a direction in the crystal."""
    soft: set[str] = set()
    rest = re.sub(r"^\s*\([^()]{1,20}\)", "", after)
    words = [word for word, _, _ in words_of(rest[:60])][:4] if rest[:1] in {" ", "-", "–"} else []
    for skip in (0, 1):
        for length in (3, 2, 1):
            phrase = fold_name(" ".join(words[skip : skip + length]))
            if (
                phrase
                and phrase in lexicon.forms
                and phrase not in {"bulk", "crystal", "single crystal", "sample", "bar"}
            ):
                soft.add(phrase)
        if soft:
            break
        if not words or words[0] not in {"thin", "thick", "ultrathin", "porous", "epitaxial", "dense"}:
            break
    along = _ALONG_AFTER.match(after)
    if along:
        soft.add(f"along {along.group(1)}")
    return soft

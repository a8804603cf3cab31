"""Words broken at the end of a line: which hyphens belong to the word and which only to the line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from minerva_desktop.documents.characters import SOFT_HYPHEN
from minerva_desktop.language.elements import SYMBOLS

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_AT_END = re.compile(r"([^\W_]+(?:[-–][^\W_]+)*)[-\u00ad]\Z")
_AT_START = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")

# First parts that are words of their own in compounds of two words.
_FIRST = frozenset(
    "solid low high well self non long short thin thick first second third two three four five six one single double "
    "triple multi large small fine full half hard soft hot cold room open closed free gas liquid vapor vapour electron "
    "ion hole proton photon phonon spin charge band time temperature pressure energy power current voltage field "
    "wide narrow near far cross post state steady wet dry spray spin dip screen tape ball sol all ion oxygen hydrogen "
    "nitrogen carbon silicon metal ceramic polymer glass grain surface phase rare alkaline transition lead halide "
    "anode cathode electrolyte quasi pseudo semi ultra micro nano so called lattice real quantum light dark red blue "
    "data model state-of the-art the of".split()
)
# Second parts that follow a hyphen in adjectives made of two words.
_SECOND = frozenset(
    "based type doped like rich poor free state dimensional temperature scale order phase pressure induced dependent "
    "containing supported stabilized stabilised ray shaped sized thick wide coated treated resolution performance term "
    "range level gap layer layered layers film beam crystal crystalline oxide earth gel solution made called known "
    "independent sensitive assisted driven mediated controlled deposited grown annealed sintered modified filled "
    "walled point edge angle plane line step cell cells conducting electron ion situ art the of up down off in on "
    "by-step quality purity density energy power speed field band loss throughput cost efficiency section linked "
    "linking sectional sectioned stoichiometric planar axial scatter".split()
)
# First parts that are words but fuse with what follows.
_FUSING = frozenset(
    "over under inter intra re un pre sub super with out up any some every them him her it your our my fore after "
    "counter electro thermo photo hydro bio geo macro meso iso mono poly tri tetra hetero homo trans con com per pro "
    "dis im in en be de ex ab ad for tele para meta infra extra".split()
)
_ENDING = re.compile(
    r"(?:tion|tions|sion|sions|ing|ings|ment|ments|able|ible|ed|er|ers|est|ly|ness|ity|ities|ance|ances|ence|ences|al|"
    r"ally|ic|ical|ically|ive|ively|ous|ously|ism|ist|ists|ize|ized|izes|ise|ised|ary|ery|ory|ate|ated|ates|ating|"
    r"ature|tures?|sive|tive|cal|tance|tivity|ties|ties|bility|rial|rials|lar|ular|lation|nal|tial|cial|cient|ciency|"
    r"ture|sure|tute|tical|nism|tron|trons|trode|trodes|lyte|lytes|duct|tor|tors|sor|sors)\Z"
)


class Vocabulary:
    """The words that a document uses within its lines: the best witness for how it spells a broken one."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._seen: Counter[str] = Counter(_WORD.findall("\n".join(texts).casefold()))

    def seen(self, word: str) -> int:
        return self._seen[word.casefold()]

    def join(self, before: str, after: str) -> str | None:
        """The joined text of the last word of a line and the first of the next; None when there is no break.

        >>> Vocabulary([]).join("conduc-", "tivity")
        'conductivity'
        """
        end = _AT_END.search(before)
        if not end:
            return None
        stem = before[:-1]
        if before[-1] == SOFT_HYPHEN:
            return stem + after
        start = _AT_START.match(after)
        if not start:
            return before + after if after[:1].isdigit() or after[:1] in "(" else None
        left, right = end.group(1).rsplit("-", 1)[-1], start.group()
        if right in {"and", "or", "to", "und", "et", "oder"}:
            return None  # "macro- and mesoporous"
        if self._keeps(end.group(1), left, right):
            return before + after
        return stem + after

    def _keeps(self, whole: str, left: str, right: str) -> bool:
        """Whether the hyphen is part of the word."""
        if not right[:1].islower() or not left.isalpha() or left[-1:].isupper() or any(map(str.isupper, right)):
            return True  # Li-Ion, sub-500-nm, GDC-based, Quick-gDNA
        if len(left) == 1:
            return True  # X-ray, p-type
        hyphened = self.seen(f"{whole}-{right}") or self.seen(f"{left}-{right}")
        joined = self.seen(left + right)
        if hyphened or joined:
            return hyphened > joined
        first = right.split("-", 1)[0]
        if left in SYMBOLS and (first in _SECOND or first.endswith("ed")):
            return True  # Li-ion, Ni-rich, Ni-filtered
        left = left.casefold()
        if left in _FUSING:
            return False
        if first in _SECOND and (left in _FIRST or self.seen(left) > 0 or len(left) > 3):
            return self.seen(left) > 0 or left in _FIRST or first in {"based", "doped", "type", "like", "free", "rich"}
        if left in _FIRST and len(first) > 5 and first.endswith("ed") and not self.seen(left + first):
            return True  # energy-corrected
        if left in _FIRST and self.seen(first) > 0 and not _ENDING.match(first):
            return True
        return bool(self.seen(left) > 1 and self.seen(first) > 1 and len(left) > 3 and len(first) > 3)

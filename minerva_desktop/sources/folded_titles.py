"""Titles as they are compared: folded, without subtitle, and which differences tell two papers apart."""

from __future__ import annotations

import re
import unicodedata

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

_GREEK = {unicodedata.lookup(f"GREEK SMALL LETTER {name}"): name.lower() for name in (
    "ALPHA BETA GAMMA DELTA EPSILON ZETA ETA THETA IOTA KAPPA LAMDA MU NU XI PI RHO SIGMA TAU UPSILON PHI CHI PSI OMEGA".split()
)} | {"µ": "mu", "λ": "lambda", "ß": "ss", "ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i"}  # fmt: skip
_FOLD = str.maketrans(_GREEK)
_TELLING_LEADS = ("inter", "intra", "hyper", "hypo", "macro", "micro", "meso", "homo", "hetero")
_TELLING_ENDS = ("ide", "ite", "ate", "ine", "ane", "ene", "yne", "ic", "ous")
"""Where one or two letters make another word of the same length, not another spelling."""
_SMALL = frozenset(
    "a an the of on in at for and or to by with from as is via into its de la le der die das und et".split()
)


def fold_title(title: str) -> str:
    """A title as compared: small letters without accents, Greek letters by name, indices as digits, single spaces."""
    plain = unicodedata.normalize("NFKD", title.casefold().translate(_FOLD)).translate(_FOLD)
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return " ".join(re.findall(r"[^\W_]+", plain))


def main_title(title: str) -> str:
    """What stands before the subtitle, folded without blanks; empty when there is no subtitle or too little before it."""
    parts = re.split(r"\s*[:?]\s+|\s+[-–—]\s+|\.\s+(?=[A-Z])", title.strip(), maxsplit=1)
    main = fold_title(parts[0])
    return main.replace(" ", "") if len(parts) > 1 and len(main.split()) >= 4 else ""


def telling_difference(one: str, other: str) -> bool:
    """Whether two titles that look alike differ in a word that tells papers apart: a number, a formula, another word."""
    first, second = one.split(), other.split()
    mine = [word for word in first if word not in second]
    theirs = [word for word in second if word not in first]
    if "".join(mine) == "".join(theirs):
        return not mine  # the same letters divided otherwise; but the same words in another order say another thing
    for word in mine + theirs:
        if word in _SMALL:
            continue
        against = theirs if word in mine else mine
        spelt_alike = any(len(word) > 4 and len(near) > 4 and _spelling(word, near) for near in against)
        if not spelt_alike or any(sign.isdigit() for sign in word):
            return True
    return False


def _spelling(word: str, other: str) -> bool:
    """Two spellings of one word: "behaviour" and "behavior", "film" and "films", a letter misread."""
    if word[0] != other[0] or Levenshtein.distance(word, other, score_cutoff=2) > 2 or fuzz.ratio(word, other) < 80:
        return False
    return not any(word.startswith(lead) != other.startswith(lead) for lead in _TELLING_LEADS) and not any(
        word.rstrip("s").endswith(end) != other.rstrip("s").endswith(end) for end in _TELLING_ENDS
    )

"""Headings that stand inside running text: files made from bare text keep no line and no type of their own for them.

Three marks are trusted: a section number that goes on where the last one stopped, the usual name of a section at the
start of a sentence, and a short phrase there that is followed by the capital of a new sentence without a stop between.
Nothing is looked for in papers whose layout shows their sections.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from minerva_desktop.documents.blocks import Block
from minerva_desktop.documents.imrad import read_heading

_CANDIDATE = re.compile(
    r"(?:(?<=[.!?\])”\"’'\d]) |\A)(?=[A-Z\d])| (?=(?:Introduction|Background|References) )|"
    r" (?=\d{1,2}(?:\.\d{1,2}){0,3}\.? [A-Z])"
)
_ALONE = frozenset({"Introduction", "Background", "References"})
_NUMBER = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,3})\.?\Z")
_STOPPED = re.compile(r"[.!?][\])”\"’\d,–-]*\Z|[.!?]\s?\[[\d,\s–-]+\]\Z")
_ABBREVIATED = re.compile(
    r"(?:\b(?:Figs?|Refs?|Eqs?|Tabs?|Nos?|vs|cf|ca|et al|i\.e|e\.g|Dr|Prof|St|Sec|Ch|pp?|vol|No)|(?:^|\s)[A-Z])\.\Z"
)
_PLAIN = re.compile(r"[A-Z][a-z]{2,}[\w’'-]*\Z|[A-Z][a-z]?\Z")
_CAPITAL = re.compile(r"[A-Z(\d]")
_NAMES = re.compile(
    r"(?=[A-Z])(?:introduction|background|experimental(?: (?:section|procedures?|methods?|details?|setup|part))?|"
    r"materials? and methods?|methods?(?: and materials?)?|methodology|results?(?: and discussions?)?|discussions?|"
    r"conclusions?(?: and (?:outlook|perspectives?))?|concluding remarks|summary(?: and (?:conclusions?|outlook))?|outlook|"
    r"acknowledge?ments?|references(?: and notes)?|authors?(?:[’']s?)? (?:contributions?|information|details)|"
    r"competing (?:financial )?interests?|conflicts? of interests?|supplementary (?:materials?|information|data)|"
    r"supporting information(?: available)?|additional (?:information|files?)|funding|abstract|abbreviations?|"
    r"data availability(?: statement)?|nomenclature|appendix(?: [a-z])?|ethics statement)\Z",
    re.IGNORECASE,
)
_FIRST_WORDS = frozenset(
    "introduction background experimental material materials method methods methodology result results discussion "
    "discussions conclusion conclusions concluding summary outlook acknowledgement acknowledgements acknowledgment "
    "acknowledgments references reference author authors authors’ authors' author’s author's competing conflict conflicts "
    "supplementary supporting additional funding abstract abbreviation abbreviations data nomenclature appendix ethics".split()
)
_GLUED = re.compile(r"[A-Za-zÀ-ž]\.[A-ZÀ-Ž]")
_TAIL = re.compile(r"(?<=[.!?\])”])\s+(\d{1,2}(?:\.\d{1,2}){0,3}\.)\Z")
_FIRST_WORK = re.compile(r"[\[(]?1[\]).]*\Z|\S*[a-z][A-Z]\.")
_FUNCTION = frozenset(
    "of and the in for to with on by from via or a an at under as between into without upon using versus vs within over "
    "through during after before their its".split()
)
_VERBS = frozenset(
    "is are was were be been being has have had can could may might will would shall should does do did shows show showed "
    "shown exhibits exhibit indicates indicate suggests suggest becomes become gives give leads lead remains remain".split()
)
_NOUNS = frozenset(
    "characterization characterizations characterisation preparation fabrication measurement measurements analysis "
    "evaluation test tests testing synthesis properties performance microstructure structure method methods setup "
    "procedure procedures experiments experiment deposition growth electrolyte".split()
)
_OPENERS = frozenset(
    "The This These Those We Our In It As To For At On An A From When While Since Because Among According After Although "
    "One Both All Recently Several Many Most Some With During If Here Using By Another Such There Thus However Moreover "
    "Although Figure Figures Table Fig Commercial Once Additionally Furthermore Finally Generally Typically Currently "
    "Nowadays Today Also Their They Each Every Other Different Various First Second Third Next Then Later Before Besides "
    "Despite Due Instead Likewise Similarly Therefore Hence Indeed Unlike Until Upon What Where Which Without Within".split()
)
_NO_HEADING = frozenset("figure figures fig figs table tables scheme equation".split())
_FLOATS = frozenset({"Figure", "Figures", "Table", "Fig"})
_MOST_WORDS = 34
_FEW_KNOWN = 3


@dataclass(slots=True)
class _Found:
    block: int
    start: int
    end: int
    number: tuple[int, ...] = ()
    text: str = ""


def split_inline(blocks: list[Block]) -> list[Block]:
    """The blocks with headings cut out of their text, when the layout shows hardly any."""
    names = {read_heading(block.text).imrad for block in blocks if block.kind == "heading"} - {
        None,
        "OTHER",
        "ABSTRACT",
    }
    if len(names) >= _FEW_KNOWN or sum(len(block.text) for block in blocks if block.kind == "body") < 1500:
        return blocks
    blocks = _with_numbers(blocks)
    found = _in_sequence(
        [item for place, block in enumerate(blocks) if _open(block) for item in _find(place, block.text)]
    )
    if not found:
        return blocks
    return _listed(_cut(blocks, found))


def _open(block: Block) -> bool:
    return block.kind in {"body", "abstract", "front", "caption"}


def _with_numbers(blocks: list[Block]) -> list[Block]:
    """A section number at the very end of a paragraph belongs to the heading that begins the next."""
    result: list[Block] = []
    for block in blocks:
        last = result[-1] if result else None
        tail = _TAIL.search(last.text) if last is not None and _open(last) and _open(block) else None
        if last is None or tail is None or not block.text[:1].isupper():
            result.append(block)
            continue
        number, rest = _piece(last, tail.start(1), tail.end(1))[0], _piece(last, 0, tail.start(1))
        by = len(number.text) + 1
        moved = [place._replace(start=place.start + by, end=place.end + by) for place in block.places]
        result[-1:] = rest
        result.append(
            replace(
                block,
                text=f"{number.text} {block.text}",
                places=[*number.places, *moved],
                cited=[offset + by for offset in block.cited],
            )
        )
    return result


# ---------------------------------------------------------------------------------------------------- finding
def _find(place: int, text: str) -> list[_Found]:
    starts = [match.end() for match in _CANDIDATE.finditer(text)]
    if not starts:
        return []
    words = text.split(" ")  # blocks hold single spaces
    offsets = [0, *accumulate(len(word) + 1 for word in words)]
    number_of = dict(zip(offsets, range(len(words)), strict=False))
    found: list[_Found] = []
    behind = 0
    queue = [number_of[start] for start in starts if start in number_of]
    while queue:
        at = queue.pop(0)
        if at < behind:
            continue
        before = words[at - 1]
        stopped = bool(_STOPPED.search(before)) and not _ABBREVIATED.search(" ".join(words[max(0, at - 2) : at]))
        end, number = _heading_at(words, at, begins=at in {0, behind} or stopped)
        if end > at:
            start = offsets[at]
            heading = " ".join(words[at:end])
            found.append(_Found(place, start, start + len(heading), number, heading))
            behind = end
            if end < len(words) and end not in queue[:1]:
                queue.insert(0, end)  # another heading may follow at once
    return found


def _heading_at(words: Sequence[str], at: int, *, begins: bool) -> tuple[int, tuple[int, ...]]:
    """The index behind a heading that starts at ``at`` (``at`` itself when none does), and its section number."""
    match = _NUMBER.match(words[at])
    if match and at + 1 < len(words) and words[at + 1][:1].isupper():
        dotted = words[at].endswith(".") or "." in match.group(1)
        number = tuple(int(part) for part in match.group(1).split("."))
        known = _known_end(words, at + 1)
        if known and len(number) > 1 and words[known : known + 1] and words[known] not in _OPENERS:
            # "4.2.1. Experimental Studies Seeking …" is no section "Experimental".
            known = 0 if words[known + 1 : known + 2] and words[known + 1][:1].isupper() else known
        titled = words[at + 1] == "Introduction:"
        if not (dotted and begins) and not known and not titled:
            return at, ()
        if dotted or known:
            end = known or _title_end(words, at + 1)
            return (end, number) if end else (at, ())
    if not begins or not words[at][:1].isupper():
        # "Introduction" in the middle of front matter that has no stops
        alone = (
            words[at] in _ALONE and words[at] != "References" and at > 0 and words[at - 1].casefold() not in _FUNCTION
        )
        listed = words[at] == "References" and at + 1 < len(words) and _FIRST_WORK.match(words[at + 1])
        return (_known_end(words, at) or at, ()) if alone or listed else (at, ())
    known = _known_end(words, at)
    return (known or _phrase_end(words, at) or at), ()


def _known_end(words: Sequence[str], at: int) -> int:
    """The index behind the usual name of a section, when the capital of a sentence or heading follows; else 0."""
    if words[at].rstrip(".:").casefold() not in _FIRST_WORDS:
        return 0
    for count in (5, 4, 3, 2, 1):
        end = at + count
        if end >= len(words) or any(word[-1] in ".,;" for word in words[at : end - 1]):
            continue
        phrase = " ".join(words[at:end]).rstrip(".:")
        if not _NAMES.match(phrase) or not phrase[:1].isupper():
            continue
        following = words[end]
        if not _CAPITAL.match(following) or (count == 1 and following in {"Section", "Sections"}):
            return 0
        if words[end - 1].endswith(":"):
            return 0
        return end
    return 0


def _title_end(words: Sequence[str], at: int) -> int:
    """The index behind the title of a numbered section; 0 when its end cannot be told."""
    last = min(len(words), at + _MOST_WORDS)
    for place in range(at + 1, last):
        word = words[place]
        bare = word.rstrip(",")
        if _NUMBER.match(word) and "." in word and words[place - 1].casefold() not in _FUNCTION:
            return place
        if bare in _OPENERS and words[place - 1][-1] not in ",:" and words[place - 1].casefold() not in _FUNCTION:
            return place
        if _GLUED.search(word):
            return 0  # "LuoH.HuW.": names of a list of references
        if word[-1] in ".?!;" and not _ABBREVIATED.search(word):
            last = place + 1
            break
    small = next(
        (
            place
            for place in range(at + 1, last)
            if words[place][:1].islower() and words[place].casefold() not in _FUNCTION
        ),
        0,
    )
    if not small:
        return 0
    if all(words[place][:1].islower() for place in range(at + 1, small)):
        # "Sample preparation Powders were": set like a sentence, the next capital begins the text.
        return next(
            (place for place in range(small + 1, last) if _PLAIN.match(words[place]) and len(words[place]) > 2), 0
        )
    starts = [place for place in range(at + 1, small) if words[place][:1].isupper()]
    starts = [place for place in starts if words[place - 1].casefold() not in _FUNCTION]
    return (starts or [0])[-1]


def _phrase_end(words: Sequence[str], at: int) -> int:
    """The index behind a short phrase that a new sentence follows without a stop between; else 0."""
    if words[at] in _OPENERS or words[at].rstrip(".").casefold() in _NO_HEADING or not words[at][:1].isupper():
        return 0
    for place in range(at + 1, min(len(words) - 1, at + 13)):
        word, before = words[place], words[place - 1]
        if before[-1] in ".,;:?!)" or before.casefold() in _VERBS:
            return 0
        if word in _OPENERS and before.casefold() not in _FUNCTION and (place - at > 1 or before.casefold() in _NOUNS):
            following = words[place + 1]
            single = word in {"A", "An", "In", "As", "At", "On", "By", "I"}
            if (single and not following[:1].islower()) or (word in _FLOATS and not following[:1].isdigit()):
                return 0
            return place
        noun = before.casefold() in _NOUNS and place - at <= 6
        fresh = (_PLAIN.match(word) and len(word) > 3) or (word.isupper() and len(word) > 2)
        if noun and fresh and words[place + 1][:1].islower():
            if not all(item[:1].islower() for item in words[at + 1 : place]):
                continue
            return place
    return 0


# --------------------------------------------------------------------------------------------------- sequence
def _in_sequence(found: list[_Found]) -> list[_Found]:
    """Headings up to the references; of the numbered ones the longest row in which each number can follow the last.

    A second "1. Introduction" means that a table of contents came before.
    """
    first = [
        place for place, item in enumerate(found) if item.number == (1,) and read_heading(item.text).imrad == "INTRO"
    ]
    if first and any(item.number for item in found[: first[-1]]):
        found = found[first[-1] :]
    ends = [
        place for place, item in enumerate(found) if not item.number and read_heading(item.text).imrad == "REFERENCES"
    ]
    found = found[: ends[0] + 1] if ends else found
    numbered = [item for item in found if item.number]
    best: list[tuple[int, int]] = []  # length of the longest row that ends here, and the one before in it
    for place, item in enumerate(numbered):
        rows = [(best[other][0] + 1, other) for other in range(place) if _follows(numbered[other].number, item.number)]
        best.append(max(rows, key=lambda row: (row[0], -row[1]), default=(1 if item.number[0] <= 2 else 0, -1)))
    row: set[int] = set()
    place = max(range(len(best)), key=lambda at: (best[at][0], -at), default=-1)
    while place >= 0:
        row.add(id(numbered[place]))
        place = best[place][1]
    return [item for item in found if not item.number or id(item) in row]


def _follows(before: tuple[int, ...], number: tuple[int, ...]) -> bool:
    """Whether a section number can stand somewhere behind another; a few may have gone unseen."""
    if number <= before or number[0] - before[0] > 2:
        return False
    shared = next((at for at, (one, two) in enumerate(zip(before, number, strict=False)) if one != two), None)
    if shared is None:
        return all(part <= 3 for part in number[len(before) :])
    return number[shared] - before[shared] <= 3 and all(part <= 3 for part in number[shared + 1 :])


# ---------------------------------------------------------------------------------------------------- cutting
def _cut(blocks: Sequence[Block], found: Sequence[_Found]) -> list[Block]:
    of_block: dict[int, list[_Found]] = {}
    for item in found:
        of_block.setdefault(item.block, []).append(item)
    result: list[Block] = []
    for place, block in enumerate(blocks):
        at = 0
        for item in of_block.get(place, ()):
            result += _piece(block, at, item.start)
            level = len(item.number) or (1 if _NAMES.match(item.text.rstrip(".:")) else 2)
            head = _piece(block, item.start, item.end)
            result += [replace(part, kind="heading", mined=False, whole=True, level=level) for part in head]
            at = item.end
        result += _piece(block, at, len(block.text)) if at else [block]
    return result


def _piece(block: Block, start: int, end: int) -> list[Block]:
    """The part of a block between two offsets, with the places of its lines; nothing when it holds no words."""
    text = block.text[start:end]
    start += len(text) - len(text.lstrip())
    text = text.strip()
    if not text:
        return []
    end = start + len(text)
    kind = "body" if block.kind in {"front", "caption"} and start else block.kind
    places = [
        place._replace(start=place.start - start, end=place.end - start)
        for place in block.places
        if place.end > start and place.start < end
    ]
    cited = [offset - start for offset in block.cited if start < offset <= end]
    return [replace(block, text=text, kind=kind, mined=kind != "front", places=places, cited=cited)]


def _listed(blocks: list[Block]) -> list[Block]:
    """What follows the heading of the references is their list."""
    inside = False
    for block in blocks:
        if block.kind == "heading":
            inside = read_heading(block.text).imrad == "REFERENCES"
        elif inside and block.kind == "body":
            block.kind, block.mined = "reference", False
    return blocks

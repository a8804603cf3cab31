"""What headings mean: the class of a section, whether its sentences are mined, and what looks like a heading at all."""

from __future__ import annotations

import re
from typing import NamedTuple

from minerva_desktop.records import Imrad

_NUMBER = re.compile(
    r"^(?:(?:section|chapter|part|appendix)\s+)?(?:\d{1,2}(?:\.\d{1,2})*|[IVX]{1,5}|[A-H])\s*[.):]?\s+(?=\S)|"
    r"^\d{1,2}(?:\.\d{1,2})+\.?\s*(?=[A-Z])|^[■▪●•▶►◆□]\s*",
    re.IGNORECASE,
)

# Tried in order: the first that is found decides. "Results and discussion" is a discussion, and conclusions are a
# class of their own.
_CLASSES: tuple[tuple[Imrad, re.Pattern[str]], ...] = (
    ("ABSTRACT", re.compile(r"^(?:(?:graphical |extended )?abstract|summary|synopsis)\b(?! and| of)")),
    ("REFERENCES", re.compile(r"^(?:references?(?: and notes)?|bibliography|literature(?: cited)?|works cited|"
                              r"cited literature|références|literatur(?:verzeichnis)?)\Z")),
    ("CONCLUSION", re.compile(r"\b(?:conclusions?|concluding|outlook|summary|final remarks|closing remarks)\b")),
    ("DISCUSSION", re.compile(r"\bdiscussions?\b|\blimitations?\b|\bimplications?\b|\binterpretation\b")),
    ("RESULTS", re.compile(r"\bresults?\b|\bfindings?\b|^observations?\b|^evaluation\b")),
    ("METHODS", re.compile(
        r"\bmethods?\b|\bmethodolog|\bexperiment(?:s|al)?\b|\bmaterials and\b|"
        r"^(?:(?:starting|raw|sample) )?materials\Z|\bsample preparation\b|"
        r"\bpreparation of\b|\bsynthesis\b|\bfabrication\b|\bcharacteri[sz]ation\b|\bmeasurements?\b|\bprocedures?\b|"
        r"\bcomputational details\b|\bsimulation details\b|\bapparatus\b|\binstrumentation\b|\bsetup\b|\bdata sets?\b|"
        r"\bdatasets?\b|\bstatistical analys|\btechniques\b")),
    ("INTRO", re.compile(r"^introduct|\bintroduction\b|^background\b|\bmotivation\b|\brelated works?\b|\bprevious work\b|"
                         r"^state of the art")),
)  # fmt: skip

_APPARATUS = re.compile(
    r"^(?:acknowledge?ments?\b|acknowledg|funding\b(?! rate)|financial support|authors?\Z|authors?['’]? (?:contributions?|"
    r"information|details)|author['’]s (?:contributions?|note)|contributions?\Z|conflicts? of interests?|"
    r"competing (?:financial )?interests?|declarations?\b|ethics?\Z|ethical? (?:approval|statement|consent|considerations)|"
    r"ethics (?:approval|statement)|disclosures?\b|abbreviations\b|supplementary\b|supplemental\b|"
    r"supporting (?:online )?(?:information|materials?)|"
    r"additional (?:files?|information)|associated content|data availability|availability of (?:data|supporting|code)|"
    r"code availability|notes\Z|orcid\b|correspond(?:ence|ing author)|about the authors?|how to cite|cite this|copyright\b|"
    r"licen[sc]e\Z|open access|publisher['’]s note|pre-publication history|credit author|credit taxonomy|consent\b|"
    r"key ?words|highlights\Z|nomenclature\Z|footnotes\Z|contents\Z|table of contents|categories and subject|"
    r"general terms|ccs concepts|acm reference|references? \d|received\Z|article history|article info|remerciements|"
    r"danksagung)"
)

_PLAINLY = re.compile(r"\b(?:results|discussions?|conclusions?)\Z")
_APPENDIX = re.compile(r"\s*(?:appendix|appendices|annex)\b", re.IGNORECASE)
_KNOWN = re.compile(
    r"^(?:abstract|summary|introduction|background|motivation|related work|theory|theoretical background|"
    r"materials? and methods?|methods?(?: and materials)?|methodology|experimental(?: (?:section|procedures?|methods?|details?|"
    r"setup|part|work))?|experiments?|results?|results? and discussions?|discussions?|conclusions?|"
    r"conclusions? and outlook|concluding remarks|summary and conclusions?|discussion and conclusions?|outlook|references|"
    r"references and notes|bibliography|literature cited|appendix|simulation details|computational (?:details|methods?)|"
    r"data analysis|statistical analysis|limitations|objectives?|aims?|purpose|design|findings|evaluation|"
    r"supplementary materials?|supplementary information|supporting information)\Z"
)


class Heading(NamedTuple):
    """``imrad`` is None when the words say nothing: the section keeps the class of the one before.

    ``surely``: the whole heading is the usual name of a section, not only a phrase with such a word in it.
    """

    title: str
    imrad: Imrad | None
    mined: bool
    depth: int  # of its number, 0 without one
    surely: bool = False


def read_heading(text: str) -> Heading:
    """The meaning of a heading, its number aside.

    >>> read_heading("3.1 Results and discussion")[1:]
    ('DISCUSSION', True, 2, True)
    """
    text = _spaced_out(text)
    if _APPENDIX.match(text):
        return Heading(text, "OTHER", True, 1, True)
    number = _NUMBER.match(text)
    words = text[number.end() :] if number else text
    plain = " ".join(words.split()).strip(" .:—–-|").casefold()
    depth = 0
    if number:
        digits = re.findall(r"\d+", number.group())
        depth = len(digits) if digits else 1 if re.match(r"[IVXivx]", number.group()) else 2
    if _APPARATUS.match(plain):
        return Heading(text, "OTHER", False, depth, True)
    for imrad, pattern in _CLASSES:
        if pattern.search(plain):
            plainly = len(plain.split()) <= 4 and _PLAINLY.search(plain) is not None
            return Heading(text, imrad, imrad != "REFERENCES", depth, plainly or bool(_KNOWN.match(plain)))
    return Heading(text, None, True, depth)


def known_heading(text: str) -> bool:
    """Whether the whole text is one of the usual section names (with or without a number)."""
    text = _spaced_out(text)
    number = _NUMBER.match(text)
    plain = " ".join((text[number.end() :] if number else text).strip(" .:—–-|").casefold().split())
    if _KNOWN.match(plain):
        return True
    short = len(plain) < 45 and len(plain.split()) <= 5 and not re.search(r"[\d/@]|\.\w", plain)
    return short and text[:1].isupper() and bool(_APPARATUS.match(plain))


def numbered(text: str) -> bool:
    """Whether it begins with a section number followed by a capital."""
    if re.match(r"\d{1,2}\s+[a-z]", text):
        return False
    pattern = r"\d{1,2}\.?\s+[^\W\d_]|\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+\S|(?:[IVX]{1,4}|[A-H])\.\s+[^\W\d_]{2}"
    return bool(re.match(pattern, text))


def _spaced_out(text: str) -> str:
    """``a b s t r a c t`` is a way to set a word, not seven words; ``CON F L IC T S`` is one that lost its kerning."""
    letters = text.split()
    if len(letters) >= 5 and all(len(letter) == 1 for letter in letters):
        return "".join(letters)
    if len(letters) >= 3 and sum(len(letter) <= 3 for letter in letters) >= 0.6 * len(letters):
        return _BY_LETTERS.get("".join(sign for sign in text.casefold() if sign.isalpha()), text)
    return text


_BY_LETTERS = {
    name.replace(" ", ""): name
    for name in (
        "abstract", "introduction", "background", "methods", "materials and methods", "experimental section",
        "experimental methods", "results", "results and discussion", "discussion", "conclusion", "conclusions", "summary",
        "references", "acknowledgements", "acknowledgments", "acknowledgment", "conflict of interest",
        "conflicts of interest", "competing interests", "author contributions", "supporting information",
        "supplementary information", "supplementary materials", "data availability", "keywords", "funding", "appendix",
    )
}  # fmt: skip

"""What stands around a number and says that it is no quantity: figure numbers, citations, dates, formulas, labels."""

from __future__ import annotations

import re

_MONTHS = (
    r"Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|June?|July?|Aug(?:ust|\.)?|Sept?(?:ember|\.)?|"
    r"Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?"
)
_SKIPPED = re.compile(
    r"\[\s?[A-Z]?\d{1,4}(?:\s?[,;–—-]\s?[A-Z]?\d{1,4})*\s?\]"  # [12], [3–5, 7]
    r"|https?://\S{1,400}|\bwww\.\S{1,400}|\bdoi:?\s?10\.\S{1,200}|\b10\.\d{4,9}/\S{1,200}"
    r"|\barXiv:\s?\d{4}\.\d{4,5}(?:v\d+)?|\S{1,60}@\S{1,60}\.\w{2,6}"
    r"|(?:(?:\d{1,2}(?:st|nd|rd|th)?\s(?:of\s)?(?:" + _MONTHS + r")|(?:" + _MONTHS + r")\s\d{1,2}(?:st|nd|rd|th)?)"
    r"(?:,?\s(?:1[5-9]|20)\d{2})?)\b(?![.,]?\d)"
    r"|\b(?:" + _MONTHS + r")\s(?:1[5-9]|20)\d{2}\b"
    r"|\b(?:1[89]|20)\d{2}[-–/.](?:0?[1-9]|1[0-2])[-–/.](?:[0-2]?\d|3[01])\b"
    r"|\b[0-3]?\d[./](?:0?\d|1[0-2])[./](?:1[89]|20)\d{2}\b"
    r"|\b\d{1,2}:\d{2}(?::\d{2})?\b(?:\s?[ap]\.?m\b\.?)?"
    r"|[(〈⟨<{\[]\s?[-–−]?\d(?:\s?[-–−]?\d){2,3}\s?[)〉⟩>}\]](?!\s?(?:[A-Za-zµΩ°%]|[×·]\s?10))"  # Miller indices
    r"|\b(?:\d{1,3}\.){3}\d{1,3}\b"
    r"|\b\d{3,5}-\d{3,5}-\d{2,5}(?:-\d+)?\b"  # registry and telephone numbers
)
_REFERRING = re.compile(
    r"(?:\b(?:Figs?|FIGS?|Figures?|FIGURES?|Tables?|TABLES?|Tabs?|Eqs?|Eqns?|Equations?|Refs?|References?|Sections?|Secs?|Sect|"
    r"Chapters?|Schemes?|Steps?|Samples?|Nos?|Numbers?|Vols?|Volumes?|Issues?|pp|Pages?|Movies?|Videos?|Appendix|Cases?|"
    r"Examples?|Types?|Grades?|Phases?|Models?|Versions?|Batch(?:es)?|Groups?|Runs?|Cells?|Sites?|Experiments?|Tests?|Parts?|"
    r"Supplementary|Projects?|Grants?|Contracts?|Programs?|Awards?|JCPDS|ICSD|ICDD|PDF|PMC|PMID|ISBN|ISSN|ISO|ASTM|DIN|EN|"
    r"IEC|card|Card|Entry|Lot|Cat|Series|Stage|Level|Class|Boxes|Box|Note|Question|Theorem|Lemma|Beamline|Borehole|Route|"
    r"figs?|figures?|tables?|eqs?|equations?|refs?|references?|sections?|chapters?|schemes?|curves?|lines?|entry|entries|"
    r"columns?|rows?|steps?|samples?|specimens?|nos?|numbers?|pages?|phases?|types?|grants?|panels?|stages?|routes?|"
    r"space\sgroup|model|version|item|step|batch|series|group|peaks?|points?|regions?|zones?|sites?|electrodes?|"
    r"Electrodes?|modes?|Modes?|cases?|runs?|cells?|cores?)\b\.?\s?[#(]?\s?(?:S|A|SI|No\.?\s?|number\s)?)\Z"
)
_LOOKS_LIKE_FORMULA = re.compile(
    r"(?:^|[\s(\[/·-])(?:(?:[A-Z][a-z]?\d*(?:\.\d+)?|[()\[\]]){2,}|[A-Z][a-z]?)\s\Z"
)
_YEAR = re.compile(r"(?:1[5-9]\d\d|20\d\d)(?!\d)")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b")
_SECTION_START = re.compile(r"(?:\A|\n)\s*\Z")
_INLINE_ENUMERATION = re.compile(r"\(\s?\Z")
_SYMBOL_WORDS = re.compile(r"\s?[-–]?\s?(?:atoms?|ions?|sites?|vacanc\w+|bonds?|orbitals?|nucle[ui]\w*|isotopes?|cations?|anions?|interstitials?)\b")
_LETTER_HYPHEN = re.compile(r"[-–](?:[A-Z]|doped|type|rich|based|containing|site|deficient|terminated|ion|free|band|edge|shell|axis|point)")

REFERRING_WORDS = frozenset(
    "fig figs figure figures table tables tab eq eqs eqn eqns equation equations ref refs reference references section "
    "sections sec secs sect chapter chapters scheme schemes step steps sample samples no nos number numbers vol vols volume "
    "volumes issue issues pp page pages movie video appendix case cases example examples type types grade grades phase phases "
    "model models version versions batch batches group groups run runs cell cells site sites experiment experiments test tests "
    "part parts supplementary project grant grants contract program award jcpds icsd icdd pdf pmc pmid isbn issn iso astm din "
    "en iec card entry entries lot cat series stage stages level class box boxes note question theorem lemma beamline borehole "
    "route routes curve curves line lines column columns row rows specimen specimens panel panels item peak peaks point points "
    "region regions zone zones electrode electrodes mode modes core cores s a si movies".split()
)


def skipped_spans(view: str) -> list[tuple[int, int]]:
    """The stretches of a text in which digits are no quantities: citations, addresses, dates, Miller indices."""
    return [match.span() for match in _SKIPPED.finditer(view)]


def refers(before: str) -> bool:
    """Whether a number behind this text is the number of a figure, a sample, a section, …"""
    tail = before[-28:]
    word = re.search(r"([A-Za-z]+)\W{0,3}(?:No\.?\s?)?\Z", tail)
    if word is None or word.group(1).lower() not in REFERRING_WORDS:
        return False
    return bool(_REFERRING.search(tail))


def follows_formula(before: str) -> bool:
    """Whether a bare number is an index that was set off from its formula: "MgB 2", "O 3"."""
    return bool(_LOOKS_LIKE_FORMULA.search(before[-20:]))


def is_year(text: str) -> bool:
    """Whether digits are a year of the time in which papers are written and things are observed."""
    return bool(_YEAR.fullmatch(text))


def is_ordinal(after: str) -> bool:
    return bool(_ORDINAL.match(after))


def starts_line(before: str) -> bool:
    return bool(_SECTION_START.search(before[-8:]))


def is_symbol_of_element(unit_text: str, after: str) -> bool:
    """Whether what looks like a unit is an element, or part of a compound word: "3 V atoms", "2 N-doped"."""
    if len(unit_text) > 2 or not unit_text.isalpha():
        return False
    return bool(_SYMBOL_WORDS.match(after)) or bool(len(unit_text) == 1 and _LETTER_HYPHEN.match(after))

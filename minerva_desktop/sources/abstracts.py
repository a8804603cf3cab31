"""Which of two abstracts of one work is better, by what they say and not by how long they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from minerva_desktop.language.lexicon import word_list
from minerva_desktop.language.stems import folded, stem
from minerva_desktop.sources.folding import plain
from minerva_desktop.sources.titles import read_title
from minerva_desktop.sources.wording import readable, tokens

_HEADING = re.compile(
    r"\A\W*(?:abstract|summary|zusammenfassung|résumé|resumen|graphical abstract)\b[\s.:—–-]*", re.IGNORECASE
)
_PLACEHOLDER = re.compile(
    r"\W*(?:(?:no |an? )?(?:abstracts?|summary)(?: is| was)?(?: not| un)?\s?(?:available|provided|supplied|found)?"
    r"(?: for this (?:article|paper))?|"
    r"n/?a|none|null|unknown|not available|international audience|peer reviewed|text|graphical abstract|see pdf|click here.*)\W*\Z",
    re.IGNORECASE,
)
_BOILERPLATE = re.compile(
    r"©|\(c\)\s*(?:19|20)\d\d|\bcopyright\b|all rights reserved|\bpermissions?\b.{0,40}(?:request|reuse|publisher|copyright|please)|"
    r"\bsubscri(?:be|ption|bers?)\b|\b(?:sign|log)[ -]?in\b|\bcookies?\b|access (?:through|via) your|your institution|"
    r"purchase (?:access|this|pdf)|"
    r"\bview (?:the )?(?:pdf|full[ -]text|article)|download (?:the )?(?:pdf|citation)|\bcitation (?:alert|manager)|e-?mail alerts?|"
    r"publisher['’]?s note|remains neutral|terms (?:and conditions|of use)|privacy policy|only available (?:as|in) (?:a )?pdf|"
    r"(?:this )?(?:article|content|page|abstract) (?:is|was) (?:only |not |no longer )?(?:available|published|accessible)|click here|"
    r"skip to (?:main )?content|\bissn\b|\bdoi:\s*10\.|https?://|\bwww\.|published by\b|creative commons|\bcc by\b|licen[cs]ed? under|"
    r"author information|article (?:history|metrics|information)|received \d|corresponding author|e-mail:|\babout this (?:article|journal)|"
    r"\bthis journal\b|\bjournal (?:homepage|home)|journals? (?:of|is|are)\b.{0,60}publish|leading publisher|"
    r"recommended articles|related content|cited by|"
    r"\bprivate (?:individuals?|use)\b|\bregistered (?:trademark|users?)|\bplease (?:visit|contact|note that|see|log)|"
    r"rights? (?:link|and permissions)|"
    r"\bfor personal use\b|javascript|\bsupplementary (?:material|information) (?:is|for)|open access funding",
    re.IGNORECASE,
)  # fmt: skip
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[\"“(A-ZÀ-Þ0-9©])")
_CUT = re.compile(r"(?:…|\.{2,}|\[\s*(?:…|\.\.\.)\s*\]|\(\s*more\s*\)|read more|\bmore)\W*\Z", re.IGNORECASE)
_ENDED = re.compile(r"[.!?…)\]\"”’。]\W*\Z")
_CAPTION = re.compile(
    r"\A\W*(?:graphical abstract|(?:fig(?:ure)?|scheme|table of contents|toc)\b\.?\s?\d*\W)", re.IGNORECASE
)
_FUNCTION_WORDS = {
    "en": frozenset("the of and in to is for with that we by are this on from as was be at which were an it these has".split()),
    "de": frozenset("der die das und von mit ist den dem des ein eine wird werden im zu auf für nicht sich bei als aus".split()),
    "fr": frozenset("le la les et des du une est dans pour par sur que qui avec nous au aux ce cette sont ont plus".split()),
    "es": frozenset("el la los las y del una es en para por que con se su al como este esta son más fue entre".split()),
    "pt": frozenset("o a os as e do da dos das uma em para por que com se na no ao como este esta são mais foi entre".split()),
    "it": frozenset("il lo gli e di della dei delle una è per che con si nel sono alla come questo questa più dal tra".split()),
}  # fmt: skip
_SHORT = 150


@dataclass(frozen=True, slots=True, order=True)
class AbstractQuality:
    """How good an abstract is, the first of these to differ deciding: whether it says anything, is about the work, is in
    the title's language (or English), is running text, is complete, has content, and how much."""

    says: bool
    on_topic: bool
    language: bool
    running: bool
    complete: bool
    content: int


def quality(abstract: str, title: str = "") -> AbstractQuality:
    """What an abstract is worth for a work with this title, to be compared with that of another one."""
    return _quality(abstract, title)


@lru_cache(maxsize=4096)
def _quality(abstract: str, title: str) -> AbstractQuality:
    text = plain(abstract)
    own = own_words(text)
    if not own:
        return AbstractQuality(False, False, False, False, False, 0)
    stems = {
        stem(token.surface)
        for token in tokens(readable(own))
        if folded(token.surface) not in word_list("function_words")
    }
    only_title = bool(title) and read_title(own).key == read_title(title).key
    return AbstractQuality(
        says=not only_title and len(stems) > 2,
        on_topic=_about(stems, title),
        language=_language(own) in {"", "en", _language(plain(title))},
        running=not _CAPTION.match(text) and len(own) >= _SHORT,
        complete=not _CUT.search(own) and bool(_ENDED.search(own)),
        content=len(stems),
    )


def own_words(text: str) -> str:
    """An abstract without its heading and without what publishers put around it; empty for a placeholder."""
    body = _HEADING.sub("", text, count=1)
    if not body.strip() or _PLACEHOLDER.fullmatch(body) or _PLACEHOLDER.fullmatch(text):
        return ""
    kept = [sentence for sentence in _SENTENCE.split(body) if not _BOILERPLATE.search(sentence)]
    return " ".join(kept).strip()


def _about(stems: set[str], title: str) -> bool:
    """Whether an abstract shares a word with a title that has some. A title in another language shares none perhaps;
    then no abstract does, and this does not decide."""
    asked = set(read_title(title).stems) if title else set()
    return len(asked) < 3 or bool(asked & stems)


def _language(text: str) -> str:
    """The language of a text by its function words; empty when they do not tell."""
    words = [folded(token.surface) for token in tokens(text)[:300]]
    counts = {name: sum(word in known for word in words) for name, known in _FUNCTION_WORDS.items()}
    best = max(counts, key=lambda name: (counts[name], name == "en"))
    return best if counts[best] >= max(2, len(words) // 12) else ""


def better(one: str, other: str, title: str = "") -> str:
    """The better of two abstracts of the work with this title, as given; the order of the two makes no difference."""
    return best([one, other], title)


def best(abstracts: Iterable[str], title: str = "", preferred: Sequence[str] = ()) -> str:
    """The best of several abstracts as given, empty when none says anything.

    Of two that are equally good the one that has clearly more to say wins, then the one that stands first in ``preferred``,
    then the longer, then by alphabet.
    """
    rank = {text: -at for at, text in reversed(list(enumerate(preferred)))}
    found = {text.strip() for text in abstracts if text.strip()}
    usable = [text for text in found if quality(text, title).says or own_words(plain(text))]
    if not usable:
        return ""
    return max(
        sorted(usable),
        key=lambda text: (
            _coarse(quality(text, title)), _step(len(own_words(plain(text)))), rank.get(text, -len(rank)), len(text),
        ),
    )  # fmt: skip


def _coarse(found: AbstractQuality) -> tuple[bool, bool, bool, bool, bool, int]:
    """Differences of a fifth in content do not decide."""
    return (found.says, found.on_topic, found.language, found.running, found.complete, _step(found.content))


def _step(content: int) -> int:
    step, reach = 0, 5.0
    while content > reach:
        step, reach = step + 1, reach * 1.2
    return step

"""Whether a sentence that a model wrote stands in the evidence that it cites. Strict: what cannot be told is left out.

A sentence stands when its numbers, names and content words are those of its evidence, when it points the same way, and
when every statement that can be read in it ("the band gap of GaN is 3.4 eV") is one that the evidence makes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from minerva_desktop.checks.lexicon import lexicon_of as checked_lexicon
from minerva_desktop.domains import Domain
from minerva_desktop.extraction import KnownNames, extract
from minerva_desktop.extraction.lexicon import lexicon_of
from minerva_desktop.extraction.reading import names_of, read
from minerva_desktop.language.formulas import find_formulas
from minerva_desktop.language.quantities import find_quantities
from minerva_desktop.questions.aspects import addresses_the_reader
from minerva_desktop.questions.grounded_numbers import missing_number
from minerva_desktop.questions.grounded_roles import shuffled
from minerva_desktop.questions.grounded_statements import Comparison, Key, ReadText, Statements, key_of, stated_in
from minerva_desktop.questions.grounded_words import content, foreign_words, turned
from minerva_desktop.questions.grounds import Ground
from minerva_desktop.questions.passages import NAMED_IN_PASSING, is_english
from minerva_desktop.questions.reply_sentences import URL
from minerva_desktop.records import Document, Sentence

_MOST_WORDS = 3
_NAMES = frozenset({"material", "method", "application", "property", "predicate"})


class GroundChecker:
    """Holds sentences against their evidence. ``known``: spelling → canonical name of materials that the library has."""

    def __init__(self, domain: Domain, known: dict[str, str]) -> None:
        self._domain = domain
        self._known = known
        self._lexicon = lexicon_of(domain)
        self._checked = checked_lexicon(domain)
        self._names = names_of("", self._lexicon, known)
        self._texts: dict[str, ReadText] = {}

    def objection(self, sentence: str, grounds: Sequence[Ground]) -> str:
        """Why a sentence does not stand in its evidence, as a clause; "" when it does."""
        if addresses_the_reader(sentence):
            return "it gives an order instead of a statement"
        units = [unit for ground in grounds for unit in ground.units]
        address = URL.search(sentence)
        if address and not any(address.group().rstrip(".,;)") in unit for unit in units):
            return "it has an address that stands nowhere in what it cites"
        mine = self._read(sentence)
        texts = [self._read(unit) for unit in units]
        titles = " ".join({item.title for ground in grounds for item in ground.sentence.citations})
        covered = [item.span for item in mine.mentions if item.kind != "quantity"]
        number = missing_number(sentence, units, covered, {len(grounds), len(mine.materials), _listed_values(sentence)})
        if number:
            return f"the number “{number}” does not stand in what it cites"
        name = self._stranger(mine, texts, grounds, titles)
        if name:
            return f"“{name}” does not stand in what it cites"
        if any(_plain(sentence) in _plain(unit) for unit in units):
            return ""
        parts = shuffled(mine, texts, grounds, self._checked)
        if parts:
            return parts
        comparison = Comparison(mine, texts, grounds)
        spans = [*covered, *((item.start, item.end) for item in find_quantities(sentence))]
        # The title of a source may be named; whether it makes the claim is looked at below.
        words = foreign_words(sentence, units, spans, [*comparison.verified, *content(titles).values()])
        if words:
            if not is_english(sentence):
                return "it is not in English"
            return f"{_listed(words)} not in what it cites"
        statements = Statements(mine, texts, grounds, bool(comparison.verified))
        stated = any(item.type not in NAMED_IN_PASSING for item in mine.relations)
        return comparison.objection or turned(sentence, units, stated) or statements.objection()

    # ------------------------------------------------------------------------------------------------ reading
    def _read(self, text: str) -> ReadText:
        if text not in self._texts:
            document = Document("ok", text=text, sentences=(Sentence(0, text, 0, len(text)),))
            relations = extract(document, self._domain, paper_id="", known=KnownNames(self._known)).relations
            mentions = read(text, self._lexicon, self._names).mentions
            self._texts[text] = ReadText(text, tuple(mentions), tuple(relations))
        return self._texts[text]

    def _stranger(self, mine: ReadText, texts: Sequence[ReadText], grounds: Sequence[Ground], titles: str) -> str:
        """A material, method, use, property or formula that no evidence names, as written."""
        known: set[Key] = {key_of(item) for text in texts for item in text.mentions if item.kind in _NAMES}
        for stated in stated_in(grounds):
            known |= {stated.source.key, stated.target.key}
            if stated.property_id:
                known.add(("Property", stated.property_id))
        written = " ".join([titles, *(text.text for text in texts)]).casefold()
        for item in mine.mentions:
            spelt = mine.text[item.start : item.end]
            if item.kind in _NAMES and key_of(item) not in known and spelt.casefold() not in written:
                return spelt
        formulas = {found.formula.canonical for text in texts for found in find_formulas(text.text)}
        formulas |= {name for kind, name in known if kind in {"Material", "Formula", "Element"}}
        symbols = [item.span for item in mine.mentions if item.spec is not None]  # "Tc" may be no technetium
        for found in find_formulas(mine.text):
            if any(start <= found.start < end for start, end in symbols):
                continue
            spelt = mine.text[found.start : found.end]
            if found.formula.canonical not in formulas and spelt.casefold() not in written:
                return spelt
        return ""


def _listed_values(sentence: str) -> int:
    """How many values a sentence lists: "two values, 3.2 eV and 3.4 eV"."""
    found = [item.quantity for item in find_quantities(sentence) if item.quantity.kind != "count"]
    return sum(max(1, len(item.si_values)) for item in found)


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text.casefold()).strip()


def _listed(words: Sequence[str]) -> str:
    shown = ", ".join(f"“{word}”" for word in words[:_MOST_WORDS])
    return f"its {'word' if len(words) == 1 else 'words'} {shown} {'is' if len(words) == 1 else 'are'}"

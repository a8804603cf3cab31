"""Puts what was found into at most five sentences, each with its citations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from minerva_desktop.domains import Domain
from minerva_desktop.language.quantities import canonical_value
from minerva_desktop.library import Library
from minerva_desktop.questions.asked_unit import number_in
from minerva_desktop.questions.aspects import addresses_the_reader, content_of
from minerva_desktop.questions.calculating import Worked, formula_citation, work_out
from minerva_desktop.questions.choosing import (
    chosen_facts,
    methods_by_paper,
    only_elsewhere,
    quotes_lead,
)
from minerva_desktop.questions.citing import Citer, distinct, graph_citation
from minerva_desktop.questions.classifier import Question
from minerva_desktop.questions.comparing import Valued, above_or_below, compare, compare_methods, lacking, values_of
from minerva_desktop.questions.concepts import find_concept
from minerva_desktop.questions.confirming import confirmed, unconfirmed
from minerva_desktop.questions.covering import LEAST_STRENGTH, covering, strength_of
from minerva_desktop.questions.findings import Composed, Found
from minerva_desktop.questions.graph_rows import row_grounds
from minerva_desktop.questions.grounds import Ground
from minerva_desktop.questions.judging import NAMED_IN_PASSING, Judge
from minerva_desktop.questions.likeness import Alike
from minerva_desktop.questions.lookup import BUILTIN, SHOWN_ROWS
from minerva_desktop.questions.nearest import nearest
from minerva_desktop.questions.numbered import number_of, told_numbers
from minerva_desktop.questions.numbered_answers import Numbered, numbered, says_property
from minerva_desktop.questions.passages import Quoted, ReadPassage, known_materials, quoted_sentences, read_passages
from minerva_desktop.questions.quoting import NEAR_BEST, quote, quotes
from minerva_desktop.questions.steps import step_text
from minerva_desktop.questions.wording import Style, counted, said_in_words, sentences_of, without_repetition
from minerva_desktop.questions.yes_no import decided, targets_of
from minerva_desktop.records import Answer, AnswerSentence, Fact, Quantity, Relation

MOST_SENTENCES = 5
MOST_FACTS = 8
MOST_QUOTES = 4
MOST_QUOTES_BESIDE = 2
NOT_FOUND = "Not in your library: nothing in your papers, textbooks or graph answers this."
_COLUMNS = {"molecular_weight": ("molar mass", " g/mol"), "crystal_structure": ("crystal structure", "")}


def compose(
    library: Library,
    domain: Domain,
    asked: Question,
    found: Found,
    least: float = LEAST_STRENGTH,
    alike: Alike | None = None,
) -> Composed:
    """The answer that the findings give, or "not in your library". ``least``: how much of the question a sentence that no
    rule reads as an answer must cover to be one; ``alike`` tells how near in meaning sentences are to the question."""
    return _Composer(library, domain, asked, found, least, alike).composed()


class _Composer:
    def __init__(
        self, library: Library, domain: Domain, asked: Question, found: Found, least: float, alike: Alike | None
    ) -> None:
        self.least = least
        self.alike = alike
        self.domain = domain
        self.asked = asked
        self.found = found
        self.citer = Citer(library)
        self.counts = library.catalog.term_counts
        self.passages = found.search.passages
        self.materials = asked.of_type("Material")
        self.content = content_of(asked, domain)
        self.judge = Judge(asked, domain, known_materials(asked), methods_by_paper(found.making))
        told = without_repetition([*found.accepted, *found.waiting], domain)
        self.facts = [fact for fact in told if self._concerns(fact)]
        if asked.type != "calculation":
            self.facts = chosen_facts(self.facts, self.judge, self.citer, domain)

    def composed(self) -> Composed:
        if self.found.said:
            answer = replace(self._finished(Worked(), self.found.said, []), value=None, unit="")
            return Composed(answer, tuple(map(Ground, self.found.said)))
        worked = self._calculated()
        if worked.refused:
            return Composed(self._finished(worked, [], ()), (), worked.problem)
        readings = read_passages(self.asked, self.passages, self.domain, self.citer)
        quoted = quoted_sentences(readings, self.judge)
        values = self._values(quoted)
        compared = self._compared(values)
        both = [item for item in quoted if len(self.materials) > 1 and item.subjects >= set(self.materials)]
        if self.asked.type == "comparison" and not compared and not both:
            reason = lacking(self.materials, self.asked.properties, values, self.domain)
            if reason:
                return Composed(replace(self._finished(worked, [], []), answer=f"Not in your library: {reason}."))
        if self.asked.type == "lookup" and only_elsewhere(self.facts, quoted, self.judge):
            return Composed(replace(self._finished(worked, [], []), answer=self._elsewhere(quoted)))
        compared = compared or self._decided(quoted)
        sentences = [*worked.sentences, *compared]
        if worked.result is not None and worked.result.ok:
            self.facts = self._inputs(worked)
        if self.asked.type in {"lookup", "methods", "applications"} and quotes_lead(self.facts, quoted, self.judge):
            self.facts = []
        if not sentences and (targets := targets_of(self.asked, self.domain)):
            sentences = confirmed(self.facts, quoted, targets, self.judge, self.domain, self.citer)
            quoted = []
            if not sentences:
                return Composed(
                    replace(
                        self._finished(worked, [], []),
                        answer=unconfirmed(self.facts, self.judge, self.domain, self.citer),
                    )
                )
            self.facts = []
        columns, rows = self._columns(), row_grounds(self.found.rows, [item.name for item in self.asked.entities])
        if not sentences or self.asked.type == "calculation":
            sentences += [*columns, *self._fact_sentences(), *(item.sentence for item in rows)]
        concepts = self._concepts(sentences, worked)
        sentences = [item for item in [*sentences, *concepts] if item.citations][:MOST_SENTENCES]
        numbered = self._numbered(readings, quoted) if sentences == concepts else Numbered()
        if concepts and not numbered.sentences:
            numbered = Numbered()  # what a formula calculates is better than nothing
        if numbered.decided:
            sentences, concepts = [], []
            quoted = list(numbered.quoted)
            sentences += numbered.sentences
        else:
            sentences += quotes(self.asked, self.judge.need, quoted, sentences, MOST_SENTENCES)
        strength = numbered.strength
        if (
            not numbered.decided
            and not worked.problem
            and all(item.status is None and item.source != "calculation" for item in sentences)
        ):
            covered = covering(self.asked, readings, self.judge, self.counts, self.alike)
            if not sentences:
                quoted = [item.quoted for item in covered[:1] if item.strength >= self.least]
                sentences += map(self._quote, quoted)
            strength = strength_of(sentences, covered)
        steps = tuple(step_text(item, 4) for item in worked.result.steps) if worked.result else ()
        grounds = [Ground(item, more=steps) for item in worked.sentences]
        grounds += [Ground(item, tuple(self.facts)) for item in compared]
        grounds += [*map(Ground, columns), *rows, *self._fact_grounds(), *map(Ground, concepts)]
        grounds += self._quote_grounds(quoted, grounds)
        if sentences and self.found.described:
            how = [self._quote(item) for item in self.found.described]
            sentences = [sentences[0], *how, *sentences[1:]][:MOST_SENTENCES]
            grounds += [Ground(self._quote(item), item.relations, quoted=True) for item in self.found.described]
        answer = replace(self._finished(worked, sentences, quoted), strength=strength)
        if numbered.decided:
            answer = replace(answer, value=numbered.value, unit=numbered.unit)
        return Composed(answer, tuple(item for item in grounds if item.sentence.citations), worked.problem)

    # ------------------------------------------------------------------------------------------------ grounds
    def _fact_grounds(self) -> list[Ground]:
        """The facts one by one, as a model may cite them; those that say the same are one."""
        groups: dict[tuple[object, ...], list[Fact]] = {}
        for fact in [*self._with("accepted"), *self._with("waiting")]:
            value = canonical_value(fact.quantity) if fact.quantity is not None else fact.target.key[1]
            said = "reported" if fact.modality == "cited" else fact.modality
            key = (fact.type, fact.source.key, fact.property_id, value, said, fact.decision.status)
            groups.setdefault(key, []).append(fact)
        found = []
        for facts in list(groups.values())[:MOST_FACTS]:
            status = facts[0].decision.status
            told = (
                [said_in_words(facts[0], self.citer, status)]
                if self._only_in_words(facts[0])
                else sentences_of(facts, self.domain, self.citer, status, unit=self.asked.unit)
            )
            found += [Ground(item, tuple(facts)) for item in told]
        return found

    def _quote_grounds(self, quoted: Sequence[Quoted], before: Sequence[Ground]) -> list[Ground]:
        """The best sentences of passages that no fact has quoted yet."""
        told = {" ".join(item.quote.split()) for ground in before for item in ground.sentence.citations}
        chosen = [item for item in quoted if item.score >= 1.0 and item.text not in told]
        most = MOST_QUOTES if not before else MOST_QUOTES_BESIDE
        return [Ground(self._quote(item), item.relations, quoted=True) for item in chosen[:most]]

    def _finished(self, worked: Worked, sentences: list[AnswerSentence], quoted: Sequence[Quoted]) -> Answer:
        result = worked.result if worked.result is not None and worked.result.ok else None
        told = self._one_value(quoted) if sentences else (None, "")
        value, unit = (result.value, result.unit) if result else told
        text = " ".join(item.text for item in sentences)
        notes = [*self.found.notes, *worked.notes]
        if worked.problem:
            text = f"{worked.problem} {text}" if sentences else f"Not in your library: {_inside(worked.problem)}"
        if worked.refused:
            text = worked.problem
        if self.asked.type == "calculation" and not self.asked.concepts:
            notes.append("There is no formula for this among the concepts; what is known is shown instead.")
        if not text:
            text = f"{NOT_FOUND} {nearest(self.asked, self.passages, self.domain, self.citer)}"
        used = {item.passage.id for item in (*quoted, *self.found.described)}
        return Answer(
            question=self.asked.text,
            type=self.asked.type,
            route=self.asked.route,
            degraded=self.found.degraded,
            found=bool(sentences),
            answer=text.strip(),
            sentences=tuple(sentences),
            cypher=self.found.rows.cypher,
            cypher_engine=self.found.rows.engine,
            rows=self.found.rows.rows[:SHOWN_ROWS],
            passages=tuple(item for item in self.passages if item.id in used),
            steps=result.steps if result else (),
            value=value,
            unit=unit,
            figures=result.figures if result else None,
            notes=tuple(dict.fromkeys(notes)),
        )

    # -------------------------------------------------------------------------------------------------- facts
    def _concerns(self, fact: Fact) -> bool:
        """Whether a fact belongs into the answer: not made of orders to the reader, and about what is asked."""
        quotes = [record.evidence.sentence for record in fact.evidence]
        if not fact.by_person and quotes and all(addresses_the_reader(quote) for quote in quotes):
            return False
        if self.asked.type != "general":
            return True
        if self.asked.properties and not self.materials:
            return False  # "What is a superconductor?" asks for the meaning, not for a list
        if self.judge.need.words and not self.content.is_in(fact.claim):
            return False  # the sentence speaks of it, the fact does not: it is quoted
        return any(self.content.is_in(f"{quote} {fact.claim}") for quote in quotes)

    def _inputs(self, worked: Worked) -> list[Fact]:
        """The facts beside a result: values of what went into it from the library, the one taken and its rivals."""
        taken = {
            variable.property_id
            for variable, item in (worked.result.given if worked.result else ())
            if item.origin in {"graph", "paper"}
        }
        return [fact for fact in self.facts if fact.type == "HAS_VALUE" and fact.property_id in taken]

    def _with(self, status: str) -> list[Fact]:
        return [fact for fact in self.facts if fact.decision.status == status]

    def _fact_sentences(self) -> list[AnswerSentence]:
        if self.asked.type == "comparison" and len(self.materials) == 1:
            return []
        need = self.judge.need
        if self.asked.type == "lookup" and not self.found.wanted.materials and need.words and not need.noun:
            return []  # what the question is about was not recognised: a list of everything is no answer
        style: Style = "each"
        if not self.materials:
            style = "materials"
        elif self.asked.type in {"properties", "general"}:
            style = "overview"
        found: list[AnswerSentence] = []
        if style == "overview":  # a formula and its elements say least of a material
            self.facts.sort(key=lambda fact: fact.type in NAMED_IN_PASSING)
        for status in ("accepted", "waiting"):
            facts = self._with(status)
            in_words = [fact for fact in facts if self._only_in_words(fact)]
            rest = [fact for fact in facts if fact not in in_words]
            told = sentences_of(rest, self.domain, self.citer, status, style, self.asked.unit)
            found += counted(told, rest, need.noun) if need.counts and style == "materials" else told
            found += [said_in_words(fact, self.citer, status) for fact in in_words[:2]]
        return found

    def _only_in_words(self, fact: Fact) -> bool:
        """A looked-up property whose fact says no more than that there is one: the sentence itself is the answer."""
        if self.asked.type != "lookup" or fact.type != "HAS_PROPERTY" or not self.materials:
            return False
        if fact.modality == "negated":
            return False
        specs = [spec for item in self.asked.properties if (spec := self.domain.property(item)) is not None]
        return any(fact.target.key[1] in {spec.label, *spec.synonyms} and not spec.predicates for spec in specs)

    # ------------------------------------------------------------------------------------------ other sentences
    def _calculated(self) -> Worked:
        if self.asked.type != "calculation" or not self.asked.concepts:
            return Worked()
        name, text = self.asked.concepts[0], self.asked.text
        facts, passages, unit = self.facts, self.passages, self.asked.unit
        return work_out(name, text, self.materials, facts, passages, self.domain, self.citer, unit)

    def _values(self, quoted: Sequence[Quoted]) -> list[Valued]:
        """The values that are compared with each other or with a bound."""
        bounded = self.judge.need.bound is not None and not self.materials
        if self.asked.type != "comparison" and not (bounded and self.asked.type in {"lookup", "properties"}):
            return []
        properties = self.asked.properties or _common(self.facts, quoted, self.materials)
        return values_of(self.facts, quoted, properties, self.citer, self.judge.made, self.asked.unit)

    def _compared(self, values: Sequence[Valued]) -> list[AnswerSentence]:
        if not values:
            return []
        need, methods = self.judge.need, self.asked.of_type("Method")
        properties = tuple(dict.fromkeys(item.property_id for item in values))
        properties = tuple(sorted(properties, key=lambda item: (item not in self.asked.properties[:1], item)))
        if need.bound is not None and not self.materials:
            return above_or_below(properties, values, need, self.domain)
        if len(self.materials) == 1 and len(methods) > 1:
            found = compare_methods(methods, properties, values, need, self.domain)
            making = [fact for fact in self.found.making if fact.target.key[1] in methods]
            how = [self.citer.fact(fact)[0] for fact in making if fact.evidence]
            return [replace(item, citations=distinct([*item.citations, *how])) for item in found]
        decide = self.asked.yes_no and bool(self.asked.properties)  # "better" of nothing named is no yes
        return compare(self.materials, properties, values, need, self.domain, decide)

    def _decided(self, quoted: Sequence[Quoted]) -> list[AnswerSentence]:
        """Yes or no to a question about a value."""
        claim = self.asked.claim
        if claim is None or len(self.materials) != 1:
            return []
        fitting = [item for item in quoted if item.fit >= 0]
        values = values_of(self.facts, fitting, self.asked.properties, self.citer, self.judge.made)
        for item in self.asked.properties:
            mine = [value for value in values if value.property_id == item and value.material in self.materials]
            spec = self.domain.property(item)
            if told := decided(claim, spec.label if spec else item, mine):
                return told
        return []

    def _columns(self) -> list[AnswerSentence]:
        """Columns that are not a fact of their own: a molar mass from the formula, a structure from a sentence."""
        told: dict[str, AnswerSentence] = {}
        for row in self.found.rows.rows if self.found.rows.engine == BUILTIN else ():
            for column, (label, unit) in _COLUMNS.items():
                if row.get(column) is not None and row.get("material"):
                    name = str(row["material"])
                    text = f"The {label} of {name} is {row[column]}{unit}."
                    place = graph_citation(f"Material {name}", f"{column}: {row[column]}")
                    told.setdefault(text, AnswerSentence(text, "graph", "accepted", (place,)))
        return list(told.values())

    def _concepts(self, before: Sequence[AnswerSentence], worked: Worked) -> list[AnswerSentence]:
        """What a concept is, when that is asked and nothing was calculated."""
        if before or worked.problem or self.asked.type == "calculation":
            return []
        found = []
        for row in self.found.rows.rows:
            concept = find_concept(str(row.get("concept", "")), self.domain)
            if concept is not None:
                text = f"{concept.name}: {concept.description.rstrip('.')}; {concept.formula}."
                found.append(AnswerSentence(text, "graph", None, (formula_citation(concept),)))
        return found[:1]

    # ----------------------------------------------------------------------------------------------- passages
    def _quote(self, item: Quoted) -> AnswerSentence:
        return quote(item, self.asked, self.judge.need)

    def _numbered(self, readings: Sequence[ReadPassage], quoted: Sequence[Quoted]) -> Numbered:
        """The number that is asked for, where no fact says it."""
        wanted = number_of(self.asked, self.judge)
        if wanted is None or says_property(self.asked, quoted):
            return Numbered()
        found = told_numbers(self.asked, wanted, readings, self.judge, self.counts, self.alike)
        return numbered(found, wanted, self.asked, self.judge, self.least)

    def _elsewhere(self, quoted: Sequence[Quoted]) -> str:
        """The answer when there is a value only under other conditions."""
        told = [item.text for item in sentences_of(self.facts, self.domain, self.citer, "accepted")]
        said = told[0] if told else f"“{quoted[0].text}”"
        return f"Not in your library: there is no value under the conditions of your question. Nearest to it: {said}"

    def _one_value(self, quoted: Sequence[Quoted]) -> tuple[float | None, str]:
        """The number of a look-up: of accepted facts, else waiting ones, else textbooks, when they agree on one."""
        listing = self.judge.need.bound is not None and not self.materials
        if self.asked.type != "lookup" or len(self.materials) > 1 or listing:
            return None, ""
        for status in ("accepted", "waiting"):
            quantities = [fact.quantity for fact in self._with(status) if fact.type == "HAS_VALUE"]
            if quantities:
                return self._agreed(quantities)
        best = max((item.score for item in quoted), default=0.0)
        told = [
            relation.quantity
            for item in quoted
            if item.score >= best - NEAR_BEST
            for relation in item.relations
            if relation.property_id in self.asked.properties
        ]
        return self._agreed(told)

    def _agreed(self, quantities: Iterable[Quantity | None]) -> tuple[float | None, str]:
        """The one number of all of these, in the unit that is asked for or else in its own; None for several."""
        unit, told = self.asked.unit, [item for item in quantities if item is not None and item.kind == "value"]
        numbers = {
            (number, unit) if unit and (number := number_in(item, unit)) is not None else (item.value, item.unit)
            for item in told
        }
        return next(iter(numbers)) if len(numbers) == 1 else (None, "")


def _common(facts: Iterable[Fact], quoted: Iterable[Quoted], materials: Sequence[str]) -> tuple[str, ...]:
    """Properties of which at least two of the materials have a value, sorted."""
    having: dict[str, set[str]] = {}
    stated: list[Fact | Relation] = [*facts, *(one for sentence in quoted for one in sentence.relations)]
    for item in stated:
        if item.type == "HAS_VALUE" and item.source.key[1] in materials:
            having.setdefault(item.property_id, set()).add(item.source.key[1])
    return tuple(sorted(item for item, names in having.items() if len(names) > 1))


def _inside(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]

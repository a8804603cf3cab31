"""Is a name what its type says it is? One function per entity type; each gives the canonical name, or a rule and a reason.

Policies, where the rules leave a choice:

* Names are cleaned first: Unicode evened out, control and writing-direction characters removed, line ends and runs of
  spaces made one space. A name of more than 200 characters names nothing and is refused.
* A material is refused when *all* its words are category, form or device words ("metal oxide thin films"), or when its
  last words are a device ("NbN nanowire detector"); "graphene oxide" and "copper alloy C11000" stand. A structural form
  behind or before a name becomes the entity's form ("NbN nanowire" is NbN with form nanowire), except after "carbon",
  where it makes another material (carbon nanotube).
* An element is its symbol in exact case. An English element name is rewritten to the symbol, with a note.
* A property that holds a value ("band gap of 3.4 eV") is refused as bad-value: the number belongs on HAS_VALUE.
* A property whose first or last word is a judgement or placeholder ("excellent stability", "high quality"), a method
  that is no noun ("deposited") and an application made only of such words are not of their declared type: entity-type.
* An ambiguous value ("1,107 eV") passes with a note: the gate lets it wait, nobody guesses.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from minerva_desktop.checks.lexicon import Lexicon, fold_name, fold_word, squash, words_of
from minerva_desktop.language.elements import is_symbol, symbol_for_name
from minerva_desktop.language.formulas import parse_formula
from minerva_desktop.language.names import normalise_text, split_form
from minerva_desktop.language.quantities import canonical_value, find_quantities, parse_value
from minerva_desktop.records import Entity, Quantity

LONGEST_NAME = 200
_SHOWN = 60

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]+")
_DETERMINERS = frozenset("the a an this these those that such our its their each every any all both same as of".split())
_MODIFIERS = frozenset(
    "bulk pure doped undoped pristine crystalline amorphous polycrystalline nanocrystalline porous dense solid high low "
    "temperature new novel conventional unconventional type ii i based thin thick ultrathin dimensional two one three "
    "single multi few wide narrow direct indirect gap bandgap functional advanced organic inorganic metallic ceramic "
    "polymeric magnetic ferromagnetic superconducting semiconducting conducting insulating dielectric ferroelectric "
    "transparent active hard soft as grown prepared synthesized deposited first second main final initial".split()
)
_MAGNITUDES = frozenset(
    "high higher highest low lower lowest large larger small strong weak ultrahigh ultralow".split()
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was made of a name. ``rule`` is empty when it is accepted; ``note`` is a rewrite or a warning."""

    canonical: str
    form: str = ""
    rule: str = ""
    reason: str = ""
    note: str = ""


def clean_name(name: str) -> str:
    """A name fit to be stored and logged: one line, no invisible characters."""
    return " ".join(_CONTROL.sub(" ", normalise_text(_CONTROL.sub(_space_for_line_end, name))).split())


def _space_for_line_end(match: re.Match[str]) -> str:
    return " " if any(character in "\t\n\r\x0b\x0c\x85" for character in match.group()) else ""


def shown(name: str) -> str:
    """A name for use in a sentence: cleaned and cut."""
    cleaned = clean_name(name[: 4 * _SHOWN])
    return cleaned if len(cleaned) <= _SHOWN else cleaned[: _SHOWN - 1] + "…"


def material_key(name: str, lexicon: Lexicon) -> str:
    """The identity of a material: canonical name of the gazetteer, canonical formula, or the folded name."""
    return lexicon.material(name) or fold_name(name)


# ------------------------------------------------------------------------------------------------- materials
def check_material(name: str, lexicon: Lexicon, _: frozenset[str]) -> Outcome:
    """Named, not generic, not a device."""
    if not any(character.isalnum() for character in name):
        return Outcome(name, rule="generic-material", reason="A material without a name is not a material.")
    known = lexicon.material(name)
    if known:
        return Outcome(known)
    if not any(character.isalpha() for character in name) or len(name) < 2:
        return Outcome(name, rule="generic-material", reason=f"“{shown(name)}” is a label, not the name of a material.")
    words = fold_name(name).split(" ")
    listed = squash(" ".join(words)) in _squashed(lexicon.generic | lexicon.forms)
    if not listed and _is_device(words, lexicon):
        return Outcome(name, rule="device", reason=f"“{shown(name)}” is a device, not a material.")
    if _is_generic(words, lexicon):
        return Outcome(
            name, rule="generic-material", reason=f"“{shown(name)}” is a form or a category, not a material."
        )
    base, form = _without_form(name, lexicon)
    if form:
        return Outcome(lexicon.material(base) or base, form=form)
    return Outcome(name)


def _without_form(name: str, lexicon: Lexicon) -> tuple[str, str]:
    forms = sorted(lexicon.domain.critic.structural_forms)
    base, form = split_form(name, forms)
    base = re.sub(r"^(?:the|a|an)\s+", "", base, flags=re.IGNORECASE).strip(" -–")
    # Allotropes of carbon are named by their form; cutting it off would name another material.
    if not form or not base or fold_name(base) in {"carbon", "c"} or _is_generic(fold_name(base).split(" "), lexicon):
        return name, ""
    return base, form


def _is_device(words: list[str], lexicon: Lexicon) -> bool:
    if squash(" ".join(words)) in _squashed(lexicon.devices):
        return True
    # Only the head decides: "NbN nanowire detector" is a detector, "LED phosphor" is a phosphor.
    for length in (4, 3, 2, 1):
        if len(words) > length and " ".join(words[-length:]) in lexicon.devices:
            return " ".join(words[-length:]) not in lexicon.forms
    return False


def _is_generic(words: list[str], lexicon: Lexicon) -> bool:
    """Whether category, form, device and filler words cover the whole name."""
    listed = lexicon.generic | lexicon.forms | lexicon.devices
    if squash(" ".join(words)) in _squashed(listed):
        return True
    fillers = _DETERMINERS | _MODIFIERS | lexicon.vague
    reach = [True] + [False] * len(words)
    for end in range(1, len(words) + 1):
        for length in range(1, min(6, end) + 1):
            part = words[end - length : end]
            if reach[end - length] and (" ".join(part) in listed or (length == 1 and part[0] in fillers)):
                reach[end] = True
                break
    return reach[-1]


_SQUASHED: dict[frozenset[str], frozenset[str]] = {}


def _squashed(names: frozenset[str]) -> frozenset[str]:
    if names not in _SQUASHED:
        if len(_SQUASHED) > 32:
            _SQUASHED.clear()
        _SQUASHED[names] = frozenset(squash(name) for name in names)
    return _SQUASHED[names]


# ------------------------------------------------------------------------------------------ elements, formulas
def check_element(name: str, lexicon: Lexicon, _: frozenset[str]) -> Outcome:
    """A symbol in exact case, or an element's English name, which is rewritten."""
    if is_symbol(name):
        return Outcome(name)
    symbol = symbol_for_name(name)
    if symbol:
        return Outcome(symbol, note=f"The element name “{shown(name)}” was rewritten to its symbol {symbol}.")
    return Outcome(name, rule="element-symbol", reason=f"“{shown(name)}” is not the symbol of one of the 118 elements.")


def check_formula(name: str, lexicon: Lexicon, _: frozenset[str]) -> Outcome:
    """A formula of known elements; markup and spacing are evened out, case is not."""
    formula = parse_formula(name)
    if formula.ok:
        return Outcome(formula.canonical)
    reason = formula.reason or f"“{shown(name)}” is not a chemical formula."
    return Outcome(name, rule="formula", reason=shown_reason(reason))


def shown_reason(reason: str) -> str:
    """One clean sentence of a reason that quotes its input."""
    cleaned = clean_name(reason)
    return cleaned if len(cleaned) <= 240 else cleaned[:239] + "…"


# ---------------------------------------------------------------------------------------------------- values
def check_value(name: str, lexicon: Lexicon, dimensions: frozenset[str]) -> Outcome:
    """A whole string that is a value. ``dimensions`` are those of the properties it is used with."""
    quantity = parse_any(name, dimensions)
    return value_outcome(name, quantity)


def parse_any(name: str, dimensions: frozenset[str]) -> Quantity:
    """The value read by itself, or as a value of one of the dimensions it is used with."""
    quantity = parse_value(name)
    if quantity.ok:
        return quantity
    for dimension in sorted(dimensions):
        other = parse_value(name, expected_dimension=dimension)
        if other.ok:
            return other
    return quantity


def value_outcome(name: str, quantity: Quantity) -> Outcome:
    """The critic's word on a value that was read."""
    if quantity.ok and quantity.kind == "negative":
        return Outcome(
            name, rule="negated", reason=f"“{shown(name)}” says that something was not found: that is no value."
        )
    if quantity.ok and quantity.kind == "count":
        return Outcome(name, rule="bad-value", reason=f"“{shown(name)}” is a count, not a measured value.")
    if quantity.ok:
        return Outcome(canonical_value(quantity))
    if quantity.ambiguous:
        return Outcome(name, note=shown_reason(quantity.reason) or "The value is ambiguous and waits for a person.")
    if not any(character.isdigit() for character in name):
        return Outcome(name, rule="no-number", reason=f"“{shown(name)}” has no number, so it is no value.")
    reason = shown_reason(quantity.reason) or f"“{shown(name)}” is not a value with a known unit."
    return Outcome(name, rule="bad-value", reason=reason)


# ----------------------------------------------------------------------------- properties, methods, applications
def check_property(name: str, lexicon: Lexicon, known: frozenset[str]) -> Outcome:
    """A measurable characteristic by name: no value, no judgement, no material."""
    if not any(character.isalnum() for character in name):
        return Outcome(name, rule="entity-type", reason="A property without a name is not a property.")
    spec = lexicon.property(name)
    if spec is not None:
        return Outcome(spec.label)
    if is_material(name, lexicon, known):
        return Outcome(name, rule="property-is-material", reason=f"“{shown(name)}” is a material, not a property.")
    words = fold_name(name).split(" ")
    plain = lexicon.property(" ".join(words[1:])) if words[0] in _MAGNITUDES else None
    if plain is not None:
        return Outcome(plain.label)
    if words[0] in lexicon.vague or words[-1] in lexicon.vague:
        return Outcome(
            name, rule="entity-type", reason=f"“{shown(name)}” is a judgement, not a property that can be measured."
        )
    if any(item.quantity.kind != "count" for item in find_quantities(name)):
        return Outcome(
            name,
            rule="bad-value",
            reason=f"“{shown(name)}” holds a value: the number belongs on HAS_VALUE, not in a property.",
        )
    return Outcome(name)


def check_method(name: str, lexicon: Lexicon, known: frozenset[str]) -> Outcome:
    """A way of making something, as a noun; a material's name alone is none."""
    if not any(character.isalnum() for character in name):
        return Outcome(name, rule="entity-type", reason="A method without a name is not a method.")
    method = lexicon.resolve("method", name)
    if method:
        return Outcome(method)
    words = fold_name(name).split(" ")
    if is_material(name, lexicon, known) or (
        words[-1] not in lexicon.method_words and _is_generic(words, lexicon) and not set(words) <= lexicon.vague
    ):
        return Outcome(
            name, rule="method-is-material", reason=f"“{shown(name)}” names a material or a thing, not a method."
        )
    if words[-1] in lexicon.method_words and len(words) > 1:
        return Outcome(name)
    if words[-1] in lexicon.vague or _is_participle(name):
        return Outcome(name, rule="entity-type", reason=f"“{shown(name)}” is not the noun of a method.")
    return Outcome(name)


def _is_participle(name: str) -> bool:
    last = words_of(name)[-1][0].casefold()
    return last.endswith("ed") and len(last) > 4 and not last.endswith(("seed", "feed", "speed", "bed"))


def check_application(name: str, lexicon: Lexicon, _: frozenset[str]) -> Outcome:
    """A specific use in the real world."""
    words = [fold_word(word) for word, _, _ in words_of(name)]
    if not words:
        return Outcome(name, rule="entity-type", reason="An application without a name is not an application.")
    application = lexicon.resolve("application", name)
    if application:
        return Outcome(application)
    if all(word in lexicon.vague or word in _DETERMINERS for word in words):
        return Outcome(name, rule="entity-type", reason=f"“{shown(name)}” names no specific application.")
    return Outcome(name)


def is_material(name: str, lexicon: Lexicon, known: frozenset[str]) -> bool:
    """Whether a whole name is a material of the paper, the graph or the gazetteer, or a formula of several elements.

    A lone symbol counts only when its case is exact ("Si"); names of properties and methods are looked up before.
    """
    key = material_key(name, lexicon)
    if key in known or lexicon.resolve("material", name) or symbol_for_name(name) or is_symbol(name):
        return True
    formula = parse_formula(name)
    mixed = any(character.islower() or character.isdigit() for character in formula.canonical)
    return formula.ok and len(formula.elements) > 1 and mixed


Checker = Callable[[str, Lexicon, frozenset[str]], Outcome]

CHECKERS: dict[str, Checker] = {
    "Material": check_material,
    "Element": check_element,
    "Formula": check_formula,
    "Property": check_property,
    "Method": check_method,
    "Application": check_application,
}
"""By entity type; a type that is not here (of another field's pack) only needs a name. Value is read by ``check_value``."""

_LENGTH_RULE = {
    "Material": "generic-material",
    "Element": "element-symbol",
    "Formula": "formula",
    "Value": "bad-value",
}


def check_name(
    kind: str, name: str, lexicon: Lexicon, known: frozenset[str], dimensions: frozenset[str] = frozenset()
) -> Outcome:
    """What the rules of its type say of a name."""
    if len(name) > LONGEST_NAME:
        rule = _LENGTH_RULE.get(kind, "entity-type")
        return Outcome(
            shown(name), rule=rule, reason=f"A name of {len(name)} characters (“{shown(name)[:20]}…”) names nothing."
        )
    cleaned = clean_name(name)
    if kind == "Value":
        return check_value(cleaned, lexicon, dimensions)
    checker = CHECKERS.get(kind)
    if checker is not None:
        outcome = checker(cleaned, lexicon, known)
        return ruled_out(kind, lexicon, cleaned, outcome.canonical) or outcome
    if not cleaned:
        return Outcome(cleaned, rule="entity-type", reason=f"A {kind} without a name is not a {kind}.")
    return Outcome(cleaned)


def ruled_out(kind: str, lexicon: Lexicon, *spellings: str) -> Outcome | None:
    """The refusal of a name that a person's blacklist holds; None when it holds none of these."""
    term = lexicon.blacklist.find(kind, *spellings)
    if not term:
        return None
    reason = f"“{shown(term)}” is on your blacklist: it is not to be taken as a {kind}."
    return Outcome(spellings[0], rule="blacklist", reason=reason)


def with_outcome(entity: Entity, outcome: Outcome) -> Entity:
    """The entity as it would be stored. A canonical name that the extractor gave is kept: relations refer to it."""
    if outcome.rule:
        return replace(entity, name=shown(entity.name), canonical=entity.canonical or outcome.canonical)
    return replace(
        entity,
        name=clean_name(entity.name),
        canonical=entity.canonical or outcome.canonical,
        form=entity.form or outcome.form,
    )

"""Patterns of what a sentence says of a material without a number: how it is made, what it is used in, which property it
has. :mod:`weighing` holds them, and what stands near without a pattern, against the other signs of the sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from minerva_desktop.extraction.chunks import Skeleton
from minerva_desktop.extraction.lexicon import Lexicon
from minerva_desktop.extraction.mentions import Mention
from minerva_desktop.extraction.subjects import clause_start, is_symbol, usable
from minerva_desktop.extraction.tokens import fold_phrase, fold_word

_LIST = r"(?<!Mc)(?<!M,)(?<!M,c)M(?:(?:,c?|c)M)*"
_METHODS = r"S(?:(?:\.?,c?|\.?c)\.{0,2}S)*"


@dataclass(frozen=True, slots=True)
class Pattern:
    """Two mentions (chunk indices) that a rule binds, with the words that triggered it."""

    type: str
    source: int
    target: int
    rule: str
    triggers: tuple[str, ...] = ()


def patterns(text: str, skeleton: Skeleton, lexicon: Lexicon) -> Iterator[Pattern]:
    """All pairs of a sentence that a pattern binds."""
    codes = skeleton.codes
    if "M" not in codes:
        return
    if "S" in codes:
        yield from _synthesis(text, skeleton, lexicon)
    if "A" in codes:
        yield from _uses(text, skeleton)
    if "K" in codes:
        yield from _predicates(text, skeleton, lexicon)
    if "P" in codes:
        yield from _properties(text, skeleton, lexicon)


def _indices(codes: str, span: tuple[int, int], code: str) -> list[int]:
    return [index for index in range(*span) if codes[index] == code]


# ---------------------------------------------------------------------------------------------------- made by
_MADE = re.compile(
    rf"(?P<m>{_LIST})(?P<mid>,?q?(?:\([^()]*\)|[^;xuM()]){{0,9}}?)(?P<g>[Gr]c?G?)(?P<tail>[^;xGM]{{0,6}}?"
    rf"(?:[nz]\.{{0,3}}M?\.{{0,2}})?)(?P<prep>[yvw])(?P<gap>[.IQ]{{0,4}})(?P<s>{_METHODS})"
)
_METHOD_FIRST = re.compile(rf"(?P<s>{_METHODS})\.{{0,2}}b?[^;xM]{{0,3}}[Uv]t(?P<g>G)\.{{0,4}}(?P<m>{_LIST})")
_ACTIVE = re.compile(
    rf"(?P<g>G)\.{{0,4}}(?P<m>{_LIST})(?P<tail>[^;xGMb]{{0,6}}?(?:n\.{{0,3}}M\.{{0,2}})?)"
    rf"(?P<prep>[yv])\.{{0,4}}(?P<s>{_METHODS})"
)
_HYPHENATED = re.compile(r"(?P<s>S)(?P<g>G)\.{0,2}(?P<m>M)")
_GIVES = re.compile(rf"(?P<s>S)[.aQ]{{0,3}}(?:n\.{{0,3}}M\.{{0,2}})?h\.{{0,3}}(?P<m>{_LIST})")
_GIVING = frozenset(fold_word(word) for word in ("gives", "gave", "yields", "yielded", "provides", "provided"))
_OF_MATERIAL = re.compile(rf"(?P<s>S)o\.{{0,3}}(?P<m>{_LIST})")


def _synthesis(text: str, skeleton: Skeleton, lexicon: Lexicon) -> Iterator[Pattern]:
    codes = skeleton.codes
    taken: set[int] = set()  # methods that have their product: "TiC is made by electrospinning of polyacrylonitrile"
    for pattern, rule in (
        (_MADE, "made-by"),
        (_ACTIVE, "makes-by"),
        (_METHOD_FIRST, "method-used"),
        (_HYPHENATED, "method-made"),
        (_GIVES, "method-gives"),
        (_OF_MATERIAL, "method-of"),
    ):
        for match in _overlapping(pattern, codes):
            groups = match.groupdict()
            triggers = skeleton.words(match.start(), match.end(), "GrUyvh")
            if rule == "method-gives" and not any(fold_word(word) in _GIVING for word in triggers):
                continue
            if "g" in groups and not any(fold_word(word) in lexicon.making for word in triggers):
                continue
            materials = _indices(codes, match.span("m"), "M")
            methods = _indices(codes, match.span("s"), "S")
            if rule == "method-of" and (
                taken.intersection(methods) or _consumes(skeleton.mention(methods[-1]), lexicon)
            ):
                continue
            for item in _made(text, skeleton, materials, methods, rule, triggers, match.start("m")):
                taken.add(item.target)
                yield item


def _made(
    text: str,
    skeleton: Skeleton,
    materials: list[int],
    methods: list[int],
    rule: str,
    triggers: tuple[str, ...],
    first: int,
) -> Iterator[Pattern]:
    codes = skeleton.codes
    before = codes[:first].rstrip(".")
    if rule == "made-by" and before[-1:] in {"n", "w", "y", "v", "z", "a"}:
        return  # "grown on sapphire and prepared by …": what stands behind a preposition is not what is made
    if rule == "made-by" and re.search(r"D\.?[ow]?$|w$", before):
        return
    pairs = [(material, method) for material in materials for method in methods]
    if "respectively" in text and len(materials) == len(methods) > 1:
        pairs = list(zip(materials, methods, strict=True))
    for material, method in pairs:
        if skeleton.mention(material).role in {"", "component"}:
            yield Pattern("SYNTHESIZED_BY", material, method, rule, triggers)


def _consumes(method: Mention, lexicon: Lexicon) -> bool:
    """Whether what stands behind "of" is what the method uses up: "thermal decomposition of Cu(NO3)2"."""
    assert method.entity is not None
    return any(word in lexicon.consuming for word in fold_phrase(method.entity.name))


def _overlapping(pattern: re.Pattern[str], codes: str) -> Iterator[re.Match[str]]:
    """Matches from every start, so that a first failed reading does not hide a second one."""
    position = 0
    while (match := pattern.search(codes, position)) is not None:
        yield match
        position = match.start() + 1


# ---------------------------------------------------------------------------------------------------- used in
_APPLICATIONS = r"A(?:(?:,c?|c)\.{0,2}A)*"
_USES: tuple[tuple[str, str], ...] = (
    (
        rf"(?P<m>{_LIST})(?P<mid>,?q?(?:\([^()]*\)|[^;xMAq()]){{0,8}}?U)"
        rf"(?:[.U]{{0,3}}[kfi]\.{{0,3}}(?:o\.{{0,2}}|D(?:,|c)\.{{0,2}})?|\.?o\.{{0,2}})(?P<a>{_APPLICATIONS})",
        "used-in",
    ),
    (rf"(?P<m>{_LIST})(?P<mid>b)[.UKo]{{0,5}}(?P<a>A)(?=$|[,;)iofcxkqwbt]|\.$)", "is-a"),
    (r"(?P<m>M)B\.{0,2}(?P<a>A)", "based-application"),
    (rf"(?P<a>A)[.,(qb]{{0,3}}Bn\.{{0,3}}(?P<m>{_LIST})", "application-based-on"),
    (r"(?P<m>M)(?P<a>A)", "material-application"),
    (rf"(?P<m>{_LIST})k\.{{0,2}}(?P<a>A)", "as-application"),
    (rf"Uo\.{{0,2}}(?P<m>{_LIST})\.{{0,1}}[kif]\.{{0,3}}(?P<a>A)", "use-of"),
    (r"(?P<a>A)[.c]{0,2}[,(]?v\.{0,3}(?P<m>M)(?=\.?[k,;)c]|$)", "application-using"),
)
_WHERE = re.compile(r"[fi]\.{0,4}(A)")  # "as electrolyte in solid oxide fuel cells"
_USE_PATTERNS = tuple((re.compile(pattern), rule) for pattern, rule in _USES)


def _uses(text: str, skeleton: Skeleton) -> Iterator[Pattern]:
    codes = skeleton.codes
    for pattern, rule in _USE_PATTERNS:
        for match in _overlapping(pattern, codes):
            if rule in {"used-in", "is-a"} and not _subject_like(codes, match.start("m")):
                continue
            if rule == "material-application" and _separate(text, skeleton, match):
                continue
            triggers = skeleton.words(match.start(), match.end(), "UBkvb")
            for material, application in _used_pairs(text, codes, match, rule):
                if skeleton.mention(material).role in {"", "component", "based"}:
                    yield Pattern("USED_IN", material, application, rule, triggers)


def _used_pairs(text: str, codes: str, match: re.Match[str], rule: str) -> list[tuple[int, int]]:
    materials = _indices(codes, match.span("m"), "M")
    applications = _indices(codes, match.span("a"), "A")
    if "respectively" in text and len(materials) == len(applications) > 1:
        return list(zip(materials, applications, strict=True))
    where = _WHERE.match(codes, match.end("a")) if rule != "material-application" else None
    if where:
        applications.append(where.start(1))
    return [(material, application) for material in materials for application in applications]


def _separate(text: str, skeleton: Skeleton, match: re.Match[str]) -> bool:
    between = text[skeleton.chunks[match.start("m")].end : skeleton.chunks[match.start("a")].start]
    return bool(between.strip(" -–‐‑"))


def _subject_like(codes: str, first: int) -> bool:
    before = codes[:first].rstrip(".")
    return before[-1:] not in {"n", "w", "y", "v", "z", "a", "t", "i", "x"} and not re.search(r"[DA]o$", before)


# ------------------------------------------------------------------------------------------------- has property
_PREDICATE = re.compile(rf"(?P<m>{_LIST})(?:,?q)?N?b(?P<n>N?)[.I]{{0,4}}(?P<k>K)")
_HAS = re.compile(
    rf"(?P<m>{_LIST})(?P<mid>(?:\([^()]*\)|[^;xMhPbG()]){{0,5}})(?:bN?[rU]t|bt)?N?[hb]?h(?P<n>N?)[.I]{{0,5}}(?:o\.{{0,2}})?(?P<p>P(?:(?:,c?|c)\.{{0,3}}P)*)"
)
_PROPERTY_OF = re.compile(rf"(?P<p>P(?:(?:,c?|c)\.{{0,2}}P)*)\.{{0,1}}o\.{{0,3}}(?:o\.{{0,2}})?(?P<m>{_LIST})")
_COMPOUND = re.compile(r"(?P<m>M)(?P<p>P)")
_FOUND_IN = re.compile(rf"(?:(?P<p>P)bN?[rG]|[rN]\.{{0,3}}(?P<q>P))[ifz]\.{{0,3}}(?:o\.{{0,3}})?(?P<m>{_LIST})")
_OWING = re.compile(
    rf"(?P<m>{_LIST})[^;xM]{{0,14}}?(?:[.t]{{1,3}}|z|w|f|y|(?P<x>xo))I[.c]{{0,4}}"
    rf"(?P<p>P(?:(?:,c?|c)\.{{0,2}}P)*)"
)


def _predicates(text: str, skeleton: Skeleton, lexicon: Lexicon) -> Iterator[Pattern]:
    codes = skeleton.codes
    for match in _overlapping(_PREDICATE, codes):
        at = match.start("k")
        if not _subject_like(codes, match.start("m")) or not whole_predicate(skeleton, at, lexicon):
            continue
        for material in _indices(codes, match.span("m"), "M"):
            if usable(skeleton.mention(material)):
                triggers = skeleton.words(match.start(), match.end(), "b")
                yield Pattern("HAS_PROPERTY", material, at, "is-predicate", triggers)


def whole_predicate(skeleton: Skeleton, at: int, lexicon: Lexicon) -> bool:
    """Whether a predicate ends its noun phrase or stands before a general noun: "a ferromagnetic metal", but not
    "a ferromagnetic resonance"."""
    if at + 1 >= len(skeleton.codes):
        return True
    following = skeleton.chunks[at + 1]
    if following.code in ".D":
        return fold_word(following.word) in lexicon.predicate_heads
    return following.code not in "MSAK"


def _properties(text: str, skeleton: Skeleton, lexicon: Lexicon) -> Iterator[Pattern]:
    codes = skeleton.codes
    for pattern, rule in (
        (_PROPERTY_OF, "property-of"),
        (_HAS, "has-property"),
        (_OWING, "its-property"),
        (_FOUND_IN, "property-found-in"),
        (_COMPOUND, "material-property"),
    ):
        for match in _overlapping(pattern, codes):
            if rule in {"has-property", "its-property"} and not _subject_like(codes, match.start("m")):
                continue
            if rule == "its-property" and not match.group("x") and _new_clause(codes, match):
                continue
            if rule == "material-property" and (
                is_symbol(skeleton, match.start("m")) or _gapped(text, skeleton, match.start("m"), match.start("p"))
            ):
                continue
            triggers = skeleton.words(match.start(), match.end(), "hoI")
            for material in _indices(codes, match.span("m"), "M"):
                if not usable(skeleton.mention(material), explicit=rule == "property-of"):
                    continue
                span = match.span("p") if match.group("p") else match.span("q")
                for named in _indices(codes, span, "P"):
                    mention = skeleton.mention(named)
                    metric = mention.spec is not None and mention.spec.semantic_class == "device_metric"
                    if bare(mention, lexicon) or (metric and rule != "property-of"):
                        continue
                    yield Pattern("HAS_PROPERTY", material, named, rule, triggers)


def _new_clause(codes: str, match: re.Match[str]) -> bool:
    return clause_start(codes, match.start("p")) > match.end("m")


def _gapped(text: str, skeleton: Skeleton, material: int, following: int) -> bool:
    between = text[skeleton.chunks[material].end : skeleton.chunks[following].start]
    return any(sign in between for sign in ",;:()")


def bare(mention: Mention, lexicon: Lexicon) -> bool:
    """A word that names a property only beside its value: "a 6.2 eV gap", but "the gap of the electrodes"."""
    assert mention.entity is not None
    return fold_word(mention.entity.name) in lexicon.bare_properties

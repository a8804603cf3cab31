"""Part of speech and lemma of parsed words, looked up instead of made anew.

Two parts of the pipe, the attribute ruler and the lemmatizer, take a third of its time for what follows from a word, its
tag and its dependency alone, but for a few pairs of words. They are run on a sentence that has something new in it.
"""

from __future__ import annotations

from typing import Any

Form = tuple[str, str, str]
"""Universal part of speech, dependency label, lemma."""
_PAIRS = frozenset({"ai", "gon", "got", "let", "c'm", "y", "y'"})
"""First words of the contractions that the ruler reads as pairs: "ai n't", "let 's"."""
_ALONE = 3
"""Parts of the key of a word that its neighbours do not change."""
_MOST = 100_000


class Forms:
    """The forms of one pipe's words. ``parts`` are the names of the parts of it that this stands for."""

    parts = ("attribute_ruler", "lemmatizer")

    def __init__(self, model: Any) -> None:
        self._parts = [model.get_pipe(name) for name in self.parts]
        strings = model.vocab.strings
        self._there = strings["expl"]  # "there are": the verb behind it is no auxiliary
        self._pairs = frozenset(
            strings.add(form) for word in _PAIRS for form in (word, word.capitalize(), word.upper())
        )
        self._known: dict[tuple[int, ...], Form] = {}

    def of(self, doc: Any) -> list[Form]:
        """The forms of the words of a parsed sentence that ``parts`` have not seen."""
        keys = self._keys(doc)
        known = self._known
        if len(known) > _MOST:
            known.clear()
        new = [key for key in dict.fromkeys(keys) if key not in known]
        alone = all(len(key) == _ALONE and key[2] != self._there for key in new)
        if new and alone:
            known.update(zip(new, self._made(self._apart(doc, new)), strict=True))
        elif new:
            known.update(zip(keys, self._made(doc), strict=True))
        return [known[key] for key in keys]

    def _made(self, doc: Any) -> list[Form]:
        for part in self._parts:
            doc = part(doc)
        return [(token.pos_, token.dep_, token.lemma_) for token in doc]

    def _apart(self, doc: Any, keys: list[tuple[int, ...]]) -> Any:
        """Words that need no company, as a sentence of their own: what is new in a sentence is a few of its words."""
        apart = type(doc)(doc.vocab, words=[doc.vocab.strings[key[0]] for key in keys])
        for token, (_, tag, dependency) in zip(apart, keys, strict=True):
            token.tag, token.dep = tag, dependency
        return apart

    def _keys(self, doc: Any) -> list[tuple[int, ...]]:
        """What a word's form follows from: spelling, tag, dependency, and for a few the word before or behind."""
        rows: list[list[int]] = doc.to_array(["ORTH", "TAG", "DEP"]).tolist()
        keys: list[tuple[int, ...]] = []
        before, dependency = 0, 0
        for number, (word, tag, own) in enumerate(rows):
            key: tuple[int, ...] = (word, tag, own)
            if dependency == self._there:
                key = (*key, 1)
            if before in self._pairs:
                key = (*key, 2, before, rows[number - 1][1])
            if word in self._pairs and number + 1 < len(rows):
                key = (*key, 3, rows[number + 1][0])
            keys.append(key)
            before, dependency = word, own
        return keys

"""The closed words of English and the verbs of reporting, by the letter that :mod:`chunks` gives them."""

from __future__ import annotations

from collections.abc import Mapping

from minerva_desktop.extraction.tokens import fold_word


def _table(groups: Mapping[str, str]) -> dict[str, str]:
    return {fold_word(word): code for code, words in groups.items() for word in words.split()}


WORD_CODES = _table({
    "b": "is are was were be been being remains remained remain becomes became become",
    "h": "has have had having exhibit exhibits exhibited exhibiting show shows showed shown showing display displays "
         "displayed displaying possess possesses possessed possessing demonstrate demonstrates demonstrated presented "
         "yield yields yielded yielding deliver delivers delivered delivering offer offers offered offering provide "
         "provides provided providing generate generates generated generating achieve achieves revealed reveals "
         "attains give gives gave giving feature features featuring retains retained maintains maintained undergo "
         "undergoes underwent undergoing",
    "r": "reach reaches reached reaching found measured determined observe observes detect detected estimated "
         "calculated reported obtained observed achieved attained recorded evaluated increase increases increased "
         "increasing decrease decreases decreased decreasing drop drops dropped fell falls rises rose rise reduced "
         "lowered improved enhanced ranges ranging ranged varies varied varying amounts amounted corresponds "
         "corresponding equals equal exceeds exceeded exceeding extracted derived deduced stays stayed lies lie "
         "shifted shifts according known assumed predicted expected computed peaked peaks approaching approaches "
         "extrapolated",
    "U": "used utilized utilised employed adopted considered regarded candidate candidates promising suitable "
         "attractive potential ideal serve serves served serving act acts acting acted applicable commonly use uses "
         "application applications chosen selected recognized recognised favored favoured appropriate "
         "alternative alternatives choice",
    "B": "based",
    "o": "of", "f": "for", "i": "in within inside into", "a": "at", "t": "to", "y": "by", "z": "from",
    "w": "with containing including comprising consisting",
    "k": "as", "n": "on onto upon over across along between among near toward towards against",
    "u": "under above below beneath beyond during after before until up down",
    "v": "using via through employing utilizing utilising",
    "c": "and or",
    "x": "but while whereas although though however than unlike whereby compared versus vs contrary instead contrast "
         "rather comparison relative except because since if when where until despite then",
    "N": "not no never neither nor without cannot lack lacks absence",
    "q": "which that who whose",
    "j": "those",
    "I": "it its this these they their",
})  # fmt: skip

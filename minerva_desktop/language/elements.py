"""The chemical elements: symbols, names, standard atomic weights, electronegativities.

Weights are the abridged standard atomic weights (g/mol); for elements without a stable isotope, the mass number of the
longest-lived one. Electronegativities are Pauling's, None where there is none.
"""

from __future__ import annotations

_ROWS = """
H hydrogen 1.008 2.20|He helium 4.0026 -|Li lithium 6.94 0.98|Be beryllium 9.0122 1.57|B boron 10.81 2.04
C carbon 12.011 2.55|N nitrogen 14.007 3.04|O oxygen 15.999 3.44|F fluorine 18.998 3.98|Ne neon 20.180 -
Na sodium 22.990 0.93|Mg magnesium 24.305 1.31|Al aluminium 26.982 1.61|Si silicon 28.085 1.90|P phosphorus 30.974 2.19
S sulfur 32.06 2.58|Cl chlorine 35.45 3.16|Ar argon 39.95 -|K potassium 39.098 0.82|Ca calcium 40.078 1.00
Sc scandium 44.956 1.36|Ti titanium 47.867 1.54|V vanadium 50.942 1.63|Cr chromium 51.996 1.66
Mn manganese 54.938 1.55|Fe iron 55.845 1.83|Co cobalt 58.933 1.88|Ni nickel 58.693 1.91|Cu copper 63.546 1.90
Zn zinc 65.38 1.65|Ga gallium 69.723 1.81|Ge germanium 72.630 2.01|As arsenic 74.922 2.18|Se selenium 78.971 2.55
Br bromine 79.904 2.96|Kr krypton 83.798 3.00|Rb rubidium 85.468 0.82|Sr strontium 87.62 0.95|Y yttrium 88.906 1.22
Zr zirconium 91.224 1.33|Nb niobium 92.906 1.6|Mo molybdenum 95.95 2.16|Tc technetium 97 1.9|Ru ruthenium 101.07 2.2
Rh rhodium 102.91 2.28|Pd palladium 106.42 2.20|Ag silver 107.87 1.93|Cd cadmium 112.41 1.69|In indium 114.82 1.78
Sn tin 118.71 1.96|Sb antimony 121.76 2.05|Te tellurium 127.60 2.1|I iodine 126.90 2.66|Xe xenon 131.29 2.6
Cs caesium 132.91 0.79|Ba barium 137.33 0.89|La lanthanum 138.91 1.10|Ce cerium 140.12 1.12
Pr praseodymium 140.91 1.13|Nd neodymium 144.24 1.14|Pm promethium 145 1.13|Sm samarium 150.36 1.17
Eu europium 151.96 1.2|Gd gadolinium 157.25 1.20|Tb terbium 158.93 1.1|Dy dysprosium 162.50 1.22
Ho holmium 164.93 1.23|Er erbium 167.26 1.24|Tm thulium 168.93 1.25|Yb ytterbium 173.05 1.1|Lu lutetium 174.97 1.27
Hf hafnium 178.49 1.3|Ta tantalum 180.95 1.5|W tungsten 183.84 2.36|Re rhenium 186.21 1.9|Os osmium 190.23 2.2
Ir iridium 192.22 2.20|Pt platinum 195.08 2.28|Au gold 196.97 2.54|Hg mercury 200.59 2.00|Tl thallium 204.38 1.62
Pb lead 207.2 2.33|Bi bismuth 208.98 2.02|Po polonium 209 2.0|At astatine 210 2.2|Rn radon 222 -|Fr francium 223 0.7
Ra radium 226 0.9|Ac actinium 227 1.1|Th thorium 232.04 1.3|Pa protactinium 231.04 1.5|U uranium 238.03 1.38
Np neptunium 237 1.36|Pu plutonium 244 1.28|Am americium 243 1.3|Cm curium 247 1.3|Bk berkelium 247 1.3
Cf californium 251 1.3|Es einsteinium 252 1.3|Fm fermium 257 1.3|Md mendelevium 258 1.3|No nobelium 259 1.3
Lr lawrencium 262 1.3|Rf rutherfordium 267 -|Db dubnium 268 -|Sg seaborgium 269 -|Bh bohrium 270 -|Hs hassium 269 -
Mt meitnerium 277 -|Ds darmstadtium 281 -|Rg roentgenium 282 -|Cn copernicium 285 -|Nh nihonium 286 -
Fl flerovium 290 -|Mc moscovium 290 -|Lv livermorium 293 -|Ts tennessine 294 -|Og oganesson 294 -
"""

_ELEMENTS = [tuple(item.split()) for item in _ROWS.strip().replace("\n", "|").split("|")]

SYMBOLS: tuple[str, ...] = tuple(item[0] for item in _ELEMENTS)
"""The 118 symbols in order of atomic number."""

ATOMIC_MASS: dict[str, float] = {item[0]: float(item[2]) for item in _ELEMENTS}
"""Standard atomic weight by symbol, g/mol."""

ELECTRONEGATIVITY: dict[str, float | None] = {item[0]: None if item[3] == "-" else float(item[3]) for item in _ELEMENTS}
"""Pauling electronegativity by symbol."""

_OTHER_NAMES = {
    "aluminum": "Al",
    "sulphur": "S",
    "cesium": "Cs",
    "wolfram": "W",
    "columbium": "Nb",
    "natrium": "Na",
    "kalium": "K",
}

NAMES: dict[str, str] = {item[1]: item[0] for item in _ELEMENTS} | _OTHER_NAMES
"""Symbol by English name, lower case, both spellings."""

NAME_OF: dict[str, str] = {item[0]: item[1] for item in _ELEMENTS}
"""English name by symbol."""

_SYMBOL_SET = frozenset(SYMBOLS)


def is_symbol(text: str) -> bool:
    """Whether the text is exactly an element symbol, case counted: "Co" is, "CO", "co" and "D" are not."""
    return text in _SYMBOL_SET


def symbol_for_name(name: str) -> str | None:
    """The symbol of an element by its English name, whatever the case; None when it is no element's name.

    Symbols are not names here: "in", "as" and "CO" give None.
    """
    return NAMES.get(name.strip().lower())

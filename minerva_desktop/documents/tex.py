"""Formulas in TeX notation, written out in a line as a reader would type them: ``10^{-6}`` becomes 10⁻⁶."""

from __future__ import annotations

import re

from minerva_desktop.documents.scripts import lift

_SIGNS = {
    "times": "×", "cdot": "·", "pm": "±", "mp": "∓", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ll": "≪", "gg": "≫",
    "lt": "<", "gt": ">", "neq": "≠", "ne": "≠", "approx": "≈", "sim": "∼", "simeq": "≃", "equiv": "≡", "propto": "∝",
    "infty": "∞", "partial": "∂", "nabla": "∇", "hbar": "ℏ", "ell": "ℓ", "to": "→", "rightarrow": "→", "leftarrow": "←",
    "longrightarrow": "→", "rightleftharpoons": "⇌", "leftrightarrow": "↔", "Rightarrow": "⇒", "sum": "∑", "prod": "∏",
    "int": "∫", "in": "∈", "circ": "°", "degree": "°", "prime": "′", "dagger": "†", "perp": "⊥", "parallel": "∥",
    "langle": "⟨", "rangle": "⟩", "cdots": "…", "ldots": "…", "dots": "…", "alpha": "α", "beta": "β", "gamma": "γ",
    "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ", "vartheta": "ϑ", "kappa": "κ",
    "lambda": "λ", "mu": "µ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "varrho": "ρ", "sigma": "σ", "tau": "τ",
    "phi": "φ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ",
    "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "AA": "Å", "percent": "%",
    "upmu": "µ", "textmu": "µ", "degC": "°C", "angstrom": "Å", "ohm": "Ω", "micro": "µ",
}  # fmt: skip
_FUNCTIONS = frozenset("sin cos tan cot sinh cosh tanh exp log ln lim min max det arg arcsin arccos arctan".split())
_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|[\^_{}&~]|\s+|[^\\^_{}&~\s]")
_MATH = re.compile(r"\$\$?([^$]{1,600}?)\$\$?")
_LOOKS = re.compile(r"[\\^_=<>≤≥≈∼∝±×·→⟶⇌≡≠∞√µΔ°%]|^[^\s]{1,3}$")
_BARE = re.compile(r"(?!.*\b(?:and|or|to|the|for|of|a|per)\b)\S.*\S")
"""No blank inside either sign, and no words: a formula, and not what stands between two prices."""
_BODY = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)
_DEEPEST = 60


def formula(text: str) -> str:
    """A formula (with or without its dollar signs, or as a whole TeX document) in one line of text."""
    body = _BODY.search(text)
    text = (body.group(1) if body else text).strip().strip("$").strip()
    out, _ = _group(_TOKEN.findall(text), 0, 0)
    return " ".join(out.split())


def prose(text: str) -> str:
    """Running text in which formulas stand between dollar signs, or scripts are marked with ``^{…}`` and ``_{…}``."""
    if "$" in text:
        text = _MATH.sub(lambda match: formula(match.group(1)) if _is_formula(match) else match.group(), text)
    if "^{" in text or "_{" in text:
        text = re.sub(r"\S*[\^_]\{[^{}]*\}\S*", lambda match: formula(match.group()), text)
    return text


def _is_formula(found: re.Match[str]) -> bool:
    after = found.string[found.end() : found.end() + 1]
    return bool(_LOOKS.search(found.group(1)) or (_BARE.fullmatch(found.group(1)) and not after.isdigit()))


def _group(tokens: list[str], place: int, depth: int) -> tuple[str, int]:
    """The tokens up to the closing brace of this group, written out; and the place behind it."""
    out = ""
    while place < len(tokens):
        token = tokens[place]
        place += 1
        if token == "}":
            break
        if token == "{":
            inner, place = _group(tokens, place, depth + 1) if depth < _DEEPEST else ("", place)
            out += inner
        elif token == "^":
            inner, place = _argument(tokens, place, depth)
            out += inner if inner in {"°", "′"} else lift(inner.strip())
        elif token == "_":
            inner, place = _argument(tokens, place, depth)
            out += inner
        elif token.startswith("\\"):
            written, place = _command(token[1:].rstrip("*"), tokens, place, depth)
            out += written
        else:
            out += " " if token.isspace() or token in "~&" else token
    return out, place


def _argument(tokens: list[str], place: int, depth: int) -> tuple[str, int]:
    while place < len(tokens) and tokens[place].isspace():
        place += 1
    if place >= len(tokens) or depth >= _DEEPEST:
        return "", place
    token = tokens[place]
    if token == "{":
        return _group(tokens, place + 1, depth + 1)
    if token.startswith("\\"):
        return _command(token[1:], tokens, place + 1, depth + 1)
    return token, place + 1


def _command(name: str, tokens: list[str], place: int, depth: int) -> tuple[str, int]:
    if name in _SIGNS:
        return _SIGNS[name], place
    if name in _FUNCTIONS:
        return name + " ", place
    if name in {"frac", "dfrac", "tfrac"}:
        above, place = _argument(tokens, place, depth)
        below, place = _argument(tokens, place, depth)
        return f"{_bracketed(above)}/{_bracketed(below)}", place
    if name == "sqrt":
        inner, place = _argument(tokens, place, depth)
        return f"√{_bracketed(inner)}", place
    if name in {"overset", "underset", "stackrel"}:
        _, place = _argument(tokens, place, depth)
        return _argument(tokens, place, depth)
    if name in {"begin", "end", "label", "color", "vspace", "hspace"}:
        _, place = _argument(tokens, place, depth)
        return "", place
    if len(name) == 1 and not name.isalpha():
        return (name if name in "%$&#_{}" else " "), place
    return "", place  # \left, \mathrm, \text and the like: what follows is what counts


def _bracketed(text: str) -> str:
    text = text.strip()
    plain = re.fullmatch(r"[\w.,°µΩÅ⁰¹²³⁴⁵⁶⁷⁸⁹⁻∂]+", text)
    return text if plain or (text.startswith("(") and text.endswith(")")) else f"({text})"

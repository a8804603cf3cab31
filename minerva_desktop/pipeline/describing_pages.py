"""Pages with figures or dense equations, shown to a model that sees: what the figures show, the equations in LaTeX.

What comes back is text that a model made up. It is kept apart from the paper's own words: in no sentence, no index, no
vector and no export, and nothing takes it for evidence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, Field

from minerva_desktop.documents.png import png_of
from minerva_desktop.errors import Cancelled, MinervaError
from minerva_desktop.events import CancelToken
from minerva_desktop.models.calls import Asker, ModelCall, ModelError, ModelReply
from minerva_desktop.prompts import delimited, load_prompt
from minerva_desktop.records import Document, GeneratedText, PageImage

PROMPT = "vision"
MOST_PAGES = 30
MOST_TOKENS = 2048
PROMPT_TOKENS = 500
USUAL_TOKENS = 250
"""What a page takes beside its picture, and what is usually said of one: for estimates."""
_LONG_SIDE = 1_400  # pixels: what is printed small can be read, and a page stays below a megabyte

RenderPage = Callable[[int, float], PageImage]
"""(page, pixels per point) → picture."""

_SIGN = re.compile(r"[=∑∫∏∂√∞≈≃≡≠≤≥±∓∇∈∝→⟨⟩∥Α-ΨΆ-Ώα-λν-ω\U0001D400-\U0001D7FF\ue000-\uf8ff]")
_FEWEST_SIGNS = 15
_DENSE = 0.008
_NO_TEXT = frozenset({"reference", "table"})

# Commands that reach out of a formula: files, macros, links. An equation with one of them is no equation.
_REACHING = re.compile(
    r"\\(?:input|include|includegraphics|write\d*|immediate|openin|openout|read|catcode|def|edef|gdef|let|newcommand|"
    r"renewcommand|csname|href|url|usepackage|special|directlua)\b"
)


class _Item(BaseModel):
    kind: Literal["figure", "equation"]
    label: str = Field(max_length=40)
    text: str = Field(max_length=1500)


class _Page(BaseModel):
    items: list[_Item] = Field(max_length=12)


@dataclass(frozen=True, slots=True)
class PageDescriptions:
    """``pages`` are those that were described, also when there was nothing to say of them; ``failed``: the others, with
    what went wrong."""

    pages: tuple[int, ...] = ()
    texts: tuple[GeneratedText, ...] = ()
    failed: tuple[tuple[int, MinervaError], ...] = ()


def pages_to_describe(document: Document) -> list[int]:
    """Pages that have a figure's caption, or of whose running text one sign in 120 is mathematical; the first 30."""
    numbers = {page.number for page in document.pages}
    figures = {item.page for item in document.captions if item.kind == "figure" and item.page is not None}
    texts: dict[int, list[str]] = {}
    for sentence in document.sentences:
        if sentence.page is not None and sentence.kind not in _NO_TEXT:
            texts.setdefault(sentence.page, []).append(sentence.text)
    dense = {page for page, parts in texts.items() if _is_dense(" ".join(parts))}
    return sorted(numbers & (figures | dense))[:MOST_PAGES]


def _is_dense(text: str) -> bool:
    signs = len(_SIGN.findall(text))
    return signs >= _FEWEST_SIGNS and signs >= _DENSE * len(text)


def scale_of(document: Document, page: int) -> float:
    """Pixels per point at which a page is shown to the model."""
    info = next((item for item in document.pages if item.number == page), None)
    longest = max(info.width, info.height) if info is not None else 0.0
    return min(2.0, _LONG_SIDE / longest) if longest > 0 else 1.0


def describe(
    paper: str,
    document: Document,
    pages: Sequence[int],
    render: RenderPage,
    asker: Asker,
    cancel: CancelToken,
) -> PageDescriptions:
    """What a model says of these pages of a paper, in their order.

    Raises:
        ModelError: one that would meet every page.
    """
    calls: dict[int, ModelCall[_Page]] = {}
    failed: dict[int, MinervaError] = {}
    for page in pages:
        cancel.check()
        try:
            calls[page] = _call(document, page, png_of(render(page, scale_of(document, page))))
        except Cancelled:
            raise
        except MinervaError as error:
            failed[page] = error
    texts: dict[int, list[GeneratedText]] = {}
    for page, reply in zip(calls, asker.ask_all(list(calls.values()), cancel) if calls else (), strict=True):
        if isinstance(reply, ModelError):
            failed[page] = reply
        else:
            texts[page] = list(_texts(paper, page, reply))
    said = tuple(text for found in texts.values() for text in found)
    return PageDescriptions(tuple(texts), said, tuple(sorted(failed.items())))


def _call(document: Document, page: int, png: bytes) -> ModelCall[_Page]:
    prompt = load_prompt(PROMPT)
    captions = [f"{item.label}: {item.text}" for item in document.captions if item.page == page]
    system, user = prompt.fill(page=str(page), captions=delimited("captions", "\n".join(captions) or "(none)"))
    return ModelCall(
        role="vision",
        prompt=PROMPT,
        version=prompt.edition,
        system=system,
        user=user,
        schema=_Page,
        most_tokens=MOST_TOKENS,
        item=f"page {page}",
        images=(png,),
    )


def _texts(paper: str, page: int, reply: ModelReply[_Page]) -> Iterable[GeneratedText]:
    for item in reply.value.items:
        text = _equation(item.text) if item.kind == "equation" else " ".join(_printable(item.text).split())
        if text:
            label = " ".join(_printable(item.label).split())
            yield GeneratedText(paper, page, item.kind, label, text, reply.model, load_prompt(PROMPT).edition)


def _equation(text: str) -> str:
    """LaTeX without its marks around it; "" when it is none or does more than show a formula."""
    plain = _printable(text).strip()
    for first, last in (("$$", "$$"), ("$", "$"), (r"\[", r"\]"), (r"\(", r"\)")):
        if plain.startswith(first) and plain.endswith(last) and len(plain) >= len(first) + len(last):
            plain = plain[len(first) : -len(last)].strip()
    return plain if _is_balanced(plain) and not _REACHING.search(plain) else ""


def _is_balanced(latex: str) -> bool:
    depth = 0
    for sign in re.sub(r"\\[{}\\]", "", latex):
        depth += (sign == "{") - (sign == "}")
        if depth < 0:
            return False
    return depth == 0


def _printable(text: str) -> str:
    return "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in text)

"""Prompts: data in ``resources/prompts/<name>.toml`` or in a domain pack, filled in without any logic.

The text of papers, textbooks and questions is data. It goes into a prompt only through :func:`delimited`, between tags that
it cannot close.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
import unicodedata
from functools import lru_cache

from pydantic import BaseModel, ConfigDict

from minerva_desktop.assets import resource_path

_PLACE = re.compile(r"\{\{(\w+)\}\}")
_MARK = re.compile(
    r"[<＜﹤‹〈⟨](?=\s*[/／|｜!?]|\s*[A-Za-z][\w:-]*\s*/?\s*[>＞﹥›〉⟩]|<\s*/?\s*[A-Za-z])|\[(?=\s*/?\s*[A-Z][A-Z_]{2,}\s*\])"
)
"""What opens a mark: of markup ("<b>", "</text-1a2b3c4d>"), of a conversation ("<|im_start|>", "<<SYS>>", "[INST]")."""
_UNSEEN = frozenset({"Cf", "Co", "Cn"})


class Prompt(BaseModel):
    """A prompt. ``{{name}}`` in ``system`` and ``user`` is filled in by :meth:`fill`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: str
    system: str
    user: str

    @property
    def edition(self) -> str:
        """Its version with a hash of its words, so that a changed prompt never meets the replies of the old one."""
        words = hashlib.sha256(f"{self.system}\x00{self.user}".encode()).hexdigest()
        return f"{self.version}-{words[:8]}"

    def fill(self, **values: str) -> tuple[str, str]:
        """(system, user) with every place filled in, each once: what is filled in is not looked at again.

        Raises:
            KeyError: a place has no value.
        """
        return _fill(self.system, values), _fill(self.user, values)


def _fill(text: str, values: dict[str, str]) -> str:
    return _PLACE.sub(lambda match: values[match.group(1)], text).strip()


@lru_cache(maxsize=32)
def load_prompt(name: str) -> Prompt:
    """The prompt of this name that comes with the program."""
    return Prompt.model_validate(tomllib.loads(resource_path("prompts", f"{name}.toml").read_text(encoding="utf-8")))


def delimited(kind: str, text: str) -> str:
    """Text as data: between tags that are named after its own hash, so that it cannot hold the closing one.

    Marks that a tokenizer or a reader could take for the end of the data or for another speaker are opened by a space
    ("< |im_start|>", "< /text-…>", "[ INST]"): it changes no word, and a quote is found without regard to spaces. Signs that
    nobody sees are left out, for text can hide in them.
    """
    tag = f"{kind}-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
    seen = text if text.isascii() else "".join(filter(_is_seen, text))
    return f"<{tag}>\n{_MARK.sub(_opened, seen.replace(chr(0), ' '))}\n</{tag}>"


def _is_seen(sign: str) -> bool:
    return unicodedata.category(sign) not in _UNSEEN


def _opened(match: re.Match[str]) -> str:
    return f"{match.group()} "

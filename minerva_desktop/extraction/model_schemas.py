"""The shape of what a model replies: flat facts, or links between numbers.

Small models fill in flat rows far better than nested ones. What a server's grammar cannot hold a model to is put right
here without a second call: a missing field is empty, a number is text, a row that is none is left out, and what comes after
the last row that was asked for is cut off.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, create_model, model_validator

T = TypeVar("T", bound="_Reply")

LONGEST_QUOTE = 1200
LONGEST_FIELD = 200


def _text(value: Any, most: int) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value)[:most]


def _number(value: Any) -> int:
    """A number of a span; whatever is none is 0, which is no span."""
    if isinstance(value, str):
        value = value.strip(" []#")
        return int(value) if value.isascii() and value.isdigit() and len(value) < 7 else 0
    whole = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e6
    return int(value) if whole else 0


Quote = Annotated[
    str, BeforeValidator(lambda value: _text(value, LONGEST_QUOTE)), Field(json_schema_extra={"maxLength": 400})
]
Words = Annotated[
    str, BeforeValidator(lambda value: _text(value, LONGEST_FIELD)), Field(json_schema_extra={"maxLength": 120})
]
"""The bounds in the schema are for grammars: they end a text in which a small model repeats itself. A quote that is cut
there is still found."""
Number = Annotated[int, BeforeValidator(_number)]


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class FactRow(_Row):
    """One fact as a model states it. The quote comes first: who has copied the sentence errs less in what it says."""

    quote: Quote = ""
    source: Words = ""
    relation: Words = ""
    target: Words = ""
    property: Words = ""
    condition: Words = ""


class LinkRow(_Row):
    """Two numbered spans and how they belong together; ``property`` is the number of what a value measures, or 0."""

    source: Number = 0
    relation: Words = ""
    target: Number = 0
    property: Number = 0


class _Reply(_Row):
    """A reply with one list. ``rows`` is the name of that list, ``most`` how many rows are taken."""

    rows: ClassVar[str]
    most: ClassVar[int] = 1000

    @model_validator(mode="before")
    @classmethod
    def _put_right(cls, value: Any) -> Any:
        return _rows(value, cls.rows, cls.most)


class FactsReply(_Reply):
    rows: ClassVar[str] = "facts"
    facts: list[FactRow]


class LinksReply(_Reply):
    rows: ClassVar[str] = "links"
    links: list[LinkRow]


def _rows(value: Any, field: str, most: int) -> Any:
    """The reply as a dictionary with its rows: a bare list or a single row is one too."""
    if isinstance(value, dict) and field not in value and value.keys() & {"quote", "target", "relation"}:
        value = [value]
    if isinstance(value, list):
        value = {field: value}
    if isinstance(value, dict) and isinstance(value.get(field), list):
        value = {field: [row for row in value[field] if isinstance(row, dict)][:most]}
    return value


@lru_cache(maxsize=64)
def facts_schema(relations: tuple[str, ...], most: int, source: str = "source") -> type[FactsReply]:
    """The schema of a reply with at most that many facts of these relation types. ``source`` is what the field of a fact's
    source is called: a model fills in "material" better than a word of ours."""
    names = Field("", validation_alias=AliasChoices(*dict.fromkeys((source, "source"))))
    row = create_model("Fact", __base__=FactRow, source=(Words, names), relation=(_one_of(relations), ""))
    return _reply(FactsReply, row, most)


@lru_cache(maxsize=64)
def links_schema(relations: tuple[str, ...], most: int) -> type[LinksReply]:
    """The schema of a reply with at most that many links of these relation types."""
    row = create_model("Link", __base__=LinkRow, relation=(_one_of(relations), ""))
    return _reply(LinksReply, row, most)


def _one_of(relations: tuple[str, ...]) -> Any:
    """A relation type: the grammar allows only these, and a reply that was made without one is judged row by row."""
    return Annotated[
        str, BeforeValidator(lambda value: _text(value, 80)), Field(json_schema_extra={"enum": [*relations]})
    ]


def _reply(base: type[T], row: type[BaseModel], most: int) -> type[T]:
    rows: Any = (list[row], Field(max_length=most))  # type: ignore[valid-type]
    made = create_model(base.__name__, __base__=base, **{base.rows: rows})
    made.most = most
    return made

"""The sections on names and facts: `[entities]` and `[knowledge]`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pydantic import Field, SecretStr, ValidationInfo, field_validator

from graphpalace.domain.knowledge.contradictions import PredicateRules
from graphpalace.domain.knowledge.fact_requests import predicate_name
from graphpalace.errors import InvalidInput
from graphpalace.settings.sections.section import HttpAddress, SettingsSection

RecogniserName = Literal["auto", "spacy", "rules", "off"]


class EntitySettings(SettingsSection):
    """Names in texts, which become nodes of the graph."""

    recogniser: RecogniserName = Field(
        default="auto",
        description="What finds names: spaCy's small English pipeline, or rules that go by capital letters and need no "
        "model. auto uses spacy for English texts, and rules for texts in other languages. off: no names are read.",
    )
    read_after_s: float = Field(
        default=1.0,
        ge=0,
        le=86400,
        description="Names are read when nothing was written to a palace for this number of seconds.",
    )


class KnowledgeSettings(SettingsSection):
    """Facts that change (see docs/explanation/knowledge.md)."""

    single_valued: tuple[str, ...] = Field(
        default=("born_in", "born_on", "died_in", "died_on", "lives_in", "works_at"),
        description="The predicates that have one object at a time. A second object is a contradiction.",
    )
    inverses: dict[str, str] = Field(
        default={"parent_of": "child_of", "part_of": "has_part", "manages": "reports_to"},
        description="The inverse of each predicate. Two facts with the same subject and object contradict each other "
        "if the predicate of one is the inverse of the other's. A predicate that is its own inverse is symmetric.",
    )

    extractor_url: HttpAddress = Field(
        default="",
        description="An OpenAI-compatible endpoint that proposes facts (`graphpalace kg propose`), for example "
        "http://localhost:8000/v1. Nothing needs it.",
    )
    extractor_api_key: SecretStr = Field(default=SecretStr(""), description="The key of that endpoint.")
    extractor_model: str = Field(default="", validate_default=True, description="The name of a model of that endpoint.")
    extractor_timeout_s: float = Field(
        default=60.0, gt=0, le=3600, description="The longest time to wait for an answer of the endpoint, in seconds."
    )
    extractor_max_output_tokens: int = Field(
        default=2000, ge=1, le=1000000, description="The largest number of tokens in an answer of the model."
    )
    extractor_confidence: float = Field(
        default=0.6, gt=0, lt=1, description="The largest confidence of a proposed fact."
    )

    @field_validator("extractor_model")
    @classmethod
    def _named_with_an_endpoint(cls, model: str, given: ValidationInfo) -> str:
        if given.data.get("extractor_url") and not model:
            raise ValueError("extractor_url is given, so name a model of it")
        return model

    @field_validator("single_valued")
    @classmethod
    def _predicates(cls, named: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(_predicate(one) for one in named)

    @field_validator("inverses")
    @classmethod
    def _pairs(cls, pairs: dict[str, str]) -> dict[str, str]:
        named = {_predicate(one): _predicate(other) for one, other in pairs.items()}
        if twice := _twice(one for pair in named.items() for one in {*pair}):
            raise ValueError(f"{twice} has two inverses; it must have one")
        return named

    @property
    def rules(self) -> PredicateRules:
        """The same as the value that facts are checked with."""
        return PredicateRules.of(self.single_valued, self.inverses)


def _predicate(text: str) -> str:
    try:
        return predicate_name("predicate", text)
    except InvalidInput as error:
        raise ValueError(error.message) from None


def _twice(names: Iterable[str]) -> str | None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None

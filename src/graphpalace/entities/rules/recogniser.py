"""The recogniser that needs no model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphpalace.domain.knowledge.entity import normalised_name
from graphpalace.entities.language import guessed_language
from graphpalace.entities.mention import Mention, ReadableText
from graphpalace.entities.name_form import is_in_capitals
from graphpalace.entities.rules.capitals import capital_names
from graphpalace.entities.rules.code import code_names, is_code
from graphpalace.entities.rules.markup import marked_names
from graphpalace.entities.rules.notes import as_shown

_NOUNS_LARGE = frozenset({"de"})


class RuleRecogniser:
    """Finds names by capital letters, and by the form of links, headers, conversations and source code."""

    version = "rules-3"

    def names(self, texts: Sequence[ReadableText]) -> list[list[Mention]]:
        """Return the mentions in each text."""
        return [list(self._names(text)) for text in texts]

    def _names(self, text: ReadableText) -> Iterator[Mention]:
        if is_code(text.media_type):
            yield from code_names(text.text, text.headings)
            return
        large = guessed_language(text.text) in _NOUNS_LARGE
        prose = [] if is_in_capitals(text.text) else list(capital_names(as_shown(text.text), nouns_large=large))
        yield from joined(prose, list(marked_names(text)))


def joined(prose: Sequence[Mention], marked: Sequence[Mention]) -> list[Mention]:
    """Return mentions in prose together with those that the form of the text marks.

    What is marked tells the type where prose tells none; a name that prose has already is not counted again.
    """
    kinds = {normalised_name(mention.name): mention.entity_type for mention in reversed(marked)}
    found = [
        Mention(mention.name, kinds.get(normalised_name(mention.name), mention.entity_type))
        if mention.entity_type == "concept"
        else mention
        for mention in prose
    ]
    known = {normalised_name(mention.name) for mention in prose}
    return found + [mention for mention in marked if normalised_name(mention.name) not in known]

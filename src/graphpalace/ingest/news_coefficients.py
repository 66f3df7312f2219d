"""The coefficients of news, which `scripts/fit_news.py` writes.

They were fitted by logistic regression to 2205 pairs of agent_other_words: each text with its 10 nearest older ones, of
which 92 were out of date since. docs/explanation/search.md says what follows from them.
"""

from __future__ import annotations

INTERCEPT = -3.4208
WEIGHTS = {
    "fit": 4.6615,
    "shared words": 2.6108,
    "words of change": 0.1596,
    "rank": -1.6614,
    "length": 0.3481,
}

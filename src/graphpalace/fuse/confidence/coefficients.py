"""The coefficients of confidence, which `scripts/fit_confidence.py` writes.

They were fitted by logistic regression to questions of patents_synbio, musique_train100, hotpotqa_train100, cranfield,
mbpp, til_jbranchaud, longmemeval_oracle_session, lisa, longmemeval_oracle_round, each asked once with its relevant
documents and once without. docs/explanation/confidence.md has the figures.
"""

from __future__ import annotations

from graphpalace.fuse.confidence.logistic import Logistic

HIT = Logistic(
    -3.9082,
    {
        "score": 1.0354,
        "margin": 1.9758,
        "lead": 0.6011,
        "rank": -0.1025,
        "cosine": 0.7927,
        "agreement": 0.6543,
        "names": 0.2963,
        "from_first": 0.4815,
        "first_cosine": 0.6104,
        "first_apart": 1.6333,
        "first_text_lead": 0.9702,
        "first_overlap": 0.8208,
        "first_named": 0.3976,
    },
)

ANSWER = Logistic(
    -2.2745,
    {
        "score": 0.3941,
        "margin": 0.8419,
        "spread": 0.4475,
        "cosine": 2.6822,
        "apart": 0.7257,
        "evidence": 0.2073,
        "text_lead": 0.7049,
        "overlap": 0.3178,
        "cover": 0.1424,
        "cover_together": 0.0284,
        "names": 0.2751,
    },
)

"""The coefficients of confidence, which `scripts/fit_confidence.py` writes.

They were fitted by logistic regression to questions of patents_synbio, musique_train100, hotpotqa_train100, cranfield,
mbpp, til_jbranchaud, longmemeval_oracle_session, lisa, longmemeval_oracle_round, each asked once with its relevant
documents and once without. docs/explanation/confidence.md has the figures.
"""

from __future__ import annotations

from graphpalace.fuse.confidence.logistic import Logistic

HIT = Logistic(
    -3.7767,
    {
        "score": 0.9930,
        "margin": 2.6271,
        "lead": 0.7564,
        "rank": -0.2200,
        "cosine": 0.9566,
        "evidence": 0.4029,
        "agreement": 1.1263,
        "cover": 0.0246,
        "spread": 0.2504,
    },
)

ANSWER = Logistic(
    -2.2347,
    {
        "score": 0.3353,
        "margin": 0.8107,
        "spread": 0.5537,
        "cosine": 2.6719,
        "apart": 0.7966,
        "evidence": 0.1953,
        "text_lead": 0.7239,
        "overlap": 0.4007,
        "cover": 0.1526,
        "cover_together": 0.0000,
    },
)

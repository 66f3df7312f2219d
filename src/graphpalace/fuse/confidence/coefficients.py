"""The coefficients of confidence, which `scripts/fit_confidence.py` writes.

They were fitted by logistic regression to questions of patents_synbio, musique_train100, hotpotqa_train100, cranfield,
mbpp, til_jbranchaud, longmemeval_oracle_session, lisa, longmemeval_oracle_round, each asked once with its relevant
documents and once without. docs/explanation/confidence.md has the figures.
"""

from __future__ import annotations

from graphpalace.fuse.confidence.logistic import Logistic

HIT = Logistic(
    -3.8351,
    {
        "score": 1.0536,
        "margin": 2.9813,
        "lead": 0.8011,
        "rank": -0.2245,
        "cosine": 1.0073,
        "evidence": 0.1727,
        "agreement": 1.1723,
        "cover": 0.1154,
        "spread": 0.2019,
    },
)

ANSWER = Logistic(
    -2.2680,
    {
        "score": 0.3981,
        "margin": 0.9583,
        "spread": 0.5387,
        "cosine": 2.7159,
        "apart": 0.7127,
        "evidence": 0.1058,
        "text_lead": 0.7514,
        "overlap": 0.4151,
        "cover": 0.1290,
        "cover_together": 0.0288,
    },
)

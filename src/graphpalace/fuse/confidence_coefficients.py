"""The coefficients of confidence, which `scripts/fit_confidence.py` writes.

They were fitted by logistic regression to questions of notes_other_words, agent_other_words, til_other_words,
musique_train100, hotpotqa_train100, patents_synbio, cranfield, mbpp, longmemeval_oracle_session, each asked once with
its relevant documents and once without, and to those that nothing answers. docs/explanation/confidence.md has the
figures.
"""

from __future__ import annotations

from graphpalace.fuse.confidence import Logistic

HIT = Logistic(
    -3.8581,
    {
        "score": 0.9568,
        "margin": 2.4091,
        "lead": 0.2601,
        "rank": -0.1550,
        "cosine": 0.6428,
        "agreement": 0.5133,
        "names": 0.4502,
        "from_first": 0.4088,
        "first_cosine": 0.6634,
        "first_apart": 1.0945,
        "first_text_lead": 0.8056,
        "first_overlap": 0.9524,
        "first_named": 0.5205,
    },
)
ANSWER = Logistic(
    -1.5200,
    {
        "score": 0.2420,
        "margin": 0.9202,
        "spread": 0.5336,
        "cosine": 1.9050,
        "apart": 0.9024,
        "evidence": 0.1606,
        "text_lead": 0.6531,
        "overlap": 0.1607,
        "cover": 0.0000,
        "cover_together": 0.0000,
        "names": 0.3232,
    },
)

"""What the cosines of each model mean: from which cosine a text fits, and from which it fits as well as any."""

from __future__ import annotations

from graphpalace.domain.search.evidence_scale import COSINE_IS_EVIDENCE, EvidenceScale
from graphpalace.settings.sections.embeddings import (
    BGE_MODEL,
    BUNDLED_MODEL,
    JOINED_MODEL,
    MULTILINGUAL_MODEL,
    QUANTIZED_MODEL,
)

# Fitted to the mean of ten collections, fused with words, and that of the multilingual model to German questions
# (docs/explanation/models.md). From .7 to .9, the upper end of the joined model hardly matters.
_SCALES: dict[str, EvidenceScale] = {
    BUNDLED_MODEL: COSINE_IS_EVIDENCE,
    QUANTIZED_MODEL: COSINE_IS_EVIDENCE,
    BGE_MODEL: EvidenceScale(0.4, 0.9),
    JOINED_MODEL: EvidenceScale(0.0, 0.8),
    MULTILINGUAL_MODEL: EvidenceScale(0.75, 0.95),
}


def scale_of(model: str) -> EvidenceScale:
    """Return the scale of a model. For a model that is not known, a cosine is the evidence, if it is above 0."""
    return _SCALES.get(model, COSINE_IS_EVIDENCE)

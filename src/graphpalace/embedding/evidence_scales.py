"""What the cosines of each model mean: from which cosine a text fits, and from which it fits as well as any."""

from __future__ import annotations

from graphpalace.domain.search.evidence_scale import COSINE_IS_EVIDENCE, EvidenceScale
from graphpalace.settings.sections.embeddings import BUNDLED_MODEL, QUANTIZED_MODEL

_SCALES: dict[str, EvidenceScale] = {
    BUNDLED_MODEL: COSINE_IS_EVIDENCE,
    QUANTIZED_MODEL: COSINE_IS_EVIDENCE,
}


def scale_of(model: str) -> EvidenceScale:
    """Return the scale of a model. For a model that is not known, a cosine is the evidence, if it is above 0."""
    return _SCALES.get(model, COSINE_IS_EVIDENCE)

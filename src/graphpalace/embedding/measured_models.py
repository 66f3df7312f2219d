"""What was measured of known models: what their cosines mean, and the mean of the vectors of bge-small-en-v1.5.

By this last model, all vectors point in much the same direction: a question and a text that have nothing in common have
a cosine from .4 to .6. Without the mean of all vectors, it is near 0, as by MiniLM.
"""

from __future__ import annotations

from base64 import b64decode

import numpy as np

from graphpalace.domain.search.evidence import COSINE_IS_EVIDENCE, EvidenceScale
from graphpalace.domain.vectors import Vector
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
# The mean of the means of three kinds of texts: 250 paragraphs of this project's documentation, the 94 notes of its
# examples, and the descriptions of 200 functions and classes of Python's library. Vectors that are stored depend on
# it: with another one, the joined model is another model. 16-bit floats, little-endian.
_CENTRE = (
    "fKhPnHYhZqUEInmi0CJzmaciqKHBIPKWQCAaIHYYApQNnxAhfab/IMEnrqOJmxymCCABKDWeyKW7p3iwc5UYpxmT4KH+IK6Ydg4qIlajsCUb"
    "J8Yki6QgoVyhbaVqHJGhbCipofCiyZ4Bm2UaOhRjIwIogCZQJM4gxCS1GXWvWin+IlIeKqIEphsd5Ch5nqSd3ph9Ka8hcaUWouGR2AcyHnOm"
    "w6UNHBoaNKQcnSoiYZpPJQQbQ6K9pCoc3ib6p4uisJoKJDqgqjXzpJIl3xh+HjwfaaWoHeWh9aKFHFQANKT0JwqoNSAqJNok6yBiqAOd4hgp"
    "HhclOZxWInslXShHLNQgDyZuI2el4aMFHJsT+x8aIxCgayOgp2Ka4ah1nFekVZ6HLG6naSPKoEmlyqJiJqwZ5acwiioihCVkJkKfKp7PoDmj"
    "KKXqKTEWlKrWofcfIqHrppiSkBdlojicninCnWymLYJqJGMjsR4DpOem/iM9IF+iz6eBonglayaVpPsfFqCan0WlkqbFowURGZsUobEl2iSB"
    "o9Ij1R4oJLEhD6UUJl0UOqYWoJwlF55/o42g4RTBIkQivhyvljKkORfJtGeUog+5pFUisKTcH26XV6JjIxQrU6TsoLGf4Jz8JISaXx3/oqke"
    "SRl2jM+iJKnHIZWEOTAHHOgngqbKJqUlWaTvqh8kxyDulnEmApELnyMYribnA3Ko8x4jo2qk+J9eoHAgDBQ2mMQgOiYxJS+kKqVlnwaljB8a"
    "HUwhcB8jo20iNxwPniKl6iQcoNGjVCmJpFekSSP9ItoZeaJUpDycWSQEF7El7yMXIjkkv45fITgjFZ20ooMiTqOSIdsl8R0ctLcgciApISAW"
    "lSJ4l+McTagPmhUe2SVzmYajjBo3JpIrN6H4IZanRSQvJH4wiRv4IoUf2B7aIA8lqyNzIKGkxSk2oYojUpjlnn4jMiQfpRWn/hynqBCiCitL"
    "peSgNqZVnVsgUaLLokiWKRj/It4j06V+G/McUxh7HLel+SgTIMkc"
)


def scale_of(model: str) -> EvidenceScale:
    """Return the scale of a model. For a model that is not known, a cosine is the evidence, if it is above 0."""
    return _SCALES.get(model, COSINE_IS_EVIDENCE)


def bge_centre() -> Vector:
    """Return the mean vector."""
    return np.frombuffer(b64decode(_CENTRE), "<f2").astype(np.float32)

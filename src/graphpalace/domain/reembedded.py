"""How far a change of a palace's embedding model is, and what it did."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reembedded:
    """The result of a change of model.

    Attributes:
        before: Model of the palace until then.
        model: Model of the palace now.
        embedded: Number of vectors that were computed; those of an earlier run that was ended are not counted.
    """

    palace: str
    before: str
    model: str
    embedded: int


@dataclass(frozen=True, slots=True)
class ReembedProgress:
    """How far a change of model is.

    Attributes:
        step: `embedding`, `linking` or `storing`; the new vectors answer from `linking` on.
        done, total: Number of drawers.
    """

    step: str
    done: int
    total: int

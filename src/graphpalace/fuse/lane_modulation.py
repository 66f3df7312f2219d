"""Raises the weight of lanes whose documents have classification codes like the profile's (seed 004, 6.2, method B)."""

from __future__ import annotations

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from graphpalace.domain.publications.codes import levels_of
from graphpalace.domain.search.fusion_plan import Profile


def axes(codes: tuple[str, ...], profile: Profile) -> Int[ndarray, " codes"]:
    """Assign each code to an axis of the vector space of code frequencies.

    A code that equals a wanted code or is narrower gets the axis of that wanted code, or of the narrowest if several
    cover it. Wanted codes are numbered in the order of the profile. Every other code gets an axis of its own. Codes of
    schemes that the profile does not mention get -1 and do not count.

    Args:
        codes: Codes as `scheme:code`.
    """
    wanted = [(scheme, code) for scheme, own in profile.items() for code in own]
    covering: dict[str, dict[str, int]] = {}
    found = np.full(len(codes), -1)
    for at, whole in enumerate(codes):
        scheme, _, code = whole.partition(":")
        if scheme not in profile and "any" not in profile:
            continue
        if scheme not in covering:
            covering[scheme] = {
                levels_of(want, scheme)[-1]: axis for axis, (of, want) in enumerate(wanted) if of in (scheme, "any")
            }
        covers = covering[scheme]
        found[at] = next(
            (covers[level] for level in reversed(levels_of(code, scheme)) if level in covers), len(wanted) + at
        )
    return found


def similarity(axis: Int[ndarray, " codes"], counts: Int[ndarray, " codes"], profile: Profile) -> float:
    """Return cos(F, T), the cosine of a lane's code frequencies and the profile, 0 to 1.

    The fusion uses it to raise the weight w of the lane: w' = w (1 + beta_fuse cos(F, T)).

    Args:
        axis: Axis of each code, from `axes`.
        counts: Number of the lane's documents with each code.

    Source: seed 004, 6.2.
    """
    target = np.array([weight for own in profile.values() for weight in own.values()], float)
    lane = np.bincount(axis[axis >= 0], weights=counts[axis >= 0], minlength=len(target))
    length = float(np.linalg.norm(lane) * np.linalg.norm(target))
    return min(1.0, float(lane[: len(target)] @ target) / length) if length else 0.0

"""B: lanes whose codes are like the profile gain weight (seed 004, 6.2)."""

from __future__ import annotations

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from graphpalace.domain.publications.codes import levels_of
from graphpalace.domain.search.fusion_plan import Profile


def axes(codes: tuple[str, ...], profile: Profile) -> Int[ndarray, " codes"]:
    """Return on which axis of the space of code frequencies each code counts.

    It is that of the narrowest wanted code that covers it, numbered as the profile lists them, else one of its own;
    -1 for codes of schemes that the profile does not ask for, which do not count.

    Args:
        codes: With their schemes.
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
    """Return the cosine of a lane's code frequencies F and the profile T, 0 to 1.

        w' = w (1 + beta_fuse cos(F, T))

    Args:
        axis: Of each code, from `axes`.
        counts: How many documents of the lane carry each.
    """
    target = np.array([weight for own in profile.values() for weight in own.values()], float)
    lane = np.bincount(axis[axis >= 0], weights=counts[axis >= 0], minlength=len(target))
    length = float(np.linalg.norm(lane) * np.linalg.norm(target))
    return min(1.0, float(lane[: len(target)] @ target) / length) if length else 0.0

"""How runs are to be fused: what a caller may choose, the constants beside it, and both as JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal, get_args

from graphpalace.domain.search.codes import SHAPES, is_code
from graphpalace.errors import InvalidInput

Fold = Literal["none", "closet", "family"]
Scheme = Literal["ipc", "cpc", "fi", "ft", "any"]
Profile = Mapping[str, Mapping[str, float]]

SCHEMES: tuple[str, ...] = get_args(Scheme)
CODE_LANE = "code"
MOST_MEMBERS = 10_000
_MOST_WANTED = 200
_MOST_WEIGHT = 1000.0


@dataclass(frozen=True, slots=True)
class Constants:
    """The constants of the formulas; docs/explanation/runs.md has them all.

    Attributes:
        alpha: How much of its score a full match of codes adds to a document, by lane, 0 to 1.
        broader_share: What a document's code that is wider than the wanted one counts for, 0 to 1.
        relevance_slope: a of pi' = sigmoid(a s + b + gamma z(g)).
        relevance_offset: b.
        relevance_code: gamma.
        coverage_share: rho of R* = rho coverage + (1 - rho) CDF, 0 to 1.
        f_beta: Weight of recall against precision in F*, > 0.
    """

    alpha: Mapping[str, float] = field(default_factory=lambda: {"fulltext": 0.3, "semantic": 0.3})
    broader_share: float = 0.5
    relevance_slope: float = 5.0
    relevance_offset: float = -2.5
    relevance_code: float = 0.5
    coverage_share: float = 0.5
    f_beta: float = 1.0


@dataclass(frozen=True, slots=True)
class Plan:
    """How runs are fused.

    Attributes:
        weights: By lane or by run id, which goes before; `code` is the weight of the lane of codes. Without: 1.
        rrf_k: Damps the lead of the first ranks, 1 to 1000.
        beta_fuse: How much a lane gains whose codes are those of the profile, 0 to 10.
        target_profile: Wanted codes with weights > 0, by scheme.
        top_m_per_lane: How much of each lane counts, by lane or by run id; without: all.
        k_grid: At which depths the frontier is computed, rising.
        fold: What counts as one document: a drawer, a closet, or a patent family.
    """

    weights: Mapping[str, float]
    rrf_k: int
    beta_fuse: float
    target_profile: Profile
    top_m_per_lane: Mapping[str, int]
    k_grid: tuple[int, ...]
    fold: Fold
    constants: Constants

    @classmethod
    def from_recipe(cls, recipe: Mapping[str, Any]) -> Plan:
        """Return the plan that a stored recipe holds."""
        chosen: dict[str, Any] = {one.name: recipe[one.name] for one in fields(cls)}
        made = {"constants": Constants(**recipe["constants"]), "k_grid": tuple(recipe["k_grid"])}
        return cls(**chosen | made)

    def as_recipe(self) -> dict[str, Any]:
        """Return the plan as JSON values."""
        return asdict(self) | {"k_grid": list(self.k_grid)}

    def changed(self, delta: Mapping[str, Any]) -> Plan:
        """Return the plan with some values overwritten: of `weights` and `top_m_per_lane` key by key, else whole."""
        merged = {
            name: {**getattr(self, name), **value} if name in {"weights", "top_m_per_lane"} else value
            for name, value in delta.items()
        }
        return replace(self, **merged)

    def checked(self, runs: Sequence[tuple[str, str]]) -> Plan:
        """Return the plan with its grid in order if it can be used for some runs, given as (lane, run id).

        Raises:
            InvalidInput: If a value is out of range or a lane, run, scheme or fold is not known.
        """
        known = {name for run in runs for name in run}
        for name, weight in self.weights.items():
            _known("weights", name, known | {CODE_LANE})
            _number(f"weights.{name}", weight, low=0, high=_MOST_WEIGHT)
        for name, most in self.top_m_per_lane.items():
            _known("top_m_per_lane", name, known)
            _number(f"top_m_per_lane.{name}", most, low=1, high=MOST_MEMBERS)
        if not any(self.weight_of(lane, run) for lane, run in runs):
            raise InvalidInput("weights are all 0; at least one lane must have a weight above 0", field="weights")
        _number("rrf_k", self.rrf_k, low=1, high=1000)
        _number("beta_fuse", self.beta_fuse, low=0, high=10)
        check_profile(self.target_profile)
        if not 1 <= len(self.k_grid) <= 50:
            raise InvalidInput(f"k_grid has {len(self.k_grid)} values; it must have 1 to 50", field="k_grid")
        for k in self.k_grid:
            _number("k_grid", k, low=1, high=MOST_MEMBERS)
        if self.fold not in get_args(Fold):
            raise InvalidInput(
                f"fold is {self.fold!r}; it must be one of {', '.join(get_args(Fold))}", field="fold", value=self.fold
            )
        return replace(self, k_grid=tuple(sorted(set(self.k_grid))))

    def weight_of(self, lane: str, run: str) -> float:
        """Return the weight of a run: its own, its lane's, or 1."""
        return self.weights.get(run, self.weights.get(lane, 1.0))

    def depth_of(self, lane: str, run: str) -> int:
        """Return how many members of a run count."""
        return self.top_m_per_lane.get(run, self.top_m_per_lane.get(lane, MOST_MEMBERS))


def _known(field_name: str, name: str, known: set[str]) -> None:
    if name not in known:
        raise InvalidInput(
            f"{field_name} names {name!r}; it may name {', '.join(sorted(known))}", field=field_name, value=name
        )


def _number(name: str, value: float, *, low: float, high: float) -> None:
    if not (math.isfinite(value) and low <= value <= high):
        raise InvalidInput(f"{name} is {value}; it must be {low:g} to {high:g}", field=name, value=repr(value))


def check_profile(profile: Profile) -> None:
    """Raise `InvalidInput` unless the wanted codes are codes, not too many, with weights in range."""
    if sum(len(codes) for codes in profile.values()) > _MOST_WANTED:
        raise InvalidInput(f"target_profile has more than {_MOST_WANTED} codes", field="target_profile")
    for scheme, codes in profile.items():
        _known("target_profile", scheme, set(SCHEMES))
        if not codes:
            raise InvalidInput(f"target_profile.{scheme} is empty; give at least one code", field="target_profile")
        for code, weight in codes.items():
            name = f"target_profile.{scheme}"
            if not is_code(code, scheme=scheme):
                raise InvalidInput(f"{name} has the code {code!r}; it must be {SHAPES[scheme]}", field=name, value=code)
            if not (math.isfinite(weight) and 0 < weight <= _MOST_WEIGHT):
                raise InvalidInput(
                    f"{name}.{code} is {weight}; it must be above 0 and at most {_MOST_WEIGHT:g}",
                    field=name,
                    value=repr(weight),
                )

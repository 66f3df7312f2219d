"""The settings of a simulation, with defaults, ranges and presets (seed 000, "Parameters")."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import PydanticUndefined

from graphpalace.errors import InvalidInput

ReportMode = Literal["deep", "structure", "exploratory", "summary", "repair"]
Preset = Literal["standard", "seed"]
_SHOWN_CHARS = 100


def _setting(default: Any, description: str, *, group: str, live: bool = True, **bounds: Any) -> Any:
    return Field(default, description=description, json_schema_extra={"group": group, "live": live}, **bounds)


class SimulationSettings(BaseModel):
    """The settings of a simulation.

    A change of a `live` setting affects a running simulation; all others take effect at the next start.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    query: str = _setting("", "what is looked for; empty: the middle of the corpus", group="search", max_length=10_000)
    num_agents: int = _setting(200, "agents in the embedding space", group="swarm", ge=1, le=10_000)
    max_iterations: int = _setting(200, "steps after which it stops by itself", group="swarm", ge=1, le=5_000)
    exploration_bonus: float = _setting(
        0.1, "greatest standard deviation of an agent's noise", group="swarm", ge=0.01, le=1
    )
    pheromone_decay: float = _setting(
        0.95, "share of a trail that is left after a step", group="swarm", ge=0.5, le=0.999
    )
    preset: Preset = _setting(
        "standard",
        "numbers of the swarm: standard, or seed for those of the original; each of them can still be set by itself",
        group="swarm",
        live=False,
    )
    trail_ceiling: float = _setting(1.0, "no trail grows stronger; 0: no ceiling", group="swarm", ge=0, le=1000)
    seed: int | None = _setting(
        None, "the same seed gives the same run; empty: a new one", group="swarm", live=False, ge=0, le=2**63 - 1
    )
    deterministic: bool = _setting(
        True, "steps are the clock of the visit bonus, not seconds", group="swarm", live=False
    )
    warm_start: bool = _setting(False, "trails start from the palace's own edges", group="swarm", live=False)
    deposit: bool = _setting(
        False, "at the end, lay what was found on the palace as exploration and success", group="swarm"
    )
    max_steps_per_s: float = _setting(20.0, "pace of a live simulation; 0: none", group="swarm", ge=0, le=10_000)

    top_k: int = _setting(10, "results", group="search", ge=1, le=200)
    kw_lambda: float = _setting(0.0, "what all keywords together add to a relevance", group="search", ge=0, le=10)
    kw_terms: tuple[str, ...] = _setting((), "keywords looked for in the text", group="search", strict=False)

    stop_on_convergence: bool = _setting(True, "stop once a rule has held for a window", group="convergence")
    window: int = _setting(20, "steps that the rules look back", group="convergence", live=False, ge=2, le=500)
    trail_floor: float = _setting(0.05, "a trail is present from this strength on", group="convergence", ge=0, le=1)
    new_trails: float = _setting(
        0.1, "share of the trails' strength that may be on new ones", group="convergence", ge=0, le=1
    )
    speed_limit: float = _setting(10.0, "mean speed below which the swarm rests", group="convergence", ge=0, le=10)
    speed_change: float = _setting(
        0.1, "relative change of the mean speed inside the window; 0: any", group="convergence", ge=0, le=10
    )
    mass_change: float = _setting(
        0.15, "relative change of all trails that is still stable", group="convergence", ge=0, le=10
    )
    relevance_low: float = _setting(-1.0, "lower end of the band of mean relevance", group="convergence", ge=-1, le=5)
    relevance_high: float = _setting(5.0, "its upper end", group="convergence", ge=-1, le=5)
    relevance_amplitude: float = _setting(5.0, "greatest swing inside the window", group="convergence", ge=0, le=5)
    relevance_drift: float = _setting(5.0, "greatest change over the window", group="convergence", ge=0, le=5)
    relevance_change: float = _setting(
        0.2, "greatest swing, as a share of the swing since the start; 0: any", group="convergence", ge=0, le=1
    )
    top_k_kept: float = _setting(
        0.7, "share of the window's later results that its earlier ones had; 0: any", group="convergence", ge=0, le=1
    )

    redraw_every: int = _setting(2, "steps between two pictures", group="view", ge=1, le=100)
    min_trail_strength: float = _setting(0.05, "weakest trail that is drawn", group="view", ge=0, le=1)
    max_edges: int = _setting(600, "most trails that are drawn", group="view", ge=10, le=5_000)
    viz_dims: Literal[2, 3] = _setting(2, "dimensions of the picture", group="view")

    windows: tuple[int, ...] = _setting(
        (),
        "window sizes in lines of a folder's files, for example 1000, 2000, 4000",
        group="corpus",
        live=False,
        strict=False,
        max_length=16,
    )
    max_files: int = _setting(500, "most files of a folder; 0: no limit", group="corpus", live=False, ge=0, le=20_000)
    exclude_dirs: tuple[str, ...] = _setting(
        (".venv", "node_modules", ".git", "external"),
        "names of folders that are skipped",
        group="corpus",
        live=False,
        strict=False,
    )
    chunk_workers: int = _setting(
        min(max(4, os.cpu_count() or 4), 128), "threads that read files", group="corpus", live=False, ge=1, le=128
    )
    embed_batch_size: int = _setting(128, "texts embedded at once", group="corpus", live=False, ge=1, le=4_096)

    max_chunks_per_shard: int = _setting(
        2000, "documents of one shard of a job; 0: one shard", group="jobs", live=False, ge=0, le=100_000
    )

    report_enabled: bool = _setting(False, "write reports in the background", group="reports")
    report_every: int = _setting(5, "steps between two reports", group="reports", ge=1, le=100)
    report_mode: ReportMode = _setting("deep", "what a report looks for", group="reports")

    def changed(self, given: Mapping[str, Any]) -> SimulationSettings:
        """Return a copy with some settings replaced.

        If `given` names a preset, the values of the preset are set as well, except those in `given` itself.

        Raises:
            InvalidInput: If a name is unknown or a value is out of range. The message lists every problem.
        """
        return checked_settings(self.model_dump() | _of_preset(given) | dict(given))


# Seed 000, "Convergence Heuristics" and "Parameters": absolute limits, and trails without a ceiling.
_SEED: dict[str, float] = {
    "trail_ceiling": 0.0,
    "new_trails": 0.0,
    "speed_limit": 0.05,
    "speed_change": 0.0,
    "mass_change": 0.02,
    "relevance_low": 0.7,
    "relevance_high": 0.9,
    "relevance_amplitude": 0.05,
    "relevance_drift": 0.02,
    "relevance_change": 0.0,
    "top_k_kept": 0.0,
}
PRESETS: Mapping[str, Mapping[str, float]] = {
    "standard": {name: SimulationSettings.model_fields[name].default for name in _SEED},
    "seed": _SEED,
}


def _of_preset(given: Mapping[str, Any]) -> dict[str, Any]:
    preset = given.get("preset")
    return dict(PRESETS.get(preset, {})) if isinstance(preset, str) else {}


def checked_settings(given: Mapping[str, Any]) -> SimulationSettings:
    """Validate settings. Values that are not given come from the preset, by default `standard`.

    Raises:
        InvalidInput: If a name is unknown or a value is out of range. The message lists every problem.
    """
    try:
        chosen = SimulationSettings(**_of_preset(given) | dict(given))
    except ValidationError as error:
        problems = [_problem(found) for found in error.errors()]
        raise InvalidInput("; ".join(problems), fields=[str(found["loc"][0]) for found in error.errors()]) from None
    for size in chosen.windows:
        if not 1 <= size <= 100_000:
            raise InvalidInput(f"windows has {size}; each window must have 1 to 100000 lines", fields=["windows"])
    if chosen.relevance_low > chosen.relevance_high:
        raise InvalidInput(
            f"relevance_low is {chosen.relevance_low:g}; it must not be above relevance_high, "
            f"{chosen.relevance_high:g}",
            fields=["relevance_low", "relevance_high"],
        )
    return chosen


@cache
def usage() -> dict[str, dict[str, Any]]:
    """Describe each setting: type, default, range, choices, group, description and whether it is live."""
    properties = SimulationSettings.model_json_schema()["properties"]
    described = {}
    for name, field in SimulationSettings.model_fields.items():
        schema = properties[name]
        plain = next((part for part in schema.get("anyOf", []) if part["type"] != "null"), schema)
        default = None if field.default is PydanticUndefined else field.default
        entry = {
            "type": {"array": "list"}.get(plain["type"], plain["type"]),
            "default": list(default) if isinstance(default, tuple) else default,
            "min": plain.get("minimum"),
            "max": plain.get("maximum"),
            "choices": plain.get("enum"),
            "live": schema["live"],
            "group": schema["group"],
            "description": schema["description"],
        }
        described[name] = {key: value for key, value in entry.items() if value is not None or key == "default"}
    return described


def _problem(found: Any) -> str:
    name = ".".join(map(str, found["loc"]))
    if found["type"] == "extra_forbidden":
        return f"{name} is not a setting; the settings are {', '.join(SimulationSettings.model_fields)}"
    shown = repr(found["input"])
    return f"{name} is {shown if len(shown) <= _SHOWN_CHARS else shown[:_SHOWN_CHARS] + '…'}: {found['msg']}"

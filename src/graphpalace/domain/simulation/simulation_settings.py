"""The settings of a simulation, with defaults, ranges and presets (seed 000, "Parameters")."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import PydanticUndefined

from graphpalace.domain.value_reasons import bounds_of, value_reason
from graphpalace.errors import InvalidInput

ReportMode = Literal["deep", "structure", "exploratory", "summary", "repair"]
Preset = Literal["standard", "seed"]
_WindowLines = Annotated[int, Field(json_schema_extra={"minimum": 1, "maximum": 100_000})]
_SHOWN_CHARS = 100


def _setting(default: Any, description: str, *, group: str, live: bool = True, **bounds: Any) -> Any:
    return Field(default, description=description, json_schema_extra={"group": group, "live": live}, **bounds)


class SimulationSettings(BaseModel):
    """The settings of a simulation.

    A change of a `live` setting affects a running simulation; all others take effect at the next start.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    query: str = _setting(
        "", "the question; if it is empty, the middle of the corpus", group="search", max_length=10_000
    )
    num_agents: int = _setting(200, "number of agents", group="swarm", ge=1, le=10_000)
    max_iterations: int = _setting(200, "largest number of steps", group="swarm", ge=1, le=5_000)
    exploration_bonus: float = _setting(
        0.1, "largest standard deviation of the noise in the movement of an agent", group="swarm", ge=0.01, le=1
    )
    pheromone_decay: float = _setting(
        0.95, "share of a trail that is left after each step", group="swarm", ge=0.5, le=0.999
    )
    preset: Preset = _setting(
        "standard",
        "values of several settings at once: standard, or seed for the original ones; a setting that is given "
        "by itself takes precedence",
        group="swarm",
        live=False,
    )
    trail_ceiling: float = _setting(1.0, "largest strength of a trail; 0: no limit", group="swarm", ge=0, le=1000)
    seed: int | None = _setting(
        None,
        "random seed; the same seed gives the same run; empty: a new one for each run",
        group="swarm",
        live=False,
        ge=0,
        le=2**63 - 1,
    )
    deterministic: bool = _setting(
        True,
        "whether the visit bonus is timed in steps, so that a run can be repeated exactly, or in seconds",
        group="swarm",
        live=False,
    )
    warm_start: bool = _setting(
        False, "whether trails start with the pheromones of the palace's edges", group="swarm", live=False
    )
    deposit: bool = _setting(
        False,
        "whether the findings are stored in the palace as exploration and success pheromones at the end",
        group="swarm",
    )
    max_steps_per_s: float = _setting(
        20.0, "largest number of steps per second of a live simulation; 0: no limit", group="swarm", ge=0, le=10_000
    )

    top_k: int = _setting(10, "number of results", group="search", ge=1, le=200)
    kw_lambda: float = _setting(0.0, "relevance that a document with all keywords gains", group="search", ge=0, le=10)
    kw_terms: tuple[str, ...] = _setting((), "keywords that are counted in the texts", group="search", strict=False)

    stop_on_convergence: bool = _setting(
        True, "whether to stop when a rule of convergence holds for a whole window", group="convergence"
    )
    window: int = _setting(
        20, "number of steps that the rules of convergence consider", group="convergence", live=False, ge=2, le=500
    )
    trail_floor: float = _setting(
        0.05, "least strength at which a trail counts as present", group="convergence", ge=0, le=1
    )
    new_trails: float = _setting(
        0.1,
        "trails are stable if at most this share of their strength is on new trails",
        group="convergence",
        ge=0,
        le=1,
    )
    speed_limit: float = _setting(
        10.0, "trails are stable only if the mean speed of the agents is below this", group="convergence", ge=0, le=10
    )
    speed_change: float = _setting(
        0.1,
        "largest relative change of the mean speed between the halves of the window; 0: any",
        group="convergence",
        ge=0,
        le=10,
    )
    mass_change: float = _setting(
        0.15, "largest relative change of the sum of all trails within the window", group="convergence", ge=0, le=10
    )
    relevance_low: float = _setting(-1.0, "least mean relevance of the documents", group="convergence", ge=-1, le=5)
    relevance_high: float = _setting(5.0, "largest mean relevance of the documents", group="convergence", ge=-1, le=5)
    relevance_amplitude: float = _setting(
        5.0, "largest difference of mean relevances within the window", group="convergence", ge=0, le=5
    )
    relevance_drift: float = _setting(
        5.0,
        "largest change of the mean relevance from the start to the end of the window",
        group="convergence",
        ge=0,
        le=5,
    )
    relevance_change: float = _setting(
        0.2,
        "largest difference of mean relevances within the window, as a share of the difference since the start; 0: any",
        group="convergence",
        ge=0,
        le=1,
    )
    top_k_kept: float = _setting(
        0.7,
        "least share of the later results of the window that are also among its earlier results; 0: any",
        group="convergence",
        ge=0,
        le=1,
    )

    redraw_every: int = _setting(2, "number of steps between two pictures", group="view", ge=1, le=100)
    min_trail_strength: float = _setting(0.05, "least strength of a trail that is drawn", group="view", ge=0, le=1)
    max_edges: int = _setting(600, "largest number of trails that are drawn", group="view", ge=10, le=5_000)
    viz_dims: Literal[2, 3] = _setting(2, "number of dimensions of the picture", group="view")

    windows: tuple[_WindowLines, ...] = _setting(
        (),
        "sizes in lines of the windows into which the files of a folder are split, for example 1000, 2000, 4000",
        group="corpus",
        live=False,
        strict=False,
        max_length=16,
    )
    max_files: int = _setting(
        500,
        "largest number of files that are read from a folder; 0: no limit",
        group="corpus",
        live=False,
        ge=0,
        le=20_000,
    )
    exclude_dirs: tuple[str, ...] = _setting(
        (".venv", "node_modules", ".git", "external"),
        "names of the folders to skip",
        group="corpus",
        live=False,
        strict=False,
    )
    chunk_workers: int = _setting(
        min(max(4, os.cpu_count() or 4), 128),
        "number of threads that read files",
        group="corpus",
        live=False,
        ge=1,
        le=128,
    )
    embed_batch_size: int = _setting(
        128, "number of texts that are embedded at once", group="corpus", live=False, ge=1, le=4_096
    )

    max_chunks_per_shard: int = _setting(
        2000,
        "largest number of documents in a shard of a job; 0: one shard for all",
        group="jobs",
        live=False,
        ge=0,
        le=100_000,
    )

    report_enabled: bool = _setting(False, "whether to write reports in the background", group="reports")
    report_every: int = _setting(5, "number of steps between two reports", group="reports", ge=1, le=100)
    report_mode: ReportMode = _setting("deep", "kind of report", group="reports")

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
    return f"{name} is {shown if len(shown) <= _SHOWN_CHARS else shown[:_SHOWN_CHARS] + '…'}; {_reason(found)}"


def _reason(found: Any) -> str:
    return value_reason(found, bounds=bounds_of(SimulationSettings.model_fields[found["loc"][0]]))

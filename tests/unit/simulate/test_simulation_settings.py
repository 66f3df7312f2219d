from __future__ import annotations

import importlib.util
import os
import re
from pathlib import Path
from typing import Any

import pytest

from graphpalace.domain.simulation import simulation_settings
from graphpalace.domain.simulation.simulation_settings import SimulationSettings, checked_settings, usage
from graphpalace.errors import InvalidInput
from graphpalace.simulate.convergence import Rules

_DOCUMENTED = Path(__file__).resolve().parents[3] / "docs/reference/simulation-settings.md"

# Seed 000, "Parameters": default, least and greatest value.
_SEED = {
    "num_agents": (200, 1, 10_000),
    "max_iterations": (200, 1, 5_000),
    "exploration_bonus": (0.1, 0.01, 1.0),
    "pheromone_decay": (0.95, 0.5, 0.999),
    "top_k": (10, 1, 200),
    "redraw_every": (2, 1, 100),
    "min_trail_strength": (0.05, 0.0, 1.0),
    "max_edges": (600, 10, 5_000),
    "max_files": (500, 0, 20_000),
    "embed_batch_size": (128, 1, 4_096),
    "max_chunks_per_shard": (2_000, 0, 100_000),
    "report_every": (5, 1, 100),
}


@pytest.mark.parametrize(("name", "default", "least", "greatest"), [(name, *found) for name, found in _SEED.items()])
def test_defaults_and_ranges_are_the_seeds(name: str, default: float, least: float, greatest: float) -> None:
    assert getattr(SimulationSettings(), name) == default
    for value in (least, greatest):
        assert getattr(checked_settings({name: value}), name) == value
    step = 1 if isinstance(least, int) else 1e-6
    for value in (least - step, greatest + step):
        with pytest.raises(
            InvalidInput, match=rf"^{name} is {re.escape(repr(value))}; it must be {least:g} to {greatest:g}$"
        ):
            checked_settings({name: value})
    described = usage()[name]
    assert (described["default"], described["min"], described["max"]) == (default, least, greatest)


def test_the_other_defaults_are_the_seeds() -> None:
    settings = SimulationSettings()
    assert (settings.kw_lambda, settings.kw_terms, settings.viz_dims) == (0.0, (), 2)
    assert settings.exclude_dirs == (".venv", "node_modules", ".git", "external")
    assert (settings.report_enabled, settings.report_mode) == (False, "deep")
    rules = Rules()
    assert (rules.window, rules.trail_floor, rules.speed_limit, rules.mass_change) == (20, 0.05, 0.05, 0.02)
    assert (rules.relevance_low, rules.relevance_high) == (0.7, 0.9)
    assert (rules.relevance_amplitude, rules.relevance_drift) == (0.05, 0.02)
    for name in Rules.__slots__:
        assert getattr(rules, name) == getattr(checked_settings({"preset": "seed"}), name), name
    assert checked_settings({"preset": "seed"}).trail_ceiling == 0  # the seed has none


@pytest.mark.parametrize(("processors", "threads"), [(None, 4), (2, 4), (16, 16), (256, 128)])
def test_as_many_threads_read_files_as_there_are_processors_within_the_range(
    monkeypatch: pytest.MonkeyPatch, processors: int | None, threads: int
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    spec = importlib.util.spec_from_file_location("settings_there", simulation_settings.__file__)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(__import__("sys").modules, "settings_there", module)
    spec.loader.exec_module(module)
    assert module.SimulationSettings().chunk_workers == threads
    assert module.SimulationSettings().changed({"top_k": 3}).chunk_workers == threads


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"num_agents": True}, "num_agents is True"),
        ({"num_agents": 2.5}, "num_agents is 2.5"),
        ({"num_agents": "200"}, "num_agents is '200'"),
        ({"num_agents": None}, "num_agents is None"),
        ({"exploration_bonus": float("nan")}, "exploration_bonus is nan"),
        ({"viz_dims": 4}, "viz_dims is 4; it must be 2 or 3"),
        ({"report_mode": "poem"}, "report_mode is 'poem'; it must be 'deep', 'structure', 'exploratory'"),
        ({"report_enabled": "yes"}, "report_enabled is 'yes'"),
        ({"kw_terms": "word"}, "kw_terms is 'word'"),
        ({"kw_terms": ["word", 3]}, "kw_terms.1 is 3"),
        ({"windows": [0]}, "windows has 0; each window must have 1 to 100000 lines"),
        ({"windows": [100_001]}, "windows has 100001"),
        ({"windows": [1] * 17}, "windows is"),
        ({"seed": -1}, "seed is -1"),
        ({"query": "x" * 10_001}, "query is"),
        ({"agents": 3}, "agents is not a setting; the settings are query, num_agents"),
        (
            {"relevance_low": 0.95, "relevance_high": 0.9},
            "relevance_low is 0.95; it must not be above relevance_high, 0.9",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_value(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        checked_settings(given)
    assert str(raised.value).startswith(said)
    assert len(str(raised.value)) < 1000
    assert next(iter(given)) in raised.value.detail["fields"]


def test_everything_that_is_wrong_is_named_at_once() -> None:
    with pytest.raises(
        InvalidInput, match=r"num_agents is 0; it must be 1 to 10000; top_k is 999; it must be 1 to 200"
    ):
        SimulationSettings().changed({"num_agents": 0, "top_k": 999})


def test_changing_some_settings_keeps_the_others() -> None:
    settings = checked_settings({"query": "trails", "windows": [1000, 2000], "exploration_bonus": 1, "seed": 4})
    changed = settings.changed({"top_k": 7, "seed": None})
    assert (changed.query, changed.windows, changed.exploration_bonus) == ("trails", (1000, 2000), 1.0)
    assert (changed.top_k, changed.seed, settings.top_k) == (7, None, 10)


def test_a_preset_sets_what_it_names_but_what_is_given_beside_it() -> None:
    settings = checked_settings({"query": "trails", "top_k": 7, "speed_change": 0.3})
    seed = settings.changed({"preset": "seed", "mass_change": 0.5})
    assert (seed.preset, seed.query, seed.top_k) == ("seed", "trails", 7)
    assert (seed.speed_limit, seed.speed_change, seed.relevance_low, seed.mass_change) == (0.05, 0.0, 0.7, 0.5)
    assert seed.changed({"top_k": 8}) == seed.model_copy(update={"top_k": 8})
    assert checked_settings(seed.model_dump()) == seed
    assert seed.changed({"preset": "standard"}) == checked_settings({"query": "trails", "top_k": 7})
    assert checked_settings({"preset": "standard"}) == SimulationSettings()


@pytest.mark.parametrize("wrong", ["fast", "", None, 3, ["seed"], {"seed": 1}])
def test_a_preset_that_is_not_there_is_refused(wrong: object) -> None:
    with pytest.raises(InvalidInput, match=r"^preset is .*'standard' or 'seed'"):
        checked_settings({"preset": wrong})


def test_usage_says_of_each_setting_what_a_form_needs() -> None:
    described = usage()
    assert list(described) == list(SimulationSettings.model_fields)
    for name, entry in described.items():
        assert {"type", "default", "live", "group", "description"} <= entry.keys(), name
        assert entry["type"] in {"integer", "number", "string", "boolean", "list"}, name
    assert described["seed"]["type"] == "integer"
    assert described["seed"]["default"] is None
    assert described["viz_dims"]["choices"] == [2, 3]
    assert described["report_mode"]["choices"] == ["deep", "structure", "exploratory", "summary", "repair"]
    assert described["kw_terms"]["default"] == []
    assert not described["windows"]["live"]


def test_the_reference_has_each_setting_with_its_default_and_its_range() -> None:
    row = re.compile(r"^\| `(\w+)` \| ([^|]*) \| ([^|]*) \| (\w+) \| ([^|]*) \|$", re.MULTILINE)
    rows = row.findall(_DOCUMENTED.read_text("utf-8"))
    assert [row[0] for row in rows] == list(SimulationSettings.model_fields)
    for name, default, allowed, applies, meaning in rows:
        entry = usage()[name]
        assert meaning == entry["description"], name
        assert applies == ("step" if entry["live"] else "start"), name
        if name != "chunk_workers":  # follows the machine
            assert default == _told(entry["default"]), name
        if "max" in entry and name != "seed":
            assert allowed == f"{entry['min']:g} to {entry['max']:g}", name
        for choice in entry.get("choices", []):
            assert str(choice) in allowed, name


def _told(default: object) -> str:
    if isinstance(default, bool):
        return "on" if default else "off"
    if isinstance(default, list):
        return ", ".join(f"`{item}`" for item in default) or "none"
    return "none" if default in (None, "") else f"{default:g}" if isinstance(default, int | float) else f"`{default}`"

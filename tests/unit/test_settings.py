from __future__ import annotations

from pathlib import Path

import pytest
import tomli

from graphpalace.errors import SettingsInvalid
from graphpalace.settings.in_force import settings_in_force
from graphpalace.settings.load import Settings, load

SHIPPED = Path(__file__).resolve().parents[2] / "graphpalace.toml"


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    for name in list(os.environ):
        if name.startswith("GRAPHPALACE_"):
            monkeypatch.delenv(name)


def test_the_shipped_file_documents_every_key_once_with_its_default() -> None:
    text = SHIPPED.read_text("utf-8")
    shown = tomli.loads(text)
    defaults = Settings().model_dump(mode="json")
    for section, keys in defaults.items():
        for key, value in keys.items():
            if key in {"chunk_workers", "dimension"}:  # follows the machine or the model, so it is shown as a comment
                assert f"# {key}" in text
                continue
            expected = "" if key in {"password", "api_key"} else value
            assert shown[section][key] == expected, f"{section}.{key}"
        assert shown[section].keys() <= keys.keys()


def test_the_rates_are_the_seeds() -> None:
    pheromones = Settings().pheromones
    rates = [pheromones.exploitation_decay, pheromones.exploration_decay, pheromones.success_decay]
    assert [*rates, pheromones.traversal_decay, pheromones.recency_decay] == [0.02, 0.05, 0.01, 0.03, 0.10]
    assert pheromones.decay_interval_cycles == 10


def test_the_environment_overrides_the_file_key_by_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "g.toml"
    path.write_text("[search]\nrrf_k = 10\nlane_depth = 20\n")
    monkeypatch.setenv("GRAPHPALACE_SEARCH__RRF_K", "30")
    settings = load(path)
    assert (settings.search.rrf_k, settings.search.lane_depth) == (30, 20)


def test_a_named_model_brings_the_length_of_its_vectors_unless_another_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "g.toml"
    path.write_text('[embeddings]\nmodel = "minilm-bge"\ndevice = "cpu"\n')
    assert load(path).embeddings.dimension == 768
    path.write_text('[embeddings]\ndevice = "cpu"\n')
    monkeypatch.setenv("GRAPHPALACE_EMBEDDINGS__MODEL", "minilm-bge")
    assert load(path).embeddings.dimension == 768
    monkeypatch.setenv("GRAPHPALACE_EMBEDDINGS__DIMENSION", "12")
    assert load(path).embeddings.dimension == 12


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[search]\nrrf_k = \n", "line 2"),
        ("[search]\n\nrrf_k = 0\n", "line 3: search.rrf_k is 0"),
        ("[search]\nrrf = 1\n", "line 2: search.rrf is not a setting"),
        ("\n[serach]\nrrf_k = 1\n", "line 2: serach is not a setting"),
        ('[embeddings]\ndimension = "x"\n', "line 2: embeddings.dimension is 'x'"),
        ("[rerank]\ngating_min_candidates = 500\n", r"line 1: rerank.gating_max_candidates is 400; .* at least .* 500"),
        ("[exploration]\nmix = { explorer = 0 }\n", "line 2: exploration.mix is .* a share above 0"),
        ('[reports]\nbase_url = "http://a/v1"\n', "line 1: reports.model is ''; .* name a model"),
        ('[reports]\nbase_url = "localhost:80"\nmodel = "m"\n', "line 2: reports.base_url is 'localhost:80'"),
    ],
)
def test_a_mistake_in_the_file_is_told_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "g.toml"
    path.write_text(text)
    with pytest.raises(SettingsInvalid, match=message):
        load(path)


def test_a_mistake_in_the_environment_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHPALACE_SEARCH__RRF_K", "0")
    with pytest.raises(SettingsInvalid, match=r"GRAPHPALACE_SEARCH__RRF_K: search.rrf_k is '0'"):
        load()


def test_a_named_file_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid, match=r"none\.toml does not exist"):
        load(tmp_path / "none.toml")


def test_the_environment_does_not_reach_settings_made_in_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHPALACE_NEO4J__DATA_DIR", "/users")
    monkeypatch.setenv("GRAPHPALACE_NEO4J__URI", "bolt://users:7687")
    made = Settings.model_validate(load().model_dump() | {"neo4j": {"data_dir": "/own"}})
    assert (made.neo4j.data_dir, made.neo4j.uri) == ("/own", "")


def test_settings_in_force_say_where_they_came_from_and_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "g.toml"
    path.write_text('[neo4j]\npassword = "hush"\n[search]\nlane_depth = 20\nrrf_k = 10\n[service]\nport = 1\n')
    monkeypatch.setenv("GRAPHPALACE_SEARCH__RRF_K", "30")
    monkeypatch.setenv("GRAPHPALACE_REPORTS__MODEL", "m")
    monkeypatch.setenv("GRAPHPALACE_REPORTS__BASE_URL", "http://ann:hush@here/v1")
    settings = load(path)
    started = settings.model_copy(update={"service": settings.service.model_copy(update={"port": 2})})
    shown = settings_in_force(started)
    found = {f"{one.section}.{one.key}": (one.value, one.source) for one in shown.settings}
    assert shown.file == str(path)
    assert found["search.lane_depth"] == ("20", "file")
    assert found["search.rrf_k"] == ("30", "environment")
    assert found["service.port"] == ("2", "start")
    assert found["service.host"] == ('"127.0.0.1"', "default")
    assert found["neo4j.password"] == (None, "file")
    assert found["reports.base_url"] == ('"http://…@here/v1"', "environment")
    assert "hush" not in str(shown)
    secrets = [f"{one.section}.{one.key}" for one in shown.settings if one.value is None and one.given]
    assert secrets == ["neo4j.password"]


def test_settings_made_in_code_are_in_force_too() -> None:
    made = settings_in_force(Settings.model_validate({"search": {"rrf_k": 30}}))
    assert made.file is None
    assert [(one.key, one.value, one.source) for one in made.settings if one.source != "default"] == [
        ("rrf_k", "30", "start")
    ]

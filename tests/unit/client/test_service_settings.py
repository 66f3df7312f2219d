"""What a command's environment says is known to the service, or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphpalace.client.service_file import check_environment, marks_of
from graphpalace.errors import SettingsInvalid
from graphpalace.settings.load import Settings, load


@pytest.mark.parametrize(
    ("variable", "value", "key"),
    [
        ("GRAPHPALACE_INGEST__LANGUAGE", "fr", "ingest.language"),
        ("GRAPHPALACE_SEARCH__EXACT_WEIGHT", "0.1", "search.exact_weight"),
        ("graphpalace_entities__recogniser", "off", "entities.recogniser"),
    ],
)
def test_a_variable_that_the_service_does_not_know_is_refused_by_its_name(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, key: str
) -> None:
    marks = marks_of(Settings())
    check_environment(marks, None)
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsInvalid, match=rf"{variable} is set here.*another {key}.*graphpalace service restart"):
        check_environment(marks, None)
    check_environment(marks, None, sent=[key])  # the command tells the service itself
    check_environment(marks_of(load()), None)  # the service was started with it
    check_environment({}, None)  # a service of an earlier version has left no marks


def test_where_the_service_is_and_what_it_asks_for_are_the_callers(monkeypatch: pytest.MonkeyPatch) -> None:
    marks = marks_of(Settings())
    for name in ("GRAPHPALACE_SERVICE__PORT", "GRAPHPALACE_NEO4J__BOLT_PORT"):
        monkeypatch.setenv(name, "4321")
    check_environment(marks, None)
    assert not any("secret" in mark or "Secret" in mark for mark in marks.values())


def test_what_a_command_is_about_is_compared_also_if_only_the_settings_file_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marks = marks_of(Settings())
    config = tmp_path / "graphpalace.toml"
    config.write_text('[embeddings]\nmodel = "all-MiniLM-L6-v2"\n')
    check_environment(marks, config)
    asked = ("embeddings.model", "embeddings.dimension")
    with pytest.raises(SettingsInvalid, match=r"\[embeddings\] model has changed.*graphpalace service restart"):
        check_environment(marks, config, compared=asked)
    check_environment(marks_of(load(config)), config, compared=asked)
    monkeypatch.setenv("GRAPHPALACE_EMBEDDINGS__MODEL", "bge-small-en-v1.5")
    with pytest.raises(SettingsInvalid, match=r"GRAPHPALACE_EMBEDDINGS__MODEL is set here"):
        check_environment(marks, None, compared=asked)

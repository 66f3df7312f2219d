"""What people read about the settings is made from the models, and says all of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import tomli

from graphpalace.settings.load import Settings
from graphpalace.settings.reference import HELPS, PAGE, helps_text, page_text, toml_text
from graphpalace.settings.sections.section import SettingsSection
from graphpalace.settings.setting import Setting, setting_of, settings_of

ROOT = Path(__file__).resolve().parents[2]


def every_setting() -> list[Setting]:
    found: list[Setting] = []

    def gather(section: SettingsSection, name: str) -> None:
        found.extend(settings_of(type(section), name))
        for key, value in section:
            if isinstance(value, SettingsSection):
                gather(value, f"{name}.{key}")

    for name, section in Settings():
        gather(section, name)
    return found


@pytest.mark.parametrize(
    ("path", "text"), [(Path("graphpalace.toml"), toml_text()), (PAGE, page_text()), (HELPS, helps_text())], ids=str
)
def test_what_was_written_is_what_the_models_say(path: Path, text: str) -> None:
    assert (ROOT / path).read_text("utf-8") == text, "the settings have changed: run `make settings-docs`"


def test_the_shipped_file_loads_to_the_defaults() -> None:
    assert Settings.model_validate(tomli.loads(toml_text())) == Settings()


def test_every_setting_is_described_in_whole_sentences() -> None:
    for setting in every_setting():
        assert setting.description[:1].isalnum() or setting.description[:1] == "`", setting
        assert setting.description.endswith("."), setting


def test_every_number_has_a_range_and_every_default_is_on_the_page() -> None:
    page = page_text()
    for setting in every_setting():
        assert setting.allowed or "number" not in setting.kind, setting
        assert f"`{setting.variable}`" in page


def test_a_variable_of_the_page_is_read(tmp_path: Path) -> None:
    program = "from graphpalace.settings.load import load; s = load(); print(s.rerank.weights.dense, s.search.rrf_k)"
    variables = {
        setting_of(type(Settings().rerank.weights), "rerank.weights", "dense").variable: "7",
        setting_of(type(Settings().search), "search", "rrf_k").variable: "8",
    }
    ended = subprocess.run(
        [sys.executable, "-c", program],
        env={"PATH": "", "HOME": str(tmp_path), "PYTHONPATH": str(ROOT / "src")} | variables,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout.split() == ["7.0", "8"]


def test_sections_are_read_without_torch() -> None:
    program = "import sys, graphpalace.settings.load, graphpalace.settings.reference; print('torch' in sys.modules)"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "False"

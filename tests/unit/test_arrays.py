"""What the array API standard lacks, by NumPy and by PyTorch."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.simulate.swarms import KINDS, array

from graphpalace.arrays import first_greatest, greatest_at, namespace_on
from graphpalace.errors import SettingsInvalid


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("columns", [3, 63, 1023, 1024, 1087, 4096])
@settings(deadline=None)
@given(seed=st.integers(0, 10_000), near=st.booleans())
def test_the_greatest_of_each_row_come_first(kind: str, columns: int, seed: int, near: bool) -> None:
    random = np.random.default_rng(seed)
    values = random.permuted(np.tile(np.arange(columns, dtype=np.float32), (4, 1)), axis=1)
    if near:  # all of the greatest in one group, or among those after the last group
        start = int(random.integers(columns - 2))
        values[:, start : start + 3] += columns
    best, at = first_greatest(array(values, kind), 3)
    wanted = np.argsort(-values, axis=1)[:, :3]
    assert at.tolist() == wanted.tolist()
    assert best.tolist() == np.take_along_axis(values, wanted, axis=1).tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_there_may_be_more_of_the_greatest_than_groups(kind: str) -> None:
    values = np.random.default_rng(2).permuted(np.tile(np.arange(1087, dtype=np.float32), (2, 1)), axis=1)
    best, _ = first_greatest(array(values, kind), 40)
    assert best.tolist() == [list(range(1086, 1046, -1))] * 2


def test_of_equal_values_the_first_column_comes_first() -> None:
    assert first_greatest(array([[1.0, 2.0, 2.0, 1.0]]), 4)[1].tolist() == [[1, 2, 0, 3]]


@pytest.mark.parametrize("kind", KINDS)
def test_each_place_has_the_greatest_value_that_lies_there(kind: str) -> None:
    found = greatest_at(array([0.5, 2.0, 1.0], kind), array([3, 1, 1], kind), 5)
    assert found.tolist() == [0.0, 2.0, 0.0, 0.5, 0.0]


def test_without_torch_another_device_is_refused_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    assert namespace_on("cpu").float32 == np.float32
    with pytest.raises(SettingsInvalid, match=r'device is "cuda", .*pip install "graphpalace\[torch\]"'):
        namespace_on("cuda")

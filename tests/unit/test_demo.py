"""What the demo stores."""

from __future__ import annotations

import importlib.util
from collections import Counter
from pathlib import Path
from pydoc_data.topics import topics

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "demo.py"
spec = importlib.util.spec_from_file_location("demo", SCRIPT)
assert spec is not None
assert spec.loader is not None
demo = importlib.util.module_from_spec(spec)
spec.loader.exec_module(demo)


def test_a_topic_that_stands_in_a_larger_one_is_left_out() -> None:
    loop, choice = "A loop runs a suite again and again. " * 4, "A choice runs one of its suites, or none. " * 4
    compound = f"Compound statements\n***\n\n{loop}\n\n{choice}"
    given = {
        "for": f"The for statement\n===\n\n{loop}",
        "if": choice,
        "also if": choice,
        "compound": compound,
        "x": "x",
    }
    assert demo.distinct(given) == {"compound": compound, "x": "x"}
    assert demo.distinct({"if": choice, "also if": choice}) == {"also if": choice}


def test_no_topic_of_the_demo_repeats_another() -> None:
    stored = demo.distinct(topics)
    times = Counter(paragraph for text in stored.values() for paragraph in demo.paragraphs(text))
    repeated = sum(count > 1 for count in times.values())
    assert repeated <= len(times) // 100  # a reference that two chapters share
    everything = {paragraph for text in topics.values() for paragraph in demo.paragraphs(text)}
    assert set(times) == everything

"""Shows what would be added to prompts at different levels of `[hooks] prompt_confidence`, as a Markdown table.

    python scripts/fit_confidence.py DIR... --most 150 --samples found.bin --dry-run
    python scripts/prompt_level.py found.bin

Each collection is judged by a model that was fitted to the others. The questions stand for prompts: with their relevant
documents in the palace, with these removed, and of another collection.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean

import numpy as np

from graphpalace.evaluation.confidence_figures import probabilities
from graphpalace.evaluation.no_answer_samples import KINDS, Sample, fitted

_LEVELS = (0.3, 0.4, 0.5, 0.6, 0.7)
_MOST_HITS = 3  # as operations/hooks/hooks.py adds


def main() -> None:
    """Run the script."""
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    samples: Mapping[str, Sequence[Sample]] = pickle.loads(Path(sys.argv[1]).read_bytes())
    sure = {name: _confidences(samples, name) for name in samples}
    print("| level | of what is added, is relevant | prompts with an answer | its answer removed | on something else |")
    print("|---|---|---|---|---|")
    for level in _LEVELS:
        right = [value for name in samples if (value := _relevant(samples[name], sure[name], level)) is not None]
        told = [mean(_told(samples[name], sure[name], level, kind) for name in samples) for kind in KINDS]
        print(f"| {level:.1f} | {mean(right):.0%} | {' | '.join(f'{share:.1%}' for share in told)} |")


def _confidences(samples: Mapping[str, Sequence[Sample]], name: str) -> list[np.ndarray]:
    models = fitted({other: each for other, each in samples.items() if other != name})
    return [
        np.minimum(probabilities(models.hit, one.hits), probabilities(models.answer, one.answer[None])[0])
        for one in samples[name]
    ]


def _relevant(samples: Sequence[Sample], sure: Sequence[np.ndarray], level: float) -> float | None:
    """Return the share of the added hits that are relevant, of questions with an answer; None if nothing is added."""
    added = [
        one.relevant[np.flatnonzero(each >= level)[:_MOST_HITS]]
        for one, each in zip(samples, sure, strict=True)
        if one.kind == "answered"
    ]
    found = np.concatenate([*added, np.zeros(0, bool)])
    return float(found.mean()) if len(found) else None


def _told(samples: Sequence[Sample], sure: Sequence[np.ndarray], level: float, kind: str) -> float:
    """Return the share of the questions of a kind to which something is added."""
    return float(np.mean([(each >= level).any() for one, each in zip(samples, sure, strict=True) if one.kind == kind]))


if __name__ == "__main__":
    main()

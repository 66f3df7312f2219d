"""Draw how the work of a palace grows with its drawers, from benchmarks/results/million.json."""

from __future__ import annotations

import json

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from benchmarks.report import RESULTS, ROOT

PICTURE = ROOT / "docs" / "images" / "million.svg"
_GROUPS = {
    "Touches a few": ("feedback_ms", "follow_s", "navigate_ms", "forget_wing_s", "vector_index_ms"),
    "Touches a share": ("search_ms", "bare_cosine_ms", "in_file_search_ms", "decay_1_percent_s", "decay_01_percent_s"),
    "Touches everything": ("load_s", "names_s", "export_s", "import_s", "explore_s", "first_navigate_s"),
}


def main() -> None:
    """Write docs/images/million.svg."""
    figures = json.loads((RESULTS / "million.json").read_text("utf-8"))["figures"]
    sizes, slopes = figures["drawers"], figures["slopes"]
    plt.rcParams.update({"svg.hashsalt": "graphpalace", "font.size": 9})
    _, panels = plt.subplots(1, len(_GROUPS), figsize=(13, 4.5), sharey=True, layout="constrained")
    for panel, (title, names) in zip(panels, _GROUPS.items(), strict=True):
        for name in names:
            what, _, unit = name.rpartition("_")
            seconds = [value / 1000 if unit == "ms" else value for value in figures[name]]
            label = f"{what.replace('_', ' ')} ({', '.join(f'{slope:.2f}' for slope in slopes[name])})"
            panel.loglog(sizes[: len(seconds)], seconds, marker="o", label=label)
        panel.set(title=title, xlabel="drawers")
        panel.grid(visible=True, which="major", alpha=0.3)
        panel.legend(title="slope from size to size", fontsize=8)
    panels[0].set_ylabel("seconds")
    plt.savefig(PICTURE, metadata={"Date": None})


if __name__ == "__main__":
    main()

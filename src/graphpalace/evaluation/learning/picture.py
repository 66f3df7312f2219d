"""Draws learning curves: the quality of the search against the number of feedbacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from graphpalace.errors import InvalidInput
from graphpalace.evaluation.figures import CurvePoint

_TICKS = (0, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


def check_can_draw(path: Path) -> None:
    """Check that a picture can be written, before hours are spent on its data.

    Raises:
        InvalidInput: If the path is not a PNG in an existing folder, or matplotlib is not installed.
    """
    if path.suffix.lower() != ".png":
        raise InvalidInput(f"--curve is {path}; it must end in .png", field="curve", value=str(path))
    if not path.absolute().parent.is_dir():
        raise InvalidInput(f"--curve is {path}; {path.absolute().parent} is not a folder", field="curve")
    if find_spec("matplotlib") is None:
        raise InvalidInput("--curve needs matplotlib, which is not installed: pip install matplotlib", field="curve")


def draw(path: Path, curves: Mapping[str, Sequence[CurvePoint]]) -> None:
    """Write a PNG with a line for each collection, and a band of one standard deviation of the gain over the seeds."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 5), layout="constrained")
    FigureCanvasAgg(figure)
    panel = figure.subplots()
    for name, points in curves.items():
        counts = [point.feedbacks for point in points]
        line = panel.plot(counts, [point.mean for point in points], marker="o", ms=4, lw=1.6, label=name)
        low = [point.mean - point.gain_deviation for point in points]
        high = [point.mean + point.gain_deviation for point in points]
        panel.fill_between(counts, low, high, color=line[0].get_color(), alpha=0.15, lw=0)
    panel.set_xscale("symlog", linthresh=10)
    most = max(points[-1].feedbacks for points in curves.values())
    ticks = [count for count in _TICKS if count <= most]
    panel.set_xticks(ticks, [str(count) for count in ticks])
    panel.minorticks_off()
    panel.set_xlim(left=0)
    panel.set_xlabel("feedbacks (linear up to 10, then logarithmic)")
    panel.set_title("nDCG@10 of questions never rewarded; band: one standard deviation of the gain", loc="left")
    panel.grid(color="#E4E4E4")
    panel.spines[["top", "right"]].set_visible(False)
    panel.legend(frameon=False)
    figure.savefig(path, dpi=100)

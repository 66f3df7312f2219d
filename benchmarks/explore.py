"""How much of what one exploration finds the next one finds again, in palaces of three sizes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from benchmarks.result import Result, commit, machine
from benchmarks.synthetic_palace_graph import PalaceSize, palace_graph
from benchmarks.workbench import Workbench, say
from graphpalace.domain.walking.graph_snapshot import DRAWER, KINDS, GraphSnapshot
from graphpalace.traverse.agents import EXPLORATION_MARK
from graphpalace.traverse.colony import Colony, colony_size, walk

TARGET = 0.5
_SIZES = (300, 3_000, 100_000)
_UNSCALED = (100, 50)  # agents and steps of any palace
_PAIRS = 5
_ROW = 5  # explorations one after the other


async def measure(bench: Workbench) -> Result:
    """Explore from the wings, twice each, with and without the marks of the first exploration."""
    del bench  # no database is needed
    found = {drawers: _measured(drawers) for drawers in _SIZES}
    ratio = max(figures["again"] for figures in found.values())
    figures = {
        "ratio_is": "share of the drawers of one exploration that the one before had found, the worst size; at most",
        **{f"{drawers}_drawers": figures for drawers, figures in found.items()},
        "unmarked_is": "the same where the first leaves no marks",
        "unscaled_is": f"the same with marks of {_UNSCALED[0]} agents and {_UNSCALED[1]} steps, whatever the palace",
        "five_in_a_row_is": "share of all drawers that five explorations find, with marks and without",
    }
    return Result("explore", ratio, TARGET, ratio <= TARGET, figures, commit(), machine(neo4j="none", java="none"))


def _measured(drawers: int) -> dict[str, float]:
    say(f"exploring {drawers} drawers")
    made = palace_graph(PalaceSize.of_drawers(drawers)).snapshot
    quiet = np.zeros(len(made.nodes))
    snapshot = _with_marks(made, quiet)
    agents, steps = colony_size(len(made.nodes))
    fitting, unscaled = Colony(agents=agents, steps=steps), Colony(agents=_UNSCALED[0], steps=_UNSCALED[1])
    covered, again = _overlap(snapshot, fitting, marked=True)
    unscaled_covered, unscaled_again = _overlap(snapshot, unscaled, marked=True)
    return {
        "agents": agents,
        "steps": steps,
        "found": covered,
        "again": again,
        "again_unmarked": _overlap(snapshot, fitting, marked=False)[1],
        "unscaled_found": unscaled_covered,
        "unscaled_again": unscaled_again,
        "five_in_a_row": _five_in_a_row(snapshot, fitting, marked=True),
        "five_in_a_row_unmarked": _five_in_a_row(snapshot, fitting, marked=False),
    }


def _with_marks(snapshot: GraphSnapshot, exploration: np.ndarray) -> GraphSnapshot:
    nodes = replace(snapshot.nodes, exploration=exploration)
    return snapshot.with_trails(revision=2, cycle=0, nodes=nodes, edges=snapshot.edges)


def _seen(snapshot: GraphSnapshot, colony: Colony, seed: int) -> np.ndarray:
    wings = np.flatnonzero(snapshot.nodes.kind == KINDS.index("Wing"))
    none = np.zeros(len(snapshot.nodes))
    return walk(snapshot, none, wings, rng=np.random.default_rng(seed), colony=colony).visits > 0


def _overlap(snapshot: GraphSnapshot, colony: Colony, *, marked: bool) -> tuple[float, float]:
    """Return which share of the drawers is found, and which share of these again."""
    drawers, shares = snapshot.nodes.kind == DRAWER, []
    for turn in range(_PAIRS):
        first = _seen(snapshot, colony, 2 * turn)
        second = _seen(_with_marks(snapshot, EXPLORATION_MARK * marked * first), colony, 2 * turn + 1) & drawers
        shares.append((first[drawers].mean(), (first & second).sum() / second.sum()))
    found, again = np.mean(shares, axis=0).tolist()
    return found, again


def _five_in_a_row(snapshot: GraphSnapshot, colony: Colony, *, marked: bool) -> float:
    marks, ever = np.zeros(len(snapshot.nodes)), np.zeros(len(snapshot.nodes), bool)
    for turn in range(_ROW):
        seen = _seen(_with_marks(snapshot, marks), colony, 100 + turn)
        ever |= seen
        marks = marks + EXPLORATION_MARK * marked * seen
    return float(ever[snapshot.nodes.kind == DRAWER].mean())

"""Watch a small palace over six simulated weeks, in a Neo4j of its own, and draw what its pheromones do.

    make weeks

One cycle is an hour; the clock is moved by hand, so that six weeks take a minute. The decay service's operation runs
every ten cycles. Every six cycles all values are read from the database as they are then, and in the end compared
with what the formulas say. Writes `docs/images/weeks-*.png` and `docs/images/weeks.json`.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from rich.console import Console

from graphpalace.app import GraphPalace, managed_server, opened
from graphpalace.domain.pheromones.pheromones import DecayRates, Rewards
from graphpalace.domain.walking.graph_snapshot import RELATIONS, GraphSnapshot, NodeRef, Trail, edge_refs, node_refs
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.pheromones.strength import decayed, edge_cost, half_life, pheromone_factor
from graphpalace.settings.load import Settings, cache_dir, load

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
PALACE = "weeks"
DAY, WEEK = 24, 7 * 24
WEEKS = 6
SAMPLE_CYCLES, DECAY_CYCLES = 6, 10
PHEROMONES = ("exploitation", "exploration", "success", "traversal", "recency")
out = Console(highlight=False)


def working_days(*weeks: int) -> list[int]:
    """Return noon of each working day of some weeks, the first being 1."""
    return [(week - 1) * WEEK + day * DAY + 12 for week in weeks for day in range(5)]


@dataclass
class Place:
    """A wing with one room and one drawer, how it is used, and what was seen of it.

    Attributes:
        rewarded: Cycles at which the way to the drawer was rewarded.
        explored: Cycles at which the room was marked as searched.
        seen: By pheromone and `cost`, one value a sample: of the room, and of the edge from the wing to it.
    """

    title: str
    wing: str
    text: str
    colour: str
    rewarded: list[int] = field(default_factory=list)
    explored: list[int] = field(default_factory=list)
    seen: dict[str, list[float]] = field(default_factory=dict)


def places() -> list[Place]:
    """Return what is in the palace and how it is used."""
    return [
        Place("daily, weeks 1 to 3", "garden", "Prune roses in late winter.", "#C8553D", working_days(1, 2, 3)),
        Place("once", "kitchen", "Sourdough needs a warm place.", "#2A7F9E", [2 * DAY + 12]),
        Place("daily, week 5 only", "workshop", "Oil the chain after rain.", "#7A5C99", working_days(5)),
        Place("explored once", "attic", "The old letters are in a box.", "#5B8C5A", explored=[WEEK + 12]),
    ]


async def watch(palace: GraphPalace, watched: list[Place]) -> list[int]:
    """Live through the weeks; return the cycles of the samples."""
    await palace.create_palace(PALACE)
    for place in watched:
        await palace.drawers.add(PALACE, NewDrawer(text=place.text, wing=place.wing, room="room"))
    snapshot = await palace.replica.snapshots.get(PALACE)
    trails = {
        place.wing: _trail(snapshot, row) for place, row in zip(watched, await _rows(palace, watched), strict=True)
    }
    samples = list(range(0, WEEKS * WEEK + 1, SAMPLE_CYCLES))
    events = {*samples, *range(0, WEEKS * WEEK, DECAY_CYCLES)}
    events |= {cycle for place in watched for cycle in (*place.rewarded, *place.explored)}
    now = 0
    for cycle in sorted(events):
        # Nothing but this moves the clock: the weeks pass in less than an hour of real time.
        await palace.database.run_statement(
            f"MATCH (p:Palace {{name: '{PALACE}'}}) SET p.cycle = p.cycle + {cycle - now}"
        )
        now = cycle
        for place in watched:
            if cycle in place.rewarded:
                await palace.pheromones.deposits.path_success(
                    PALACE, trails[place.wing], deposit_id=f"{place.wing} {cycle}"
                )
            if cycle in place.explored:
                room: NodeRef = trails[place.wing].nodes[1]
                await palace.pheromones.deposits.exploration(
                    PALACE, [room], deposit_id=f"{place.wing} {cycle} explored"
                )
        if cycle % DECAY_CYCLES == 0:
            await palace.pheromones.decay.apply(PALACE)
        if cycle % SAMPLE_CYCLES == 0:
            await _sample(palace, watched, trails, cycle)
    return samples


async def _rows(palace: GraphPalace, watched: list[Place]) -> list[str]:
    """Return the id of each place's drawer."""
    drawers, _ = await palace.drawers.page(PALACE)
    by_wing = {drawer.wing: drawer.id for drawer in drawers}
    return [by_wing[place.wing] for place in watched]


def _trail(snapshot: GraphSnapshot, drawer: str) -> Trail:
    """Return the way from a drawer's wing down to it."""
    edges, way, steps = snapshot.edges, [snapshot.index_of[drawer]], []
    for relation in ("HAS_DRAWER", "HAS_CLOSET", "HAS_ROOM"):
        above = (edges.target == way[0]) & (edges.relation == RELATIONS.index(relation))
        steps.insert(0, int(np.flatnonzero(above)[0]))
        way.insert(0, int(edges.source[steps[0]]))
    return Trail(edge_refs(snapshot, steps), node_refs(snapshot, way))


async def _sample(palace: GraphPalace, watched: list[Place], trails: dict[str, Trail], cycle: int) -> None:
    """Read everything from the database anew, and note what each room and the edge to it have."""
    palace.replica.snapshots.forget(PALACE)
    snapshot = await palace.replica.snapshots.get(PALACE)
    assert snapshot.cycle == cycle
    nodes, edges = snapshot.nodes, snapshot.edges
    for place in watched:
        ends = trails[place.wing].edges[0]
        room = snapshot.index_of[ends.target]
        edge = int(np.flatnonzero((edges.source == snapshot.index_of[ends.source]) & (edges.target == room))[0])
        of_edge = {name: getattr(edges, name)[edge] for name in ("success", "traversal", "recency")}
        found = of_edge | {"exploitation": nodes.exploitation[room], "exploration": nodes.exploration[room]}
        for name, value in (found | {"cost": edges.current_cost[edge]}).items():
            place.seen.setdefault(name, []).append(float(value))


def expected(place: Place, samples: list[int], rates: DecayRates, rewards: Rewards) -> dict[str, np.ndarray]:
    """Return what the formulas of seed 003 say that a room and the edge to it have at each sample."""
    deposits = {
        "exploitation": (place.rewarded, rewards.exploitation_bonus),
        "exploration": (place.explored, rewards.exploration_mark),
        "success": (place.rewarded, rewards.success_base_reward),
        "traversal": (place.rewarded, rewards.traversal_increment),
        "recency": (place.rewarded, rewards.recency_reset),
    }
    told: dict[str, list[float]] = {name: [] for name in PHEROMONES}
    for name, (cycles, amount) in deposits.items():
        rate = getattr(rates, name)
        value, current, waiting = np.zeros(1), 0, list(cycles)
        for sample in samples:
            while waiting and waiting[0] <= sample:
                left = decayed(value, rate=rate, cycles=waiting[0] - current)
                value = np.maximum(left, amount) if name == "recency" else left + amount
                value, current = np.minimum(value, rewards.max_pheromone), waiting.pop(0)
            told[name].append(float(decayed(value, rate=rate, cycles=sample - current)[0]))
    arrays = {name: np.array(values) for name, values in told.items()}
    factor = pheromone_factor(arrays["success"], arrays["traversal"], arrays["recency"])
    return arrays | {"cost": edge_cost(np.full(len(samples), 0.3), factor)}


def draw_pheromones(watched: list[Place], samples: list[int], rates: DecayRates) -> None:
    """Draw one panel for each pheromone, with its half-life after the last deposit."""
    figure, panels = plt.subplots(len(PHEROMONES), 1, figsize=(10, 12), sharex=True, layout="constrained")
    for name, panel in zip(PHEROMONES, panels, strict=True):
        half = half_life(getattr(rates, name))
        for place in watched:
            panel.plot(np.array(samples) / WEEK, place.seen[name], color=place.colour, lw=1.6, label=place.title)
            _mark_half(panel, place, name, samples, half)
        on = "rooms" if name.startswith("explo") else "edges"
        panel.set_title(
            f"{name} (on {on}): {getattr(rates, name):.0%} lost in a cycle, half-life {half:.1f} cycles", loc="left"
        )
        _weeks(panel)
    panels[1].legend(loc="upper right", frameon=False)
    panels[-1].set_xlabel("week (168 cycles of an hour); rings: the last deposit, and half of it a half-life later")
    figure.savefig(IMAGES / "weeks-pheromones.png", dpi=90)


def _mark_half(panel: Axes, place: Place, name: str, samples: list[int], half: float) -> None:
    """Mark the value at the first sample after the last deposit, and where half of it is to be expected."""
    cycles = place.explored if name == "exploration" else place.rewarded
    if not cycles:
        return
    at = next(index for index, sample in enumerate(samples) if sample >= cycles[-1])
    start, value = samples[at], place.seen[name][at]
    points = np.array([start, start + half]) / WEEK
    panel.plot(points, [value, value / 2], "o", color=place.colour, mfc="white", ms=6, zorder=5)
    panel.vlines(points[1], 0, value / 2, color=place.colour, lw=0.8, ls=":")


def draw_cost(watched: list[Place], samples: list[int]) -> None:
    """Draw what the edge from each wing to its room costs."""
    figure, panel = plt.subplots(figsize=(10, 3.6), layout="constrained")
    for place in watched:
        panel.plot(np.array(samples) / WEEK, place.seen["cost"], color=place.colour, lw=1.6, label=place.title)
    panel.axhline(0.3, color="#999999", lw=0.8, ls="--")
    panel.axhline(0.15, color="#999999", lw=0.8, ls="--")
    panel.text(WEEKS, 0.3, " base", va="center")
    panel.text(WEEKS, 0.15, " half", va="center")
    panel.set_title("cost of the edge from wing to room", loc="left")
    panel.set_xlabel("week")
    _weeks(panel)
    panel.set_ylim(0.12, 0.32)
    panel.legend(loc="lower right", frameon=False, ncols=4)
    figure.savefig(IMAGES / "weeks-cost.png", dpi=90)


def _weeks(panel: Axes) -> None:
    panel.set_xlim(0, WEEKS)
    panel.set_ylim(bottom=0)
    panel.set_xticks(range(WEEKS + 1))
    panel.grid(axis="x", color="#E4E4E4")
    panel.spines[["top", "right"]].set_visible(False)


def main() -> None:
    """Watch, compare, draw."""
    mpl.use("agg")
    with tempfile.TemporaryDirectory() as folder:
        settings = load()
        own = {"uri": "", "data_dir": folder, "cache_dir": str(cache_dir(settings)), "bolt_port": 0, "http_port": 0}
        decay = settings.decay.model_dump() | {"cycle_seconds": 3600.0}
        settings = Settings.model_validate(
            settings.model_dump() | {"neo4j": settings.neo4j.model_dump() | own, "decay": decay}
        )
        rates, rewards, watched = settings.pheromones.rates, settings.pheromones.rewards, places()
        server = managed_server(settings)

        async def run() -> list[int]:
            async with opened(settings) as palace:
                return await watch(palace, watched)

        try:
            out.print(f"Neo4j {server.up().version} runs; six weeks begin")
            samples = asyncio.run(run())
        finally:
            server.down()
    formulas = {place.wing: expected(place, samples, rates, rewards) for place in watched}
    worst = max(
        float(np.abs(formulas[place.wing][name] - values).max())
        for place in watched
        for name, values in place.seen.items()
    )
    out.print(f"{len(samples)} samples of {len(watched)} places; largest difference from the formulas {worst:.1e}")
    if worst > 1e-9:
        raise SystemExit("the palace does not do what the formulas say")
    IMAGES.mkdir(exist_ok=True)
    draw_pheromones(watched, samples, rates)
    draw_cost(watched, samples)
    record = {
        "cycle_seconds": 3600,
        "decay_rates": asdict(rates),
        "cycles": samples,
        "places": {
            place.title: {"rewarded": place.rewarded, "explored": place.explored}
            | {name: [round(value, 6) for value in values] for name, values in place.seen.items()}
            for place in watched
        },
    }
    (IMAGES / "weeks.json").write_text(json.dumps(record) + "\n", "utf-8")
    out.print("docs/images/weeks-pheromones.png, weeks-cost.png and weeks.json written")


if __name__ == "__main__":
    main()

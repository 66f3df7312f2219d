"""Undo a deposit in the database: each of its edges and nodes is as if it had never been laid."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from graphpalace.domain.pheromones import EDGE_PHEROMONES, NOISE_FLOOR, DecayRates
from graphpalace.pheromones.undo import Laid, PheromoneLaw, undone
from graphpalace.store.database import Row, Transaction

_RECORDED = {"edges": EDGE_PHEROMONES, "nodes": ("exploitation",)}  # of each kind of element


async def undo_deposit(
    tx: Transaction, palace: str, deposit: str, *, rates: DecayRates, ceiling: float, cycle_seconds: float
) -> None:
    """Undo a deposit by its record; without a record nothing is changed.

    Args:
        deposit: The id of its node.
        ceiling: No pheromone grows beyond it.
    """
    rows = await tx.run(
        "pheromones/read_laid",
        palace=palace,
        id=deposit,
        cycle_seconds=cycle_seconds,
        rates=rates.as_params(),
        floor=NOISE_FLOOR,
    )
    laws = {
        name: PheromoneLaw(getattr(rates, name), ceiling, is_reset=name == "recency")
        for names in _RECORDED.values()
        for name in names
    }
    written = await asyncio.to_thread(_without, rows[0], laws) if rows else {"edges": [], "nodes": [], "later": []}
    cycle = rows[0]["cycle"] if rows else 0
    await tx.run("pheromones/undo_deposit", palace=palace, id=deposit, cycle=cycle, **written)


def _without(row: Row, laws: Mapping[str, PheromoneLaw]) -> dict[str, list[dict[str, Any]]]:
    """Return what to write: elements without the deposit, and what the later records would have found."""
    later: list[Row] = row["later"]
    found = [{f"{name}_before": list(record[f"{name}_before"]) for name in laws} for record in later]
    elements: dict[str, list[dict[str, Any]]] = {}
    for kind, names in _RECORDED.items():
        places = _places(row["deposit"], later, kind)
        elements[kind] = []
        for element in row[kind]:
            at, since = places[element["key"]]
            now: dict[str, float] = {}
            for name in names:
                chain = [_laid(later[number], name, place) for number, place in since]
                deposit = _laid(row["deposit"], name, at)
                *before, now[name] = undone(deposit, chain, now=element[name], cycle=row["cycle"], law=laws[name])
                for (number, place), value in zip(since, before, strict=True):
                    found[number][f"{name}_before"][place] = value
            elements[kind].append(element | now)
    changed = [{"id": record["id"], "found": lists} for record, lists in zip(later, found, strict=True)]
    return elements | {"later": changed}


def _places(deposit: Row, later: Sequence[Row], kind: str) -> dict[str, tuple[int, list[tuple[int, int]]]]:
    """Return where the records of a deposit's elements are: the place in its own; number and place in later ones."""
    places: dict[str, tuple[int, list[tuple[int, int]]]] = {key: (at, []) for at, key in enumerate(deposit[kind])}
    for number, record in enumerate(later):
        for key, at in {key: at for at, key in enumerate(record[kind])}.items():
            if key in places:
                places[key][1].append((number, at))
    return places


def _laid(record: Row, name: str, at: int) -> Laid:
    return Laid(record["cycle"], record[f"{name}_before"][at], record[f"{name}_laid"][at])

"""Undo a deposit: the values that its edges and nodes would have, and the values before each later deposit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graphpalace.domain.graph.deposits import Carrier, DepositRecord, UndoableDeposit, UndoneDeposit
from graphpalace.domain.graph.pheromones import EDGE_PHEROMONES, DecayRates
from graphpalace.pheromones.undo import DepositedPheromone, PheromoneDynamics, undone

_NODE_PHEROMONES = ("exploitation",)  # exploration is never recorded


def without_deposit(undoable: UndoableDeposit, *, rates: DecayRates, ceiling: float) -> UndoneDeposit:
    """Return the values to write so that the palace is as if a deposit had never been made.

    Args:
        rates: How pheromones fade.
        ceiling: Largest value of a pheromone.
    """
    laws = {
        name: PheromoneDynamics(getattr(rates, name), ceiling, is_reset=name == "recency")
        for name in (*EDGE_PHEROMONES, *_NODE_PHEROMONES)
    }
    found = [{name: list(record.before[name]) for name in laws} for record in undoable.later]
    edge_laws = {name: laws[name] for name in EDGE_PHEROMONES}
    node_laws = {name: laws[name] for name in _NODE_PHEROMONES}
    edge_places = _places(undoable.record.edges, [record.edges for record in undoable.later])
    node_places = _places(undoable.record.nodes, [record.nodes for record in undoable.later])
    return UndoneDeposit(
        undoable.cycle,
        [_without(edge, undoable, edge_places[edge.key], edge_laws, found) for edge in undoable.edges],
        [_without(node, undoable, node_places[node.key], node_laws, found) for node in undoable.nodes],
        {record.id: lists for record, lists in zip(undoable.later, found, strict=True)},
    )


def _without(
    carrier: Carrier,
    undoable: UndoableDeposit,
    place: tuple[int, Sequence[tuple[int, int]]],
    laws: Mapping[str, PheromoneDynamics],
    found: Sequence[dict[str, list[float]]],
) -> Carrier:
    """Return an edge or a node without the deposit, and write the values before each later deposit into `found`."""
    at, since = place
    now: dict[str, float] = {}
    for name, law in laws.items():
        chain = [_laid(undoable.later[number], name, position) for number, position in since]
        deposit = _laid(undoable.record, name, at)
        there = carrier.pheromones[name]
        *before, now[name] = undone(deposit, chain, now=there, cycle=undoable.cycle, law=law)
        for (number, position), value in zip(since, before, strict=True):
            found[number][name][position] = value
    return Carrier(carrier.key, carrier.element, {**carrier.pheromones, **now})


def _places(own: Sequence[str], later: Sequence[Sequence[str]]) -> dict[str, tuple[int, list[tuple[int, int]]]]:
    """Return, for each key of a deposit, its position in the deposit's record and in the records of later deposits.

    A position in a later record is a pair: number of the record and position in it.
    """
    places: dict[str, tuple[int, list[tuple[int, int]]]] = {key: (at, []) for at, key in enumerate(own)}
    for number, keys in enumerate(later):
        for key, at in {key: at for at, key in enumerate(keys)}.items():
            if key in places:
                places[key][1].append((number, at))
    return places


def _laid(record: DepositRecord, name: str, at: int) -> DepositedPheromone:
    return DepositedPheromone(record.cycle, record.before[name][at], record.laid[name][at])

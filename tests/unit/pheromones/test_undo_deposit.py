"""Undoing a deposit: what is written of its edges and nodes, and into the records of later ones."""

from __future__ import annotations

from graphpalace.domain.graph.deposits import Carrier, DepositRecord, UndoableDeposit
from graphpalace.domain.graph.pheromones import DecayRates
from graphpalace.pheromones.undo_deposit import without_deposit

ROOM, CLOSET = "HAS_ROOM w r", "HAS_CLOSET r c"
RATES = DecayRates()


def record(name: str, edges: dict[str, tuple[float, float]], nodes: dict[str, tuple[float, float]]) -> DepositRecord:
    """Return a record of cycle 0; each edge and node with the success or exploitation it found, and what was laid."""
    nothing = [0.0] * len(edges)
    before, laid = ([pair[at] for pair in edges.values()] for at in (0, 1))
    used = [[pair[at] for pair in nodes.values()] for at in (0, 1)]
    return DepositRecord(
        name,
        0,
        list(edges),
        list(nodes),
        {"success": before, "traversal": nothing, "recency": nothing, "exploitation": used[0]},
        {"success": laid, "traversal": nothing, "recency": nothing, "exploitation": used[1]},
    )


def edge(key: str, success: float) -> Carrier:
    return Carrier(key, f"5:{key}", {"success": success, "traversal": 0.0, "recency": 0.0})


def test_what_others_laid_later_stays_and_finds_what_would_have_been_there() -> None:
    first = record("first", {ROOM: (0.0, 1.0), CLOSET: (0.0, 0.5)}, {"Room r": (0.0, 0.25)})
    # The later one has another order of its own, and an edge that the first does not have.
    second = record("second", {CLOSET: (0.5, 0.5), "HALL r s": (0.0, 2.0), ROOM: (1.0, 0.25)}, {"Room r": (0.25, 0.25)})
    room = Carrier("Room r", "4:r", {"exploitation": 0.5, "exploration": 0.75})
    undoable = UndoableDeposit(0, first, [second], [edge(ROOM, 1.25), edge(CLOSET, 1.0)], [room])
    undone = without_deposit(undoable, rates=RATES, ceiling=5.0)
    assert [(one.key, one.element, one.pheromones["success"]) for one in undone.edges] == [
        (ROOM, f"5:{ROOM}", 0.25),
        (CLOSET, f"5:{CLOSET}", 0.5),
    ]
    assert undone.nodes == [Carrier("Room r", "4:r", {"exploitation": 0.25, "exploration": 0.75})]
    assert undone.later["second"]["success"] == [0.0, 0.0, 0.0]
    assert undone.later["second"]["exploitation"] == [0.0]
    assert second.before["success"] == [0.5, 0.0, 1.0]  # what was given is not changed


def test_what_is_gone_is_passed_over() -> None:
    first = record("first", {ROOM: (0.0, 1.0), CLOSET: (0.0, 0.5)}, {"Room r": (0.0, 0.25)})
    undone = without_deposit(UndoableDeposit(0, first, [], [edge(CLOSET, 0.5)], []), rates=RATES, ceiling=5.0)
    assert [(one.key, one.pheromones["success"]) for one in undone.edges] == [(CLOSET, 0.0)]
    assert (list(undone.nodes), dict(undone.later)) == ([], {})

"""Undoing a deposit: the values that are left, and what is written of its edges, its nodes and later deposits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.pheromones.deposits import Carrier, DepositRecord, UndoableDeposit
from graphpalace.domain.pheromones.pheromones import DecayRates
from graphpalace.pheromones.deposit import DepositedPheromone, PheromoneDynamics, undone, without_deposit

SUCCESS = PheromoneDynamics(rate=0.01, ceiling=5.0)
RECENCY = PheromoneDynamics(rate=0.1, ceiling=5.0, is_reset=True)
EXACT = 1e-9
ROOM, CLOSET = "HAS_ROOM w r", "HAS_CLOSET r c"
RATES = DecayRates()


def test_a_deposit_that_took_less_than_it_said_gives_back_only_that() -> None:
    # .2 was there; 1 was to be taken, and .2 was.
    assert undone(DepositedPheromone(0, 0.2, -1.0), [], now=0.0, cycle=0, law=SUCCESS) == [0.2]
    assert undone(DepositedPheromone(0, 0.0, -1.0), [], now=0.0, cycle=0, law=SUCCESS) == [0.0]


def test_what_is_given_back_has_faded_as_if_it_had_stayed() -> None:
    (left,) = undone(DepositedPheromone(3, 2.0, 1.0), [], now=3.0 * 0.99**7, cycle=10, law=SUCCESS)
    assert left == pytest.approx(2.0 * 0.99**7, abs=EXACT)


def test_a_later_deposit_that_the_ceiling_cut_off_is_whole_again() -> None:
    # 4.5 and 1 are 5 at most, another 1 changes nothing; without the first they are 4.5 and 1: 5 again.
    assert undone(
        DepositedPheromone(0, 4.5, 1.0), [DepositedPheromone(0, 5.0, 1.0)], now=5.0, cycle=0, law=SUCCESS
    ) == [4.5, 5.0]


def test_without_a_reset_the_one_before_goes_on_fading() -> None:
    first, second = DepositedPheromone(0, 0.0, 1.0), DepositedPheromone(7, 0.9**7, 1.0)
    assert undone(second, [], now=0.9, cycle=8, law=RECENCY) == pytest.approx([0.9**8])
    assert undone(first, [second], now=0.9, cycle=8, law=RECENCY) == pytest.approx([0.0, 0.9])


def test_what_others_changed_by_hand_stays_changed() -> None:
    # Laid 1 on nothing; then somebody added 2: 3 are there. Without the deposit 2 are.
    assert undone(DepositedPheromone(0, 0.0, 1.0), [], now=3.0, cycle=0, law=SUCCESS) == [2.0]
    # Somebody took all of it away: there is nothing to give back, nor to take.
    assert undone(DepositedPheromone(0, 0.5, 1.0), [], now=0.0, cycle=0, law=SUCCESS) == [0.0]
    # Somebody walked there again: that was as lately as before.
    assert undone(DepositedPheromone(0, 0.0, 1.0), [], now=0.7, cycle=20, law=RECENCY) == [0.7]


def test_what_falls_under_the_noise_floor_is_nothing_also_in_between() -> None:
    # .002 of the beginning is nothing after 100 cycles at 1 %, whatever was laid meanwhile.
    later = DepositedPheromone(100, 1.002 * 0.99**100, 0.5)
    found = undone(DepositedPheromone(0, 0.002, 1.0), [later], now=1.002 * 0.99**100 + 0.5, cycle=100, law=SUCCESS)
    assert found == pytest.approx([0.0, 0.5])


@dataclass
class _Place:
    """One pheromone of one element, with the record of its deposits, as the database keeps them."""

    law: PheromoneDynamics
    begin: float
    value: float = 0.0
    value_cycle: int = 0
    cycle: int = 0
    record: list[tuple[int, DepositedPheromone]] = field(default_factory=list)
    given: list[tuple[int, int, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.value = self.begin

    def _decay(self) -> None:
        self.value, self.value_cycle = self.law.faded(self.value, self.cycle - self.value_cycle), self.cycle

    def lay(self, number: int, laid: float) -> None:
        self._decay()
        self.record.append((number, DepositedPheromone(self.cycle, self.value, laid)))
        self.given.append((number, self.cycle, laid))
        self.value = self.law.grown(self.value, laid)

    def take_back(self, number: int) -> None:
        self._decay()
        at = next(at for at, (name, _laid) in enumerate(self.record) if name == number)
        (_, deposit), later = self.record[at], self.record[at + 1 :]
        *before, self.value = undone(
            deposit, [laid for _, laid in later], now=self.value, cycle=self.cycle, law=self.law
        )
        self.record[at:] = [
            (name, DepositedPheromone(laid.cycle, found, laid.laid))
            for (name, laid), found in zip(later, before, strict=True)
        ]
        self.given = [row for row in self.given if row[0] != number]

    def told_anew(self) -> float:
        """Return what would be there if only what was not taken back had ever been given."""
        value, at = self.begin, 0
        for _, cycle, laid in self.given:
            value, at = self.law.grown(self.law.faded(value, cycle - at), laid), cycle
        return self.law.faded(value, self.cycle - at)


_amounts = st.floats(-1.0, 4.0).map(lambda value: round(value, 3) + 0.000123)
_events = st.lists(
    st.one_of(
        st.tuples(st.just("lay"), _amounts),
        st.tuples(st.just("wait"), st.integers(0, 200)),
        st.tuples(st.just("decay"), st.just(0)),
        st.tuples(st.just("take back"), st.integers(0, 100)),
    ),
    max_size=30,
)
_laws = st.sampled_from(
    [SUCCESS, RECENCY, PheromoneDynamics(0.03, 5.0), PheromoneDynamics(0.0, 2.0), PheromoneDynamics(0.5, 5.0)]
)


def _live(place: _Place, events: Sequence[tuple[str, float]]) -> None:
    for number, (what, amount) in enumerate(events):
        if what == "lay":
            place.lay(number, amount)
        elif what == "wait":
            place.cycle += int(amount)
        elif what == "decay":
            place._decay()
        elif place.given:
            place.take_back(place.given[int(amount) % len(place.given)][0])
        assert place.law.faded(place.value, place.cycle - place.value_cycle) == pytest.approx(
            place.told_anew(), abs=EXACT
        )


@given(_laws, st.floats(0, 5).map(lambda value: round(value, 2)), _events, st.data())
def test_whatever_is_given_and_taken_back_in_any_order_ends_where_it_began(
    law: PheromoneDynamics, begin: float, events: Sequence[tuple[str, float]], data: st.DataObject
) -> None:
    place = _Place(law, begin)
    _live(place, events)
    left = data.draw(st.permutations([number for number, _, _ in place.given]))
    _live(place, [event for event in events if event[0] in {"wait", "decay"}])
    for number in left:
        place.take_back(number)
        place.cycle += 1
    place._decay()
    assert place.value == pytest.approx(law.faded(begin, place.cycle), abs=EXACT)


@given(_laws, st.lists(_amounts, min_size=1, max_size=8), st.data())
def test_what_is_not_taken_back_is_as_if_it_had_been_given_alone(
    law: PheromoneDynamics, amounts: Sequence[float], data: st.DataObject
) -> None:
    all_of_it, alone = _Place(law, 0.5), _Place(law, 0.5)
    stays = data.draw(st.lists(st.booleans(), min_size=len(amounts), max_size=len(amounts)))
    for number, amount in enumerate(amounts):
        all_of_it.lay(number, amount)
        if stays[number]:
            alone.lay(number, amount)
        all_of_it.cycle = alone.cycle = number
    for number in data.draw(st.permutations([number for number, stay in enumerate(stays) if not stay])):
        all_of_it.take_back(number)
    alone._decay()
    all_of_it._decay()
    assert all_of_it.value == pytest.approx(alone.value, abs=EXACT)


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


def test_recency_was_raised_and_not_added_to() -> None:
    first = record("first", {ROOM: (0.0, 1.0)}, {})
    first.before["recency"], first.laid["recency"] = [0.75], [1.0]
    there = Carrier(ROOM, "5:0", {"success": 1.0, "traversal": 0.0, "recency": 1.0})
    (edge_now,) = without_deposit(UndoableDeposit(0, first, [], [there], []), rates=RATES, ceiling=5.0).edges
    assert edge_now.pheromones == {"success": 0.0, "traversal": 0.0, "recency": 0.75}

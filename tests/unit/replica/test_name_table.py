"""The names of a palace follow changes of a few drawers as if all of them were read again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphpalace.domain.knowledge.entity import MentionColumns, SpellingColumns
from graphpalace.entities.name_index import NameIndex
from graphpalace.replica.known_names import NameTable

RATE, CYCLE = 0.1, 7
NAMES = tuple("abcdef")
SPELLINGS = ("ann", "ann lee", "lee", "oslo", "the lee", "a")


@dataclass
class Palace:
    """What the database would have.

    Attributes:
        names: How each name is written: its own spelling, which it keeps, and aliases.
        drawers: Of each drawer, its names with is_title, success and cycle.
    """

    names: dict[str, list[str]] = field(default_factory=dict)
    drawers: dict[str, dict[str, tuple[bool, float, int]]] = field(default_factory=dict)

    def spellings(self, names: set[str]) -> SpellingColumns:
        found = sorted(names & self.names.keys())
        shown = [f"Name {name}" for name in found]
        return SpellingColumns(found, shown, [f"name {name}" for name in found], [self.names[name] for name in found])

    def mentions(self, drawers: set[str]) -> MentionColumns:
        rows = [(d, name, *how) for d in sorted(drawers & self.drawers.keys()) for name, how in self.drawers[d].items()]
        return MentionColumns(*zip(*rows, strict=True)) if rows else MentionColumns()

    def built_anew(self) -> NameTable:
        table = NameTable()
        table.spell(self.spellings(set(self.names)))
        table.put(self.mentions(set(self.drawers)))
        return table

    def follow(self, table: NameTable, changed: set[str], removed: set[str]) -> None:
        mentions = self.mentions(changed)
        spellings = self.spellings({*mentions.names, *table.names_of(changed)})
        table.remove(changed | removed)
        table.spell(spellings)
        table.put(mentions)


def picture(index: NameIndex) -> dict[str, Any]:
    """Return all that a search can see of an index, without its rows."""
    m = index.mentions
    drawers = [index.drawers[row] for row in m.drawer.tolist()]
    names = [index.names[row] for row in m.name.tolist()]
    mentions = zip(drawers, names, m.is_title.tolist(), m.success.round(6).tolist(), strict=True)
    meant = {
        spelling: index.names[row]
        for spelling in {*SPELLINGS, *(f"name {name}" for name in NAMES)}
        if (row := index.named(spelling)) is not None
    }
    return {
        "mentions": sorted(mentions),
        "meant": meant,
        "shown": {name: index.shown[index.names.index(name)] for name in names},
        "longest": all(index.longest_from(spelling.split()[0]) >= len(spelling.split()) for spelling in meant),
        "texts": {name: int(index.texts_with[index.names.index(name)]) for name in names},
        "of drawers": {
            drawer: (int(index.names_in[row]), sorted(index.names[at] for at in index.of_drawer(row)))
            for drawer in set(drawers)
            if (row := index.row_of(drawer)) is not None
        },
    }


HOW = st.tuples(st.booleans(), st.sampled_from([0.0, 0.5, 2.0]), st.sampled_from([-1, 0, 5]))
STEP = st.one_of(
    st.tuples(st.just("write"), st.sampled_from("xyz"), st.dictionaries(st.sampled_from(NAMES), HOW, max_size=4)),
    st.tuples(st.just("delete"), st.sampled_from("xyz"), st.none()),
    st.tuples(st.just("spell"), st.sampled_from(NAMES), st.lists(st.sampled_from(SPELLINGS), max_size=3)),
    st.tuples(st.just("merge"), st.sampled_from(NAMES), st.sampled_from(NAMES)),
)


@settings(max_examples=300, deadline=None)
@given(steps=st.lists(st.tuples(STEP, st.booleans()), max_size=25))
def test_an_index_that_followed_changes_is_the_one_that_is_built_anew(steps: list[tuple[Any, bool]]) -> None:
    palace, table = Palace(), NameTable()
    changed, removed = set[str](), set[str]()
    for (kind, one, other), looks in steps:
        mentioning = {drawer for drawer, names in palace.drawers.items() if one in names}
        if kind == "write":
            for name in other:
                palace.names.setdefault(name, [])
            palace.drawers[one] = dict(other)
            changed.add(one)
        elif kind == "delete" and palace.drawers.pop(one, None) is not None:
            removed.add(one)
        elif kind == "spell" and one in palace.names:
            palace.names[one] = other
            changed |= mentioning
        elif kind == "merge" and one != other and one in palace.names and other in palace.names:
            palace.names[one] += [f"name {other}", *palace.names.pop(other)]
            for drawer, names in palace.drawers.items():
                if other in names:
                    names.setdefault(one, names.pop(other))
                    changed.add(drawer)
            changed |= mentioning
        if looks:
            palace.follow(table, changed, removed)
            changed, removed = set(), set()
            index = table.index(rate=RATE, cycle=CYCLE)
            assert picture(index) == picture(palace.built_anew().index(rate=RATE, cycle=CYCLE))


def test_an_index_does_not_change_when_a_later_one_is_made() -> None:
    palace = Palace({"a": []}, {"x": {"a": (False, 1.0, 7)}})
    table = palace.built_anew()
    index = table.index(rate=RATE, cycle=CYCLE)
    palace.names["b"], palace.drawers["y"] = [], {"a": (False, 0.0, -1), "b": (False, 0.0, -1)}
    palace.follow(table, {"y"}, set())
    later = table.index(rate=RATE, cycle=CYCLE)
    assert (index.row_of("y"), index.named("name b"), index.texts_with.tolist()) == (None, None, [1])
    assert (later.row_of("y"), later.named("name b"), later.texts_with.tolist()) == (1, 1, [2, 1])


def test_success_decays_from_the_cycle_at_which_it_was_laid() -> None:
    palace = Palace({"a": []}, {"x": {"a": (False, 1.0, 5)}, "y": {"a": (False, 1.0, -1)}})
    table = palace.built_anew()
    assert table.index(rate=RATE, cycle=7).mentions.success.tolist() == [pytest.approx(0.81), 1.0]
    assert table.index(rate=RATE, cycle=6).mentions.success.tolist() == [pytest.approx(0.9), 1.0]


def test_how_a_name_is_written_is_forgotten_with_its_last_mention() -> None:
    palace = Palace({"a": ["ann lee"]}, {"x": {"a": (False, 0.0, -1)}})
    table = palace.built_anew()
    del palace.drawers["x"]
    palace.follow(table, set(), {"x"})
    index = table.index(rate=RATE, cycle=CYCLE)
    assert (index.named("name a"), index.named("ann lee"), list(index.shown)) == (None, None, [""])

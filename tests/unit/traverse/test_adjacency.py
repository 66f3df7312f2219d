"""The neighbourhood of some nodes: rare names and facts lead on, frequent names do not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.unit.traverse.palaces import snapshot_of

from graphpalace.domain.walking.graph_snapshot import ENTITY, RELATES_TO, RELATIONS, GraphSnapshot
from graphpalace.traverse.adjacency import surroundings

_REFERENCES = RELATIONS.index("REFERENCES")


def named(nodes: int, mentions: list[tuple[int, int]], facts: list[tuple[int, int]]) -> GraphSnapshot:
    """Return a palace of drawers that mention names, which facts join."""
    made = snapshot_of(nodes, mentions + facts)
    kind = made.nodes.kind.copy()
    kind[[name for _, name in mentions] + [name for pair in facts for name in pair]] = ENTITY
    relation = np.array([_REFERENCES] * len(mentions) + [RELATES_TO] * len(facts), np.uint8)
    return replace(made, nodes=replace(made.nodes, kind=kind), edges=replace(made.edges, relation=relation))


def test_a_rare_name_leads_to_the_other_drawers_that_mention_it_and_a_frequent_one_does_not() -> None:
    rare, frequent = 10, 11
    palace = named(12, [(0, rare), (1, rare), (0, frequent), *((at, frequent) for at in range(2, 10))], [])
    part, chosen = surroundings(palace, np.array([0]), widest_name=8)
    assert chosen.tolist() == [0, 1, rare, frequent]
    assert len(part.edges) == 3


def test_the_largest_number_of_drawers_of_a_name_is_that_of_names_only() -> None:
    palace = named(12, [(at, 11) for at in range(11)], [])
    assert len(surroundings(palace, np.array([0]), widest=1, widest_name=11)[1]) == 12
    assert surroundings(palace, np.array([0]), widest=100, widest_name=10)[1].tolist() == [0, 11]


def test_a_fact_leads_to_the_drawers_of_its_other_name_and_no_further() -> None:
    ada, acme, zed = 3, 4, 5
    palace = named(6, [(0, ada), (1, acme), (2, zed)], [(ada, acme), (acme, zed)])
    part, chosen = surroundings(palace, np.array([0]))
    assert chosen.tolist() == [0, 1, ada, acme, zed]  # zed stands beside acme; its drawer is too far away
    assert sorted(part.edges.relation.tolist()) == [_REFERENCES, _REFERENCES, RELATES_TO, RELATES_TO]


def test_a_fact_does_not_lead_on_over_a_frequent_name() -> None:
    ada, acme = 10, 11
    palace = named(12, [(0, ada), *((at, acme) for at in range(1, 10))], [(ada, acme)])
    assert surroundings(palace, np.array([0]), widest_name=5)[1].tolist() == [0, ada, acme]


def test_without_steps_there_is_only_the_centre() -> None:
    palace = named(3, [(0, 2), (1, 2)], [])
    part, chosen = surroundings(palace, np.array([1]), hops=0)
    assert (chosen.tolist(), len(part.edges)) == ([1], 0)

"""The default size of a colony, which depends on the size of the palace.

An exploration marks the nodes that it visits, so that the next one goes elsewhere. This fails if a colony visits every
node: all marks are then alike and repel nobody. So a colony makes one fifth as many steps as there are nodes, within
limits on the number of agents and on their steps.
"""

from __future__ import annotations

SHARE = 0.2  # steps of the whole colony for each node of the palace
FEWEST_AGENTS, MOST_AGENTS = 5, 200  # at least one of each archetype; writing ten thousand marks takes seconds
FEWEST_STEPS, MOST_STEPS = 10, 50  # enough to get from a wing to some drawers; the length of a walk in seed 003


def colony_size(nodes: int, *, agents: int | None = None, steps: int | None = None) -> tuple[int, int]:
    """Return the number of agents and the steps of each.

    Args:
        nodes: Number of nodes of the palace, or of the part to explore.
        agents, steps: Fixed values; None means that a value is chosen.

    Example:
        >>> colony_size(3_000)
        (12, 50)
        >>> colony_size(3_000, agents=30)
        (30, 20)
    """
    visits = SHARE * nodes
    if agents is None:
        agents = min(max(round(visits / (steps or MOST_STEPS)), FEWEST_AGENTS), MOST_AGENTS)
    if steps is None:
        steps = min(max(round(visits / agents), FEWEST_STEPS), MOST_STEPS)
    return agents, steps

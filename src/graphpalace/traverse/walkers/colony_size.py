"""How large a colony is that leaves most of a palace to the next one.

An exploration marks what it visited, and the marks send the next one elsewhere. That works only while there is an
elsewhere: a colony that comes to every node marks all of them alike, and the next one goes where this one went. So a
colony takes a fifth as many steps as there are nodes, whatever the size of the palace, up to a bound on the agents.
"""

from __future__ import annotations

SHARE = 0.2  # visits of one exploration for each node of the palace
FEWEST_AGENTS, MOST_AGENTS = 5, 200  # one of each archetype at least; ten thousand marks are seconds of writing
FEWEST_STEPS, MOST_STEPS = 10, 50  # from a wing down to a drawer and some of its neighbours; seed 003's walk


def colony_size(nodes: int, *, agents: int | None = None, steps: int | None = None) -> tuple[int, int]:
    """Return how many agents walk, and how many steps each of them.

    Args:
        nodes: Of the palace, or of the part that is explored.
        agents, steps: Those that are given stay; the other is chosen to fit.

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

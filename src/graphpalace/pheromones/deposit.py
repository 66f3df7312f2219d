"""The pheromone that a deposit adds to each edge of a path (seed 003, "Pheromone Deposit Operations")."""

from __future__ import annotations

from graphpalace.errors import InvalidInput


def path_rewards(edges: int, *, base_reward: float) -> list[float]:
    """Return the success that each edge of a path gets. Edge i of n, counted from 0, gets `base_reward` x (1 - i / n).

    Earlier edges get more, because the first decisions set the direction.

    Raises:
        InvalidInput: If the path has no edge, or the reward is below 0.

    Example:
        >>> path_rewards(4, base_reward=1.0)
        [1.0, 0.75, 0.5, 0.25]

    Source: seed 003, "After Successful Search (Position-Weighted)".
    """
    if edges < 1:
        raise InvalidInput(f"the path has {edges} edges; it must have at least one", field="path", value=edges)
    if base_reward < 0:
        raise InvalidInput(
            f"base_reward is {base_reward}; it must not be negative", field="base_reward", value=base_reward
        )
    return [base_reward * (1.0 - at / edges) for at in range(edges)]

"""Create the operation that does what hooks of hosts ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphpalace.settings.load import Settings, data_dir

if TYPE_CHECKING:  # these import NumPy, which `graphpalace up` has no need to wait for
    from graphpalace.operations.conversations.conversations import Conversations
    from graphpalace.operations.hooks.hooks import Hooks
    from graphpalace.operations.search.recall import Recall
    from graphpalace.operations.wake_up.wake_up import WakingUp


def make_hooks(settings: Settings, waking_up: WakingUp, recall: Recall, conversations: Conversations) -> Hooks:
    """Return the operation."""
    from graphpalace.operations.hooks.hooks import Hooks

    return Hooks(
        waking_up,
        recall,
        conversations,
        settings=settings.hooks,
        data_dir=data_dir(settings),
        usual_palace=settings.palace.name,
        folders=settings.conversations.folders,
    )

"""What to know when a conversation begins."""

from __future__ import annotations

from graphpalace.domain.access.caller import Role
from graphpalace.domain.wake_up import WakeUp, WakeUpRequest
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.offers.offer import Group, Offer

WAKE_UP = Offer(  # its tool is written by hand, as it shows the text alone
    "wake_up",
    "GET /v1/wake-up",
    WakeUpRequest,
    WakeUp,
    "Return what to know now: facts, what helped, what is important, open questions, what is new, and the diary.",
    role=Role.READ,
    raises={
        NotFound: "the palace or the wing does not exist",
        InvalidInput: "the budget is out of range, or a name is not possible",
    },
    positional=("wing", "budget_bytes"),
)
WAKING_UP = Group("WakingUp", "The part of a palace that says what to know now.", (WAKE_UP,))

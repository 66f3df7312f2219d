"""Forgetting drawers with all that came from them, and the receipts of it."""

from __future__ import annotations

from graphpalace.domain.access.caller import Role
from graphpalace.domain.forgetting import ForgetReceipt, ForgetRequest, ListedReceipts, ReceiptQuery
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.offers.offer import Group, Offer

FORGET = Offer(  # its tool is written by hand, as it shows less of the receipt
    "forget",
    "POST /v1/forget",
    ForgetRequest,
    ForgetReceipt,
    "Forget the drawers that meet everything that is given, and everything derived from them, and tell what goes.",
    more="Closets that become empty are deleted too, and a wing or a room that is given alone. A name or a pattern that"
    " is given alone also deletes what has it outside of drawers: kept questions, diary entries, and names with their"
    " facts. With `dry_run`, nothing changes, and the answer has the first places.",
    raises={
        InvalidInput: "nothing is chosen, a room without its wing, or the pattern is not valid",
        NotFound: "the palace, the wing or the room does not exist",
    },
    example={"source": "file:///home/ann/notes/old.md", "dry_run": True},
)
LIST_RECEIPTS = Offer(
    "forget_receipts",
    "GET /v1/forget/receipts",
    ReceiptQuery,
    ListedReceipts,
    "List what was forgotten page by page, newest first: when, how much, and which ids. A receipt has no text.",
    role=Role.READ,
    raises={NotFound: "the palace does not exist", InvalidInput: "the limit is out of its range"},
    gives="receipts",
)
FORGETTING = Group("Forgetting", "The part of a palace that forgets.", (FORGET, LIST_RECEIPTS))

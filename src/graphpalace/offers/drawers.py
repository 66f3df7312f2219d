"""Drawers: adding, reading, changing, superseding and deleting them, and looking for duplicates."""

from __future__ import annotations

from graphpalace.domain.access.caller import Role
from graphpalace.domain.drawers.beside import BesideDrawer
from graphpalace.domain.drawers.drawer import (
    AddedDrawers,
    BatchRequest,
    DrawerHistory,
    DrawerListing,
    DrawerPage,
    DrawerRequest,
    DrawerToRead,
    DrawerWithPath,
    DuplicateRequest,
    OneDrawer,
    Superseded,
    SupersedeRequest,
    SupersedeToTakeBack,
    UpdateRequest,
)
from graphpalace.domain.drawers.new_drawer import DuplicateCheck
from graphpalace.errors import Conflict, InvalidInput, NotFound, TooLarge, WrongDimension
from graphpalace.offers.offer import Group, Offer, Tool

ADD_DRAWER = Offer(  # its route is written by hand, as its status tells whether the text was stored already
    "add",
    "POST /v1/drawers",
    DrawerRequest,
    DrawerWithPath,
    "Store a text word for word. It can be found as soon as this returns.",
    more="With `unless_similar`, it is stored only if no drawer of its wing says the same or has that cosine with it;"
    " 0.9 is a good value. Otherwise the answer is the drawer that stands for it, with `created` false, and `similar`"
    " says why. Of several calls at the same time, one is stored. `news` names older drawers that it is likely to be"
    " news on; supersede those that it is.",
    raises={
        InvalidInput: "the text is blank, a name is empty, or a value is out of its range",
        TooLarge: "the text is too long",
        WrongDimension: "the embedding does not have the palace's dimension",
    },
    example={"text": "The door code is 4711.", "wing": "home", "room": "keys"},
    positional=("text",),
    status=201,
    keyed=True,
)
UPDATE_DRAWER = Offer(
    "update",
    "PATCH /v1/drawers/{drawer}",
    UpdateRequest,
    DrawerWithPath,
    "Change a drawer, which keeps its id and its place. What is left out stays as it is.",
    more="The old text is kept in the `history` of the drawer. What was learned of it is kept if the new text has a"
    " similar meaning: if the cosine of the two is at least `[learning] same_meaning`.",
    raises={
        NotFound: "it is not in the palace",
        InvalidInput: "nothing is given, the text is blank, or a value is out of its range",
        TooLarge: "the text is too long",
    },
    example={"text": "The door code is 4712."},
    positional=("drawer",),
    keyed=True,
)
READ_HISTORY = Offer(
    "history",
    "GET /v1/drawers/{drawer}/history",
    OneDrawer,
    DrawerHistory,
    "Read the earlier texts of a drawer, the latest first. They go when the drawer is forgotten.",
    raises={NotFound: "it is not in the palace"},
    positional=("drawer",),
)
BESIDE_DRAWER = Offer(
    "beside",
    "GET /v1/drawers/{drawer}/beside",
    OneDrawer,
    BesideDrawer,
    "Show the drawers before and after a drawer in its document, the one that took its place, and its facts.",
    role=Role.READ,  # in the whole palace, as facts name drawers of several wings
    raises={NotFound: "the palace does not exist, or the drawer is not in it"},
    positional=("drawer",),
)
SUPERSEDE_DRAWER = Offer(
    "supersede",
    "POST /v1/drawers/{drawer}/superseded",
    SupersedeRequest,
    Superseded,
    "Let a drawer take the place of another from now on. Answers mark the old one as outdated and rank it below the"
    " new one.",
    raises={
        InvalidInput: "both are the same",
        NotFound: "one of them is not in the palace",
        Conflict: "the old one has itself taken the place of the new one",
    },
    example={"new": "drawer-0123456789abcdef0123456789"},
    positional=("old", "new"),
    called={"old": "drawer"},
)
TAKE_BACK_SUPERSEDE = Offer(
    "take_back_supersede",
    "DELETE /v1/drawers/{drawer}/superseded",
    SupersedeToTakeBack,
    type(None),
    "Let a drawer count again that another one had taken the place of, or is supposed to be news on.",
    raises={NotFound: "it is not in the palace, or none has taken its place, nor is news on it"},
    positional=("old",),
    called={"old": "drawer"},
    status=204,
)
DELETE_DRAWER = Offer(
    "delete",
    "DELETE /v1/drawers/{drawer}",
    OneDrawer,
    type(None),
    "Delete one drawer.",
    raises={NotFound: "it is not in the palace"},
    positional=("drawer",),
    status=204,
)
CHECK_DUPLICATE = Offer(
    "check_duplicate",
    "POST /v1/drawers/check_duplicate",
    DuplicateRequest,
    DuplicateCheck,
    "Find the drawers that have a text already or are near it. This stores nothing.",
    more="Those with exactly this text stand first, then those that say the same (`same`), then those whose plain"
    " cosine reaches the threshold; nothing that was learned changes a cosine. Drawers that say the same are one entry,"
    " with the others in `also_at`.",
    only_reads=True,
    raises={
        InvalidInput: "the text is blank, or a number is out of its range",
        NotFound: "the palace or the wing does not exist",
    },
    example={"text": "The door code is 4711.", "wing": "home"},
    positional=("text",),
    tool=Tool(
        "check_duplicate",
        "Check whether a text, or nearly the same one, is stored already. What was learned is ignored.",
        ("admin",),
    ),
)
SINGLE_DRAWERS = Group(
    "SingleDrawers",
    "The part of a palace that stores, changes and deletes a text.",
    (
        ADD_DRAWER,
        UPDATE_DRAWER,
        READ_HISTORY,
        BESIDE_DRAWER,
        SUPERSEDE_DRAWER,
        TAKE_BACK_SUPERSEDE,
        DELETE_DRAWER,
        CHECK_DUPLICATE,
    ),
)

# What the methods of the client make of these is more than a call of them.
READ_DRAWER = Offer(
    "get",
    "GET /v1/drawers/{drawer}",
    DrawerToRead,
    DrawerWithPath,
    "Read one drawer with its path in the palace.",
)
LIST_DRAWERS = Offer(
    "list",
    "GET /v1/drawers",
    DrawerListing,
    DrawerPage,
    "List the drawers of a palace, a wing or a room, page by page.",
)
ADD_DRAWERS = Offer(
    "add_many",
    "POST /v1/drawers/batch",
    BatchRequest,
    AddedDrawers,
    "Store up to 1000 texts word for word, all of them or none. They can be found as soon as this returns.",
    more="An error names the place of its text, such as `drawers.3.text`.",
    example={
        "drawers": [
            {"text": "The door code is 4711.", "wing": "home"},
            {"text": "Ann waters the plants.", "wing": "home"},
        ]
    },
)

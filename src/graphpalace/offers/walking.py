"""Walking through a palace: the way from one place to another, and colonies that explore; and its map."""

from __future__ import annotations

from graphpalace.domain.access.caller import Role
from graphpalace.domain.palaces.palace_shape import MapQuery, PalaceMap
from graphpalace.domain.walking.surroundings import Surroundings, SurroundingsRequest
from graphpalace.domain.walking.walks import Exploration, ExploreRequest, NavigateRequest, Route
from graphpalace.errors import Conflict, InvalidInput, NotFound
from graphpalace.offers.offer import Group, Offer, Tool

_STIGMERGY = ("stigmergy",)

NAVIGATE = Offer(
    "navigate",
    "POST /v1/navigate",
    NavigateRequest,
    Route,
    "Find the cheapest path from one place to another, and the cost of each step. The palace does not change.",
    role=Role.READ,
    raises={
        NotFound: "a place does not exist, or no path joins them",
        InvalidInput: "the context is unknown, or a name fits several rooms",
    },
    example={"from": "python", "to": "kitchen/bread", "context": "memory_recall"},
    positional=("start", "goal"),
    called={"start": "from", "goal": "to"},
    tool=Tool(
        "navigate",
        "Find the cheapest way between two wings, rooms or drawers, with what each step costs: how they connect.",
        _STIGMERGY,
    ),
)
EXPLORE = Offer(
    "explore",
    "POST /v1/explore",
    ExploreRequest,
    Exploration,
    "Explore the palace with a colony, mark what it visited, and report what it found and which rooms it missed.",
    raises={
        NotFound: "the palace or the wing does not exist",
        InvalidInput: "a value is out of its range",
        Conflict: "the palace has nothing to walk on yet",
    },
    example={"query": "how is bread made", "mix": {"explorer": 2, "exploiter": 1}},
    tool=Tool(
        "explore",
        "Let a colony of agents walk through the palace, and see what it found and which rooms it missed."
        " Use it to discover what a search does not show; to find an answer, search.",
        _STIGMERGY,
        without=frozenset({"mix", "temperatures", "schedule", "floor"}),
    ),
)
SURROUNDINGS = Offer(
    "surroundings",
    "POST /v1/surroundings",
    SurroundingsRequest,
    Surroundings,
    "Show a node of the graph, its nearest neighbours, and the edges between them. The palace does not change.",
    more="The types of edges take turns, so that a room with hundreds of closets shows its tunnels too. Within a type,"
    " the edge with the lowest current cost comes first.",
    role=Role.READ,
    raises={
        NotFound: "the node does not exist",
        InvalidInput: "a value is out of its range, or a name fits several rooms",
    },
    example={"of": "kitchen/bread", "limit": 20},
    positional=("of",),
)
MAP = Offer(
    "map",
    "GET /v1/map",
    MapQuery,
    PalaceMap,
    "Show wings and rooms with their sizes and current pheromones, and the halls and tunnels between rooms.",
    role=Role.READ,
    raises={NotFound: "the palace does not exist"},
)
WALKING = Group("Walking", "The part of a palace that finds ways through it.", (NAVIGATE, EXPLORE, SURROUNDINGS, MAP))

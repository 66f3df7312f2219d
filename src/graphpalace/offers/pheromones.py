"""Pheromones: how warm a palace is and where, what lays some, and how they fade."""

from __future__ import annotations

from graphpalace.domain.access.caller import Role
from graphpalace.domain.palaces.palace_shape import HistoryQuery, PheromoneHistory
from graphpalace.domain.pheromones.deposits import DepositReceipt, DepositRequest
from graphpalace.domain.pheromones.pheromones import DecayQuery, DecayRequest, DecayResult, DecayStatus
from graphpalace.domain.pheromones.warmth import (
    ColdQuery,
    ColdSpots,
    HotQuery,
    HotSpots,
    PheromoneStatus,
    StatusQuery,
)
from graphpalace.errors import DecayRunning, InvalidInput, NotFound
from graphpalace.offers.offer import Group, Offer, Tool

_STIGMERGY = ("stigmergy",)

PHEROMONE_STATUS = Offer(
    "pheromones",
    "GET /v1/pheromones/status",
    StatusQuery,
    PheromoneStatus,
    "Show the clock, the current total of each pheromone, and how fast it fades.",
    role=Role.READ,
    raises={NotFound: "the palace does not exist"},
    tool=Tool(
        "pheromone_status",
        "Show the palace's clock, how much there is of each of the five pheromones, and how fast each fades.",
        _STIGMERGY,
    ),
)
PHEROMONE_HISTORY = Offer(
    "pheromone_history",
    "GET /v1/pheromones/history",
    HistoryQuery,
    PheromoneHistory,
    "List the total of each pheromone after each run of the decay.",
    role=Role.READ,
    raises={
        NotFound: "the palace does not exist",
        InvalidInput: "the limit is out of its range",
    },
)
HOT_PATHS = Offer(
    "hot_paths",
    "GET /v1/pheromones/hot",
    HotQuery,
    HotSpots,
    "List the edges with the strongest pheromones and the nodes with the most exploitation at this moment.",
    role=Role.READ,
    raises={
        NotFound: "the palace or the wing does not exist",
        InvalidInput: "a value is out of its range",
    },
    tool=Tool(
        "hot_paths",
        "List the connections and places with the strongest pheromones: what is used most and helped most.",
        _STIGMERGY,
    ),
)
COLD_SPOTS = Offer(
    "cold_spots",
    "GET /v1/pheromones/cold",
    ColdQuery,
    ColdSpots,
    "List the places that are visited least: those with the least pheromone, of equal ones the oldest first.",
    role=Role.READ,
    raises={
        NotFound: "the palace or the wing does not exist",
        InvalidInput: "a value is out of its range",
    },
    tool=Tool(
        "cold_spots",
        "List the places with the least pheromone, oldest first: what nobody looks at any more.",
        _STIGMERGY,
    ),
)
DEPOSIT = Offer(
    "deposit",
    "POST /v1/pheromones/deposit",
    DepositRequest,
    DepositReceipt,
    "Reward a path that helped, or mark places as searched; all of it or nothing.",
    role=Role.WRITE,
    raises={
        NotFound: "the palace or a node does not exist",
        InvalidInput: "two nodes of a path are not joined, or a value is out of its range",
    },
    example={"nodes": ["python", "python/decorators"], "kind": "success"},
    positional=("nodes",),
    tool=Tool(
        "pheromone_deposit",
        "Add pheromones by hand to a path that helped, or to places that were searched."
        " To say that a hit of a search helped, give feedback instead.",
        _STIGMERGY,
    ),
)
DECAY = Offer(
    "decay",
    "POST /v1/decay",
    DecayRequest,
    DecayResult,
    "Apply the decay now: the pheromones fade to the current cycle of the palace's clock.",
    role=Role.ADMIN,
    raises={
        DecayRunning: "another service is applying it; the error says which",
        NotFound: "the palace does not exist",
    },
    tool=Tool(
        "decay_now",
        "Let all pheromones fade to the current cycle now, instead of waiting for the decay service.",
        _STIGMERGY,
        repeatable=True,
    ),
)
DECAY_STATUS = Offer(
    "decay_status",
    "GET /v1/decay",
    DecayQuery,
    DecayStatus,
    "Show the clock, the last and the next run of the decay, and how many nodes and edges have pheromones.",
    role=Role.READ,
    raises={NotFound: "the palace does not exist"},
)
PHEROMONES = Group(
    "Pheromones",
    "The part of a palace that shows where it is warm.",
    (PHEROMONE_STATUS, PHEROMONE_HISTORY, HOT_PATHS, COLD_SPOTS, DEPOSIT, DECAY, DECAY_STATUS),
)

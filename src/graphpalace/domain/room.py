"""Types of rooms and wings, and the cost of edges without pheromone."""

from __future__ import annotations

from enum import StrEnum


class HallType(StrEnum):
    """What most texts of a room are (vocabulary of seed 003)."""

    FACTS = "facts"
    EVENTS = "events"
    DISCOVERIES = "discoveries"
    PREFERENCES = "preferences"
    ADVICE = "advice"


class WingType(StrEnum):
    """What a wing is about."""

    PERSON = "person"
    PROJECT = "project"
    DOMAIN = "domain"
    TOPIC = "topic"


# Cost of walking an edge that carries no pheromone; SIMILAR_TO costs 1 - similarity instead.
BASE_COST = {"HAS_ROOM": 0.3, "HAS_CLOSET": 0.3, "HAS_DRAWER": 0.3, "HALL": 0.5, "TUNNEL": 0.7, "CONTAINS": 1.0}

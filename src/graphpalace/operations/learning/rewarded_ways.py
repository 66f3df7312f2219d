"""Find what a feedback rewards: the paths to the judged drawers, and the lanes that found useful ones."""

from __future__ import annotations

from collections.abc import Mapping

from graphpalace.domain.graph.trail import EdgeRef, NodeRef, Trail
from graphpalace.domain.identity import stable_id
from graphpalace.domain.learning.feedback import JudgedDrawer, LaneOfWing
from graphpalace.domain.learning.logged_search import LoggedSearch
from graphpalace.pheromones.credit import RewardedTrail


def rewarded_trails(
    search: LoggedSearch, places: Mapping[str, JudgedDrawer], rewards: Mapping[str, float]
) -> list[RewardedTrail]:
    """Return the path to each drawer: the one that the lane `path` walked, or else the one from its wing down."""
    return [
        RewardedTrail(search.trails.get(drawer) or _down_to(places[drawer]), reward)
        for drawer, reward in rewards.items()
    ]


def lanes_answering(
    palace: str, search: LoggedSearch, places: Mapping[str, JudgedDrawer], useful: Mapping[str, float]
) -> dict[LaneOfWing, float]:
    """Return the gain of each lane in each wing: the sum of its shares in useful drawers, times their rewards."""
    gained: dict[LaneOfWing, float] = {}
    for drawer, reward in useful.items():
        for lane, share in search.shares.get(drawer, {}).items():
            one = LaneOfWing(places[drawer].wing, stable_id("lane", palace, lane), lane)
            gained[one] = gained.get(one, 0.0) + reward * share
    return gained


def _down_to(place: JudgedDrawer) -> Trail:
    wing, room = NodeRef("Wing", place.wing), NodeRef("Room", place.room)
    closet, drawer = NodeRef("Closet", place.closet), NodeRef("Drawer", place.id)
    edges = [
        EdgeRef("HAS_ROOM", wing.id, room.id),
        EdgeRef("HAS_CLOSET", room.id, closet.id),
        EdgeRef("HAS_DRAWER", closet.id, drawer.id),
    ]
    return Trail(edges, [wing, room, closet, drawer])

"""The operations of each topic that has more than one, and what they hold in memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphpalace.operations.access import ApiKeys, Wings
from graphpalace.operations.history import KeyedRequests
from graphpalace.operations.knowledge.name_reading import NameReader
from graphpalace.operations.knowledge.names import NameChanges, NamePages
from graphpalace.operations.palaces.palace_map import Maps, PalaceShape
from graphpalace.operations.pheromones.decay import Decay
from graphpalace.operations.pheromones.deposit import Deposits, NamedDeposits
from graphpalace.operations.pheromones.hot_paths import HotPaths
from graphpalace.replica.known_names import KnownNames
from graphpalace.replica.snapshots import Snapshots

if TYPE_CHECKING:  # these import NumPy, which `graphpalace up` has no need to wait for
    from graphpalace.operations.history import SearchLog
    from graphpalace.operations.knowledge.facts import FactReading, Facts
    from graphpalace.operations.knowledge.propose import FactProposals
    from graphpalace.operations.learning.feedback import Feedback
    from graphpalace.operations.learning.learned_view import LearnedView
    from graphpalace.operations.transfer.exporting import Exporting
    from graphpalace.operations.transfer.importing import Importing
    from graphpalace.operations.walking.surroundings import ShowSurroundings
    from graphpalace.operations.walking.walks import Explore, Navigate
    from graphpalace.replica.drawer_indexes import DrawerIndexes
    from graphpalace.replica.known_facts import KnownFacts
    from graphpalace.replica.learning import Learning
    from graphpalace.replica.palace_models import PalaceModels


@dataclass(frozen=True)
class Replica:
    """What this process holds in memory of the database, up to date with it."""

    models: PalaceModels
    indexes: DrawerIndexes
    snapshots: Snapshots
    learning: Learning
    known_facts: KnownFacts
    known_names: KnownNames


@dataclass(frozen=True)
class PalaceOperations:
    """What is in a palace, and how its places lie."""

    maps: Maps
    shape: PalaceShape


@dataclass(frozen=True)
class LearningOperations:
    """What is told of answers, and what was learned from it."""

    feedback: Feedback
    learned: LearnedView


@dataclass(frozen=True)
class KnowledgeOperations:
    """Facts, and the names that texts mention."""

    facts: Facts
    fact_reading: FactReading
    proposals: FactProposals
    names: NameReader
    name_pages: NamePages
    name_changes: NameChanges


@dataclass(frozen=True)
class PheromoneOperations:
    """How pheromones are left, fade and are shown."""

    deposits: Deposits
    named_deposits: NamedDeposits
    hot_paths: HotPaths
    decay: Decay


@dataclass(frozen=True)
class WalkingOperations:
    """Ways over the graph."""

    navigate: Navigate
    explore: Explore
    surroundings: ShowSurroundings


@dataclass(frozen=True)
class TransferOperations:
    """A palace as a file."""

    exporting: Exporting
    importing: Importing


@dataclass(frozen=True)
class AccessOperations:
    """Who may read and write what."""

    api_keys: ApiKeys
    wings: Wings


@dataclass(frozen=True)
class HistoryOperations:
    """What was asked and written in the last hours."""

    searches: SearchLog
    keyed_requests: KeyedRequests

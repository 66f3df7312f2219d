"""Create the operations that bring content into a palace and out of it: conversations, ingests, exports and imports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphpalace import __version__
from graphpalace.cluster.ray_cluster import RayCluster
from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Database

if TYPE_CHECKING:  # these import NumPy, which `graphpalace up` has no need to wait for
    from graphpalace.app.ingesting import Ingesting
    from graphpalace.operations.conversations.conversations import Conversations
    from graphpalace.operations.drawers.after_writes import AfterWrites
    from graphpalace.operations.drawers.drawer_linker import SimilarRule
    from graphpalace.operations.transfer.exporting import Exporting
    from graphpalace.operations.transfer.importing import Importing
    from graphpalace.replica.drawer_indexes import DrawerIndexes
    from graphpalace.replica.palace_models import PalaceModels


def make_conversations(
    settings: Settings,
    database: Database,
    indexes: DrawerIndexes,
    models: PalaceModels,
    after: AfterWrites,
    *,
    similar: SimilarRule,
) -> Conversations:
    """Return what files conversations and shows them."""
    from graphpalace.operations.conversations.conversations import Conversations
    from graphpalace.operations.conversations.filing import Filing

    filing = Filing(
        database,
        indexes,
        models,
        after,
        similar=similar,
        split=settings.ingest.split,
        mask_secrets=settings.conversations.mask_secrets,
        language=settings.ingest.fixed_language,
    )
    return Conversations(database, filing)


def make_ingesting(
    settings: Settings,
    database: Database,
    indexes: DrawerIndexes,
    models: PalaceModels,
    conversations: Conversations,
    after: AfterWrites,
    cluster: RayCluster | None = None,
) -> Ingesting:
    """Return what ingests files.

    Args:
        cluster: Whose workers read them; None: this process.
    """
    from graphpalace.app.ingesting import Ingesting

    return Ingesting(database, indexes, models, conversations, after, settings=settings.ingest, cluster=cluster)


def make_exporting(settings: Settings, database: Database) -> Exporting:
    """Return the operation that exports."""
    from graphpalace.operations.transfer.exporting import Exporting

    return Exporting(database, version=__version__, cycle_seconds=settings.decay.cycle_seconds)


def make_importing(
    settings: Settings,
    database: Database,
    indexes: DrawerIndexes,
    models: PalaceModels,
    after: AfterWrites,
    *,
    similar: SimilarRule,
) -> Importing:
    """Return the operation that imports."""
    from graphpalace.operations.learning.memories import Memories
    from graphpalace.operations.transfer.importing import Importing
    from graphpalace.operations.transfer.linking import Linking
    from graphpalace.store.learning.feedback import FeedbackStore

    cycle_seconds = settings.decay.cycle_seconds
    memories = Memories(FeedbackStore(database, cycle_seconds=cycle_seconds), rate=settings.pheromones.rates.success)
    linking = Linking(database, indexes, models.configured, memories, similar=similar, cycle_seconds=cycle_seconds)
    return Importing(
        database,
        indexes,
        models,
        after,
        linking=linking,
        cycle_seconds=cycle_seconds,
        tunnel_threshold=settings.ingest.tunnel_threshold,
    )

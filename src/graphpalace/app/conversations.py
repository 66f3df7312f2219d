"""Create the operations on conversations, and those that ingest files, some of which are conversations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Database

if TYPE_CHECKING:  # these import NumPy, which `graphpalace up` has no need to wait for
    from graphpalace.app.ingesting import Ingesting
    from graphpalace.operations.conversations.conversations import Conversations
    from graphpalace.operations.drawers.after_writes import AfterWrites
    from graphpalace.operations.drawers.drawer_linker import SimilarRule
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
) -> Ingesting:
    """Return what ingests files."""
    from graphpalace.app.ingesting import Ingesting

    return Ingesting(database, indexes, models, conversations, after, settings=settings.ingest)

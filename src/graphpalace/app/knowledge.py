"""Create the operations on facts."""

from __future__ import annotations

from graphpalace.operations.knowledge.fact_reading import FactReading
from graphpalace.operations.knowledge.facts import Facts
from graphpalace.operations.knowledge.propose import FactProposals
from graphpalace.replica.known_facts import KnownFacts
from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Database


def make_facts(settings: Settings, database: Database, known: KnownFacts) -> tuple[Facts, FactReading, FactProposals]:
    """Return the operations that change facts, that read them, and that let a model propose them."""
    rules = settings.knowledge.rules
    facts = Facts(database, rules=rules)
    return facts, FactReading(database, known, rules=rules), FactProposals(database, facts, settings=settings.knowledge)

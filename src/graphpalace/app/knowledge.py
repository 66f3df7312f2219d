"""Create the operations on facts."""

from __future__ import annotations

from graphpalace.operations.knowledge.fact_reading import FactReading
from graphpalace.operations.knowledge.facts import Facts
from graphpalace.replica.known_facts import KnownFacts
from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Database


def make_facts(settings: Settings, database: Database, known: KnownFacts) -> tuple[Facts, FactReading]:
    """Return the operations that change facts, and those that read them."""
    rules = settings.knowledge.rules
    return Facts(database, rules=rules), FactReading(database, known, rules=rules)

"""Create the operations on facts and names."""

from __future__ import annotations

from functools import partial

from graphpalace.app.models import worker_settings
from graphpalace.app.topics import KnowledgeOperations
from graphpalace.cluster.ray_cluster import RayCluster
from graphpalace.entities.mention import Recogniser
from graphpalace.entities.process_recogniser import AutoRecogniser, ProcessRecogniser
from graphpalace.entities.rules import RuleRecogniser
from graphpalace.operations.knowledge.facts import FactReading, Facts
from graphpalace.operations.knowledge.name_reading import NameReader
from graphpalace.operations.knowledge.names import NameChanges, NamePages
from graphpalace.operations.knowledge.propose import FactProposals
from graphpalace.replica.known_facts import KnownFacts
from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Database


def make_knowledge(
    settings: Settings, database: Database, known: KnownFacts, cluster: RayCluster | None = None
) -> KnowledgeOperations:
    """Return the operations that change, read and propose facts, and those that read, list and change names.

    Args:
        cluster: Whose workers find names in texts; None: this process.
    """
    rules, chosen = settings.knowledge.rules, settings.entities
    facts, name_pages = Facts(database, rules=rules), NamePages(database)
    return KnowledgeOperations(
        facts=facts,
        fact_reading=FactReading(database, known, rules=rules),
        proposals=FactProposals(database, facts, settings=settings.knowledge),
        names=NameReader(
            database,
            _on_workers(cluster, settings),
            choice=chosen.recogniser,
            after_s=chosen.read_after_s,
            at_once=1 if cluster is None else cluster.at_once,
        ),
        name_pages=name_pages,
        name_changes=NameChanges(database, name_pages),
    )


def _on_workers(cluster: RayCluster | None, settings: Settings) -> Recogniser | None:
    own = make_recogniser(settings)
    if cluster is None or own is None:
        return own
    from graphpalace.cluster.workers import ClusterRecogniser

    return ClusterRecogniser(cluster, own, partial(make_recogniser, worker_settings(settings)))


def make_recogniser(settings: Settings) -> Recogniser | None:
    """Return the configured recogniser, which is loaded when it is first used; None if it is off."""
    match settings.entities.recogniser:
        case "off":
            return None
        case "rules":
            return RuleRecogniser()
        case "spacy":
            return ProcessRecogniser()
        case _:
            return AutoRecogniser(ProcessRecogniser(), RuleRecogniser())

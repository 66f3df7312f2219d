"""Create what reads, lists and changes names."""

from __future__ import annotations

from graphpalace.entities.mention import Recogniser
from graphpalace.entities.process_recogniser import AutoRecogniser, ProcessRecogniser
from graphpalace.entities.rules import RuleRecogniser
from graphpalace.operations.knowledge.name_changes import NameChanges
from graphpalace.operations.knowledge.name_pages import NamePages
from graphpalace.operations.knowledge.name_reading import NameReader
from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Database


def make_names(settings: Settings, database: Database) -> tuple[NameReader, NamePages, NameChanges]:
    """Return what reads names in drawers, what shows them, and what changes which of them mean one thing."""
    chosen = settings.entities
    pages = NamePages(database)
    reader = NameReader(database, make_recogniser(settings), choice=chosen.recogniser, after_s=chosen.read_after_s)
    return reader, pages, NameChanges(database, pages)


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

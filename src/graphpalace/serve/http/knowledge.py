"""The routes for facts and names."""

from __future__ import annotations

from functools import partial

from graphpalace.offers import knowledge
from graphpalace.serve.http.offered import add_lines_route, add_route
from graphpalace.serve.http.router import new_router

router = new_router()
_add = partial(add_route, router, tag="knowledge")
_add_lines = partial(add_lines_route, router, tag="knowledge")

_add(knowledge.ADD_FACT, lambda app, palace, fact: app.knowledge.facts.add(palace, fact))
_add(knowledge.SUPERSEDE_FACT, lambda app, palace, change: app.knowledge.facts.supersede(palace, change))
_add(knowledge.INVALIDATE_FACT, lambda app, palace, which: app.knowledge.facts.invalidate(palace, which))
_add(knowledge.FIND_FACTS, lambda app, palace, asked: app.knowledge.fact_reading.query(palace, asked))
_add(knowledge.FACT_TIMELINE, lambda app, palace, asked: app.knowledge.fact_reading.timeline(palace, asked))
_add(knowledge.TRAVERSE_FACTS, lambda app, palace, asked: app.knowledge.fact_reading.traverse(palace, asked))
_add(knowledge.FACT_CONTRADICTIONS, lambda app, palace, asked: app.knowledge.fact_reading.contradictions(palace, asked))
_add(knowledge.FACT_STATS, lambda app, palace, _asked: app.knowledge.fact_reading.stats(palace))
_add_lines(
    knowledge.PROPOSE_FACTS,
    lambda app, palace, asked: app.knowledge.proposals.check(palace, asked),
    lambda app, palace, asked, progress: app.knowledge.proposals.propose(palace, asked, progress),
)

_add(knowledge.LIST_NAMES, lambda app, palace, asked: app.knowledge.name_pages.listed(palace, asked))
_add(knowledge.SHOW_NAME, lambda app, palace, asked: app.knowledge.name_pages.page(palace, asked))
_add(knowledge.DRAWER_NAMES, lambda app, palace, asked: app.knowledge.name_pages.mentions(palace, asked))
_add(knowledge.MERGE_NAMES, lambda app, palace, asked: app.knowledge.name_changes.merge(palace, asked))
_add(knowledge.SPLIT_NAME, lambda app, palace, asked: app.knowledge.name_changes.split(palace, asked))
_add_lines(
    knowledge.BUILD_NAMES,
    lambda app, palace, asked: app.knowledge.names.check(palace, asked),
    lambda app, palace, asked, progress: app.knowledge.names.build(palace, asked, progress),
)

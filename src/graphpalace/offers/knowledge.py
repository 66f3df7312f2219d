"""Facts with two times, and the names that drawers mention."""

from __future__ import annotations

from collections.abc import Mapping

from graphpalace.domain.access.caller import Role
from graphpalace.domain.knowledge.contradictions import FoundContradictions
from graphpalace.domain.knowledge.fact_requests import (
    ContradictionQuery,
    CountQuery,
    FactQuery,
    Invalidation,
    NewFact,
    Supersession,
    TimelineQuery,
    TraversalQuery,
)
from graphpalace.domain.knowledge.facts import (
    AddedFact,
    FactStats,
    FactTraversal,
    FoundFacts,
    InvalidatedFacts,
    ProposalReport,
    ProposalRequest,
    SupersededFacts,
)
from graphpalace.domain.knowledge.names import (
    DrawerNames,
    MentionQuery,
    Merge,
    NameChange,
    NameList,
    NamePage,
    NamePageQuery,
    NameQuery,
    NameReading,
    NamesToRead,
    Split,
)
from graphpalace.errors import Conflict, ExtractionFailed, GraphPalaceError, InvalidInput, NamesFailed, NotFound
from graphpalace.offers.offer import Group, Offer, Tool

_KNOWLEDGE = ("knowledge",)
_UNKNOWN_NAME: Mapping[type[GraphPalaceError], str] = {
    InvalidInput: "a value is not valid",
    NotFound: "the palace does not exist, or does not know the name",
}

ADD_FACT = Offer(
    "add_fact",
    "POST /v1/facts",
    NewFact,
    AddedFact,
    "Add a fact. If the palace knows it already, only its drawers and its confidence grow.",
    role=Role.WRITE,
    more="If all drawers of a fact are deleted, the fact goes too.",
    raises={
        InvalidInput: "a value is not valid, or the fact would end before it begins",
        NotFound: "the palace or one of the drawers does not exist",
    },
    example={"subject": "Ada Lovelace", "predicate": "works_at", "object": "Acme", "valid_from": "2019"},
    positional=("subject", "predicate", "object"),
    tool=Tool(
        "kg_add",
        "Remember a fact that may change, such as Ana works_at Acme, with the time when it holds, such as 2019,"
        " 2019-05, 2019-05-31 or 2019-05-31T14:30Z."
        " What does not fit this form is a text for add_drawer. If it takes the place of another fact, use"
        " kg_supersede.",
        _KNOWLEDGE,
        repeatable=True,
    ),
)
SUPERSEDE_FACT = Offer(
    "supersede_fact",
    "POST /v1/facts/supersede",
    Supersession,
    SupersededFacts,
    "Let a fact take the place of what holds at a moment: that one ends then, and this one begins."
    " Both can still be asked for.",
    role=Role.WRITE,
    raises={
        InvalidInput: "a value is not valid, or nothing says which of several facts is replaced",
        NotFound: "the palace or one of the drawers does not exist, or what is to be replaced does not hold then",
    },
    example={"subject": "Ada Lovelace", "predicate": "works_at", "object": "Initech", "at": "2023-04"},
    positional=("subject", "predicate", "object"),
    tool=Tool(
        "kg_supersede",
        "Remember that something changed: the old fact ends, the new one begins, and searches say so."
        " Both can still be asked for.",
        _KNOWLEDGE,
        repeatable=True,
    ),
)
INVALIDATE_FACT = Offer(
    "invalidate_fact",
    "POST /v1/facts/invalidate",
    Invalidation,
    InvalidatedFacts,
    "Take back facts that were never true, or end facts that nothing replaces.",
    role=Role.WRITE,
    raises={
        InvalidInput: "the choice is not clear, or a fact does not hold just before that time",
        NotFound: "the palace does not exist, or has no such fact",
    },
    example={"subject": "Ada Lovelace", "predicate": "works_at", "object": "Acme"},
    positional=("fact",),
    tool=Tool(
        "kg_invalidate",
        "Take back a fact that was never true, or end one that nothing replaces.",
        _KNOWLEDGE,
        repeatable=True,
    ),
)
FIND_FACTS = Offer(
    "facts",
    "GET /v1/facts",
    FactQuery,
    FoundFacts,
    "Find the facts that have all that is given, sorted by subject, predicate and time.",
    role=Role.READ,
    raises={
        InvalidInput: "a value is not valid",
        NotFound: "the palace does not exist, or does not know a name",
    },
    positional=("subject", "predicate", "object"),
    tool=Tool(
        "kg_query",
        "Look up what is or was known, such as where Ana worked in 2019: the facts that have all that is given.",
        _KNOWLEDGE,
        defaults={"limit": 50},
    ),
)
FACT_TIMELINE = Offer(
    "fact_timeline",
    "GET /v1/facts/timeline",
    TimelineQuery,
    FoundFacts,
    "Show the facts on a name from all times, in the order in which they begin to hold.",
    role=Role.READ,
    raises=_UNKNOWN_NAME,
    positional=("name",),
    tool=Tool(
        "kg_timeline",
        "Tell the history of a name: its facts from all times, in their order.",
        _KNOWLEDGE,
        defaults={"limit": 50},
    ),
)
TRAVERSE_FACTS = Offer(
    "traverse_facts",
    "GET /v1/facts/traverse",
    TraversalQuery,
    FactTraversal,
    "Show the facts that connect a name with others over several steps, in either direction, the nearest first.",
    role=Role.READ,
    raises=_UNKNOWN_NAME,
    positional=("start",),
    tool=Tool(
        "kg_traverse",
        "Find what a name is connected with over several facts, in either direction.",
        _KNOWLEDGE,
        defaults={"limit": 50},
    ),
)
FACT_CONTRADICTIONS = Offer(
    "fact_contradictions",
    "GET /v1/facts/contradictions",
    ContradictionQuery,
    FoundContradictions,
    "Find pairs of facts that cannot both be true: two objects where there is one, or a fact and its inverse."
    " [knowledge] in the settings says which predicates have one object, and which are inverse to each other.",
    role=Role.READ,
    raises={
        InvalidInput: "a value is not valid, or the settings declare nothing of the predicate",
        NotFound: "the palace does not exist, or does not know the name",
    },
    tool=Tool(
        "kg_contradictions",
        "Find pairs of facts that cannot both be true, such as two employers at once.",
        _KNOWLEDGE,
        defaults={"limit": 50},
    ),
)
PROPOSE_FACTS = Offer(
    "propose_facts",
    "POST /v1/facts/propose",
    ProposalRequest,
    ProposalReport,
    "Let the extractor of [knowledge] extractor_url propose facts for drawers that it has not read.",
    role=Role.WRITE,
    more="Proposals have less confidence than 1 and the source `extractor`.",
    raises={
        InvalidInput: "no extractor is configured, or the number is out of range",
        NotFound: "the palace, the wing or the room does not exist",
        ExtractionFailed: "the endpoint cannot be reached, refuses, or gives no answer in time several times",
    },
    example={"wing": "people", "most": 100},
    lines="report",
)
FACT_STATS = Offer(
    "fact_stats",
    "GET /v1/facts/stats",
    CountQuery,
    FactStats,
    "Count the facts of a palace.",
    role=Role.READ,
    raises={NotFound: "the palace does not exist"},
    tool=Tool("kg_stats", "Count the facts: known, current, taken back, proposed, by predicate.", _KNOWLEDGE),
)
FACTS = Group(
    "Facts",
    "The part of a palace that knows facts.",
    (
        ADD_FACT,
        SUPERSEDE_FACT,
        INVALIDATE_FACT,
        FIND_FACTS,
        FACT_TIMELINE,
        TRAVERSE_FACTS,
        FACT_CONTRADICTIONS,
        PROPOSE_FACTS,
        FACT_STATS,
    ),
    more="A time is a text such as 2019, 2019-05, 2019-05-31 or 2019-05-31T14:30Z, a date or a datetime. Whatever has"
    " no zone is UTC. A fact holds from its first time on and before its second one.",
)

LIST_NAMES = Offer(
    "names.list",
    "GET /v1/names",
    NameQuery,
    NameList,
    "List the names that drawers mention, those with most drawers first.",
    role=Role.READ,
    raises={
        NotFound: "the palace or the wing does not exist",
        InvalidInput: "a value is out of its range",
    },
    positional=("query",),
    tool=Tool(
        "list_names",
        "List people, organisations, places and other things that the palace mentions, those with most drawers first."
        " Use it to find out how a name is written here, before show_name.",
        _KNOWLEDGE,
        defaults={"limit": 20},
    ),
)
SHOW_NAME = Offer(
    "names.page",
    "GET /v1/names/{name:path}",
    NamePageQuery,
    NamePage,
    "Show a name: its drawers, how many facts there are about it, and the names that share drawers with it.",
    role=Role.READ,
    raises={
        NotFound: "the palace has no such name, or does not exist",
        InvalidInput: "a value is out of its range",
    },
    positional=("name",),
    tool=Tool(
        "show_name",
        "Show what mentions a name, and which names occur together with it: everything about one person or thing.",
        _KNOWLEDGE,
        defaults={"limit": 5},
        without=frozenset({"offset"}),
    ),
)
DRAWER_NAMES = Offer(
    "names.of_drawers",
    "GET /v1/mentions",
    MentionQuery,
    list[DrawerNames],
    "List the names that drawers mention, in the order of the drawers. Drawers that do not exist are left out.",
    role=Role.READ,
    raises={
        NotFound: "the palace does not exist",
        InvalidInput: "there are no drawers, or too many",
    },
    positional=("drawers",),
    called={"drawers": "drawer"},
)
BUILD_NAMES = Offer(
    "names.build",
    "POST /v1/names/build",
    NamesToRead,
    NameReading,
    "Read the names of the drawers that are due: new and changed ones, and those that another recogniser has read.",
    role=Role.WRITE,
    raises={
        NotFound: "the palace does not exist",
        Conflict: "the settings choose no recogniser",
        NamesFailed: "the recogniser fails",
    },
    example={"again": False},
    lines="reading",
)
MERGE_NAMES = Offer(
    "names.merge",
    "POST /v1/names/merge",
    Merge,
    NameChange,
    "Merge a name into another that means the same, with its drawers and facts. `split` undoes it.",
    role=Role.WRITE,
    raises={
        NotFound: "the palace has no such name, or does not exist",
        InvalidInput: "both are the same already",
    },
    example={"name": "Ada Lovelace", "other": "Countess of Lovelace"},
    positional=("name", "other"),
    tool=Tool(
        "merge_names",
        "Say that two names mean one thing. Later texts follow it, and split_name undoes it.",
        _KNOWLEDGE,
    ),
)
SPLIT_NAME = Offer(
    "names.split",
    "POST /v1/names/split",
    Split,
    NameChange,
    "Take an alias out of a name, with the drawers and facts that it brought, or its mentions in some drawers."
    " `merge` undoes it.",
    role=Role.WRITE,
    more="What drawers mean by the name holds when names are read again.",
    raises={
        NotFound: "the palace has no such name, or the name no such alias, or a drawer does not mention it",
        InvalidInput: "there is neither an alias nor a drawer, or the alias means the name itself",
        Conflict: "the alias came with another name that was merged; that is to be split off first",
    },
    example={"name": "Ada Lovelace", "alias": "Countess of Lovelace"},
    positional=("name", "alias"),
    tool=Tool(
        "split_name",
        "Take an alias out of a name that it does not mean, or its mentions in some drawers."
        " Use drawers for two people of one name, which list_names and show_name tell under may_be_two.",
        _KNOWLEDGE,
    ),
)
NAMES = Group(
    "Names",
    "The names of a palace: people, organisations, places, events, works, concepts and things in code.",
    (LIST_NAMES, SHOW_NAME, DRAWER_NAMES, BUILD_NAMES, MERGE_NAMES, SPLIT_NAME),
)

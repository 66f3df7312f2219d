"""Runs: rankings that a palace keeps for a day, so that they can be fused, changed and looked through."""

from __future__ import annotations

from collections.abc import Mapping

from graphpalace.domain.access.caller import Role
from graphpalace.domain.runs.run import LaneAnswer, MultilaneAnswer, MutateAnswer, PeekAnswer, Provenance
from graphpalace.domain.runs.run_requests import (
    FulltextSearch,
    FusionChange,
    MultilaneSearch,
    PeekRequest,
    ProvenanceQuery,
    PublicationRequest,
    SemanticSearch,
    SnippetRequest,
)
from graphpalace.errors import EmptyQuery, GraphPalaceError, InvalidInput, NotFound, WrongDimension
from graphpalace.offers.offer import Group, Offer, Tool

_RUNS = ("runs",)
_WRONG_LANE: Mapping[type[GraphPalaceError], str] = {
    InvalidInput: "a value is out of its range",
    NotFound: "the palace, the wing or the room does not exist",
}
_WRONG_RUN: Mapping[type[GraphPalaceError], str] = {
    InvalidInput: "a value is out of its range",
    NotFound: "the run does not exist, or has expired",
}

FULLTEXT = Offer(
    "runs.fulltext",
    "POST /v1/runs/search_fulltext",
    FulltextSearch,
    LaneAnswer,
    "Search by words, keep the ranking as a run, and return its handle.",
    role=Role.READ,
    raises={EmptyQuery: "there is no word", **_WRONG_LANE},
    example={"q": "lock", "filters": {"ipc": ["H04L"]}, "top_k": 200},
    positional=("q",),
    tool=Tool(
        "search_fulltext",
        "Search by words, and keep the ranking as a run. The answer is a handle, not the documents."
        " Show them with peek_snippets, or fuse runs of the same question with rrf_blend_frontier.",
        _RUNS,
    ),
)
SEMANTIC = Offer(
    "runs.semantic",
    "POST /v1/runs/search_semantic",
    SemanticSearch,
    LaneAnswer,
    "Search by meaning, keep the ranking as a run, and return its handle.",
    role=Role.READ,
    raises={
        EmptyQuery: "there is neither a word nor an embedding",
        WrongDimension: "the embedding does not have the palace's dimension",
        **_WRONG_LANE,
    },
    example={"q": "lock", "filters": {"ipc": ["H04L"]}, "top_k": 200},
    positional=("q",),
    tool=Tool(
        "search_semantic",
        "Search by meaning, and keep the ranking as a run. The answer is a handle, as with search_fulltext.",
        _RUNS,
    ),
)
MULTILANE = Offer(
    "runs.multilane",
    "POST /v1/runs/multilane",
    MultilaneSearch,
    MultilaneAnswer,
    "Search several lanes at the same time, and keep a run of each.",
    role=Role.READ,
    more="If one of the searches is refused, nothing is searched.",
    raises={EmptyQuery: "a search has neither a word nor an embedding", **_WRONG_LANE},
    positional=("lanes",),
    tool=Tool(
        "run_multilane_search",
        "Search several lanes at the same time, and keep a run of each. The lane code takes a target_profile.",
        _RUNS,
    ),
)
PEEK = Offer(
    "runs.peek",
    "POST /v1/runs/peek_snippets",
    PeekRequest,
    PeekAnswer,
    "Show a page of a run, best documents first, which fits into a number of bytes.",
    role=Role.READ,
    more="By default, it shows title, abstract and claim of a publication, and title and text of others.",
    raises=_WRONG_RUN,
    positional=("run_id",),
    tool=Tool(
        "peek_snippets",
        "Show the documents of a run, best first, a page at a time within a budget of bytes.",
        _RUNS,
    ),
)
SNIPPETS = Offer(
    "runs.snippets",
    "POST /v1/runs/get_snippets",
    SnippetRequest,
    dict[str, dict[str, str]],
    "Show the fields of documents, by id: drawers, and publications by number.",
    role=Role.READ,
    raises={
        InvalidInput: "a value is out of its range, or a strategy needs words and there are none",
        NotFound: "a document does not exist",
    },
    positional=("ids",),
    tool=Tool("get_snippets", "Show some documents by their ids, in short.", _RUNS),
)
PUBLICATION = Offer(
    "runs.publication",
    "POST /v1/runs/get_publication",
    PublicationRequest,
    dict[str, dict[str, str]],
    "Show the fields of publications, by an id of their patent office, with longer texts than snippets.",
    role=Role.READ,
    raises={InvalidInput: "a value is out of its range", NotFound: "a publication does not exist"},
    positional=("ids",),
    tool=Tool(
        "get_publication",
        "Show publications by an id of their patent office, with longer texts than get_snippets. For close reading.",
        _RUNS,
    ),
)
MUTATE = Offer(
    "runs.mutate",
    "POST /v1/runs/mutate_run",
    FusionChange,
    MutateAnswer,
    "Fuse the lane runs of a fusion again with some values changed. The fusion stays as it is.",
    role=Role.READ,
    raises={
        InvalidInput: "nothing changes, the run is no fusion, or a value is out of its range",
        NotFound: "the run does not exist, or has expired",
    },
    positional=("run_id", "delta"),
    tool=Tool(
        "mutate_run",
        "Fuse the lanes of a fusion again with some values changed, without searching again. The old run stays.",
        _RUNS,
    ),
)
PROVENANCE = Offer(
    "runs.provenance",
    "GET /v1/runs/{run_id}/provenance",
    ProvenanceQuery,
    Provenance,
    "Show how a run was made: its recipe, ancestors, frontier, contributions and codes.",
    role=Role.READ,
    raises={NotFound: "the run does not exist, or has expired"},
    positional=("run_id",),
    tool=Tool(
        "get_provenance",
        "Show how a run was made: its recipe, ancestors, frontier, contributions of the lanes, and codes.",
        _RUNS,
    ),
)
LANE_SEARCHES = (FULLTEXT, SEMANTIC, MULTILANE)
READING = (PEEK, SNIPPETS, PUBLICATION, MUTATE, PROVENANCE)
KEPT_RUNS = Group("KeptRuns", "The runs of a palace, but for their fusion.", (*LANE_SEARCHES, *READING))

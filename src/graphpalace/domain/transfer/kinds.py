"""What an export contains: each kind of node and relationship of a palace, with its properties and their types.

A test compares this with docs/reference/graph.md, and that page is compared with the queries. So a label, a
relationship type or a property that is added to the graph must be declared here too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from graphpalace.domain.transfer.properties import EDGE_TRAIL, NODE_TRAIL, own_words, trailed, typed


@dataclass(frozen=True, slots=True)
class NodeKind:
    """A kind of node, and the file of its rows.

    Attributes:
        file: Name of the file without `.jsonl`.
        label: Label in the graph.
        key: Property that identifies a node. A state of a simulation is identified by `part` too.
        indexed: Property that every node has and that Neo4j finds it by, together with `palace`.
        properties: Type of each property.
        also: A further property of that index, which every node has too.
        content: Properties that must be the same in a palace and in an export, if both have the node.
        on_request: Whether it is exported only if runs are asked for.
        only_same_name: Whether it can only be imported into a palace of the same name.
    """

    file: str
    label: str
    indexed: str
    properties: Mapping[str, str]
    key: str = "id"
    also: str | None = None
    content: tuple[str, ...] = ()
    on_request: bool = False
    only_same_name: bool = False


@dataclass(frozen=True, slots=True)
class EdgeKind:
    """A kind of relationship between two kinds of nodes, and the file of its rows.

    Attributes:
        file: Name of the file without `.jsonl`.
        type: Type in the graph.
        source, target: Files of the kinds of its ends.
        both_ways: Whether a relationship in the other direction is the same one.
    """

    file: str
    type: str
    source: str
    target: str
    properties: Mapping[str, str] = field(default_factory=dict)
    content: tuple[str, ...] = ()
    both_ways: bool = False

    @property
    def on_request(self) -> bool:
        """Whether it is exported only if runs are asked for."""
        return NODES[self.source].on_request

    @property
    def only_same_name(self) -> bool:
        """Whether it can only be imported into a palace of the same name."""
        return NODES[self.source].only_same_name


_ENTITY = trailed(
    NODE_TRAIL,
    text="id name normalised_name entity_type",
    texts="aliases kept_apart",
    int="drawer_count",
    time="created_at",
)
_REFERENCE = trailed(EDGE_TRAIL, int="count", bool="is_title", text="titled", texts="names signs", ints="counts")

# In the order in which they are imported: what others refer to comes first.
_NODE_KINDS = (
    NodeKind(
        "palace",
        "Palace",
        "name",
        typed(
            text="id name schema_version embedding_model embedding_property next_model analyzer decay_lease_by "
            "importing words_renewed_to",
            texts="language_analyzers",
            int="embedding_dimension next_dimension revision settled_revision divided_revision learned forgot facts "
            "facts_forgot cycle decay_cycle decay_nodes decay_edges decay_pruned words_form",
            float="decay_seconds news_surprise news_doubt",
            time="created_at cycle_started_at decay_finished_at decay_lease_until dropped_at",
        ),
        key="name",
    ),
    NodeKind(
        "wings",
        "Wing",
        "name",
        trailed(NODE_TRAIL, text="id name wing_type language analyzer", time="created_at"),
        content=("wing_type",),
    ),
    NodeKind(
        "rooms",
        "Room",
        "name",
        trailed(NODE_TRAIL, text="id wing_id name hall_type found_by", bytes="centroid", time="created_at"),
        also="wing_id",
        content=("hall_type",),
    ),
    NodeKind(
        "closets",
        "Closet",
        "wing_id",
        trailed(
            NODE_TRAIL,
            text="id wing_id title source_uri media_type content_hash pub_id app_id exam_id family_id assignee country "
            "host conversation project filed_chain filed_last filed_stamp",
            texts="codes tags aliases",
            int="filed_turns",
            date="published",
            time="created_at ingested_at filed_at",
        ),
        content=("title", "source_uri", "media_type", "content_hash"),
    ),
    NodeKind(
        "drawers",
        "Drawer",
        "wing_id",
        trailed(
            NODE_TRAIL,
            text="id wing_id wing room_id room name text words title_words author conversation project turn names_due "
            "names_read imported",
            texts="headings facts given_names given_to",
            int="position start_line end_line narrative_cycle",
            float="pointer_share importance narrative_strength",
            time="occurred_at created_at changed_at facts_read_at",
            bytes="embedding embedding_int8 next_embedding narrative_vector",
        ),
        content=("text", "author", "occurred_at"),
    ),
    NodeKind(
        "earlier_texts",
        "DrawerText",
        "palace",
        typed(text="id text", time="since until"),
        content=("text",),
    ),
    NodeKind("entities", "Entity", "name", _ENTITY, content=("name", "entity_type")),
    NodeKind("merged_entities", "MergedEntity", "normalised_name", _ENTITY, content=("name", "entity_type")),
    NodeKind("agents", "Agent", "palace", typed(text="id name", time="created_at"), content=("name",)),
    NodeKind(
        "diary_entries",
        "DiaryEntry",
        "palace",
        typed(text="id topic text", time="written_at"),
        content=("topic", "text"),
    ),
    NodeKind("lanes", "Lane", "palace", typed(text="id name"), content=("name",)),
    NodeKind(
        "caller_documents",
        "CallerDocument",
        "namespace",
        trailed(
            NODE_TRAIL,
            text="id namespace name",
            int="narrative_cycle",
            float="narrative_strength",
            bytes="narrative_vector",
            time="created_at",
        ),
        content=("namespace", "name"),
    ),
    NodeKind(
        "feedback",
        "Feedback",
        "learned",
        typed(
            text="id asking query source deposit",
            texts="candidates other_lanes wings",
            int="cycle learned shown",
            float="answer_log_odds",
            bytes="question evidence log_odds other_evidence",
            time="given_at",
        ),
        content=("query", "candidates"),
    ),
    NodeKind(
        "deposits",
        "Deposit",
        "created_at",
        typed(
            text="id kind",
            texts="edges nodes",
            int="cycle revision",
            floats="success_before success_laid traversal_before traversal_laid recency_before recency_laid "
            "exploitation_before exploitation_laid",
            time="created_at",
        ),
        content=("kind", "edges", "nodes"),
    ),
    NodeKind(
        "pheromone_samples",
        "PheromoneSample",
        "cycle",
        typed(int="cycle", float="exploitation exploration success traversal recency", time="at"),
        key="cycle",
    ),
    NodeKind(
        "receipts",
        "ForgetReceipt",
        "palace",
        typed(text="id by", texts="kinds drawers closets", int="deleted facts", json="traces", time="at"),
        content=("deleted",),
    ),
    NodeKind("forgotten_marks", "ForgottenMark", "palace", typed(text="id closet", time="at"), content=("closet",)),
    NodeKind(
        "simulations",
        "Simulation",
        "palace",
        typed(
            text="name state query stopped_by error preset owner owner_name refusal request",
            json="settings corpus loading metrics results report unused_params",
            int="step docs agents seed lease_until asked_at claimed_at written_at viewed_at watched_at",
            float="steps_per_s began_at",
            time="updated_at",
        ),
        key="name",
        content=("query", "state", "step"),
        only_same_name=True,
    ),
    NodeKind(
        "simulation_states",
        "SimulationState",
        "palace",
        typed(text="simulation", int="part", bytes="data"),
        key="simulation",
        content=("data",),
        only_same_name=True,
    ),
    NodeKind(
        "simulation_jobs",
        "SimulationJob",
        "palace",
        typed(
            text="id simulation owner query status error",
            json="settings corpus shards results",
            int="seed heartbeat_at asked_at",
            float="progress",
            time="created_at",
        ),
        content=("query", "status"),
        only_same_name=True,
    ),
    NodeKind(
        "searches",
        "Search",
        "palace",
        typed(
            text="id query namespace",
            texts="candidates other_lanes",
            json="shares trails names",
            int="shown expires_ms",
            float="answer_log_odds",
            bytes="question evidence log_odds other_evidence",
        ),
        content=("query", "candidates"),
        on_request=True,
    ),
    NodeKind(
        "runs",
        "Run",
        "expires_at",
        typed(
            text="id kind lane parent",
            texts="history sources ids",
            json="recipe counts folded frontier contributions metrics",
            int="revision",
            floats="scores",
            time="created_at expires_at",
        ),
        content=("kind", "ids"),
        on_request=True,
    ),
)
NODES: Mapping[str, NodeKind] = {kind.file: kind for kind in _NODE_KINDS}

_TRAIL = typed(**EDGE_TRAIL)
_LANE_TRAIL = {name: kind for name, kind in _TRAIL.items() if not name.endswith("_cost")}
_EDGE_KINDS = (
    EdgeKind("contains", "CONTAINS", "palace", "wings", typed(float="base_cost current_cost")),
    EdgeKind("has_room", "HAS_ROOM", "wings", "rooms", _TRAIL),
    EdgeKind("has_drawer", "HAS_DRAWER", "closets", "drawers", _TRAIL),
    EdgeKind("has_closet", "HAS_CLOSET", "rooms", "closets", _TRAIL),
    EdgeKind("hall", "HALL", "rooms", "rooms", _TRAIL, both_ways=True),
    EdgeKind("tunnel", "TUNNEL", "rooms", "rooms", _TRAIL, both_ways=True),
    EdgeKind("similar_to", "SIMILAR_TO", "drawers", "drawers", trailed(EDGE_TRAIL, float="similarity"), both_ways=True),
    EdgeKind("had_text", "HAD_TEXT", "drawers", "earlier_texts"),
    EdgeKind("replaced_by", "REPLACED_BY", "drawers", "drawers", typed(time="since")),
    EdgeKind("news_on", "NEWS_ON", "drawers", "drawers", typed(float="probability supposed", bool="said")),
    EdgeKind("references", "REFERENCES", "drawers", "entities", _REFERENCE),
    EdgeKind("mentioned", "MENTIONED", "drawers", "merged_entities", _REFERENCE),
    EdgeKind("merged_into", "MERGED_INTO", "merged_entities", "entities", typed(texts="aliases", time="merged_at")),
    EdgeKind(
        "relates_to",
        "RELATES_TO",
        "entities",
        "entities",
        trailed(
            EDGE_TRAIL,
            text="id predicate superseded_by source",
            texts="drawers subjects_before objects_before",
            int="fact_revision",
            float="confidence",
            bool="stated",
            time="valid_from valid_to observed_at invalidated_at",
        ),
        content=("predicate", "valid_from", "valid_to", "invalidated_at"),
    ),
    EdgeKind("manages", "MANAGES", "palace", "agents"),
    EdgeKind("wrote", "WROTE", "agents", "diary_entries"),
    EdgeKind("kept_in", "KEPT_IN", "diary_entries", "drawers"),
    EdgeKind("answered_by", "ANSWERED_BY", "wings", "lanes", _LANE_TRAIL),
    EdgeKind("useful", "USEFUL", "feedback", "drawers", typed(float="reward"), ("reward",)),
    EdgeKind("useless", "USELESS", "feedback", "drawers", typed(float="reward"), ("reward",)),
    EdgeKind("useful_documents", "USEFUL", "feedback", "caller_documents", typed(float="reward"), ("reward",)),
    EdgeKind("useless_documents", "USELESS", "feedback", "caller_documents", typed(float="reward"), ("reward",)),
    EdgeKind("found", "FOUND", "simulations", "drawers", typed(int="rank", float="score")),
    EdgeKind("derived_from", "DERIVED_FROM", "runs", "runs"),
)
EDGES: Mapping[str, EdgeKind] = {kind.file: kind for kind in _EDGE_KINDS}
KINDS: Mapping[str, NodeKind | EdgeKind] = {**NODES, **EDGES}

# What an export leaves out, each with the reason.
LEFT_OUT = {
    "Change": "an entry of the change feed is for services that follow the palace; it is kept for a day",
    "WriteKey": "a key of a write is for who may send it to this database again; it is kept for some days",
    "ApiKey": "it belongs to the database, not to a palace; who imports an export decides anew who may read it",
    "BackupGate": "it is there only while a backup is made",
    "Restore": "it is there only until a backup of the whole database is restored",
    "__Neo4jMigration": "it belongs to the database; the manifest has the version of the schema",
}


def type_of(kind: NodeKind | EdgeKind, name: str) -> str | None:
    """Return the type of a property of a kind; None if it has no such property."""
    known = kind.properties.get(name)
    return "text" if known is None and kind.file == "drawers" and own_words(name) else known

"""All metrics of a process, in the order of docs/reference/metrics.md, which is made from them.

A gauge of the last group is set when somebody asks for the metrics. A label has few values: routes, names of query
files, lanes, models and palaces.
"""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram, Info, Summary

_LONG_S = (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)

HTTP_REQUESTS = Counter(
    "graphpalace_http_requests",
    "Requests that were answered; `route` is the template of the path, `unmatched` before there is one",
    ["method", "route", "status"],
)
HTTP_SECONDS = Histogram(
    "graphpalace_http_request_seconds", "Time from the arrival of a request to the end of its answer",
    ["method", "route"],
)  # fmt: skip
HTTP_UNDER_WAY = Gauge("graphpalace_http_under_way", "Requests in progress", ["kind"])
HTTP_WAITING = Gauge("graphpalace_http_waiting", "Requests waiting for their turn", ["kind"])
HTTP_TURNED_AWAY = Counter(
    "graphpalace_http_turned_away",
    "Requests refused because the service was busy; `why` is `full` if too many waited, `waited` if it waited too long",
    ["kind", "why"],
)
HTTP_LATE = Counter("graphpalace_http_late", "Requests that were not done in time", ["kind"])
MCP_CALLS = Counter(
    "graphpalace_mcp_calls", "Calls of MCP tools; `outcome` is `answered`, `failed` or `given_up`", ["tool", "outcome"]
)
MCP_SECONDS = Summary("graphpalace_mcp_call_seconds", "Time of calls of MCP tools", ["tool"])

STAGE_SECONDS = Histogram(
    "graphpalace_search_stage_seconds",
    "Time of a stage of a search; the lanes are stages, such as `semantic` and `fulltext`",
    ["stage"],
)
SEARCH_LEFT_OUT = Counter(
    "graphpalace_search_left_out",
    "Lanes and other parts that a search went without; `why` is `timeout` or `error`",
    ["part", "why"],
)
MODEL_SECONDS = Histogram(
    "graphpalace_model_seconds",
    "Time of a call of a model; `kind` is `texts` or `questions` for embeddings, else what a language model writes",
    ["model", "kind"],
    buckets=_LONG_S,
)
MODEL_TEXTS = Counter("graphpalace_model_texts", "Texts that were given to a model", ["model", "kind"])
MODEL_ERRORS = Counter("graphpalace_model_errors", "Calls of a model that failed", ["model", "kind"])

QUERY_SECONDS = Summary(
    "graphpalace_query_seconds", "Time of queries, by the name of their file below `cypher`", ["query"]
)
QUERY_ROWS = Counter("graphpalace_query_rows", "Rows that queries returned", ["query"])
QUERY_ERRORS = Counter("graphpalace_query_errors", "Queries that failed, each attempt counted", ["query"])
SLOW_QUERIES = Counter(
    "graphpalace_slow_queries", "Queries that took at least `[telemetry] slow_query_s` seconds", ["query"]
)
QUERY_RETRIES = Counter(
    "graphpalace_query_retries", "Repeated attempts, as a transaction was in another's way or Neo4j was not reached"
)

DECAY_SECONDS = Summary("graphpalace_decay_seconds", "Time of runs of the decay in this process")
DECAY_FAILURES = Counter("graphpalace_decay_failures", "Times that the scheduler of this process failed")
SETTLE_SECONDS = Summary(
    "graphpalace_settle_seconds", "Time of updates of centroids, halls and tunnels after writes of single drawers"
)
SETTLE_FAILURES = Counter("graphpalace_settle_failures", "Such updates that failed and are tried again")
JOBS_ENDED = Counter(
    "graphpalace_jobs_ended", "Background jobs that ended here; `status` is `done`, `failed` or `cancelled`", ["status"]
)
SIMULATION_CLIENTS = Gauge("graphpalace_simulation_clients", "Clients that watch simulations")
SIMULATION_CLIENTS_DROPPED = Counter(
    "graphpalace_simulation_clients_dropped", "Clients that were dropped because they took nothing for too long"
)

BUILD = Info("graphpalace_build", "The version of GraphPalace, as the label `version` of a 1")
DATABASE_REACHED = Gauge("graphpalace_database_reached", "Whether the service has reached its database since its start")
NEO4J_CONNECTIONS = Gauge(
    "graphpalace_neo4j_connections", "Open connections to Neo4j; `state` is `in_use` or `idle`", ["state"]
)
REPLICA_DRAWERS = Gauge("graphpalace_replica_drawers", "Drawers in memory", ["palace"])
REPLICA_BYTES = Gauge("graphpalace_replica_vectors_bytes", "Size of their vectors in memory", ["palace"])
REPLICA_LAG = Gauge(
    "graphpalace_replica_lag_revisions",
    "Writes to the palace that memory does not have yet, as far as this process knows",
    ["palace"],
)
REPLICA_FOLLOWED = Gauge(
    "graphpalace_replica_followed_timestamp_seconds",
    "When the service last took over what other processes wrote, in seconds since 1970",
)
DECAY_LAST_RUN = Gauge(
    "graphpalace_decay_last_run_timestamp_seconds",
    "When this process last applied the decay to a palace, in seconds since 1970",
    ["palace"],
)
BACKUP_MADE = Gauge(
    "graphpalace_backup_made_timestamp_seconds", "When this service made its last backup, in seconds since 1970"
)
BACKUP_BYTES = Gauge("graphpalace_backup_bytes", "Size of the last backup that this service made")
BACKUP_PAUSED = Gauge("graphpalace_backup_paused_seconds", "How long writers had to wait for the last backup")
SETTLE_WAITING = Gauge("graphpalace_settle_waiting", "Palaces that were written to and are not settled yet")
NAMES_WAITING = Gauge("graphpalace_names_waiting", "Palaces in which names are being read, or wait for it")
JOBS_UNDER_WAY = Gauge("graphpalace_jobs_under_way", "Background jobs that this process runs, or has in its queue")
SIMULATIONS_RUNNING = Gauge("graphpalace_simulations_running", "Simulations that make steps in this process")

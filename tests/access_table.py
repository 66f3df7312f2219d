"""What keys may do, written down apart from the code: for each route and MCP tool, the role and how far it reaches.

`any` answers every key; `part` shows each key its wings of a palace; `wing` is about a wing that the request names, or
a drawer in it; `palace` is about a whole palace; `all` is about everything that the service has.
"""

from __future__ import annotations

from dataclasses import dataclass

_ROUTES = """
read  any     GET /v1/palaces, GET /v1/status, GET /v1/mcmp/simulations
read  wing    POST /v1/search, POST /v1/drawers/check_duplicate, GET /v1/drawers, GET /v1/drawers/{drawer}
read  wing    GET /v1/drawers/{drawer}/history, GET /v1/conversations, GET /v1/conversations/{host}/{conversation}
read  part    GET /v1/wings, GET /v1/taxonomy
read  wing    GET /v1/rooms
write wing    POST /v1/drawers, POST /v1/drawers/batch, PATCH /v1/drawers/{drawer}, DELETE /v1/drawers/{drawer}
write wing    POST /v1/drawers/{drawer}/superseded, DELETE /v1/drawers/{drawer}/superseded, POST /v1/prune
write wing    POST /v1/messages, POST /v1/wings, POST /v1/rooms, POST /v1/feedback
write wing    POST /v1/ingest/plan, POST /v1/ingest/documents, POST /v1/ingest/content, POST /v1/conversations/content
admin wing    DELETE /v1/wings/{wing}, DELETE /v1/rooms/{room}, POST /v1/forget
read  palace  GET /v1/forget/receipts, GET /v1/agents, GET /v1/agents/{agent}/diary, GET /v1/wake-up, GET /v1/facts
read  palace  GET /v1/drawers/{drawer}/beside
read  palace  GET /v1/facts/timeline, GET /v1/facts/traverse, GET /v1/facts/contradictions, GET /v1/facts/stats
read  palace  GET /v1/names, GET /v1/names/{name}, GET /v1/mentions, GET /v1/tunnels, GET /v1/stats, GET /v1/map
read  palace  POST /v1/navigate, POST /v1/surroundings, GET /v1/pheromones/status, GET /v1/pheromones/hot
read  palace  GET /v1/pheromones/cold
read  palace  GET /v1/pheromones/history, GET /v1/decay, POST /v1/rerank, GET /v1/runs/{run_id}/provenance
read  palace  POST /v1/runs/search_fulltext, POST /v1/runs/search_semantic, POST /v1/runs/multilane
read  palace  POST /v1/runs/rrf_blend_frontier, POST /v1/runs/peek_snippets, POST /v1/runs/get_snippets
read  palace  POST /v1/runs/get_publication, POST /v1/runs/mutate_run, POST /v1/rerank/batch
read  palace  GET /v1/conversations/groups, GET /v1/feedback, GET /v1/feedback/shown/{run}, GET /v1/learned
read  palace  GET /v1/mcmp/settings, GET /v1/mcmp/status, POST /v1/mcmp/search, GET /v1/mcmp/results
read  palace  GET /v1/mcmp/report, GET /v1/mcmp/doc/{document}, GET /v1/mcmp/corpus/list, GET /v1/mcmp/jobs
write palace  POST /v1/agents/{agent}/diary, POST /v1/facts, POST /v1/facts/supersede, POST /v1/facts/invalidate
write palace  POST /v1/facts/propose, POST /v1/names/build, POST /v1/names/merge, POST /v1/names/split
write palace  POST /v1/explore, POST /v1/pheromones/deposit, DELETE /v1/feedback/{feedback}
write palace  POST /v1/mcmp/start, POST /v1/mcmp/stop, POST /v1/mcmp/reset, POST /v1/mcmp/pause, POST /v1/mcmp/resume
write palace  POST /v1/mcmp/agents/add, POST /v1/mcmp/agents/resize, POST /v1/mcmp/config, POST /v1/mcmp/settings
write palace  POST /v1/mcmp/jobs/start
admin palace  POST /v1/palaces, DELETE /v1/palaces/{palace}, POST /v1/palaces/reembed, POST /v1/decay
admin palace  POST /v1/export, POST /v1/import/begin, POST /v1/import/rows, POST /v1/import/finish, DELETE /v1/learned
read  all     GET /v1/hooks, GET /v1/mcmp/jobs/status, GET /metrics
write all     POST /v1/mcmp/jobs/cancel
admin all     POST /v1/ingest, POST /v1/conversations, POST /v1/hooks/{host}/{event}
admin all     GET /v1/keys, POST /v1/keys, DELETE /v1/keys/{key}, GET /v1/settings
"""
_TOOLS = """
read  part    get_taxonomy, list_wings
read  wing    search, open_drawer, list_rooms, check_duplicate
write wing    add_drawer, feedback, update_drawer, delete_drawer, add_wing, add_room
admin wing    forget
read  palace  list_agents, diary_read, wake_up, kg_query, kg_timeline, kg_traverse, kg_contradictions, kg_stats
read  palace  search_fulltext, search_semantic, run_multilane_search, rrf_blend_frontier, peek_snippets, get_snippets
read  palace  get_publication, mutate_run, get_provenance, rerank, list_names, show_name, pheromone_status, hot_paths
read  palace  cold_spots, palace_status, graph_stats, navigate, find_tunnels, simulation_get_results
read  palace  simulation_findings
write palace  diary_write, kg_add, kg_supersede, kg_invalidate, merge_names, split_name, pheromone_deposit, explore
write palace  simulation_run
admin palace  decay_now
"""
OPEN = {"GET /health/live", "GET /health/ready"}  # these need no key
_REACH = {
    "any": ("all", "palace", "wing", "other wing", "other palace"),
    "part": ("all", "palace", "wing", "other wing"),
    "wing": ("all", "palace", "wing"),
    "palace": ("all", "palace"),
    "all": ("all",),
}
_ORDER = ("read", "write", "admin")


@dataclass(frozen=True)
class Needed:
    """The role that something needs, and how far it reaches: `any`, `part`, `wing`, `palace` or `all`."""

    role: str
    reach: str

    def given_by(self, role: str, where: str) -> bool:
        """Return whether a key allows it, for a request about one palace and one wing of it.

        Args:
            where: What the key is for: `all`, `palace`, `wing`, `other wing` or `other palace`.
        """
        return where in _REACH[self.reach] and _ORDER.index(role) >= _ORDER.index(self.role)


def _read(table: str) -> dict[str, Needed]:
    found: dict[str, Needed] = {}
    for row in table.strip().splitlines():
        role, reach, names = row.split(maxsplit=2)
        found |= {name: Needed(role, reach) for name in names.split(", ")}
    return found


ROUTES = _read(_ROUTES)
TOOLS = _read(_TOOLS)

"""Simulations of a swarm, and background jobs. What starts or changes one takes any settings: it is written by hand."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from graphpalace.domain.access.caller import Role
from graphpalace.domain.simulation.jobs import JobList, JobStarted, JobStatus
from graphpalace.domain.simulation.simulation_requests import (
    AgentCount,
    AgentsChanged,
    AgentsToAdd,
    CorpusPage,
    CorpusQuery,
    CorpusQuestion,
    DescribedSettings,
    DocumentQuery,
    JobId,
    JobQuery,
    NamedSimulation,
    ResumeRequest,
    SimulationChanged,
    SimulationResults,
    SimulationStarted,
    SimulationStatus,
    SimulationStatuses,
    StatusesQuery,
    VisitedDocument,
)
from graphpalace.domain.simulation.simulations import Report
from graphpalace.errors import Conflict, GraphPalaceError, InvalidInput, NotFound
from graphpalace.offers.offer import Group, Offer

_UNKNOWN = "there is no simulation of that name"
_HELD = "another service holds it and does not answer"
_AGENTS: Mapping[type[GraphPalaceError], str] = {
    InvalidInput: "the number is out of its range, or there would be too many",
    NotFound: _UNKNOWN,
    Conflict: "it is not in memory, or another service holds it and does not answer",
}

# A simulation has a palace, but is known by its name in all of the database.
_offer = partial(Offer, of_palace=False, called={"name": "simulation"}, in_query=("name",), positional=("name",))
STOP = _offer(
    "simulations.stop",
    "POST /v1/mcmp/stop",
    NamedSimulation,
    SimulationChanged,
    "Stop a simulation, even while it is loading or another service holds it. Its results are kept.",
    raises={NotFound: _UNKNOWN, Conflict: _HELD},
)
RESET = _offer(
    "simulations.reset",
    "POST /v1/mcmp/reset",
    NamedSimulation,
    SimulationChanged,
    "Stop a simulation, and delete its state and results. Its settings are kept.",
    raises={NotFound: _UNKNOWN, Conflict: _HELD},
)
PAUSE = _offer(
    "simulations.pause",
    "POST /v1/mcmp/pause",
    NamedSimulation,
    SimulationChanged,
    "Pause a simulation, and keep its complete state.",
    raises={Conflict: "it does not run, or another service holds it and does not answer"},
)
RESUME = _offer(
    "simulations.resume",
    "POST /v1/mcmp/resume",
    ResumeRequest,
    SimulationStarted,
    "Continue a paused simulation, also after a restart of the service. It can pause again after some steps.",
    in_query=("name", "steps"),
    raises={
        NotFound: _UNKNOWN,
        Conflict: "it is over or was never started, or another service holds it and does not answer, or holds it and"
        " steps are given",
    },
)
ADD_AGENTS = _offer(
    "simulations.add_agents",
    "POST /v1/mcmp/agents/add",
    AgentsToAdd,
    AgentsChanged,
    "Add agents, which start at the question. All together may be 10,000.",
    raises=_AGENTS,
)
RESIZE_AGENTS = _offer(
    "simulations.resize_agents",
    "POST /v1/mcmp/agents/resize",
    AgentCount,
    AgentsChanged,
    "Set the number of agents. If there are too many, the newest go.",
    raises=_AGENTS,
)
SETTINGS = _offer(
    "simulations.settings",
    "GET /v1/mcmp/settings",
    NamedSimulation,
    DescribedSettings,
    "Show the settings of the next start, and for each its type, default, range and description.",
)
STATUS = _offer(
    "simulations.status",
    "GET /v1/mcmp/status",
    NamedSimulation,
    SimulationStatus,
    "Show the status of a simulation; it is idle if there is none of that name.",
)
STATUSES = Offer(
    "simulations.statuses",
    "GET /v1/mcmp/simulations",
    StatusesQuery,
    SimulationStatuses,
    "Show the status of every simulation of the database, running or kept.",
    of_palace=False,
    gives="simulations",
)
SEARCH = Offer(
    "simulations.search",
    "POST /v1/mcmp/search",
    CorpusQuestion,
    SimulationResults,
    "Search the documents of a simulation for another question, with the visits so far.",
    of_palace=False,
    raises={InvalidInput: "a value is out of its range", NotFound: _UNKNOWN},
    positional=("query",),
    called={"name": "simulation"},
    in_query=("name",),
)
RESULTS = _offer(
    "simulations.results",
    "GET /v1/mcmp/results",
    NamedSimulation,
    SimulationResults,
    "Show the results so far, or those at the end, best first.",
    raises={NotFound: _UNKNOWN},
)
REPORT = _offer(
    "simulations.report",
    "GET /v1/mcmp/report",
    NamedSimulation,
    Report,
    "Show the latest report; a simulation writes reports if its setting `report_enabled` is on.",
    raises={NotFound: "there is no simulation of that name, or it has no report"},
)
DOCUMENT = Offer(
    "simulations.document",
    "GET /v1/mcmp/doc/{document:path}",
    DocumentQuery,
    VisitedDocument,
    "Show a document of a simulation with its text, its relevance and its visits.",
    of_palace=False,
    raises={NotFound: "there is no such document or simulation"},
    positional=("document",),
    called={"name": "simulation"},
)
CORPUS = _offer(  # the client's method leaves out no folder if it is given no names
    "simulations.corpus",
    "GET /v1/mcmp/corpus/list",
    CorpusQuery,
    CorpusPage,
    "List the documents of a simulation, or the files that a start with a folder would read.",
)
KEPT_SIMULATIONS = Group(
    "KeptSimulations",
    "Simulations by name, but for their start and their settings.",
    (
        STOP,
        RESET,
        PAUSE,
        RESUME,
        ADD_AGENTS,
        RESIZE_AGENTS,
        SETTINGS,
        STATUS,
        STATUSES,
        SEARCH,
        RESULTS,
        REPORT,
        DOCUMENT,
    ),
)

JOB_STATUS = Offer(
    "jobs.status",
    "GET /v1/mcmp/jobs/status",
    JobId,
    JobStatus,
    "Show a job with its progress and its results so far.",
    of_palace=False,
    raises={NotFound: "there is no such job"},
    positional=("job",),
    called={"job": "job_id"},
)
CANCEL_JOB = Offer(
    "jobs.cancel",
    "POST /v1/mcmp/jobs/cancel",
    JobId,
    JobStarted,
    "Cancel a job that is queued or running. Its results so far are kept.",
    of_palace=False,
    raises={NotFound: "there is no such job", Conflict: "it is done or has failed"},
    positional=("job",),
    called={"job": "job_id"},
)
LIST_JOBS = Offer(
    "jobs.list",
    "GET /v1/mcmp/jobs",
    JobQuery,
    JobList,
    "List the jobs of the palace, newest first.",
    role=Role.READ,
    raises={NotFound: "the palace does not exist"},
    gives="jobs",
)
QUEUED_JOBS = Group(
    "QueuedJobs", "The background jobs of a palace, but for their start.", (JOB_STATUS, CANCEL_JOB, LIST_JOBS)
)

"""What hooks of hosts ask for, and when they ran."""

from __future__ import annotations

from graphpalace.domain.hooks import HookAnswer, HookQuery, HookReport, HookRequest
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.offers.offer import Group, Offer

REPORT = Offer(
    "hooks.report",
    "GET /v1/hooks",
    HookQuery,
    HookReport,
    "Show which hooks of hosts are installed, when each ran last, how long it took, and what went wrong.",
    of_palace=False,
    more="What is installed is read from the files of the user that the service runs as, not from those of projects.",
)
RUN = Offer(  # the route is written by hand, as it sees whether the host still listens
    "hooks.run",
    "POST /v1/hooks/{host}/{event}",
    HookRequest,
    HookAnswer,
    "Do what a hook of a host asks for, and return what the host shall read.",
    more="At the begin of a session it is what to know now, for a prompt what fits it well, and at other events"
    " nothing: then the conversation is filed from its transcript on the service's machine, in the background.",
    raises={
        NotFound: "the palace does not exist",
        InvalidInput: "the host has no such event, or the service may not read its transcript",
    },
    example={
        "input": {
            "session_id": "0f8fad5b-d9cb-469f-a165-70867728950e",
            "transcript_path": "/home/ann/.claude/projects/-home-ann-greenhouse/0f8fad5b.jsonl",
            "cwd": "/home/ann/greenhouse",
            "hook_event_name": "UserPromptSubmit",
            "prompt": "When does the valve open?",
        }
    },
    positional=("host", "event", "input"),
)
HOOKS = Group("Hooks", "The hooks of hosts of agents, which `graphpalace install` sets up.", (REPORT, RUN))

"""What schemathesis needs to know of the service beyond its OpenAPI description; `schemathesis.toml` loads it."""

from __future__ import annotations

import json
import os
import re
import uuid
from typing import Any

import schemathesis
from schemathesis.checks import CheckContext
from schemathesis.openapi.checks import RejectedPositiveData
from schemathesis.specs.openapi.checks import positive_data_acceptance

NEW_PALACE = "made_by_schemathesis"
CASES = int(os.environ.get("GRAPHPALACE_FUZZ_CASES", "0"))  # of `make fuzz`; 0: a test
# Rules that no JSON schema says, or that depend on settings, on files or on the clock: a request that breaks one is as
# described, and is refused. Each is the beginning or another part of the message.
_RULES = re.compile(
    "|".join(
        (
            # Names: patterns of JSON Schema know no classes of Unicode.
            r"which has no visible character",
            r"without blanks at the start or end",
            r"must have at least one letter or digit",
            r"on one line, without control characters and invisible characters",
            # Days that a month does not have, and moments beyond the years 1 to 9999.
            r"it must be a time such as 2019",
            r"it must be in the years 1 to 9999",
            r"it must be a date or time as text",
            r"it must be a time with its zone",
            # Fields that depend on each other.
            r"it must be before until",
            r"^query is empty",
            r"^q is empty",
            r"^give documents or drawer_ids, but not both",
            r"^give either fact, or subject, predicate and object",
            r"^give either the run of a search or its question",
            r"^nothing is chosen: give",
            r"^target_profile ",
            r"^the lane \w+ takes no",
            r"^delta is empty",
            r"for success it must have",
            r"twice; give it once",
            r"^event is ",
            r"^confirm is ",
            r"^there is nothing to change",
            r"and a source is given too",
            r"it must be another name",
            r"for all wings of the palace, write",
            r"at least one archetype must have a share",
            r"^success needs selected_ids",
            r"^regex is true, but there is no pattern",
            r"; name its wing too",
            r"but a job deposits nothing",
            r"it must not be above",
            r"which (a|the) publication .*does not have",
            r"^name at least one drawer",
            r"write HOST/ID",
            # Of the palace or the settings.
            r"^budget_bytes is \d+; it must be",
            r"the vectors of this palace have",
            r"folders allows",
            r"which the settings do not declare",
            r"^no extractor is configured",
            r"^ids has \d+ items",
            r"^the batch has \d+ items",
            # Of the machine or the moment.
            r"it must be an absolute path",
            r"it must be in the future",
            # Expressions of a language of their own, and rows of an export.
            r"^filters",
            r"^target_profile\.",
            r"^offset is ",
            r"must be the `next` of a page",
            r"^preset is ",
            r"is no transcript of",
            r"^\w+ \d+: ",
        )
    )
)


@schemathesis.check
def described_requests_are_accepted(ctx: CheckContext, response: schemathesis.Response, case: schemathesis.Case) -> Any:
    """As `positive_data_acceptance`, but for the rules above.

    Only `make fuzz` checks it: which rules are met depends on what is in the palace, and somebody reads what it finds.
    """
    if not CASES:
        return None
    try:
        return positive_data_acceptance(ctx, response, case)
    except RejectedPositiveData:
        if not _RULES.search(json.loads(response.content)["error"]["message"]):
            raise


@schemathesis.hook
def before_call(ctx: Any, case: schemathesis.Case, kwargs: Any) -> None:
    """Give each good request a key of its own, and create few palaces.

    The same key with another request is refused. After a new palace, with its indexes, Neo4j plans all queries anew.
    """
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = uuid.uuid4().hex
    if isinstance(case.body, dict):
        if case.operation.label == "POST /v1/palaces":
            case.body["name"] = NEW_PALACE
        if case.operation.label == "POST /v1/import/begin":
            case.body["palace"] = NEW_PALACE

"""All errors of GraphPalace.

    GraphPalaceError
    ├── InvalidInput              a value given by the caller cannot be used
    │   ├── EmptyQuery
    │   ├── WrongDimension
    │   ├── UnreadableDocument
    │   └── SettingsInvalid
    ├── NotFound                  something named by the caller is not there
    ├── Conflict                  the state of the palace forbids it
    │   ├── MigrationChanged
    │   ├── ModelMismatch
    │   ├── DecayRunning
    │   └── SchemaTooNew
    ├── Unauthorized
    ├── TooLarge
    ├── BadRequest                more is asked for than is allowed
    ├── RateLimited
    ├── Overloaded                more requests than the service does at once
    ├── SearchTimedOut            no lane of a search answered in its time
    ├── DatabaseUnavailable       Neo4j cannot be reached, or not now
    │   ├── DatabaseAuthFailed
    │   ├── DatabaseBusy          what others do there stands in the way
    │   └── DatabaseBroken        it has given its database up and must be started again
    ├── DatabaseFailed            Neo4j refused a query
    ├── ManagedServerError        the Neo4j that GraphPalace starts itself
    │   ├── PortTaken
    │   ├── DownloadFailed
    │   ├── ArtifactMissing
    │   ├── ChecksumMismatch
    │   ├── NotEnoughDisk
    │   ├── JavaMissing
    │   └── ServerDidNotStart
    ├── EmbeddingFailed           the embedding model or endpoint failed
    ├── ReportFailed              the endpoint that writes reports failed
    └── JobFailed                 a background job failed

Every error has a stable `code` for programs, a `message` that says what was wrong and what would be right,
and a `detail` of JSON values. What may succeed a little later has `retry_after_s`, which HTTP tells as Retry-After;
one in the detail goes before it. `STATUS` maps codes to HTTP statuses and `EXIT` to exit codes of the command line.
"""

from __future__ import annotations

from typing import Any, ClassVar


class GraphPalaceError(Exception):
    """Something went wrong in GraphPalace."""

    code: ClassVar[str] = "INTERNAL_ERROR"
    retry_after_s: ClassVar[int | None] = None

    def __init__(self, message: str | None = None, **detail: Any) -> None:
        self.message = message or " ".join((type(self).__doc__ or "").split())
        self.detail = detail
        super().__init__(self.message)


class InvalidInput(GraphPalaceError):
    """The input is not valid."""

    code = "VALIDATION_ERROR"


class EmptyQuery(InvalidInput):
    """query is empty: give at least one word, or a query_embedding."""

    code = "EMPTY_QUERY"


class WrongDimension(InvalidInput):
    """The embedding has another dimension than the palace."""

    code = "WRONG_DIMENSION"


class UnreadableDocument(InvalidInput):
    """The document cannot be read."""

    code = "UNREADABLE_DOCUMENT"


class SettingsInvalid(InvalidInput):
    """The settings are not valid."""

    code = "SETTINGS_INVALID"


class NotFound(GraphPalaceError):
    """There is nothing of that name here."""

    code = "NOT_FOUND"


class Conflict(GraphPalaceError):
    """The state of the palace forbids this."""

    code = "CONFLICT"


class MigrationChanged(Conflict):
    """A migration that was already applied has been changed since."""

    code = "MIGRATION_CHANGED"


class SchemaTooNew(Conflict):
    """The database was migrated by a newer version of GraphPalace: upgrade this one."""

    code = "SCHEMA_TOO_NEW"


class ModelMismatch(Conflict):
    """The palace was made with another embedding model."""

    code = "MODEL_MISMATCH"


class DecayRunning(Conflict):
    """Another service is running the decay of this palace."""

    code = "DECAY_RUNNING"


class Unauthorized(GraphPalaceError):
    """An API key is needed: send it as `Authorization: Bearer KEY`."""

    code = "UNAUTHORIZED"


class TooLarge(GraphPalaceError):
    """The request is too large."""

    code = "ENTITY_TOO_LARGE"


class BadRequest(GraphPalaceError):
    """More is asked for than is allowed."""

    code = "BAD_REQUEST"


class RateLimited(GraphPalaceError):
    """Too many requests: ask again a little later."""

    code = "RATE_LIMITED"


class Overloaded(GraphPalaceError):
    """The service has more to do than it can: ask again a little later."""

    code = "OVERLOADED"
    retry_after_s = 1


class SearchTimedOut(GraphPalaceError):
    """No lane of the search answered in its time: ask again a little later."""

    code = "SEARCH_TIMED_OUT"
    retry_after_s = 2


class DatabaseUnavailable(GraphPalaceError):
    """Neo4j cannot be reached."""

    code = "DATABASE_UNAVAILABLE"
    retry_after_s = 1


class DatabaseAuthFailed(DatabaseUnavailable):
    """Neo4j refused the user or the password."""

    code = "DATABASE_AUTH_FAILED"
    retry_after_s = None


class DatabaseBusy(DatabaseUnavailable):
    """Neo4j is busy with the work of others: ask again a little later."""

    code = "DATABASE_BUSY"


class DatabaseBroken(DatabaseUnavailable):
    """Neo4j runs, but has given its database up: it must be started again."""

    code = "DATABASE_BROKEN"
    retry_after_s = 30


class DatabaseFailed(GraphPalaceError):
    """Neo4j could not run a query."""

    code = "DATABASE_FAILED"


class ManagedServerError(GraphPalaceError):
    """The managed Neo4j server has a problem."""

    code = "MANAGED_SERVER_ERROR"


class PortTaken(ManagedServerError):
    """Another program listens on a port that Neo4j needs."""

    code = "PORT_TAKEN"


class DownloadFailed(ManagedServerError):
    """A download broke off; what was fetched is kept, run the same command again."""

    code = "DOWNLOAD_FAILED"


class ArtifactMissing(ManagedServerError):
    """The repository does not have a pinned file."""

    code = "ARTIFACT_MISSING"


class ChecksumMismatch(ManagedServerError):
    """A file does not have the pinned checksum."""

    code = "CHECKSUM_MISMATCH"


class NotEnoughDisk(ManagedServerError):
    """There is too little free disk space."""

    code = "NOT_ENOUGH_DISK"


class JavaMissing(ManagedServerError):
    """No Java 21 or later was found."""

    code = "JAVA_MISSING"


class ServerDidNotStart(ManagedServerError):
    """Neo4j did not become ready."""

    code = "SERVER_DID_NOT_START"


class EmbeddingFailed(GraphPalaceError):
    """The embedding model failed."""

    code = "EMBEDDING_FAILED"


class ReportFailed(GraphPalaceError):
    """The endpoint that writes reports failed."""

    code = "REPORT_FAILED"


class JobFailed(GraphPalaceError):
    """A background job failed."""

    code = "JOB_FAILED"


def every_error() -> list[type[GraphPalaceError]]:
    """Return the base class and all its descendants, parents first."""
    found: list[type[GraphPalaceError]] = [GraphPalaceError]
    for parent in found:
        found.extend(parent.__subclasses__())
    return found


# HTTP status and exit code of each family; a class without an entry has its parent's.
_DOORS: dict[type[GraphPalaceError], tuple[int, int]] = {
    GraphPalaceError: (500, 1),
    InvalidInput: (422, 2),
    NotFound: (404, 3),
    Conflict: (409, 4),
    Unauthorized: (401, 5),
    TooLarge: (413, 2),
    BadRequest: (400, 2),
    RateLimited: (429, 10),
    Overloaded: (503, 10),
    SearchTimedOut: (503, 10),
    DatabaseUnavailable: (503, 6),
    DatabaseFailed: (500, 7),
    ManagedServerError: (503, 8),
    EmbeddingFailed: (502, 9),
    ReportFailed: (502, 9),
}


def _nearest(error: type[GraphPalaceError]) -> tuple[int, int]:
    return next(_DOORS[ancestor] for ancestor in error.__mro__ if ancestor in _DOORS)


STATUS: dict[str, int] = {error.code: _nearest(error)[0] for error in every_error()}
EXIT: dict[str, int] = {error.code: _nearest(error)[1] for error in every_error()}

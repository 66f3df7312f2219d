"""All errors of GraphPalace.

    GraphPalaceError
    ├── InvalidInput              a value from the caller is missing, unknown or out of range
    │   ├── EmptyQuery, WrongDimension, UnreadableDocument, SettingsInvalid
    │   └── KeyReused             a key of a write was sent with another request before
    ├── NotFound                  something that the caller named does not exist
    ├── Conflict                  the current state of the palace does not allow it
    │   ├── MigrationChanged, ModelMismatch, DecayRunning, RestoreUnfinished, SchemaTooNew
    │   ├── FiledMeanwhile        another process filed the conversation; it is filed anew from there
    │   ├── SimilarMeanwhile      others store similar texts all the time
    │   └── StillInProgress       the same request with the same key has not ended yet
    ├── Unauthorized, Forbidden   there is no API key, or it does not allow it
    ├── TooLarge, BadRequest      the request is too long, or asks for more than is allowed
    ├── RateLimited
    ├── TookTooLong               the time for a request is over
    ├── Overloaded                more requests than the service processes at once
    ├── SearchTimedOut            no lane of a search answered in time
    ├── DatabaseUnavailable       Neo4j cannot be reached at the moment
    │   ├── DatabaseAuthFailed
    │   ├── DatabaseBusy          other transactions are in the way
    │   ├── DatabaseBroken        Neo4j stopped serving its database and must be restarted
    │   ├── DatabaseReadOnly      Neo4j takes no writes
    │   └── DatabaseOutOfMemory   Neo4j may not use as much memory as the transaction needs
    ├── ServiceUnavailable        the GraphPalace service cannot be reached
    ├── DatabaseFailed            Neo4j rejected a query
    ├── ManagedServerError        the Neo4j that GraphPalace starts itself
    │   └── PortTaken, DownloadFailed, ArtifactMissing, ChecksumMismatch, NotEnoughDisk, JavaMissing, ServerDidNotStart
    ├── EmbeddingFailed           the embedding model or endpoint failed
    ├── NamesFailed               the model that finds names in texts failed
    ├── ReportFailed, ExtractionFailed
    ├── JobFailed                 a background job failed
    └── ClusterFailed             the Ray cluster of a command cannot be joined, or is gone

Every error has a stable `code` for programs, a `message` that says what is wrong and what is expected, and a `detail`
of JSON values. An error that may go away soon has `retry_after_s`, in seconds; HTTP sends it as Retry-After. A value of
that name in `detail` takes precedence. `error_codes` has the HTTP status and the exit code of each.
"""

from __future__ import annotations

from typing import Any, ClassVar


class GraphPalaceError(Exception):
    """Something went wrong in GraphPalace."""

    code: ClassVar[str] = "INTERNAL_ERROR"
    retry_after_s: ClassVar[int | None] = None
    request_id = ""  # that the service's log has it under, if the service answered with it

    def __init__(self, message: str | None = None, **detail: Any) -> None:
        self.message = message or " ".join((type(self).__doc__ or "").split())
        self.detail = detail
        super().__init__(self.message)


class InvalidInput(GraphPalaceError):
    """The input is not valid."""

    code = "VALIDATION_ERROR"


class EmptyQuery(InvalidInput):
    """query is empty; give at least one word."""

    code = "EMPTY_QUERY"


class WrongDimension(InvalidInput):
    """The embedding does not have the palace's dimension."""

    code = "WRONG_DIMENSION"


class UnreadableDocument(InvalidInput):
    """The document cannot be read."""

    code = "UNREADABLE_DOCUMENT"


class KeyReused(InvalidInput):
    """The Idempotency-Key was sent with another request before. Send a new key with a new request."""

    code = "KEY_REUSED"


class SettingsInvalid(InvalidInput):
    """The settings are not valid."""

    code = "SETTINGS_INVALID"


class NotFound(GraphPalaceError):
    """Nothing with this name exists."""

    code = "NOT_FOUND"


class Conflict(GraphPalaceError):
    """The current state of the palace does not allow this."""

    code = "CONFLICT"


class MigrationChanged(Conflict):
    """A migration was changed after it was applied."""

    code = "MIGRATION_CHANGED"


class SchemaTooNew(Conflict):
    """A newer version of GraphPalace migrated this database. Upgrade GraphPalace."""

    code = "SCHEMA_TOO_NEW"


class RestoreUnfinished(Conflict):
    """The database has only a part of a backup. Run `graphpalace restore` with the same file again."""

    code = "RESTORE_UNFINISHED"


class ModelMismatch(Conflict):
    """The palace was created with another embedding model."""

    code = "MODEL_MISMATCH"


class DecayRunning(Conflict):
    """Another service is running the decay of this palace."""

    code = "DECAY_RUNNING"


class FiledMeanwhile(Conflict):
    """Another process has filed this conversation meanwhile. File it again; nothing is doubled."""

    code = "FILED_MEANWHILE"


class SimilarMeanwhile(Conflict):
    """Others have stored similar texts again and again meanwhile. Add the text again."""

    code = "SIMILAR_MEANWHILE"
    retry_after_s = 1


class StillInProgress(Conflict):
    """A request with the same Idempotency-Key is still in progress. Send it again in a moment."""

    code = "STILL_IN_PROGRESS"
    retry_after_s = 1


class Unauthorized(GraphPalaceError):
    """The API key is missing or wrong. Send it as `Authorization: Bearer KEY`."""

    code = "UNAUTHORIZED"


class Forbidden(GraphPalaceError):
    """The API key does not allow this."""

    code = "FORBIDDEN"


class TooLarge(GraphPalaceError):
    """The request is too large."""

    code = "ENTITY_TOO_LARGE"


class BadRequest(GraphPalaceError):
    """The request asks for more than is allowed."""

    code = "BAD_REQUEST"


class RateLimited(GraphPalaceError):
    """There were too many requests. Try again later."""

    code = "RATE_LIMITED"


class Overloaded(GraphPalaceError):
    """The service has too many requests to process. Try again later."""

    code = "OVERLOADED"
    retry_after_s = 1


class TookTooLong(GraphPalaceError):
    """The request was not done in time. Try again later."""

    code = "TOOK_TOO_LONG"
    retry_after_s = 2


class SearchTimedOut(GraphPalaceError):
    """No lane of the search answered in time. Try again later."""

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
    """Neo4j is busy with other transactions. Try again later."""

    code = "DATABASE_BUSY"


class DatabaseBroken(DatabaseUnavailable):
    """Neo4j is running but has stopped serving its database. Restart it."""

    code = "DATABASE_BROKEN"
    retry_after_s = 30


class DatabaseReadOnly(DatabaseUnavailable):
    """Neo4j takes no writes."""

    code = "DATABASE_READ_ONLY"
    retry_after_s = 30


class DatabaseOutOfMemory(DatabaseUnavailable):
    """Neo4j may not use as much memory as the transaction needs. Send less at once, or raise its limit."""

    code = "DATABASE_OUT_OF_MEMORY"
    retry_after_s = 5


class DatabaseFailed(GraphPalaceError):
    """Neo4j could not run a query."""

    code = "DATABASE_FAILED"


class ServiceUnavailable(GraphPalaceError):
    """The GraphPalace service cannot be reached. Start it with `graphpalace up`."""

    code = "SERVICE_UNAVAILABLE"
    retry_after_s = 1


class ManagedServerError(GraphPalaceError):
    """The managed Neo4j server has a problem."""

    code = "MANAGED_SERVER_ERROR"


class PortTaken(ManagedServerError):
    """Another program uses a port that Neo4j needs."""

    code = "PORT_TAKEN"


class DownloadFailed(ManagedServerError):
    """A download was interrupted. Run the command again; it continues with the missing files."""

    code = "DOWNLOAD_FAILED"


class ArtifactMissing(ManagedServerError):
    """The repository does not have a required file."""

    code = "ARTIFACT_MISSING"


class ChecksumMismatch(ManagedServerError):
    """A file does not have the expected checksum."""

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


class NamesFailed(GraphPalaceError):
    """The model that finds names in texts failed."""

    code = "NAMES_FAILED"


class ReportFailed(GraphPalaceError):
    """The endpoint that writes reports failed."""

    code = "REPORT_FAILED"


class ExtractionFailed(GraphPalaceError):
    """The endpoint that proposes facts failed."""

    code = "EXTRACTION_FAILED"


class JobFailed(GraphPalaceError):
    """A background job failed."""

    code = "JOB_FAILED"


class ClusterFailed(GraphPalaceError):
    """The Ray cluster failed. What is stored is kept: run the same command again to go on."""

    code = "CLUSTER_FAILED"


def every_error() -> list[type[GraphPalaceError]]:
    """Return the base class and all its subclasses, parents first."""
    found: list[type[GraphPalaceError]] = [GraphPalaceError]
    for parent in found:
        found.extend(parent.__subclasses__())
    return found

"""The HTTP status and the exit code of each error, by its code."""

from __future__ import annotations

from graphpalace.errors import (
    BadRequest,
    ClusterFailed,
    Conflict,
    DatabaseFailed,
    DatabaseUnavailable,
    EmbeddingFailed,
    ExtractionFailed,
    Forbidden,
    GraphPalaceError,
    InvalidInput,
    ManagedServerError,
    NamesFailed,
    NotFound,
    Overloaded,
    RateLimited,
    ReportFailed,
    SearchTimedOut,
    ServiceUnavailable,
    TookTooLong,
    TooLarge,
    Unauthorized,
    every_error,
)

# A class without an entry has those of its parent.
_DOORS: dict[type[GraphPalaceError], tuple[int, int]] = {
    GraphPalaceError: (500, 1),
    InvalidInput: (422, 2),
    NotFound: (404, 3),
    Conflict: (409, 4),
    Unauthorized: (401, 5),
    Forbidden: (403, 5),
    TooLarge: (413, 2),
    BadRequest: (400, 2),
    RateLimited: (429, 10),
    Overloaded: (503, 10),
    TookTooLong: (503, 10),
    SearchTimedOut: (503, 10),
    DatabaseUnavailable: (503, 6),
    DatabaseFailed: (500, 7),
    ServiceUnavailable: (503, 11),
    ClusterFailed: (503, 11),
    ManagedServerError: (503, 8),
    EmbeddingFailed: (502, 9),
    NamesFailed: (502, 9),
    ReportFailed: (502, 9),
    ExtractionFailed: (502, 9),
}


def _nearest(error: type[GraphPalaceError]) -> tuple[int, int]:
    return next(_DOORS[ancestor] for ancestor in error.__mro__ if ancestor in _DOORS)


STATUS: dict[str, int] = {error.code: _nearest(error)[0] for error in every_error()}
EXIT: dict[str, int] = {error.code: _nearest(error)[1] for error in every_error()}

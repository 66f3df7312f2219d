"""What is known of a publication beside its text: ids of its office, family, owner, day and classification codes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Publication:
    """The facts of one publication; its closet has a property for each, None where a fact is not known.

    Attributes:
        pub_id: Publication number.
        app_id: Application number.
        exam_id: Number of the examined document.
        family_id: The same for all publications of one invention.
        assignee: Who owns it.
        country: Office that published it, two letters.
        published: Day of publication.
        codes: Each with its scheme, as `cpc:H04L9/32`, in the order of the source, without repetitions.
    """

    pub_id: str
    app_id: str | None = None
    exam_id: str | None = None
    family_id: str | None = None
    assignee: str | None = None
    country: str | None = None
    published: date | None = None
    codes: tuple[str, ...] = ()

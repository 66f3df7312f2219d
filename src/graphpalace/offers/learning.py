"""Feedback, and what is learned from it."""

from __future__ import annotations

from graphpalace.domain.access.caller import Role
from graphpalace.domain.learning.feedback_requests import (
    FeedbackQuery,
    FeedbackReceipt,
    FeedbackRequest,
    FeedbackToTakeBack,
    Forgotten,
    LearnedQuery,
    LearnedState,
    ListedFeedback,
    ShownQuery,
)
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.offers.offer import Group, Offer

GIVE_FEEDBACK = Offer(
    "feedback",
    "POST /v1/feedback",
    FeedbackRequest,
    FeedbackReceipt,
    "Mark drawers or documents of an answer as useful or useless. Later answers learn from this.",
    raises={
        InvalidInput: "there is nothing to learn from, or a value is out of its range",
        NotFound: "the run or something that is judged is not known",
    },
    example={"run": "search-0123456789ab", "useful": ["drawer-1"], "useless": [{"id": "drawer-2", "reward": 0.5}]},
    positional=("run",),
)
LIST_FEEDBACK = Offer(
    "feedbacks",
    "GET /v1/feedback",
    FeedbackQuery,
    list[ListedFeedback],
    "List feedback, newest first.",
    role=Role.READ,  # in the whole palace, as one feedback may judge drawers of several wings
    raises={NotFound: "the palace or the wing does not exist", InvalidInput: "the limit is out of its range"},
)
SHOWN = Offer(
    "shown",
    "GET /v1/feedback/shown/{run}",
    ShownQuery,
    list[str],
    "List what a run showed, best first, by the names that feedback takes.",
    role=Role.READ,
    raises={NotFound: "the run does not exist, or has expired"},
    positional=("run",),
)
TAKE_BACK = Offer(
    "take_back",
    "DELETE /v1/feedback/{feedback}",
    FeedbackToTakeBack,
    type(None),
    "Undo a feedback, with its effects on learning and on pheromones.",
    role=Role.WRITE,
    raises={NotFound: "there is no such feedback"},
    positional=("feedback",),
    status=204,
)
SHOW_LEARNED = Offer(
    "learned",
    "GET /v1/learned",
    LearnedQuery,
    LearnedState,
    "Show what a palace or a wing has learned, from how much feedback, and what each part gains.",
    role=Role.READ,  # in the whole palace, as a wing with few lessons learns from those of all
    raises={NotFound: "the palace or the wing does not exist"},
)
UNLEARN = Offer(
    "unlearn",
    "DELETE /v1/learned",
    LearnedQuery,
    Forgotten,
    "Delete all feedback of a wing or of the whole palace.",
    role=Role.ADMIN,
    raises={NotFound: "the palace or the wing does not exist"},
    gives="forgotten",
)
FEEDBACK = Group(
    "Feedback",
    "The part of a palace that takes feedback, and learns from it.",
    (GIVE_FEEDBACK, LIST_FEEDBACK, SHOWN, TAKE_BACK, SHOW_LEARNED, UNLEARN),
)

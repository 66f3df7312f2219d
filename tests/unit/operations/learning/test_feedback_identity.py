"""Which feedbacks are the same."""

from __future__ import annotations

import pytest

from graphpalace.domain.search.conditions import Condition
from graphpalace.domain.search.request import SearchRequest
from graphpalace.operations.learning import judgement
from graphpalace.operations.learning.judgement import FeedbackIdentity, identity_of

HOUR_S = 3600


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch):
    def set_clock(seconds: float) -> None:
        monkeypatch.setattr(judgement, "clock", lambda: seconds)

    set_clock(0.0)
    return set_clock


def _of(
    question: SearchRequest | None = None,
    *,
    run: str | None = None,
    key: str | None = None,
    useful: str = "d",
    **more: float,
) -> FeedbackIdentity:
    return identity_of("main", key=key, run=run, question=question, useful={useful: 1.0}, useless=more)


def test_a_key_is_the_same_whatever_it_says(at) -> None:
    first = _of(SearchRequest("one"), key="ticket 7")
    at(1e9)
    assert _of(run="search-1", key="ticket 7", useful="other") == first
    assert _of(SearchRequest("one"), key="ticket 8") != first
    assert first.neighbours == ()


def test_a_run_is_judged_alike_once_on_any_day(at) -> None:
    first = _of(run="search-1")
    at(1e9)
    assert _of(run="search-1") == first
    assert len({_of(run="search-1").id, _of(run="search-2").id, _of(run="search-1", e=1.0).id}) == 3


def test_a_question_is_the_same_in_its_hour_and_a_neighbour_in_the_next(at) -> None:
    at(10 * HOUR_S + 3599)
    first = _of(SearchRequest("one"))
    at(10 * HOUR_S)
    assert _of(SearchRequest("one")) == first
    at(11 * HOUR_S)  # a second after the first
    assert first.id in _of(SearchRequest("one")).neighbours
    at(9 * HOUR_S + 3599)  # a service whose clock is behind
    assert first.id in _of(SearchRequest("one")).neighbours
    at(34 * HOUR_S)
    later = _of(SearchRequest("one"))
    assert first.id not in {later.id, *later.neighbours}


def test_what_is_asked_elsewhere_or_of_other_documents_is_another_question(at) -> None:
    questions = [
        SearchRequest("one"),
        SearchRequest("one", wing="home"),
        SearchRequest("one", wing="home", room="kitchen"),
        SearchRequest("one", conditions=[Condition("and", "language", "eq", "en")]),
        SearchRequest("one", query_embedding=[1.0]),
        SearchRequest(query_embedding=[1.0]),
    ]
    assert len({_of(question).id for question in questions}) == len(questions)

"""Spans have their right parents, and nothing of a user in them; without a tracer they do nothing."""

from __future__ import annotations

import asyncio
import time

import pytest
from tests.traces import kept_traces, parents

from graphpalace.errors import InvalidInput
from graphpalace.telemetry.spans import NoSpan, request_span, root_span, span, trace_id
from graphpalace.telemetry.work_ids import background, background_task

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


async def test_a_span_of_a_task_or_a_thread_is_below_the_one_that_started_it() -> None:
    async def lane(name: str) -> None:
        with span(name):
            await asyncio.sleep(0)
            with span(f"query of {name}", leaf=True):
                await asyncio.to_thread(_model, name)

    with kept_traces() as kept:
        with root_span("request"):
            await asyncio.gather(lane("words"), lane("meaning"))
        assert parents(kept.get_finished_spans()) == {
            "model of words": "words",  # a leaf has no spans below it
            "model of meaning": "meaning",
            "query of words": "words",
            "query of meaning": "meaning",
            "words": "request",
            "meaning": "request",
            "request": None,
        }


def _model(name: str) -> None:
    with span(f"model of {name}"):
        pass


async def test_background_work_begins_a_trace_of_its_own() -> None:
    async def work() -> None:
        with span("query of a loop that goes on for days"):
            pass
        with background("settle", palace="main"), span("query", leaf=True):
            pass

    with kept_traces() as kept:
        with root_span("request"):
            task = background_task("settler", work())
        await task
        assert parents(kept.get_finished_spans()) == {"query": "settle", "settle": None, "request": None}
        settle = next(one for one in kept.get_finished_spans() if one.name == "settle")
        assert settle.attributes and settle.attributes["graphpalace.palace"] == "main"
        assert str(settle.attributes["graphpalace.request_id"]).startswith("settle-")


def test_a_request_goes_on_with_the_trace_of_its_sender() -> None:
    with kept_traces() as kept:
        with request_span({b"traceparent": f"00-{TRACE}-{PARENT}-01".encode()}):
            assert trace_id() == TRACE
        (one,) = kept.get_finished_spans()
        assert one.parent and one.parent.span_id == int(PARENT, 16)


@pytest.mark.parametrize(("share", "flags", "traced"), [(0, "01", 1), (1, "00", 0), (0, None, 0), (1, None, 1)])
def test_the_sender_says_whether_a_request_is_traced_and_else_the_share(
    share: float, flags: str | None, traced: int
) -> None:
    headers = {b"traceparent": f"00-{TRACE}-{PARENT}-{flags}".encode()} if flags else {}
    with kept_traces(traced_share=share) as kept:
        with request_span(headers), span("query"):
            pass
        assert len(kept.get_finished_spans()) == 2 * traced


def test_a_malformed_traceparent_begins_a_new_trace() -> None:
    with kept_traces() as kept:
        with request_span({b"traceparent": b"00-secret-text-01"}):
            assert trace_id() not in ("", TRACE)
        assert kept.get_finished_spans()[0].parent is None


def test_of_an_error_only_its_kind_is_kept() -> None:
    with kept_traces() as kept:
        with pytest.raises(InvalidInput), root_span("request"), span("query"):
            raise InvalidInput("wing is 'my diary'; there is none")
        for one in kept.get_finished_spans():
            assert one.attributes == {"error.type": "VALIDATION_ERROR"}
            assert (one.status.is_ok, one.status.description, one.events) == (False, None, ())


def test_without_a_tracer_a_span_is_one_object_that_does_nothing() -> None:
    assert span("query", palace="main") is span("lane") is root_span("request") is request_span({})
    assert type(span("query")) is NoSpan
    assert trace_id() == ""


def test_outside_of_a_trace_nothing_is_traced() -> None:
    with kept_traces() as kept:
        with span("query of a service that looks every second for changes"):
            pass
        assert kept.get_finished_spans() == ()


def test_a_span_that_is_not_traced_takes_no_time_that_counts() -> None:
    rounds, best = 20_000, float("inf")
    for _ in range(5):  # the best of some, as other programs take time too
        begun = time.perf_counter()
        for _ in range(rounds):
            with span("query", leaf=True, query="search/search_fulltext", palace="main"):
                pass
        best = min(best, (time.perf_counter() - begun) / rounds)
    assert best < 5e-6  # some 0.4 µs, where the quickest query takes 1,000

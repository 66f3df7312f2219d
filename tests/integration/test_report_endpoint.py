"""Reports written through an endpoint: a small server of this test speaks OpenAI's protocol of chats."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from tests.chats import Answer, Chats, chatting
from tests.chats import chat as _chat

from graphpalace.domain.simulation.simulation_settings import ReportMode
from graphpalace.domain.simulation.simulations import CorpusDocument, Finding, FoundTrail, Report, ReportInput
from graphpalace.errors import ReportFailed, SettingsInvalid
from graphpalace.operations.simulation.reports.reports import ReportWriter
from graphpalace.settings.load import load
from graphpalace.settings.sections.simulation import ReportSettings

KEY = "sk-very-secret"
DOCUMENTS = [
    CorpusDocument("a", "# file: a.py | lines: 1-2 | window: 9\nimport json\nimport yeast\n", "a.py"),
    CorpusDocument("b", "Let the dough rest.", "kitchen / bread / notes"),
]
GIVEN = ReportInput(
    "how to bake bread",
    "deep",
    15,
    [Finding(document, 1.0, 0.8, 12, 0.0) for document in DOCUMENTS],
    [FoundTrail("a", "b", 0.5)],
    {},
)
WRITTEN = {
    "summary": "Two texts on bread.",
    "items": [
        {
            "id": "1",
            "code_purpose": "Reads recipes.",
            "code_dependencies": ["yeast", "invented"],
            "relevance_to_query": "It has the recipe.",
            "follow_up_queries": ["which yeast"],
            "content": "invented",
            "file_path": "invented.py",
            "embedding_score": 7,
        }
    ],
}


@pytest.fixture
def server() -> Iterator[type[Chats]]:
    with chatting(_chat(WRITTEN)) as started:
        yield started


def _writer(**options: Any) -> ReportWriter:
    return ReportWriter(ReportSettings(**options))


async def _written(server: Any, given: ReportInput = GIVEN, **options: Any) -> Report:
    reports = _writer(base_url=server.url, api_key=KEY, model="chatty", **options)
    try:
        return await reports.write(given)
    finally:
        await reports.close()


def _in_mode(mode: ReportMode) -> ReportInput:
    return ReportInput(GIVEN.query, mode, GIVEN.step, GIVEN.findings, GIVEN.trails, GIVEN.metrics)


async def test_a_model_writes_the_words_and_the_palace_keeps_texts_places_and_scores(server: Any) -> None:
    report = await _written(server)
    assert (report.step, report.mode, report.source, report.summary) == (15, "deep", "chatty", "Two texts on bread.")
    first, second = report.items
    assert (first.code_purpose, first.relevance_to_query) == ("Reads recipes.", "It has the recipe.")
    assert first.follow_up_queries == ["which yeast"]
    assert first.code_dependencies == ["json", "yeast"]  # what the model invents is not in the text
    assert (first.content, first.file_path, first.line_range) == ("import json\nimport yeast\n", "a.py", "1-2")
    assert (first.embedding_score, first.query_initial) == (0.8, "how to bake bread")
    assert second.code_purpose == "Let the dough rest."  # the model left it out


async def test_the_endpoint_is_asked_with_key_model_limit_and_the_findings(server: Any) -> None:
    await _written(server, max_output_tokens=77, most_findings=1)
    asked = server.asked[0]
    assert server.keys == [f"Bearer {KEY}"]
    assert (asked["model"], asked["max_tokens"], asked["response_format"]) == ("chatty", 77, {"type": "json_object"})
    content = json.loads(asked["messages"][1]["content"])
    assert content["question"] == "how to bake bread"
    assert [(found["id"], found["text"]) for found in content["findings"]] == [("1", "import json\nimport yeast\n")]


async def test_each_mode_asks_for_something_else(server: Any) -> None:
    for mode in ("deep", "structure", "exploratory", "summary", "repair"):
        await _written(server, _in_mode(mode))
    assert len({asked["messages"][0]["content"] for asked in server.asked}) == 5


async def test_what_needs_repair_is_the_models_to_say_too(server: Any) -> None:
    report = await _written(server, _in_mode("repair"))
    assert [item.file_path for item in report.items] == ["a.py"]


@pytest.mark.parametrize(
    "content",
    [
        "```json\n" + json.dumps(WRITTEN) + "\n```",
        "<think>is {this} it?</think>Here you are: " + json.dumps(WRITTEN) + " Anything else?",
        {"items": [*WRITTEN["items"], {"id": "1", "code_purpose": "again"}, {"id": "99"}, {"id": True}, "no"]},
        {"summary": ["no"], "items": [{**WRITTEN["items"][0], "id": 1, "unknown": 1}]},
    ],
)
async def test_an_answer_that_is_a_little_wrong_is_read_all_the_same(server: Any, content: Any) -> None:
    server.answer = staticmethod(_chat(content))
    report = await _written(server)
    assert report.summary
    assert [item.code_purpose for item in report.items] == ["Reads recipes.", "Let the dough rest."]


async def test_fields_of_a_wrong_type_keep_what_the_structure_says(server: Any) -> None:
    wrong = {"id": "2", "code_purpose": 5, "follow_up_queries": ["x", 1], "relevance_to_query": "half \\ud800 sign"}
    server.answer = staticmethod(_chat(json.dumps({"summary": "S", "items": [wrong]}).replace("\\\\u", "\\u")))
    item = (await _written(server)).items[1]
    assert (item.code_purpose, item.relevance_to_query) == ("Let the dough rest.", "half ? sign")
    assert "x" not in item.follow_up_queries


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda _asked: (500, "{}"), "answered with status 500"),
        (lambda _asked: (401, f"the key {KEY} is wrong"), "answered with status 401"),
        (lambda _asked: (200, "<html>"), "without the requested JSON object"),
        (lambda _asked: (200, "[" * 100_000), "without the requested JSON object"),
        (_chat("I cannot."), "without the requested JSON object"),
        (_chat({"answer": 1}), "without the requested JSON object"),
        (_chat({"summary": "", "items": [{"id": "99"}]}), "without the requested JSON object"),
        (_chat('{"summary": "Two te', ended="length"), "raise reports.max_output_tokens"),
        (lambda _asked: (200, '{"choices": []}'), "without the requested JSON object"),
        (lambda _asked: time.sleep(0.5) or (200, "{}"), r"no answer in 0.2 s"),
    ],
)
async def test_an_endpoint_that_fails_is_told_with_its_address_and_never_its_key(
    server: Any, answer: Answer, message: str
) -> None:
    server.answer = staticmethod(answer)
    with pytest.raises(ReportFailed, match=message) as failed:
        await _written(server, timeout_s=0.2 if "0.2" in message else 5)
    assert f"{server.url}/chat/completions" in failed.value.message
    assert KEY not in f"{failed.value} {failed.value.detail} {failed.value.__cause__}"


async def test_an_endpoint_that_is_not_there_is_told() -> None:
    reports = ReportWriter(ReportSettings(base_url="http://me:word@127.0.0.1:9/v1", model="m"), retries=0)
    with pytest.raises(ReportFailed, match=r"http://127\.0\.0\.1:9/v1/chat/completions failed: ConnectError"):
        await reports.write(GIVEN)
    await reports.close()


async def test_an_option_that_the_endpoint_refuses_is_left_out_from_then_on(server: Any) -> None:
    def choosy(asked: dict[str, Any]) -> tuple[int, str]:
        if "max_tokens" in asked:
            return 400, json.dumps({"error": {"message": "use 'max_completion_tokens' instead of 'max_tokens'"}})
        if "response_format" in asked:
            return 400, json.dumps({"error": "'response_format.type' must be 'json_schema'"})
        return _chat(WRITTEN)(asked)

    server.answer = staticmethod(choosy)
    reports = _writer(base_url=server.url, model="chatty", max_output_tokens=50)
    assert (await reports.write(GIVEN)).source == "chatty"
    await asyncio.gather(reports.write(GIVEN), reports.write(GIVEN))
    await reports.close()
    assert server.keys[0] is None
    assert len(server.asked) == 5
    assert server.asked[-1]["max_completion_tokens"] == 50


async def test_without_an_endpoint_or_a_finding_no_model_is_asked(server: Any) -> None:
    assert (await ReportWriter().write(GIVEN)).source == "structure"
    empty = ReportInput("bread", "deep", 1, [], [], {})
    assert (await _written(server, empty)).source == "structure"
    assert server.asked == []


@pytest.mark.parametrize("key", ["two words", "line\nbreak", "schlüssel"])
def test_a_key_that_no_header_carries_is_refused_and_not_shown(key: str) -> None:
    with pytest.raises(SettingsInvalid, match=r"reports\.api_key") as refused:
        _writer(base_url="http://127.0.0.1:9/v1", api_key=key, model="m")
    assert key not in refused.value.message


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(SettingsInvalid, match=r"reports\.base_url is not a URL"):
        _writer(base_url="http://[::1", model="m")


async def test_the_settings_say_who_writes_reports(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    named = {"BASE_URL": server.url, "API_KEY": KEY, "MODEL": "m", "TIMEOUT_S": "5", "MOST_FINDINGS": "1"}
    for name, value in {**named, "MAX_OUTPUT_TOKENS": "9"}.items():
        monkeypatch.setenv(f"GRAPHPALACE_REPORTS__{name}", value)
    reports = ReportWriter(load().reports)
    report = await reports.write(GIVEN)
    await reports.close()
    assert (report.source, len(report.items), server.asked[0]["max_tokens"]) == ("m", 1, 9)
    assert server.keys == [f"Bearer {KEY}"]

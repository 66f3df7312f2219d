"""The five modes of a report without a model."""

from __future__ import annotations

import pytest

from graphpalace.domain.simulation.simulation_settings import ReportMode
from graphpalace.domain.simulation.simulations import CorpusDocument, Finding, FoundTrail, Report, ReportInput
from graphpalace.operations.simulation.reports.structural_report import structural_report

TEXTS = {
    "oven/heat.py": '"""Heat the oven."""\nimport json\nfrom oven.door import shut\n\ndef heat():\n    shut()\n',
    "oven/door.py": "def shut():\n    try:\n        push()\n    except OSError:\n        pass\n    # TODO lock it\n",
    "dough.md": "# Dough\n\nYeast makes dough rise in a warm place. Yeast needs sugar.\n",
    "far.md": "Roses want sun.\nPrune them.\nWater them.\n",
    "copy.md": "Roses want sun.\nPrune them.\nWater them.\n",
}


def _finding(rank: int, path: str, text: str, *, keywords: float = 0.0) -> Finding:
    last = len(text.splitlines())
    content = f"# file: {path} | lines: 1-{last} | window: 100\n{text}"
    return Finding(CorpusDocument(path, content, path), 1 - rank / 10, 0.9 - rank / 10, 50 - 10 * rank, keywords)


def _report(mode: ReportMode, *, query: str = "how to heat dough", most: int = 10) -> Report:
    findings = [_finding(rank, path, text) for rank, (path, text) in enumerate(TEXTS.items())]
    trails = [FoundTrail("oven/heat.py", "dough.md", 0.8), FoundTrail("dough.md", "far.md", 0.1)]
    given = ReportInput(query, mode, 40, findings, trails, {"avg_rel": 0.41})
    return structural_report(given, most_findings=most).report


def _paths(report: Report) -> list[str]:
    return [item.file_path for item in report.items]


def test_a_deep_report_has_every_finding_with_all_its_text() -> None:
    report = _report("deep")
    assert (report.step, report.mode, report.source) == (40, "deep", "structure")
    assert {item.file_path: item.content for item in report.items} == TEXTS
    assert "5 findings from 5 places, similarity 0.50 to 0.90, 150 visits" in report.summary
    assert "from oven/heat.py:1-6 to dough.md:1-3 (0.80)" in report.summary
    assert "avg_rel 0.41" in report.summary


def test_an_item_says_where_the_text_stands_what_it_is_for_and_why_it_matters() -> None:
    item = _report("deep").items[0]
    assert (item.line_range, item.file_type, item.embedding_score) == ("1-6", "python", 0.9)
    assert item.code_purpose == "Heat the oven. Defines heat."
    assert item.code_dependencies == ["json", "oven.door"]
    assert item.relevance_to_query == "similarity 0.90, 50 visits, score 1.00; has the question's heat"
    assert item.query_initial == "how to heat dough"


def test_follow_ups_take_frequent_words_that_the_question_has_not() -> None:
    # "yeast" stands twice, all others once; "dough" is the question's.
    assert _report("deep").items[2].follow_up_queries[0] == "heat dough yeast"


def test_keywords_are_told_where_there_are_any() -> None:
    given = ReportInput("", "deep", 1, [_finding(0, "a.md", "Bread.", keywords=0.5)], [], {})
    item = structural_report(given, most_findings=1).report.items[0]
    assert item.relevance_to_query == "similarity 0.90, 50 visits, score 1.00; 50% of the keywords"
    assert item.follow_up_queries == ["bread"]


def test_a_structure_report_groups_what_trails_and_imports_link() -> None:
    report = _report("structure")
    # heat.py imports door.py, and a strong trail leads to dough.md; the trail to far.md is an eighth as strong.
    assert _paths(report) == ["oven/heat.py", "oven/door.py", "dough.md", "far.md", "copy.md"]
    assert "1 group, 2 alone" in report.summary
    assert "Group 1: oven/heat.py:1-6, oven/door.py:1-6, dough.md:1-3 (imports 1, trails 1)" in report.summary
    assert "Alone: far.md:1-3, copy.md:1-3" in report.summary
    assert report.items[1].relevance_to_query.endswith("linked to oven/heat.py:1-6 (import of oven.door)")


def test_an_exploratory_report_has_the_half_that_was_visited_least_and_asks_on() -> None:
    report = _report("exploratory")
    assert _paths(report) == ["copy.md", "far.md", "dough.md"]
    assert "copy.md:1-3 (10 visits), far.md:1-3 (20 visits)" in report.summary
    assert "next: heat dough prune; heat dough roses" in report.summary


def test_a_summary_is_short() -> None:
    report = _report("summary")
    assert _paths(report) == ["oven/heat.py", "oven/door.py", "dough.md"]
    assert len(report.summary) < len(_report("deep").summary)
    assert "Dough: Yeast makes dough rise in a warm place" in report.summary


def test_a_repair_report_names_marks_swallowed_errors_and_texts_that_stand_twice() -> None:
    report = _report("repair")
    assert _paths(report) == ["oven/door.py", "far.md", "copy.md"]
    door, far, copy = (item.relevance_to_query for item in report.items)
    assert door.endswith("line 4: an error is caught and nothing is done; line 6: TODO lock it")
    assert far.endswith("100% of its lines are also in copy.md:1-3")
    assert copy.endswith("100% of its lines are also in far.md:1-3")


def test_a_fault_in_two_windows_of_a_file_is_told_once() -> None:
    first = "# file: a.md | lines: 1-2 | window: 2\nbread\nTODO bake\n"
    second = "# file: a.md | lines: 2-3 | window: 2\nTODO bake\neat\n"
    documents = [CorpusDocument("a.md#1-2", first, "a.md"), CorpusDocument("a.md#2-3", second, "a.md")]
    given = ReportInput("", "repair", 1, [Finding(document, 1, 1, 1, 0) for document in documents], [], {})
    assert [item.line_range for item in structural_report(given, most_findings=9).report.items] == ["1-2"]


@pytest.mark.parametrize(
    ("path", "text", "fault"),
    [
        ("a.py", "try:\n    a()\nexcept:\n    log()\n", "line 3: every exception is caught"),
        ("a.js", "try { a() } catch (e) { /* no */ }", "line 1: an error is caught and nothing is done"),
        (
            "A.java",
            "class A{void f(){try{a();}catch(Exception e){}}}",
            "line 1: an error is caught and nothing is done",
        ),
        ("a.go", "package a\nfunc f() { _ = g() }", "line 2: a result is thrown away, an error with it"),
        ("a.rs", "fn f() {\n a().unwrap(); }", "line 2: an error ends the program"),
    ],
)
def test_careless_handling_of_errors_is_found(path: str, text: str, fault: str) -> None:
    given = ReportInput("", "repair", 1, [_finding(0, path, text)], [], {})
    assert fault in structural_report(given, most_findings=1).report.items[0].relevance_to_query


def test_handled_errors_need_no_repair() -> None:
    text = "try:\n    a()\nexcept OSError as error:\n    raise Failed() from error\n"
    report = structural_report(
        ReportInput("", "repair", 1, [_finding(0, "a.py", text)], [], {}), most_findings=1
    ).report
    assert (list(report.items), "no swallowed error" in report.summary) == ([], True)


def test_only_the_best_findings_are_looked_at() -> None:
    assert _paths(_report("deep", most=2)) == ["oven/heat.py", "oven/door.py"]


@pytest.mark.parametrize("mode", ["deep", "structure", "exploratory", "summary", "repair"])
def test_a_report_on_nothing_says_so(mode: ReportMode) -> None:
    report = structural_report(ReportInput("bread", mode, 5, [], [], {}), most_findings=10).report
    assert (report.summary, list(report.items)) == ("Step 5, for “bread”: 0 findings.", [])

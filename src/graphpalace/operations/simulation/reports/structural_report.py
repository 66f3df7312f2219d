"""Write a report without a language model, from the texts and numbers of the findings, in one of five modes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from graphpalace.domain.simulation.simulation_settings import ReportMode
from graphpalace.domain.simulation.simulations import Finding, Report, ReportInput, ReportItem
from graphpalace.operations.simulation.reports.chunk_facts import ChunkFacts, facts_of, faults_of
from graphpalace.operations.simulation.reports.report_links import (
    content_words,
    distinctive_terms,
    follow_up_queries,
    groups_of,
    links_of,
    question_words_in,
    shared_terms,
)

SOURCE = "structure"
_CHUNK_LINES = 12
_CHUNK_CHARS = 1200
_FOLLOW_UPS = 3
_SUMMARY_ITEMS = 3
_NAMED = 5
# Largest number of characters of an item's `content`, by mode; None: no limit.
_CONTENT_CHARS: dict[ReportMode, int | None] = {
    "deep": None,
    "structure": 600,
    "exploratory": None,
    "summary": 300,
    "repair": None,
}


@dataclass(frozen=True, slots=True)
class AnalysedFindings:
    """Findings with the facts that were extracted from them. All lists are in the order of rank.

    Attributes:
        given: The input, limited to the findings that the report may name and the trails between them.
        facts: Facts about each text.
        words: Counts of the content words of each text.
    """

    given: ReportInput
    facts: Sequence[ChunkFacts]
    words: Sequence[Counter[str]]


@dataclass(frozen=True, slots=True)
class Selection:
    """What a mode selects for its report.

    Attributes:
        rows: The findings with an item, in the order of the items.
        remarks: Text to add to the relevance of an item, by row.
    """

    summary: str
    rows: Sequence[int]
    remarks: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StructuralReport:
    """A report with the material that it was made from.

    Attributes:
        items: An item for each finding of `reading`, in its order.
    """

    reading: AnalysedFindings
    selection: Selection
    items: Sequence[ReportItem]

    @property
    def report(self) -> Report:
        """The report itself."""
        given, selection = self.reading.given, self.selection
        items = [self.items[row] for row in selection.rows]
        return Report(given.step, given.mode, SOURCE, selection.summary, items)


def structural_report(given: ReportInput, *, most_findings: int) -> StructuralReport:
    """Return a report on the best findings. This takes about 0.1 s, so call it in a thread."""
    findings = list(given.findings[:most_findings])
    ids = {finding.document.id for finding in findings}
    trails = [trail for trail in given.trails if trail.first in ids and trail.second in ids]
    kept = ReportInput(given.query, given.mode, given.step, findings, trails, given.metrics)
    facts = [facts_of(finding.document) for finding in findings]
    reading = AnalysedFindings(kept, facts, [Counter(content_words(one.body)) for one in facts])
    selection = _MODES[given.mode](reading) if findings else Selection(f"{_opening(reading)}.", [])
    return StructuralReport(reading, selection, [_item(reading, row, selection) for row in range(len(findings))])


def _deep(reading: AnalysedFindings) -> Selection:
    """Mode `deep`: all details of all findings."""
    given, facts = reading.given, reading.facts
    visits = sum(finding.visits for finding in given.findings)
    files = len({one.file_path for one in facts})
    sentences = [
        f"{_opening(reading)} from {files} {_noun(files, 'place')}, {_range(given.findings)}, {visits} visits."
    ]
    sentences.append(f"The best is {facts[0].label}: {facts[0].purpose}")
    if used := Counter(name for one in facts for name in one.dependencies).most_common(_NAMED):
        sentences.append(f"They use {', '.join(f'{name} ({count})' for name, count in used)}.")
    if given.trails:
        best = max(given.trails, key=lambda trail: trail.strength)
        labels = {finding.document.id: one.label for finding, one in zip(given.findings, facts, strict=True)}
        count = f"{len(given.trails)} {_noun(len(given.trails), 'trail')} between them"
        sentences.append(
            f"{count}, the strongest from {labels[best.first]} to {labels[best.second]} ({best.strength:.2f})."
        )
    if terms := shared_terms(reading.words, given.query, most=_NAMED):
        sentences.append(f"Frequent in them: {', '.join(terms)}.")
    if given.metrics:
        sentences.append(f"The swarm: {', '.join(f'{name} {value:.3g}' for name, value in given.metrics.items())}.")
    return Selection(" ".join(sentences), range(len(facts)))


def _structure(reading: AnalysedFindings) -> Selection:
    """Mode `structure`: groups of findings that belong together."""
    facts = reading.facts
    links = links_of(facts, [finding.document.id for finding in reading.given.findings], reading.given.trails)
    groups = groups_of(len(facts), links)
    joined = [rows for rows in groups if len(rows) > 1]
    alone = [facts[rows[0]].label for rows in groups if len(rows) == 1]
    sentences = [f"{_opening(reading)}: {len(joined)} {_noun(len(joined), 'group')}, {len(alone)} alone."]
    for number, rows in enumerate(joined, start=1):
        whys = Counter(link.why.split()[0] for link in links if link.first in rows)
        kinds = ", ".join(f"{_KINDS[why]} {count}" for why, count in sorted(whys.items()))
        sentences.append(f"Group {number}: {', '.join(facts[row].label for row in rows)} ({kinds}).")
    if alone:
        sentences.append(f"Alone: {', '.join(alone)}.")
    remarks: dict[int, list[str]] = {}
    for link in links:
        remarks.setdefault(link.first, []).append(f"{facts[link.second].label} ({link.why})")
        remarks.setdefault(link.second, []).append(f"{facts[link.first].label} ({link.why})")
    told = {row: f"linked to {', '.join(found)}" for row, found in remarks.items()}
    return Selection(" ".join(sentences), [row for rows in groups for row in rows], told)


def _exploratory(reading: AnalysedFindings) -> Selection:
    """Mode `exploratory`: the less visited half of the findings, and questions to ask next."""
    findings, facts = reading.given.findings, reading.facts
    order = sorted(range(len(findings)), key=lambda row: (findings[row].visits, row))
    rows = order[: (len(order) + 1) // 2]
    named = ", ".join(f"{facts[row].label} ({_visits(findings[row])})" for row in rows[:_NAMED])
    sentences = [f"{_opening(reading)}; seldom visited among them: {named}."]
    terms = shared_terms([reading.words[row] for row in rows], reading.given.query, most=_NAMED)
    if terms:
        asked = "; ".join(follow_up_queries(reading.given.query, terms))
        sentences.append(f"Questions to ask next: {asked}.")
    return Selection(" ".join(sentences), rows)


def _summary(reading: AnalysedFindings) -> Selection:
    """Mode `summary`: two sentences and the three best findings."""
    rows = range(min(_SUMMARY_ITEMS, len(reading.facts)))
    best = "; ".join(f"{reading.facts[row].label}: {reading.facts[row].purpose}".rstrip(". ") for row in rows)
    return Selection(f"{_opening(reading)}, {_range(reading.given.findings)}. {best}.", rows)


def _repair(reading: AnalysedFindings) -> Selection:
    """Mode `repair`: what may need repair."""
    faults = faults_of(reading.facts)
    rows = [row for row, found in enumerate(faults) if found]
    if not rows:
        looked = "no TODO, FIXME, XXX or HACK, no swallowed error, no duplicated text"
        return Selection(f"{_opening(reading)}; {looked}.", [])
    named = " ".join(f"{reading.facts[row].label}: {'; '.join(faults[row])}." for row in rows)
    summary = f"{_opening(reading)}, {len(rows)} with something that may need repair. {named}"
    return Selection(summary, rows, {row: "; ".join(faults[row]) for row in rows})


_MODES: dict[ReportMode, Callable[[AnalysedFindings], Selection]] = {
    "deep": _deep,
    "structure": _structure,
    "exploratory": _exploratory,
    "summary": _summary,
    "repair": _repair,
}
_KINDS = {"trail": "trails", "same": "same file", "import": "imports"}


def _item(reading: AnalysedFindings, row: int, selection: Selection) -> ReportItem:
    query, finding, facts = reading.given.query, reading.given.findings[row], reading.facts[row]
    terms = distinctive_terms(reading.words[row], reading.words, query, most=_FOLLOW_UPS)
    remark = selection.remarks.get(row)
    most = _CONTENT_CHARS[reading.given.mode]
    return ReportItem(
        code_chunk=_beginning("".join(facts.body.splitlines(keepends=True)[:_CHUNK_LINES]), _CHUNK_CHARS),
        content=facts.body if most is None else _beginning(facts.body, most),
        file_path=facts.file_path,
        line_range=facts.line_range,
        code_purpose=facts.purpose,
        code_dependencies=facts.dependencies,
        file_type=facts.file_type,
        embedding_score=finding.similarity,
        relevance_to_query=_relevance(query, finding, reading.words[row]) + (f"; {remark}" if remark else ""),
        query_initial=query,
        follow_up_queries=follow_up_queries(query, terms),
    )


def _relevance(query: str, finding: Finding, words: Counter[str]) -> str:
    parts = [f"similarity {finding.similarity:.2f}, {_visits(finding)}, score {finding.score:.2f}"]
    if finding.keywords:
        parts.append(f"{finding.keywords:.0%} of the keywords")
    if content_words(query):
        shared = question_words_in(query, words)
        parts.append(f"has the question's {', '.join(shared)}" if shared else "has none of the question's words")
    return "; ".join(parts)


def _beginning(text: str, most: int) -> str:
    """Return the text, cut to `most` characters with an ellipsis if it is longer."""
    return text if len(text) <= most else text[: most - 1] + "…"


def _opening(reading: AnalysedFindings) -> str:
    given = reading.given
    query = " ".join(given.query.split())
    asked = f"for “{_beginning(query, 200)}”" if query else "without a question"
    return f"Step {given.step}, {asked}: {len(given.findings)} {_noun(len(given.findings), 'finding')}"


def _range(findings: Sequence[Finding]) -> str:
    cosines = [finding.similarity for finding in findings]
    return f"similarity {min(cosines):.2f} to {max(cosines):.2f}"


def _visits(finding: Finding) -> str:
    return f"{finding.visits} {_noun(finding.visits, 'visit')}"


def _noun(count: int, noun: str) -> str:
    return noun if count == 1 else f"{noun}s"

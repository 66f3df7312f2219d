"""The section of docs/BENCHMARKS.md on GraphPalace beside other memories."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from textwrap import fill
from typing import Any

from benchmarks.peers.peer_list import GRAPHPALACE

Figures = Mapping[str, Any]
Column = tuple[str, Callable[[Figures], str]]
Measure = tuple[str, Callable[[Figures], float | None], bool]
_COMPARED = (
    ("documents/s", "documents_per_s", False),
    ("p50 of a search, ms", "search_p50_ms", True),
    ("p95 of a search, ms", "search_p95_ms", True),
    ("start, s", "started_s", True),
    ("memory, MiB", "peak_mib", True),
    ("installed, MiB", "installed_mib", True),
    ("bytes of an answer", "answer_bytes", True),
)
_HEAD = """## Beside other memories

The rows `side_by_side`. Each memory runs in an environment and a process of its own, and gets the same documents with
the same embeddings by all-MiniLM-L6-v2. The model itself is not loaded by any of them but basic-memory, so no time and
no memory of a model is in the figures. Documents are stored in one memory after the other; each question is asked of
all of them in turns. The columns:

- `documents/s`: stored until they can be found; in brackets with what follows in the background, such as names
- `p10`, `p50`, `p95`: milliseconds of a search for ten hits, by the clock of the process; other work on the machine
  disturbs `p10` least
- `start`: seconds from the start of the process until its empty store is open; Neo4j runs already
- `memory`: most resident memory of the process in MiB, without the servers that some need
- `installed`: MiB of its packages, without the servers that some need
- `bytes`: of an answer of five hits as a language model reads it, from its tool for models if it has one
"""
_NEWEST = """### Newest before oldest

A note says something, and weeks later another one corrects it. Then somebody asks. `before` is the share of 64
questions for which the newer note comes before the older one. In half of them it says that something has changed
(`says so`), in the others only how it is (`plain`). `first` is the share for which the newer note is the first hit, and
`astray` that for which the first hit is about another project: notes on the same matter look alike. The notes are made
by code, so the shares say how the memories compare, and not how often it goes well with real notes.
"""
_LEARNED = """### Learned

Half of the questions get feedback on the relevant ones among ten hits. nDCG@10 of the other half before and after. The
other memories take no feedback.
"""


def section(figures: Figures) -> list[str]:
    """Return the lines of the section.

    Args:
        figures: Of the result of `side_by_side`.
    """
    peers: Mapping[str, Figures] = figures["peers"]
    sizes = ", ".join(f"{name} ({size[0]:,}, {size[1]:,})" for name, size in figures["collections"].items())
    begin = (
        f"Collections, with their documents and questions: {sizes}. Neo4j takes up to {figures['neo4j_mib']:,.0f} MiB "
        f"of memory. When the run began, the machine had a load of {figures['load_before']:.1f} by other work."
    )
    return [
        _HEAD,
        fill(begin, 120),
        "",
        *_table(peers, _columns()),
        "",
        *_table(peers, _found(list(figures["collections"]))),
        "",
        _NEWEST,
        *_table({name: each for name, each in peers.items() if each["newest_first"]}, _newest()),
        "",
        _LEARNED,
        *_learned(peers),
        "",
        *_lost(peers),
        "### How each is used",
        "",
        "| memory | version | how |",
        "|---|---|---|",
        *(f"| {name} | {figures['versions'].get(name, '')} | {used} |" for name, used in figures["used"].items()),
        "",
        *_left_out(figures),
    ]


def _table(peers: Mapping[str, Figures], columns: Sequence[Column]) -> list[str]:
    lines = [f"| memory | {' | '.join(name for name, _ in columns)} |", "|---" * (len(columns) + 1) + "|"]
    return lines + [f"| {name} | {' | '.join(cell(each) for _, cell in columns)} |" for name, each in peers.items()]


def _columns() -> list[Column]:
    return [
        ("documents/s", _stored),
        ("p10", lambda each: shown(each["search_p10_ms"])),
        ("p50", lambda each: shown(each["search_p50_ms"])),
        ("p95", lambda each: shown(each["search_p95_ms"])),
        ("start", lambda each: shown(each["started_s"])),
        ("memory", lambda each: shown(each["peak_mib"])),
        ("installed", lambda each: shown(each["installed_mib"])),
        ("bytes", lambda each: shown(each["answer_bytes"])),
    ]


def _stored(each: Figures) -> str:
    fast, settled = shown(each["documents_per_s"]), shown(each["documents_per_s_settled"])
    return fast if fast == settled else f"{fast} ({settled})"


def _found(collections: Sequence[str]) -> list[Column]:
    def column(collection: str, metric: str) -> Callable[[Figures], str]:
        return lambda each: share(each["quality"].get(collection, {}).get(metric))

    return [
        (f"{collection}, {label}", column(collection, metric))
        for collection in collections
        for metric, label in (("ndcg", "nDCG@10"), ("mrr", "MRR@10"))
    ]


def _newest() -> list[Column]:
    labels = {"before": "all", "says so": "says so", "plain": "plain", "first": "first of all", "astray": "astray"}
    return [(label, lambda each, name=name: share(each["newest_first"][name])) for label, name in labels.items()]


def _learned(peers: Mapping[str, Figures]) -> list[str]:
    lines = ["| memory | collection | unlearned | learned |", "|---|---|---|---|"]
    for name, each in peers.items():
        for collection, found in each["learning"].items():
            lines.append(f"| {name} | {collection} | {share(found['unlearned'])} | {share(found['learned'])} |")
    return lines


def losses(peers: Mapping[str, Figures]) -> list[str]:
    """Return a line for each measure in which another memory is better than GraphPalace, and which are."""
    lines = []
    for label, read, less in _measures(peers):
        own = read(peers[GRAPHPALACE])
        values = {name: read(each) for name, each in peers.items()}
        better = {
            name: value
            for name, value in values.items()
            if own is not None and value is not None and _beside(own, value, less=less)
        }
        if better:
            order = sorted(better.items(), key=lambda one: one[1], reverse=not less)
            named = ", ".join(f"{name} {shown(value)}" for name, value in order)
            lines.append(fill(f"- {label}, {shown(own)} here: {named}", 120, subsequent_indent="  "))
    return lines


def _measures(peers: Mapping[str, Figures]) -> list[Measure]:
    """Return what is compared: its name, how it is read, and whether less is better."""
    found = [(label, _figure(name), less) for label, name, less in _COMPARED]
    collections = dict.fromkeys(name for each in peers.values() for name in each["quality"])
    found += [(f"nDCG@10 on {name}", _at("quality", name, "ndcg"), False) for name in collections]
    found += [(f"MRR@10 on {name}", _at("quality", name, "mrr"), False) for name in collections]
    return [*found, ("newest before oldest", _at("newest_first", "all"), False)]


def _figure(name: str) -> Callable[[Figures], float | None]:
    return lambda each: each[name]


def _at(*path: str) -> Callable[[Figures], float | None]:
    def read(each: Figures) -> float | None:
        value: Any = each
        for name in path:
            value = value.get(name, {})
        return None if value == {} else value

    return read


def _beside(ours: float, theirs: float, *, less: bool) -> bool:
    return theirs < ours if less else theirs > ours


def _lost(peers: Mapping[str, Figures]) -> list[str]:
    lines = losses(peers)
    return ["### Where others are better", "", *lines, ""] if lines else []


def _left_out(figures: Figures) -> list[str]:
    lines = [f"- {name}: {why}" for name, why in figures["not_run"].items()]
    lines += [f"- {name} could not be installed here: {why}" for name, why in figures["not_installed"].items()]
    for name, each in figures["peers"].items():
        lines += [f"- {name} failed on {where}: {why}" for where, why in each["failed"].items()]
    return ["Not measured:", "", *lines, ""] if lines else []


def shown(value: float | None) -> str:
    """Return a number with three digits, or nothing."""
    if value is None:
        return ""
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def share(value: float | None) -> str:
    """Return a share with three digits, or nothing."""
    return "" if value is None else f"{value:.3f}".lstrip("0") if value < 1 else f"{value:.2f}"

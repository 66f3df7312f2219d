from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from datetime import date
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.domain.search.codes import is_symbol, levels_of
from graphpalace.errors import InvalidInput
from graphpalace.evaluation.dataset import TOPICS, dataset_lines
from graphpalace.ingest.readers.registry import read
from graphpalace.serve.cli.application import app


def made(lane: str = "fulltext", *, count: int = 300, seed: int = 7) -> str:
    return "".join(dataset_lines(lane, count=count, seed=seed))


def records(lane: str = "fulltext", *, count: int = 300) -> list[dict[str, Any]]:
    return [json.loads(line) for line in made(lane, count=count).splitlines()]


def test_the_same_arguments_give_the_same_bytes_and_others_give_others() -> None:
    assert made() == made()
    assert len({made(), made(seed=8), made("semantic"), made(count=299)}) == 4


def test_a_larger_count_begins_with_the_smaller_one() -> None:
    assert made(count=300).startswith(made(count=120))


@pytest.mark.parametrize("lane", ["fulltext", "semantic"])
def test_every_line_reads_as_a_publication_with_codes_of_four_schemes(lane: str) -> None:
    found = list(read(Path("made.jsonl"), options=SplitOptions(), data=made(lane).encode()))
    assert len(found) == 300
    for document in found:
        known = document.publication
        assert known is not None
        assert re.fullmatch(r"(JP|US|EP|CN|KR|WO)20\d{8}", known.pub_id)
        assert known.published is not None
        assert known.pub_id[2:6] == str(known.published.year)
        assert {code.partition(":")[0] for code in known.codes} == {"ipc", "cpc", "fi", "ft"}
        for scheme, _, code in (code.partition(":") for code in known.codes):
            assert len(levels_of(code, scheme)) >= 3
            assert scheme == "ft" or is_symbol(code, scheme=scheme)
        assert {passage.headings for passage in document.passages} == {("abst",), ("claim",), ("desc",)}
        assert known.app_id
        assert known.exam_id
    assert len({document.uri for document in found}) == 300


def test_families_have_one_to_four_members_of_different_offices() -> None:
    families: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for record in records(count=1000)[:-4]:
        families[record["family_id"]].append(record)
    families.popitem()  # may have been cut off
    assert {len(members) for members in families.values()} == {1, 2, 3, 4}
    for members in families.values():
        assert len({member["country"] for member in members}) == len(members)
        assert len({member["title"] for member in members}) == 1
        days = [date.fromisoformat(member["published"]) for member in members]
        assert (max(days) - min(days)).days < 500


def test_a_few_subclasses_have_most_of_the_publications() -> None:
    first = Counter(record["cpc_codes"][0][:4] for record in records(count=2000))
    assert {topic.subclass for topic in TOPICS} == set(first)
    assert sum(count for _, count in first.most_common(4)) > 1000


def _shared_words(lane: str) -> float:
    """Return the mean Jaccard index of the words of two abstracts on one topic, common words left out."""
    words: dict[tuple[str, str], set[str]] = {}
    for record in records(lane, count=400):
        topic = record["ft_codes"][0][:5]
        words[topic, record["family_id"]] = set(re.findall(r"\w+", record["abst"] + record["desc"]))
    common = {"one", "the", "each", "by", "of", "in", "In", "it", "is", "as", "and", "When", "The", "Thus"}
    shares = [
        len(first & second - common) / len((first | second) - common)
        for ((one, _), first), ((other, _), second) in combinations(sorted(words.items()), 2)
        if one == other
    ]
    return sum(shares) / len(shares)


def test_texts_on_one_topic_share_their_words_for_full_text_and_few_for_meaning() -> None:
    assert _shared_words("fulltext") > 0.8
    assert _shared_words("semantic") < 0.45


@pytest.mark.parametrize(
    ("lane", "count", "seed", "field"),
    [("code", 5, 7, "lane"), ("fulltext", 0, 7, "count"), ("semantic", 5, -1, "seed")],
)
def test_a_wrong_argument_is_refused(lane: str, count: int, seed: int, field: str) -> None:
    with pytest.raises(InvalidInput, match=f"{field} is .*; it must be") as raised:
        dataset_lines(lane, count=count, seed=seed)
    assert raised.value.detail["field"] == field


def test_the_command_writes_the_same_to_a_file_and_to_standard_output(tmp_path: Path) -> None:
    arguments = ["dataset", "make", "--count", "40", "--seed", "3"]
    shown = CliRunner().invoke(app, arguments)
    written = CliRunner().invoke(app, [*arguments, "--output", str(tmp_path / "made.jsonl")])
    assert (shown.exit_code, written.exit_code) == (0, 0)
    assert (tmp_path / "made.jsonl").read_bytes() == shown.stdout_bytes == made(count=40, seed=3).encode()
    assert "wrote 40 publications" in written.stderr


def test_a_refused_argument_leaves_no_file(tmp_path: Path) -> None:
    refused = CliRunner().invoke(app, ["dataset", "make", "--count", "0", "--output", str(tmp_path / "made.jsonl")])
    assert isinstance(refused.exception, InvalidInput)
    assert list(tmp_path.iterdir()) == []


def test_the_bytes_are_those_of_the_versions_before() -> None:
    digest = sha256(made(count=1000).encode()).hexdigest()
    assert digest == "beeeb858a18ecc498832d75af771710cb960c7f2467efa4aeff925cc7e4117f4"

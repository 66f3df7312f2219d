"""`graphpalace kg`: facts on the command line, and the search that obeys them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from graphpalace.error_codes import EXIT
from tests.acceptance.commands import Ran, environ_of, in_process, printed
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder


@pytest.fixture(scope="module")
def environ(neo4j_settings: dict[str, object]) -> dict[str, str]:
    """The tests' server, and a palace that no other test uses."""
    return environ_of(neo4j_settings, spare_name())


@pytest.fixture
def command(
    environ: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Callable[..., Ran]]:
    """Run `graphpalace` in this process, with an embedder that knows only words."""

    monkeypatch.setattr("graphpalace.app.models.make_embedder", lambda _settings: WordEmbedder())
    run = in_process(environ, tmp_path, monkeypatch, capsys)
    yield run
    run("palace", "drop", environ["GRAPHPALACE_PALACE__NAME"], "--yes")


def test_facts_are_stated_changed_and_shown_and_the_search_obeys_them(command: Callable[..., Ran]) -> None:
    stored = printed(command("add", "Ada Lovelace works at Acme.", "--wing", "people", "--json"))
    added = printed(
        command("kg", "add", "Ada Lovelace", "works at", "Acme", "--from", "2019", "--drawer", stored["id"], "--json")
    )
    assert (added["created"], added["fact"]["predicate"]) == (True, "works_at")
    again = command("kg", "add", "Ada Lovelace", "works at", "Acme", "--from", "2019")
    assert again.out.startswith("known already\n")
    before = command("search", "where does Ada Lovelace work")
    assert "outdated" not in before.out
    assert "Ada Lovelace works_at Acme since 2019-01-01" in before.out
    changed = command("kg", "supersede", "Ada Lovelace", "works at", "Initech", "--at", "2023-04")
    assert changed.out.startswith("added, 1 fact replaced\n")
    after = command("search", "where does Ada Lovelace work")
    assert "outdated since 2023-04-01, -0.100; now: Ada Lovelace works_at Initech since 2023-04-01" in after.out
    assert "nothing found" in command("search", "where does Ada Lovelace work", "--as-of", "2020").out

    found = printed(command("kg", "query", "--subject", "Ada Lovelace", "--as-of", "2020", "--json"))
    assert [fact["object"] for fact in found["facts"]] == ["Acme"]
    shown = command("kg", "query", "--predicate", "works at").out
    assert "2023-04-01  -   Ada Lovelace works_at Initech" in shown
    assert shown.endswith("1 fact\n")
    line = command("kg", "timeline", "Ada Lovelace", "--unlearned", "--limit", "2").out
    assert "2 facts; there are more" in line
    assert "Acme" in command("kg", "traverse", "Ada Lovelace", "--as-of", "2020", "--depth", "1").out
    command("kg", "add", "Ada Lovelace", "works_at", "Umbrella", "--confidence", "0.5", "--source", "a rumour")
    clash = command("kg", "contradictions", "--subject", "Ada Lovelace").out
    assert "two objects of works_at, 2019-01-01 to 2023-04-01" in clash
    assert clash.endswith("2 contradictions\n")
    gone = command("kg", "invalidate", "--subject", "Ada Lovelace", "--predicate", "works_at", "--object", "Umbrella")
    assert gone.out.startswith("1 fact taken back, 0 kept as ended\n")
    assert command("kg", "list").out.endswith("1 fact\n")
    held = command("kg", "show", "initech", "--as-of", "2024").out
    assert "Ada Lovelace works_at Initech" in held
    assert held.endswith("1 fact\n")
    assert [one["object"] for one in printed(command("kg", "show", "Ada Lovelace", "--json"))["facts"]] == ["Initech"]
    stats = printed(command("kg", "stats", "--json"))
    assert (stats["facts"], stats["current"], stats["invalidated"], stats["outdated"]) == (2, 1, 2, 1)
    assert "works_at" in command("kg", "stats").out


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["add", "Ada", "likes"], 2, "OBJECT"),
        (["add", "Ada", "likes", "tea", "--from", "soon"], EXIT["VALIDATION_ERROR"], "valid_from is 'soon'"),
        (["add", "Ada", "likes", "tea", "--drawer", "x"], EXIT["NOT_FOUND"], "drawer 'x' is not in the palace"),
        (["supersede", "Ada", "likes", "tea", "--replaces", "milk"], EXIT["NOT_FOUND"], "replaces"),
        (["invalidate"], EXIT["VALIDATION_ERROR"], "give either fact, or subject, predicate and object"),
        (["query", "--subject", "Nobody"], EXIT["NOT_FOUND"], "subject is 'Nobody'"),
        (["query", "--as-of", "soon"], EXIT["VALIDATION_ERROR"], "as_of is 'soon'"),
        (["timeline", "Nobody"], EXIT["NOT_FOUND"], "name is 'Nobody'"),
        (["traverse", "Ada", "--depth", "9"], EXIT["VALIDATION_ERROR"], "depth"),
        (["contradictions", "--predicate", "likes"], EXIT["VALIDATION_ERROR"], "the settings do not declare"),
        (["stats", "--palace", "nowhere"], EXIT["NOT_FOUND"], "nowhere"),
    ],
)
def test_what_is_wrong_ends_the_command_with_its_code(
    command: Callable[..., Ran], words: list[str], code: int, message: str
) -> None:
    ran = command("kg", *words)
    assert (ran.code, message in ran.err) == (code, True), ran.err

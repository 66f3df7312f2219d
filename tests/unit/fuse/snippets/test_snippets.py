"""Excerpts, and snippets within bytes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from graphpalace.fuse.snippets.budget import Snippet, fitted, json_bytes
from graphpalace.fuse.snippets.excerpt import excerpt

TEXT = "a tower stands by the sea and the keeper lights the lamp at dusk every day"


def test_a_head_is_cut_three_before_the_limit_and_ends_with_dots() -> None:
    assert excerpt("0123456789", 10) == "0123456789"
    assert excerpt("0123456789x", 10) == "0123456..."


def test_a_match_is_the_window_around_the_words() -> None:
    found = excerpt(TEXT, 30, strategy="match", query="lamp dusk")
    assert "lamp at dusk" in found
    assert found.startswith("...")
    assert found.endswith("...")
    assert len(found) == 30
    assert excerpt(TEXT, 30, strategy="match", query="whale") == excerpt(TEXT, 30)


def test_a_mix_is_half_head_half_match() -> None:
    found = excerpt(TEXT, 40, strategy="mix", query="dusk")
    assert found.startswith(TEXT[:17] + "...")
    assert "dusk" in found
    assert len(found) == 40
    assert excerpt(TEXT, 40, strategy="mix", query="whale") == excerpt(TEXT, 40)


def test_words_of_scripts_without_spaces_are_found() -> None:
    text = "光学装置に関する。" * 20 + "暗号鍵を更新する方法。" + "終わり。" * 30
    assert "暗号鍵" in excerpt(text, 40, strategy="match", query="暗号鍵")


@given(st.text(max_size=300), st.integers(4, 80), st.sampled_from(["head", "match", "mix"]), st.text(max_size=30))
def test_an_excerpt_is_never_longer_than_its_limit(text: str, chars: int, strategy: str, query: str) -> None:
    shown = excerpt(text, chars, strategy=strategy, query=query)  # pyright: ignore[reportArgumentType]
    assert len(shown) <= chars
    assert shown == text or "..." in shown


def test_snippets_are_added_until_the_bytes_are_used_up() -> None:
    snippets = [Snippet(str(at), {"title": "暗号" * 20}) for at in range(5)]
    three = len(json_bytes([one.as_json() for one in snippets[:3]]))
    page = fitted(snippets, budget_bytes=three)
    assert (len(page.snippets), page.used_bytes, page.shortened) == (3, three, 0)
    assert len(fitted(snippets, budget_bytes=three - 1).snippets) == 2
    assert len(fitted(snippets, budget_bytes=10_000).snippets) == 5
    assert fitted([], budget_bytes=256).used_bytes == len(b"[]")


def test_the_first_loses_its_last_fields_before_its_title_is_cut() -> None:
    ids = frozenset({"pub_id"})
    snippet = Snippet("1", {"title": "t" * 50, "abst": "a" * 100, "claim": "c" * 300, "pub_id": "P"}, ids)
    assert list(fitted([snippet], budget_bytes=256).snippets[0].fields) == ["title", "abst", "pub_id"]
    long = Snippet("1", {"title": "t" * 500, "abst": "a", "pub_id": "P"}, ids)
    (cut,) = fitted([long], budget_bytes=256).snippets
    assert cut.fields["title"].endswith("...")
    assert cut.fields["pub_id"] == "P"
    assert fitted([long], budget_bytes=256).used_bytes == 256
    huge = Snippet("1", {"title": "t", "pub_id": "P" * 500}, ids)
    assert fitted([huge], budget_bytes=256).snippets[0].fields == {}


FIELDS = st.dictionaries(st.sampled_from(["title", "abst", "claim", "pub_id"]), st.text(max_size=200), max_size=4)


@given(st.lists(FIELDS, max_size=6), st.integers(256, 2000))
def test_the_budget_holds_and_what_is_shortened_is_counted(fields: list[dict[str, str]], budget: int) -> None:
    snippets = [Snippet(f"drawer-{at}", own, frozenset({"pub_id"})) for at, own in enumerate(fields)]
    page = fitted(snippets, budget_bytes=budget)
    assert page.used_bytes == len(json_bytes([one.as_json() for one in page.snippets])) <= budget
    assert len(page.snippets) >= min(1, len(snippets))
    whole = [one.as_json() for one in snippets]
    assert page.shortened == sum(one.as_json() not in whole for one in page.snippets) <= 1


def test_an_excerpt_too_short_for_two_cuts_has_one() -> None:
    assert excerpt("abcd²efgh", 4, strategy="match", query="²") == "a..."
    assert excerpt("abcdefgh²", 4, strategy="match", query="²") == "...²"
    assert excerpt("abcdefgh²ijklmnop", 7, strategy="match", query="²") == "...²..."

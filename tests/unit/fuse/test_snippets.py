"""Excerpts, and snippets within bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.fuse.snippets import Snippet, excerpt, fitted, json_bytes

TEXT = "a tower stands by the sea and the keeper lights the lamp at dusk every day"


def test_a_head_is_cut_three_before_the_limit_and_ends_with_dots() -> None:
    assert excerpt("0123456789", 10) == "0123456789"
    assert excerpt("0123456789x", 10) == "0123456..."
    assert excerpt(TEXT, 30, strategy="head", query="lamp") == "a tower stands by the sea a..."


def dashes(length: int, words: dict[int, str]) -> str:
    """Return a text of dashes that has words at some places."""
    text = "-" * length
    for at, word in words.items():
        text = text[:at] + word + text[at + len(word) :]
    return text


def match(text: str, chars: int, query: str = "ab cd") -> str:
    return excerpt(text, chars, strategy="match", query=query)


def test_a_match_begins_a_quarter_of_its_room_before_the_first_word() -> None:
    # of 30, two cuts leave 24 characters; 6 are before the word
    assert match(dashes(100, {50: "ab"}), 30) == "...------ab----------------..."
    assert match(dashes(100, {7: "ab"}), 30) == "...------ab----------------..."


def test_a_match_near_an_end_of_the_text_is_cut_only_at_the_other() -> None:
    assert match(dashes(100, {6: "ab"}), 30) == "------ab-------------------..."
    assert match(dashes(100, {81: "ab"}), 30) == "...------ab----------------..."
    assert match(dashes(100, {82: "ab"}), 30) == "...---------ab----------------"
    assert match(dashes(100, {98: "ab"}), 30) == "...-------------------------ab"


def test_the_window_with_the_most_distinct_words_is_shown_and_the_earliest_of_equals() -> None:
    assert match(dashes(100, {20: "ab", 24: "ab", 28: "ab", 60: "ab", 64: "cd"}), 30).startswith("...------ab--cd")
    assert match(dashes(100, {20: "ab", 60: "cd"}), 30).startswith("...------ab")


def test_a_word_behind_the_window_does_not_count_for_it() -> None:
    pair = {60: "ab", 64: "cd"}
    # A window around a word at 20 ends at 38, one at the beginning of the text at 27.
    assert match(dashes(100, {20: "ab", 36: "cd"} | pair), 30) == "...------ab--------------cd..."
    assert match(dashes(100, {20: "ab", 37: "cd"} | pair), 30) == "...------ab--cd------------..."
    assert match(dashes(100, {2: "ab", 25: "cd"} | pair), 30) == "--ab---------------------cd..."
    assert match(dashes(100, {6: "ab", 25: "cd"} | pair), 30) == "------ab-----------------cd..."
    assert match(dashes(100, {2: "ab", 26: "cd"} | pair), 30) == "...------ab--cd------------..."


def test_single_letters_are_no_words_of_the_query_but_other_single_signs_are() -> None:
    text = dashes(100, {50: "a", 70: "²"})
    assert match(text, 30, "a") == excerpt(text, 30)
    assert match(text, 30, "²") == "...------²-----------------..."


def test_signs_that_grow_by_folding_shift_no_window() -> None:
    assert match(dashes(100, {0: "ß", 50: "AB"}), 30) == "...------AB----------------..."
    assert match(dashes(100, {0: "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}", 50: "ab"}), 30) == (
        "...------ab----------------..."
    )


def test_a_mix_shows_in_its_second_half_what_its_first_does_not_show() -> None:
    # of 40, 17 and a cut are the beginning; of 23 that are left, two cuts leave 17, with 4 before the word
    assert excerpt(dashes(100, {16: "ab", 60: "cd"}), 40, strategy="mix", query="ab cd") == (
        "----------------a...----cd-----------..."
    )
    # What begins earlier is in the first half, and a match alone has 34 characters, with 8 before the word.
    assert excerpt(dashes(100, {16: "ab"}), 40, strategy="mix", query="ab") == (
        "...--------ab------------------------..."
    )
    assert excerpt(dashes(100, {17: "ab"}), 40, strategy="mix", query="ab") == (
        "-----------------ab------------------..."
    )


def test_less_than_sixteen_characters_are_not_halved() -> None:
    text = dashes(100, {50: "ab"})
    assert excerpt(text, 16, strategy="mix", query="ab") == "-----...-ab--..."
    assert excerpt(text, 15, strategy="mix", query="ab") == "...--ab-----..."


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


def alone(**fields: str) -> int:
    """Return the bytes of a page with a single snippet."""
    return len(json_bytes([{"id": "1", "fields": fields}]))


def test_json_is_compact_and_not_escaped_and_refuses_what_is_no_number() -> None:
    assert json_bytes({"a": "暗", "b": 1}) == '{"a":"暗","b":1}'.encode()
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_bytes(float("nan"))


def test_a_field_stays_if_it_fits_to_the_last_byte() -> None:
    title, abst, own = "t" * 50, "a" * 300, "P" * 9
    snippet = Snippet("1", {"title": title, "abst": abst, "claim": "c" * 300, "pub_id": own}, frozenset({"pub_id"}))
    fits = alone(title=title, abst=abst, pub_id=own)
    page = fitted([snippet], budget_bytes=fits)
    assert page.snippets == (
        Snippet("1", {"title": title, "abst": abst, "pub_id": own}, frozenset({"pub_id"}), cut=True),
    )
    assert (page.used_bytes, page.shortened) == (fits, 1)
    less = fitted([snippet], budget_bytes=fits - 1)
    assert less.snippets == (Snippet("1", {"title": title, "pub_id": own}, frozenset({"pub_id"}), cut=True),)


def test_a_title_is_shortened_to_four_characters_before_it_is_dropped_and_identifiers_after_it() -> None:
    own = "P" * 300
    snippet = Snippet("1", {"title": "t" * 50, "abst": "a", "pub_id": own}, frozenset({"pub_id"}))

    def shown(budget_bytes: int) -> Snippet:
        (found,) = fitted([snippet], budget_bytes=budget_bytes).snippets
        return found

    assert shown(alone(title="tt...", pub_id=own)).fields == {"title": "tt...", "pub_id": own}
    least = alone(title="t...", pub_id=own)
    assert shown(least) == Snippet("1", {"title": "t...", "pub_id": own}, frozenset({"pub_id"}), cut=True)
    assert shown(least - 1) == Snippet("1", {"pub_id": own}, frozenset({"pub_id"}), cut=True)
    assert shown(alone(pub_id=own)) == shown(least - 1)
    assert shown(alone(pub_id=own) - 1) == Snippet("1", {}, cut=True)


def test_identifiers_stay_whole_wherever_they_stand() -> None:
    snippet = Snippet("1", {"pub_id": "P" * 20, "title": "t" * 500}, frozenset({"pub_id"}))
    (found,) = fitted([snippet], budget_bytes=256).snippets
    assert found.fields == {"pub_id": "P" * 20, "title": "t" * (256 - alone(pub_id="P" * 20, title="...")) + "..."}


def test_the_first_snippets_are_shown_not_any_that_fit() -> None:
    snippets = [Snippet("1", {"title": "t"}), Snippet("2", {"title": "t" * 500}), Snippet("3", {"title": "t"})]
    assert fitted(snippets, budget_bytes=256).snippets == (snippets[0],)


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
    assert excerpt("abcdefgh²ijklmnop", 6, strategy="match", query="²") == "abc..."

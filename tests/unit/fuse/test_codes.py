"""Code overlap, boost, modulation and counts, worked by hand."""

from __future__ import annotations

import json
from math import sqrt

import numpy as np
import pytest

from graphpalace.fuse.blend import axes, similarity
from graphpalace.fuse.codes import CodeTable, at_levels, boost, code_counts, matches, overlap, weights_of, within_bytes


def g(profile: dict[str, dict[str, float]], *documents: tuple[str, ...]) -> list[float]:
    found = matches(CodeTable.of(documents), profile, broader_share=0.5)
    return overlap(found, weights_of(profile)).tolist()


def test_a_narrower_code_matches_in_full_and_a_wider_one_by_its_levels() -> None:
    assert g({"cpc": {"H04L": 1.0}}, ("cpc:H04L9/32",), ("cpc:H04L",), ("cpc:H04W4/00",), ()) == [1, 1, 0, 0]
    wanted = {"cpc": {"H04L9/32": 1.0}}
    assert g(wanted, ("cpc:H04L",), ("cpc:H04L9/00",), ("cpc:H",)) == pytest.approx([0.3, 0.4, 0.1])


def test_the_overlap_is_the_share_of_the_weight_that_is_matched() -> None:
    profile = {"ipc": {"H04L": 0.7}, "fi": {"H04L1/00": 1.0}, "ft": {"5J104": 0.3}}
    found = g(profile, ("ipc:H04L9/32", "ft:5J104AA01"), ("fi:H04L1/00",), ("cpc:H04L9/32",))
    assert found == pytest.approx([1.0 / 2.0, 1.0 / 2.0, 0.0])


def test_documents_without_codes_match_nothing_and_shift_no_other() -> None:
    assert g({"cpc": {"H04L": 1.0}}, (), ("cpc:H04L",), ("cpc:",), ("cpc:H04L9/32",)) == [0, 1, 0, 1]
    assert g({"cpc": {"H04L": 1.0}}, (), ()) == [0, 0]


def test_rounding_gives_no_overlap_above_one() -> None:
    # Divided by their sum, .4, .6 and .4 add up to a bit more than 1.
    profile = {"ipc": {"H04L": 0.4, "G06F": 0.6, "A01B": 0.4}}
    assert sum(weights_of(profile).tolist()) > 1
    assert g(profile, ("ipc:H04L", "ipc:G06F", "ipc:A01B")) == [1]


def test_any_matches_a_code_of_every_scheme() -> None:
    assert g({"any": {"H04L": 2.0}}, ("cpc:H04L9/32",), ("fi:H04L1/00",), ("ft:5J104",)) == [1, 1, 0]


def test_a_boost_is_a_share_of_the_score_itself() -> None:
    assert boost(np.array([0.0, 0.25, 0.5]), alpha=0.3).tolist() == pytest.approx([1.0, 1.15, 1.3])
    assert boost(np.zeros(2), alpha=0.3).tolist() == [1.0, 1.0]
    assert boost(np.zeros(0), alpha=0.3).tolist() == []


def test_a_lane_is_like_the_profile_by_the_cosine_of_its_codes() -> None:
    profile = {"ipc": {"H04L": 3.0, "G06F": 4.0}}
    codes = ("ipc:H04L9/32", "ipc:H04L9/08", "ipc:A01B1/00", "fi:H04L1/00")
    # H04L: 2 + 1, A01B1/00: 4; the FI code does not count, as no FI is wanted.
    assert similarity(axes(codes, profile), np.array([2, 1, 4, 9]), profile) == pytest.approx(
        3 * 3 / (5 * sqrt(3**2 + 4**2))
    )
    assert similarity(axes(codes, profile), np.array([0, 0, 0, 9]), profile) == 0.0


def test_codes_get_the_axis_of_the_narrowest_wanted_code_of_their_scheme_or_one_of_their_own() -> None:
    codes = ("fi:X", "ipc:H04L9/32", "ipc:H04L1/00", "ipc:G06F1/00", "cpc:H04L")
    assert axes(codes, {"ipc": {"H04L9/32": 1.0, "H04L": 1.0}}).tolist() == [-1, 0, 1, 2 + 3, -1]
    both = {"ipc": {"H04L": 1.0}, "cpc": {"H04L9": 1.0}}
    assert axes(("ipc:H04L9/32", "cpc:H04L9/32", "cpc:H04L"), both).tolist() == [0, 1, 2 + 2]
    assert axes(("ipc:H04L9/32", "fi:G06F"), {"any": {"H04L": 1.0}}).tolist() == [0, 1 + 1]


def test_a_lane_with_some_of_the_wanted_codes_is_like_the_profile_by_these() -> None:
    profile = {"ipc": {"H04L": 3.0, "G06F": 4.0}}
    assert similarity(axes(("ipc:H04L9/32",), profile), np.array([7]), profile) == pytest.approx(3 / 5)


def test_rounding_makes_no_lane_more_than_alike() -> None:
    profile = {"ipc": {"H04L": 1.0, "G06F": 1.0, "A01B": 2.0}}
    found = axes(("ipc:H04L", "ipc:G06F", "ipc:A01B"), profile)
    assert similarity(found, np.array([1, 1, 2]), profile) == 1


def test_a_code_counts_as_the_narrowest_wanted_one() -> None:
    profile = {"ipc": {"H04L": 1.0, "H04L9": 1.0}}
    assert similarity(axes(("ipc:H04L9/32",), profile), np.array([5]), profile) == pytest.approx(1 / sqrt(2))


def test_counts_are_by_scheme_most_frequent_first() -> None:
    table = CodeTable.of([("ipc:B01D", "fi:X"), ("ipc:A01B", "ipc:B01D"), ("ipc:C01B",)])
    counts = code_counts(table.codes, table.counts(), top_n=2)
    assert json.dumps(counts) == json.dumps({"fi": {"X": 1}, "ipc": {"B01D": 2, "A01B": 1}})


def test_rolled_up_a_document_counts_once_for_a_code() -> None:
    table = CodeTable.of([("ipc:H04L9/32", "ipc:H04L9/08", "cpc:H04L9/32"), ("ipc:H04L1/00",)])
    rolled = at_levels(table, {"ipc": "subclass"})
    assert code_counts(rolled.codes, rolled.counts(), top_n=9) == {"cpc": {"H04L9/32": 1}, "ipc": {"H04L": 2}}


def test_each_scheme_has_levels_of_its_own_and_the_document_of_a_code_stays() -> None:
    table = CodeTable.of([("ft:5K067AA01", "ft:5K067BB01"), (), ("ipc:H04L9/32", "ft:5K067AA02")])
    rolled = at_levels(table, {"ft": "class", "ipc": "subclass"})
    assert (rolled.codes, rolled.size) == (("ft:5K067", "ipc:H04L"), 3)
    assert list(zip(rolled.document.tolist(), rolled.code.tolist(), strict=True)) == [(0, 0), (2, 0), (2, 1)]


def test_only_the_first_colon_ends_the_scheme() -> None:
    assert code_counts(("x:A:1",), np.array([2]), top_n=1) == {"x": {"A:1": 2}}


def test_the_documents_among_some_are_counted_for_every_code() -> None:
    assert CodeTable.of([("a",), ("b",)]).counts(np.array([True, False])).tolist() == [1, 0]


def test_chosen_documents_keep_their_codes_in_their_order() -> None:
    own = [f"c{at:02}" for at in range(20)]
    table = CodeTable.of([own, ["gone"], [*own[::-1], "late"]]).reordered(np.array([2, 0]))
    assert table.size == 2
    assert table.document.tolist() == [0] * 21 + [1] * 20
    assert [table.codes[at] for at in table.code.tolist()] == [*own[::-1], "late", *own]


def test_as_many_codes_are_kept_as_fit_whatever_the_budget() -> None:
    counts = {"ft": {"バ": 9}, "ipc": {"H04L": 3, "H04W": 1}}
    prefixes = [{}, {"ft": {"バ": 9}}, {"ft": {"バ": 9}, "ipc": {"H04L": 3}}, counts]
    sizes = [len(json.dumps(one, ensure_ascii=False, separators=(",", ":")).encode()) for one in prefixes]
    for budget in range(2, sizes[-1] + 2):
        kept = max(at for at, size in enumerate(sizes) if size <= budget)
        assert within_bytes(counts, budget) == (prefixes[kept], kept < 3)


def test_code_frequencies_keep_to_their_bytes() -> None:
    counts = {"ft": {"バ": 9}, "ipc": {"H04L": 3, "H04W": 1}}
    whole = len(json.dumps(counts, ensure_ascii=False, separators=(",", ":")).encode())
    assert within_bytes(counts, whole) == (counts, False)
    assert within_bytes(counts, whole - 1) == ({"ft": {"バ": 9}, "ipc": {"H04L": 3}}, True)
    assert within_bytes(counts, 2) == ({}, True)
    assert within_bytes({}, 2) == ({}, False)

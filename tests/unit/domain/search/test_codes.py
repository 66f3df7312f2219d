from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.search.codes import covers, is_code, is_symbol, levels_of, normalised, rollup
from graphpalace.errors import InvalidInput


@pytest.mark.parametrize("wanted", ["H", "H04", "H04L", "h04l", "H04L9", "H04L9/00", "H04L 9/32", "H 04 L 9/32"])
def test_each_level_of_a_symbol_covers_what_stands_below_it(wanted: str) -> None:
    assert covers(wanted, "H04L9/32")


@pytest.mark.parametrize("wanted", ["H0", "G", "H04W", "H04L9/3", "H04L90", "H04L9/3226", "H04L9/320", "", " "])
def test_what_is_no_whole_level_above_a_symbol_does_not_cover_it(wanted: str) -> None:
    assert not covers(wanted, "H04L9/32")


def test_a_subgroup_covers_itself_only_and_no_code_covers_a_wider_one() -> None:
    assert covers("H04L9/32", "h04l 9/32 (2006.01)")
    assert not covers("H04L9/32", "H04L9/3226")
    assert not covers("H04L9/32", "H04L9/00")
    assert not covers("H04L9/32", "H04L")


def test_the_main_group_is_the_same_with_and_without_its_zeros() -> None:
    assert covers("H04L9", "H04L9/00")
    assert covers("H04L9/00", "H04L9")
    assert covers("H04L 0009/00", "H04L9/32")


@pytest.mark.parametrize("code", ["H04L9/32,200A", "H04L 9/32 200 A", "H04L9/32,200@A"])
def test_an_fi_symbol_has_the_levels_of_the_ipc_and_two_below(code: str) -> None:
    for wanted in ("H04L", "H04L9/00", "H04L9/32", "H04L9/32,200", "H04L9/32,200A"):
        assert covers(wanted, code, scheme="fi")
    for wanted in ("H04L9/32,20", "H04L9/32,201", "H04L9/32@A", "H04L9/32,200B"):
        assert not covers(wanted, code, scheme="fi")


def test_an_fi_symbol_may_have_a_letter_without_a_number() -> None:
    assert covers("H04L9/32", "H04L9/32@Z", scheme="fi")
    assert normalised("H04L 9/32 Z", scheme="fi") == "H04L9/32@Z"


def test_an_f_term_stands_below_its_theme_and_its_viewpoint() -> None:
    for wanted in ("5K067", "5k067 aa", "5K067AA01"):
        assert covers(wanted, "5K067AA01", scheme="ft")
    for wanted in ("5K06", "5K067A", "5K067AA0", "5K067BB", "5K"):
        assert not covers(wanted, "5K067AA01", scheme="ft")


def test_other_schemes_have_a_level_at_every_sign_that_is_no_letter_or_digit() -> None:
    assert covers("tools", "TOOLS-SAW.1", scheme="shop")
    assert covers("TOOLS-SAW", "TOOLS-SAW.1", scheme="shop")
    assert not covers("TOOL", "TOOLS-SAW.1", scheme="shop")
    assert not covers("H", "H04L9/32", scheme="shop")
    assert covers("432", "432", scheme="ft")


def test_counts_roll_up_to_each_level() -> None:
    levels = ["section", "class", "subclass", "group", "full"]
    assert [rollup("h04l 9/32", level) for level in levels] == ["H", "H04", "H04L", "H04L9", "H04L9/32"]
    assert [rollup("H04L9/00", level) for level in levels] == ["H", "H04", "H04L", "H04L9", "H04L9/00"]
    assert [rollup("H04", level) for level in levels] == ["H", "H04", "H04", "H04", "H04"]
    found = [rollup("5K067AA01", level, scheme="ft") for level in levels]
    assert found == ["5K067", "5K067", "5K067", "5K067AA", "5K067AA01"]
    assert [rollup("a-b.c", level, scheme="own") for level in levels] == ["A", "A", "A", "A", "A-B.C"]
    with pytest.raises(InvalidInput, match="level is 'deep'; it must be one of section"):
        rollup("H04L", "deep")


@pytest.mark.parametrize(
    ("scheme", "codes", "others"),
    [
        ("ipc", ["H", "h04l 9/32"], ["ZZZ??", "H0", "", "H04L9/32,200A"]),
        ("fi", ["H04L9/32,200A", "H04L9/32@Z", "H04L1/00"], ["ZZZ??", "H04L9/3Q,2"]),
        ("ft", ["5K067", "5K067AA", "5K067AA01", "432"], ["ZZZ??", "K067", "5K067-", ""]),
        ("any", ["H04L9/32", "5K067AA01", "TOOLS-SAW.1", "バ"], ["ZZZ??", "?", "TOOLS--SAW", "-", ""]),
        ("shop", ["TOOLS-SAW", "x"], ["TOOLS-", "a??b"]),
    ],
)
def test_a_code_has_the_shape_of_its_scheme(scheme: str, codes: list[str], others: list[str]) -> None:
    assert [code for code in codes if not is_code(code, scheme=scheme)] == []
    assert [code for code in others if is_code(code, scheme=scheme)] == []


def test_a_code_out_of_shape_is_kept_and_told_apart() -> None:
    assert not is_symbol("H0")
    assert not is_symbol("H04L9/32,200A")
    assert is_symbol("H04L9/32,200A", scheme="fi")
    assert normalised("what is this?") == "WHATISTHIS?"
    assert levels_of("") == ()


_codes = st.one_of(
    st.from_regex(r"\A[A-HY]\d\d[A-Z][1-9]\d{0,2}(/\d\d(\d\d)?)?(,\d{3})?[A-Z]?\Z"), st.text(max_size=12)
)
_schemes = st.sampled_from(["ipc", "cpc", "fi", "ft", "own"])


@given(_codes, _schemes)
def test_writing_a_code_in_the_one_way_changes_it_only_once(code: str, scheme: str) -> None:
    once = normalised(code, scheme=scheme)
    assert normalised(once, scheme=scheme) == once
    assert levels_of(once, scheme) == levels_of(code, scheme)


@given(_codes, _codes, _codes, _schemes)
def test_covering_is_an_order(first: str, second: str, third: str, scheme: str) -> None:
    assert not levels_of(first, scheme) or covers(first, first, scheme=scheme)
    if covers(first, second, scheme=scheme) and covers(second, third, scheme=scheme):
        assert covers(first, third, scheme=scheme)


@given(_codes, _schemes)
def test_every_level_of_a_code_covers_it(code: str, scheme: str) -> None:
    assert all(covers(level, code, scheme=scheme) for level in levels_of(code, scheme))

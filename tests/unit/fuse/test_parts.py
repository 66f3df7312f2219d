from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from graphpalace.fuse.parts import Part, PartLine, filled, written


def line(key: str, says: str | None = None, *, width: int = 9) -> PartLine:
    """Return a line of ten bytes with its end, or of another width."""
    return PartLine(key, key, key.ljust(width, "."), key if says is None else says)


def part(*lines: PartLine, share: float, title: str = "t" * 9) -> Part:
    return Part(title, lines, share)


def keys(chosen: dict[str, list[PartLine]]) -> dict[str, list[str]]:
    return {name: [one.key for one in lines] for name, lines in chosen.items()}


def test_each_part_takes_whole_lines_within_its_share() -> None:
    parts = {
        "one": part(*(line(f"a{at}") for at in range(9)), share=0.6),
        "two": part(*(line(f"b{at}") for at in range(9)), share=0.4),
    }
    chosen, left_out = filled(parts, budget_bytes=100)  # 60 bytes: a title and five lines; 40: a title and three
    assert keys(chosen) == {"one": ["a0", "a1", "a2", "a3", "a4"], "two": ["b0", "b1", "b2"]}
    assert left_out == 10
    assert len(written(parts, chosen).encode()) == 100


def test_what_a_part_does_not_need_goes_to_the_others() -> None:
    parts = {
        "one": part(line("a0"), share=0.9),
        "none": part(share=0.5),
        "two": part(*map(line, "bcdefghi"), share=0.1),
    }
    chosen, left_out = filled(parts, budget_bytes=105)
    assert keys(chosen) == {"one": ["a0"], "none": [], "two": list("bcdefgh")}
    assert left_out == 1


def test_where_no_share_has_room_for_a_line_the_first_part_takes_what_fits() -> None:
    parts = {name: part(*(line(f"{name}{at}") for at in range(3)), share=0.5) for name in ("one", "two")}
    # A title and a line take 20 bytes, and each share is 15.
    assert keys(filled(parts, budget_bytes=30)[0]) == {"one": ["one0", "one1"], "two": []}
    chosen, left_out = filled(parts, budget_bytes=19)
    assert (keys(chosen), left_out) == ({"one": [], "two": []}, 6)


def test_a_line_is_shown_under_the_title_of_its_part() -> None:
    parts = {"none": part(share=0.5, title="# Nothing"), "one": part(line("a"), line("b"), share=0.5, title="# One")}
    chosen, _ = filled(parts, budget_bytes=1000)
    assert written(parts, chosen) == "# One\na........\nb........\n"


def test_what_a_part_leaves_is_divided_between_those_that_have_more() -> None:
    few = {"done": part(line("d"), share=0.8)}
    many = {name: part(*(line(f"{name}{at}") for at in range(9)), share=0.1) for name in ("one", "two")}
    chosen, _ = filled(few | many, budget_bytes=100)  # 20 bytes are used; the 80 others are two halves
    assert {name: len(lines) for name, lines in chosen.items()} == {"done": 1, "one": 3, "two": 3}


def test_of_two_lines_about_the_same_or_with_the_same_words_the_first_stays() -> None:
    parts = {
        "one": part(line("a", "the door code is 4711"), share=0.5),
        "two": part(line("a"), line("b", "The door  code is 4711"), line("c", "the door code is 4712"), share=0.5),
    }
    chosen, left_out = filled(parts, budget_bytes=1000)
    assert keys(chosen) == {"one": ["a"], "two": ["c"]}
    assert left_out == 0


@given(
    st.lists(
        st.tuples(st.lists(st.tuples(st.integers(0, 20), st.integers(2, 60)), max_size=8), st.floats(0.01, 1)),
        max_size=5,
    ),
    st.integers(0, 400),
)
def test_no_budget_is_exceeded_no_line_is_cut_and_none_is_there_twice(
    given_parts: list[tuple[list[tuple[int, int]], float]], budget: int
) -> None:
    parts = {
        str(at): part(*(line(f"k{key}", width=width) for key, width in lines), share=share)
        for at, (lines, share) in enumerate(given_parts)
    }
    chosen, left_out = filled(parts, budget_bytes=budget)
    text = written(parts, chosen)
    assert len(text.encode()) <= budget
    shown = [one for lines in chosen.values() for one in lines]
    assert len({one.key for one in shown}) == len(shown)
    every = {one.key for each in parts.values() for one in each.lines}
    assert left_out == len(every - {one.key for one in shown})
    for name, lines in chosen.items():
        assert list(lines) == sorted(lines, key=list(parts[name].lines).index)

"""A name may be that of two people where what stands beside it does not go together."""

from __future__ import annotations

import pytest

from graphpalace.entities.person_signs import contradictory, person_signs


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("Anna Berg, the carpenter, built a boat.", ["carpenter"]),
        ("Anna Berg the glazier\nmended the window.", ["glazier"]),
        ("Yesterday Anna Berg is a very good violinist.", ["violinist"]),
        ("The clockmaker Anna Berg has moved.", ["clockmaker"]),
        ("Ask Anna Berg (plumber) about it.", ["plumber"]),
        ("Dr. Anna Berg and Mrs Anna  Berg", ["doctor", "mrs"]),
        ("Anna Berg (1901-1980), Anna Berg (born 1844 \u2013 1899)", ["1844-1899", "1901-1980"]),
        ("Anna Berg Jr. was here before Anna Berg, the Elder", ["junior", "senior"]),
        ("Anna Berg, the mother of Max, is another member and the younger sister.", []),
        ("Anna Bergmann, the carpenter, knows Joanna Berg, the glazier.", []),
        ("It was Anna Berg. The carpenter was late.", []),
        ("anna berg, the carpenter", []),
        ("Father Anna Berg is no sister Anna Berg", ["priest"]),
    ],
)
def test_what_a_text_says_of_a_person(text: str, signs: list[str]) -> None:
    assert person_signs(text, ["Anna Berg"]) == signs


@pytest.mark.parametrize(
    ("signs", "found"),
    [
        ({"x": ["baker"], "y": ["mechanic"]}, {"baker": ["x"], "mechanic": ["y"]}),
        ({"x": ["mr"], "y": ["miss"]}, {"miss": ["y"], "mr": ["x"]}),
        ({"x": ["1820-1890"], "y": ["1901-1980"]}, {"1820-1890": ["x"], "1901-1980": ["y"]}),
        ({"x": ["junior"], "y": ["senior"]}, {"junior": ["x"], "senior": ["y"]}),
        ({"x": ["doctor"], "y": ["baker"]}, {"baker": ["y"], "doctor": ["x"]}),
        ({"x": ["doctor"], "y": ["chemist"], "z": ["professor"]}, {}),
        ({"x": ["mr"], "y": ["baker"], "z": ["1820-1890"]}, {}),
        ({"x": ["mrs"], "y": ["ms"]}, {}),
        ({"x": ["baker"], "y": ["baker"]}, {}),
        ({"x": ["baker", "brewer"], "y": ["brewer"], "z": ["baker"]}, {}),
    ],
)
def test_signs_that_do_not_go_together(signs: dict[str, list[str]], found: dict[str, list[str]]) -> None:
    assert contradictory(signs) == found

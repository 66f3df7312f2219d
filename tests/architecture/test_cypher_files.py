"""Every query file says what it is, and the code uses every one of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from graphpalace.store.connection.queries import query, resource_dir

ROOT = Path(__file__).resolve().parents[2]
NAMES = sorted(
    str(path.relative_to(ROOT / "cypher").with_suffix(""))
    for path in (ROOT / "cypher").rglob("*.cypher")
    # Those for pasting are run by tests/integration/test_browser_favourites.py.
    if path.relative_to(ROOT / "cypher").parts[0] != "browser"
)


@pytest.mark.parametrize("name", NAMES)
def test_the_header_says_name_parameters_results_and_how_it_runs(name: str) -> None:
    text = (ROOT / "cypher" / f"{name}.cypher").read_text("utf-8")
    assert text.startswith(f"// {name.rpartition('/')[2]}: ")
    assert query(name).header.keys() == {"params", "returns", "runs"}


@pytest.mark.parametrize("name", NAMES)
def test_declared_parameters_are_the_used_ones(name: str) -> None:
    found = query(name)
    declared = re.sub(r"\{[^}]*\}|\([^)]*\)", "", found.header["params"])
    code = re.sub(r"^//.*$", "", found.text, flags=re.MULTILINE)
    used = set(re.findall(r"\$(\w+)", code))
    literals = {word.lower() for word in re.findall(r"__([A-Z]+)__", code)} - {"palace"}
    assert set(re.findall(r"\w+", declared)) == used | literals


@pytest.mark.parametrize("name", NAMES)
def test_keywords_are_upper_case(name: str) -> None:
    code = re.sub(r"^//.*$|'[^']*'|\$\w+|\w+:", "", query(name).text, flags=re.MULTILINE)
    assert not re.search(r"\b(match|merge|create|set|where|return|unwind|with|delete|order by|limit)\b", code)


@pytest.mark.parametrize("name", NAMES)
def test_no_palace_is_set_to_a_sum_with_itself_because_two_that_do_so_can_wait_for_each_other_for_ever(
    name: str,
) -> None:
    code = re.sub(r"//.*$", "", query(name).text, flags=re.MULTILINE)
    assert not re.search(r"\bp\.(\w+) = [^,\n]*\bp\.\1\b", code)  # hold_palace.cypher says why


@pytest.mark.parametrize("name", NAMES)
def test_a_drawer_is_found_by_its_id_through_the_index_of_all_drawers(name: str) -> None:
    assert not re.search(r"Drawer___PALACE__ \{id:", query(name).text)  # that label has no index of ids: it is scanned


def test_no_query_is_orphaned_and_none_is_missing() -> None:
    code = "\n".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    named = set(re.findall(r'"((?:\w+)/(?:\w+))"', code))
    assert set(NAMES) <= named
    assert {name for name in named if name.partition("/")[0] in {n.partition("/")[0] for n in NAMES}} <= set(NAMES)


def test_values_never_become_part_of_a_query() -> None:
    code = "\n".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    assert not re.search(r"\bf\"[^\"]*\b(MATCH|MERGE|UNWIND)\b", code)


def test_the_resources_are_found_at_the_root_of_the_repository() -> None:
    assert resource_dir("cypher") == ROOT / "cypher"

"""Front matter tells title, date, tags and aliases of a note, and is never a heading."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphpalace.domain.drawers.document import Document
from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.ingest.readers.front_matter import note_date
from graphpalace.ingest.readers.registry import read

BODY = "Caulk the seams before the tide turns, and let the pitch cool in the shade of the boathouse.\n"


def note(text: str, name: str = "hull.md") -> Document:
    (document,) = read(Path(name), options=SplitOptions(), data=text.encode())
    return document


def texts(document: Document) -> list[str]:
    return [passage.text for passage in document.passages]


YAML = """---
title: "Hull plan: 2024"
aliases:
  - Keel
  - The old hull
tags: [boats, work/wood, "#y2024"]
date: 2024-06-07
---

"""
TOML = """+++
title = "Hull plan: 2024"
aliases = ["Keel", "The old hull"]
tags = ["boats", "work/wood", "y2024"]
date = 2024-06-07
+++
"""
STRINGS = """---
Title: 'Hull plan: 2024'
alias: Keel, The old hull
tags: boats work/wood y2024
Date Created: June 7th, 2024
updated: 2025-01-01
...
"""


@pytest.mark.parametrize("above", [YAML, TOML, STRINGS, YAML.replace("\n", "\r\n"), "\n" + YAML], ids=range(5))
def test_what_front_matter_says_of_a_note_is_kept_as_such(above: str) -> None:
    document = note(above + BODY)
    assert (document.title, document.tags) == ("Hull plan: 2024", ("boats", "work/wood", "y2024"))
    assert document.aliases == ("Keel", "The old hull")
    (passage,) = document.passages
    assert (passage.text, passage.headings) == (BODY.strip(), ())
    assert passage.occurred_at == datetime(2024, 6, 7, tzinfo=UTC)
    assert passage.start_line == above.count("\n") + 1


@pytest.mark.parametrize(
    "tags",
    [
        "tags: #boats #wood",
        "tags: [#boats, #wood]",
        "tags:\n- #boats\n- #wood",
        "Tag: boats, wood",
        "keywords: [boats, wood]",
    ],
)
def test_tags_as_people_write_them(tags: str) -> None:
    assert note(f"---\n{tags}\n---\n{BODY}").tags == ("boats", "wood")


def test_front_matter_that_says_more_is_a_passage_of_its_own() -> None:
    document = note(f"---\ntitle: Hull\nauthor: Cleo Park\nstatus: half done\n---\n# Seams\n{BODY}")
    assert document.title == "Hull"
    assert texts(document) == ["title: Hull\nauthor: Cleo Park\nstatus: half done", f"# Seams\n{BODY.strip()}"]
    assert [(p.headings, p.start_line, p.end_line) for p in document.passages] == [((), 2, 4), (("Seams",), 6, 7)]


def test_a_second_block_is_a_part_of_it_and_what_the_first_one_says_counts() -> None:
    document = note(f"---\ndate: 2024-06-07\n---\n\n---\ntitle: Hull\ndate: 2020-01-01\ntags: boats\n---\n\n{BODY}")
    assert (document.title, document.tags, texts(document)) == ("Hull", ("boats",), [BODY.strip()])
    assert document.passages[0].occurred_at == datetime(2024, 6, 7, tzinfo=UTC)
    more = note(f"---\nstatus: dry\n---\n\n---\nauthor: Cleo\n---\n{BODY}")
    assert texts(more) == ["status: dry\n---\n\n---\nauthor: Cleo", BODY.strip()]
    mixed = note(f"+++\ntitle = 'Hull'\n+++\n---\nauthor: Cleo\n---\n{BODY}")
    assert (mixed.title, texts(mixed)) == ("Hull", ["author: Cleo", BODY.strip()])


@pytest.mark.parametrize(
    ("block", "title", "tags"),
    [
        ("title: Hull: the second: part\ntags: [boats, wood", "Hull: the second: part", ("boats", "wood")),
        ("title: {{ page }}\ntags:\n  - boats\n  - wood", "{{ page }}", ("boats", "wood")),
        ("title: Hull\n\tsize: 3\ntags: @boats", "Hull", ("@boats",)),
        ("tags: %boats\n# a comment\npath: `C:\\hull`", None, ("%boats",)),
    ],
)
def test_damaged_yaml_is_no_heading_and_what_its_lines_tell_counts(
    block: str, title: str | None, tags: tuple[str, ...]
) -> None:
    document = note(f"---\n{block}\n---\n\n# Seams\n\n{BODY}")
    assert (document.title, document.tags) == (title or "Seams", tags)
    assert texts(document)[0] == block
    assert [passage.headings for passage in document.passages] == [(), ("Seams",)]


def test_damaged_toml_is_read_by_its_lines_too() -> None:
    document = note(f'+++\ntitle = "Hull"\ndate = 2024-13-01\ntags = ["boats"\n+++\n{BODY}')
    assert (document.title, document.tags, document.passages[0].occurred_at) == ("Hull", ("boats",), None)
    assert texts(document)[1] == BODY.strip()


@pytest.mark.parametrize(
    "text",
    [
        f"---\n\n{BODY}\n---\n\nAnd the mast.\n",
        f"---\nMind: this is prose.\n\n{BODY}---\n\nAnd the mast.\n",
        f"---\ntitle: never closed\n\n{BODY}",
        f"Words first.\n\n---\ntitle: too late\n---\n{BODY}",
        "---\n- a list\n- of things\n---\n" + BODY,
    ],
)
def test_rules_and_prose_are_no_front_matter(text: str) -> None:
    document = note(text)
    assert (document.tags, document.aliases) == ((), ())
    assert "".join("".join(texts(document)).split()) == "".join(text.split())


def test_more_tags_than_a_passage_can_be_found_by_keep_their_block() -> None:
    for tags in ([f"tag{number}" for number in range(60)], ["x" * 1500, "y" * 1500]):
        document = note(f"---\ntags: [{', '.join(tags)}]\n---\n{BODY}")
        assert 1 <= len(document.tags) < len(tags)
        assert tags[-1] in "".join(texts(document)[:-1])


def test_a_value_that_is_not_understood_keeps_its_block() -> None:
    for line in ("date: last summer", "title: [a, b]", "tags: {a: b}", "date: 3/4/2024"):
        document = note(f"---\n{line}\n---\n{BODY}")
        assert (document.title, document.tags) == ("hull.md", ())
        assert (texts(document)[0], document.passages[0].occurred_at) == (line, None)


@pytest.mark.parametrize(
    "block",
    [
        "a: &a [x, x]\n" + "".join(f"b{n}: &b{n} [*a, *a]\n" for n in range(3)) + "title: Bomb",
        "title: Bomb\nx: " + "[" * 20_000,
        "title: Bomb\nx:\n  " + "- " * 30_000 + "y",
        "title: Bomb\nx: !!python/object/apply:os.system ['touch /tmp/hull']",
        "title: Bomb\n" + "".join(f"k{n}: v\n" for n in range(6000)) + "x: y",
    ],
    ids=["aliases", "brackets", "dashes", "object", "many keys"],
)
def test_hostile_yaml_costs_no_more_than_other_text(block: str) -> None:
    began = time.process_time()
    document = note(f"---\n{block}\n---\n{BODY}")
    assert time.process_time() - began < 2
    assert document.passages[-1].text.endswith(BODY.strip())
    assert not Path("/tmp/hull").exists()


def test_front_matter_larger_than_any_is_text() -> None:
    document = note("---\n" + "k: v\n" * 20_000 + f"---\n\n{BODY}")
    assert document.tags == ()
    assert texts(document)[-1].endswith(BODY.strip())


def test_a_note_in_a_vault_is_known_by_the_name_of_its_file(tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / "yard").mkdir()
    for name, above, aliases in (
        ("slip way", "# Where boats go\n", ("slip way",)),
        ("Mast", "---\naliases: [Pole, Mast]\n---\n# Rig\n", ("Pole", "Mast")),
        ("Rope", "# Rope\n", ()),
    ):
        path = tmp_path / "yard" / f"{name}.md"
        path.write_text(above + BODY)
        (document,) = read(path, options=SplitOptions())
        assert document.aliases == aliases
        assert note(above + BODY, name=str(path)).aliases == tuple(alias for alias in aliases if alias in above)


NOON = datetime(2024, 6, 7, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        *((day, NOON.replace(hour=0)) for day in ("2024-06-07", "2024-6-7", "20240607", "2024/06/07", "2024.06.07")),
        *((day, NOON.replace(hour=0)) for day in ("7.6.2024", "7 June 2024", "Jun 7, 2024", "Friday, June 7th 2024")),
        *((day, NOON.replace(hour=0)) for day in ("[[2024-06-07]]", "[[daily/2024-06-07|then]]")),
        *((at, NOON) for at in ("2024-06-07 12:00", "2024-06-07T12:00:00.000Z", "2024-06-07 14:00:00 +0200")),
        *((at, NOON) for at in ("2024-06-07T07:00-05:00", "202406071200", "1717761600", "1717761600000")),
        ("2024-06-07 9:05", NOON.replace(hour=9, minute=5)),
        *((none, None) for none in ("", "soon", "2024", "2024-13-01", "2024-02-30", "3/4/2024", "12", "0000-01-01")),
    ],
)
def test_dates_of_notes(written: str, expected: datetime | None) -> None:
    assert note_date(written) == expected

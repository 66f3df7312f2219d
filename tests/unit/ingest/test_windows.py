from pathlib import Path

from graphpalace.domain.split_options import SplitOptions
from graphpalace.ingest.readers.registry import read
from graphpalace.ingest.windows import line_ranges, window_passages


def numbered(count, newline="\n"):
    return "".join(f"line {number}{newline}" for number in range(1, count + 1))


def test_windows_of_four_lines_over_ten_begin_every_two_lines():
    assert list(line_ranges(10, 4)) == [(1, 4), (3, 6), (5, 8), (7, 10)]


def test_the_last_window_is_short_where_the_lines_run_out():
    assert list(line_ranges(9, 4)) == [(1, 4), (3, 6), (5, 8), (7, 9)]


def test_a_file_shorter_than_the_window_is_one_window():
    assert list(line_ranges(3, 4)) == [(1, 3)]


def test_several_scales_each_with_the_header_of_the_seed():
    passages = window_passages(numbered(6), "src/a.py", (4, 8, 16))
    assert [p.text.split("\n")[0] for p in passages] == [
        "# file: src/a.py | lines: 1-4 | window: 4",
        "# file: src/a.py | lines: 3-6 | window: 4",
        "# file: src/a.py | lines: 1-6 | window: 8",
    ]
    assert [(p.start_line, p.end_line) for p in passages] == [(1, 4), (3, 6), (1, 6)]


def test_what_follows_the_header_is_the_source_verbatim():
    source = numbered(4, "\r\n") + "no newline at the end"
    (passage,) = window_passages(source, "a.py", (10,))
    assert passage.text.split("\n", 1)[1] == source


def test_a_short_file_is_made_once_for_all_windows():
    assert len(window_passages(numbered(900), "a.py", (1000, 2000, 4000))) == 1


def test_fifteen_hundred_lines_at_the_scales_of_the_seed():
    passages = window_passages(numbered(1500), "a.py", (1000, 2000, 4000))
    assert [(p.start_line, p.end_line) for p in passages] == [(1, 1000), (501, 1500), (1, 1500)]


def test_an_empty_file_has_no_windows():
    assert window_passages("", "a.py", (10,)) == ()


def test_code_is_cut_into_windows_when_the_options_name_some():
    options = SplitOptions(windows=(4,))
    data = numbered(6).encode()
    (document,) = read(Path("a.py"), options=options, data=data, folders=("pkg", "sub"))
    assert document.passages[0].text.startswith("# file: pkg/sub/a.py | lines: 1-4 | window: 4\nline 1\n")
    (prose,) = read(Path("a.md"), options=options, data=data)
    assert not prose.passages[0].text.startswith("# file:")

from __future__ import annotations

from graphpalace.error_codes import EXIT, STATUS
from graphpalace.errors import GraphPalaceError, every_error


def test_every_error_has_a_code_of_its_own_a_status_and_an_exit_code() -> None:
    codes = [error.code for error in every_error()]
    assert len(codes) == len(set(codes))
    assert set(STATUS) == set(EXIT) == set(codes)
    assert all(400 <= status < 600 for status in STATUS.values())
    assert all(0 < exit_code < 128 for exit_code in EXIT.values())


def test_the_docstring_is_the_default_message() -> None:
    assert all(error().message for error in every_error())


def test_the_tree_at_the_top_of_the_module_names_every_error() -> None:
    import graphpalace.errors as module

    assert module.__doc__
    assert all(error.__name__ in module.__doc__ for error in every_error())


def test_an_error_keeps_its_detail() -> None:
    assert GraphPalaceError("no", field="x").detail == {"field": "x"}

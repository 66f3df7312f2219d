from __future__ import annotations

import pytest

from graphpalace.ingest.bare_text import is_bare


@pytest.mark.parametrize(
    "text",
    [
        "----\n\n* * *\n",
        "## Licence\n",
        "Licence\n=======\n",
        "# A\r\n\r\n## B\r\n",
        '<a id="top"></a>\n<a name="x"/>',
        "<!-- toc\n goes here -->\n## Contents",
        ".. _install:\n",
        "- [Install](install.md)\n- [Use](use.md)\n",
    ],
)
def test_markup_without_a_word_of_its_own_is_bare(text: str) -> None:
    assert is_bare(text, code=False)


@pytest.mark.parametrize("text", ["Yes.", "## FAQ\nYes.", "See [there](a.md).", "#hashtag", "1. first"])
def test_a_short_text_with_words_is_not(text: str) -> None:
    assert not is_bare(text, code=False)


@pytest.mark.parametrize("text", ["# Adds.\n# Twice.\n", "// x\n\n/* Copyright\n * 2020 */\n", "#!/bin/sh\n", "}\n"])
def test_comments_alone_are_bare_in_code(text: str) -> None:
    assert is_bare(text, code=True)


@pytest.mark.parametrize("text", ["x = 1  # one", "#include <a.h>", "#[derive(Debug)]", "# a\nimport b"])
def test_code_is_not(text: str) -> None:
    assert not is_bare(text, code=True)

"""The documentation as a site: `make docs` builds it into build/docs, and fails if a link leads nowhere.

Sphinx with MyST, as it checks every link and every anchor, and its search needs no server. docs/README.md is the first
page, and what it lists is the navigation.
"""

from __future__ import annotations

import re
from typing import Any

project = "GraphPalace"
author = "The GraphPalace developers"
extensions = ["myst_parser", "sphinx_copybutton"]
root_doc = "docs/README"
include_patterns = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/*.md", "docs/**/*.md"]
html_theme = "furo"
html_title = "GraphPalace"
html_show_sourcelink = False
html_copy_source = False
html_extra_path = ["index.html"]  # leads to the first page
myst_heading_anchors = 4
myst_enable_extensions = []  # no formulas in TeX, which would need a script from elsewhere
copybutton_exclude = ".linenos, .gp, .go"
suppress_warnings = [
    "toc.not_included",  # decisions are listed on a page of their own
    "misc.highlighting_failure",  # diagrams, which stay text
]


def _with_navigation(_app: Any, name: str, source: list[str]) -> None:
    """Add what the first page lists as its tables of contents, which are the navigation of all pages."""
    if name != root_doc:
        return
    for title, part in re.findall(r"^## (.+)\n((?:(?!^## ).*\n?)*)", source[0], re.MULTILINE):
        pages = re.findall(r"\]\((?!http)([^)#]+)\.md\)", part)
        if pages:
            source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n" + "\n".join(pages) + "\n```\n"


def setup(app: Any) -> None:
    """Register the hook."""
    app.connect("source-read", _with_navigation)

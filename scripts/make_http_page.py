"""Write the rows of docs/reference/http.md whose routes `graphpalace.offers` declares. The others are hand-written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphpalace.offers.every import GROUPS
from graphpalace.offers.offer import Offer, parameters

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "http.md"
_ROW = re.compile(r"^\| `([A-Z]+ [^`?]+)[^`]*` \| .* \|$", re.MULTILINE)


def page() -> str:
    """Return the text of the page."""
    declared: Mapping[str, Offer[Any, Any]] = {_shown(offer.route): offer for group in GROUPS for offer in group.offers}
    return _ROW.sub(lambda row: _row(declared[row[1]]) if row[1] in declared else row[0], PAGE.read_text("utf-8"))


def _shown(route: str) -> str:
    return route.replace(":path", "")


def _row(offer: Offer[Any, Any]) -> str:
    fields = [
        f"`{offer.spelled(one.name)}`" + (" (required)" if one.required else "")
        for one in parameters(offer.request)
        if offer.spelled(one.name) not in offer.in_path
    ]
    parts = [offer.does, offer.more]
    if offer.lines:
        parts.append(f"It answers with lines of JSON: the progress and, last, the result, each as `{offer.lines}`.")
    if fields:
        parts.append(f"Fields: {', '.join(fields)}.")
    return f"| `{_shown(offer.route)}` | {' '.join(part for part in parts if part)} |"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")

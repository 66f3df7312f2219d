"""`python -m graphpalace.client.background_start DIR [CONFIG]` starts the service of a folder, if it may."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from graphpalace.client.ensure_service import ensure_service
from graphpalace.errors import GraphPalaceError
from graphpalace.settings.home import home


def main(folder: str, config: str = "") -> None:
    """Start the service unless `[service] autostart` is false. An error is in the service's log."""
    with suppress(GraphPalaceError):
        here = replace(home(Path(config) if config else None), folder=Path(folder))
        if here.autostart:
            ensure_service(here)


if __name__ == "__main__":
    main(*sys.argv[1:])

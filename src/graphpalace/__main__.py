"""`python -m graphpalace` is the command `graphpalace`."""

from __future__ import annotations

from graphpalace.serve.cli.main import main

if __name__ == "__main__":
    main()

"""Generate `docs/reference/mcp.md` from the tools themselves.

Run `python -m graphpalace.serve.mcp.reference` in the root of the project.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from fastmcp.prompts import Prompt
from fastmcp.tools import Tool

from graphpalace.domain.mcp_profiles import LIST_KIB, PROFILES
from graphpalace.errors import DatabaseUnavailable
from graphpalace.serve.mcp.offered_tool import OfferedTool
from graphpalace.serve.mcp.reference_text import ABOUT, END, HEAD
from graphpalace.serve.mcp.server import make_server, offered_tools, palaces_over
from graphpalace.serve.mcp.tools.prompts import PROMPT_PROFILES
from graphpalace.settings.load import Settings

PAGE = Path("docs/reference/mcp.md")


def page_text() -> str:
    """Return the text of the page: a table of the tools of each profile."""
    settings = Settings()
    offered = offered_tools(palaces_over(settings, _no_operations), settings)
    server = make_server(settings, _no_operations)
    tools = {tool.name: tool for tool in asyncio.run(server.list_tools(run_middleware=False))}
    prompts = {prompt.name: prompt for prompt in asyncio.run(server.list_prompts(run_middleware=False))}
    parts = [HEAD]
    for profile in PROFILES[:-1]:
        parts += ["\n".join(_section(profile, [one for one in offered if profile in one.profiles], tools, prompts))]
    return "\n".join([*parts, END])


def main() -> None:
    """Write the page."""
    PAGE.write_text(page_text(), "utf-8")
    print(f"wrote {PAGE}")


def _section(
    profile: str, offered: Sequence[OfferedTool], tools: Mapping[str, Tool], prompts: Mapping[str, Prompt]
) -> Iterator[str]:
    yield f"## {profile}"
    yield ""
    yield ABOUT[profile]
    yield ""
    yield f"The list of these {len(offered)} tools takes at most {LIST_KIB[profile]} KiB of a model's context."
    yield ""
    yield "| Tool | What it does | Arguments (default) | Answer |"
    yield "|---|---|---|---|"
    for one in offered:
        tool = tools[one.name]
        about = f"{tool.description} {_effect(one)}".strip()
        arguments = ", ".join(_argument(tool, name) for name in tool.parameters.get("properties", {}))
        answer = ", ".join(f"`{name}`" for name in (tool.output_schema or {}).get("properties", {})) or "an object"
        yield "| " + " | ".join(cell.replace("|", r"\|") for cell in (f"`{one.name}`", about, arguments, answer)) + " |"
    yield ""
    for prompt, profiles in PROMPT_PROFILES.items():
        if profile in profiles:
            arguments = ", ".join(f"`{one.name}`" for one in prompts[prompt].arguments or ())
            yield f"Prompt `{prompt}` ({arguments}): {prompts[prompt].description}"
            yield ""


def _effect(tool: OfferedTool) -> str:
    if tool.destroys:
        return "*Removes or overwrites.*"
    if tool.writing_argument is not None:
        return f"*Writes if `{tool.writing_argument}` is given.*"
    return "*Writes.*" if tool.writes else ""


def _argument(tool: Tool, name: str) -> str:
    schema: dict[str, Any] = tool.parameters["properties"][name]
    if name in tool.parameters.get("required", ()):
        return f"**`{name}`**"
    default = schema.get("default")
    return f"`{name}`" if default is None else f"`{name}` ({json.dumps(default)})"


def _no_operations() -> NoReturn:
    raise DatabaseUnavailable("the reference calls no tool")


if __name__ == "__main__":
    main()

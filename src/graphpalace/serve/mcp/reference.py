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
from graphpalace.serve.mcp.server import make_server, offered_tools, palaces_over
from graphpalace.serve.mcp.tools.runs import PROMPT_PROFILES
from graphpalace.settings.load import Settings

HEAD = """\
# MCP tools

[Give an agent access over MCP](../how-to/use-mcp.md) shows how to connect. The tools are the same over standard input
and output (`graphpalace mcp`) and over HTTP (`/mcp`). This page is generated from them by `make mcp-docs`.

Tools come in profiles. A client sees those of `core`, unless `[mcp] profile`, the option `--profile` or `?profile=` in
the address name others, such as `core,runs`. `all` is every tool. With `[mcp] read_only`, `--read-only` or
`?read_only=true`, the tools that write are neither shown nor called.

An answer is structured content that follows the schema of its tool. A host that shows only text to its model gets the
same JSON as text instead: `[mcp] answers`, `--answers text` or `?answers=text`. An answer has one of these forms, not
both.

A call that fails is answered with `{"error": "reason"}` and `isError`, and changes nothing. It fails, for example, if
an argument has a wrong type or is out of range, if a name is empty or unknown, or if the database does not answer. The
reason says what would be valid. The metadata of each result (`_meta`) has the `requestId`, by which the
[service's log](../how-to/watch-the-service.md) has the call.

`palace` is another palace than the configured one. Arguments in bold must be given.
"""

ABOUT: Mapping[str, str] = {
    "core": """\
An agent's memory: store, search, open, give feedback, correct and forget. The answer of `search` has at most
`[mcp] search_bytes` bytes, or the budget in the call. Each hit has the passage that fits the question; with
`detail: true`, it has the whole text and the reasons. `open_drawer` with the `run` of a search counts as weak feedback.
It shows at most `[mcp] open_bytes` bytes of a text; `next_start` is where the rest begins.""",
    "runs": """\
Searches in several lanes whose rankings stay in the palace for a day. Answers are handles; the documents are shown page
by page within a budget of bytes. [Runs](runs.md) explains the fields.""",
    "simulation": "[The swarm](../explanation/swarm.md) as a simulation over documents.",
    "knowledge": """\
The people, places and other things that texts mention ([Names](../explanation/entities.md)), and facts with two times:
when they hold in the world, and when the palace knew them. Nothing is overwritten. A repeated call changes nothing.
Times are such as `2019`, `2019-05-31` or `2019-05-31T14:30Z`.
[Facts that change](../explanation/knowledge.md) explains them.""",
    "stigmergy": "Paths through the palace, and the pheromones on them.",
    "admin": "What is in the palace, and where.",
}

END = """\
## simulation_run

```json
{"name": "my_experiment", "max_steps": 500, "seed": 42,
 "params": {"query": "pruning roses", "population": 100, "decay_rate": 0.95}}
```

The tool runs [the swarm](../explanation/swarm.md) and answers when it has ended, which is before `max_steps` if the
results are stable earlier. `max_steps` is 1 to 5000. A client that asks for progress is informed of each step. If the
client cancels the call, the run stops, and the results up to that step are kept.

Every call starts a new simulation. The same `seed` and `params` over the same documents give the same results. A name
that is running already is refused.

`params` takes the [settings of a simulation](simulation-settings.md) and where to look: `palace`, `wing`, `room`,
`drawers`, or `root`, a folder that `[simulation] folders` allows. `population` is another name for `num_agents`, and
`decay_rate` for `pheromone_decay`. Unknown parameters, such as `learning_rate`, have no effect; they are stored, and
both tools return them as `params_not_used`.

In the answer, `status` is "success" and `config` is the name without surrounding spaces. `simulation_status` is
"completed", or "running" as long as the simulation has not ended; this includes a paused one. The simulations are those
of the [HTTP interface](live-simulations.md), under the same names.
"""


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

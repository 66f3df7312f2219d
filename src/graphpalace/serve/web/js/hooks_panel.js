// The hooks of hosts of agents: which are installed, when each ran last, and what went wrong.

import { get } from "./api.js";
import { el, replace } from "./dom.js";
import { failed, waiting } from "./message.js";
import { moment } from "./moment.js";
import { count } from "./numbers.js";
import { table } from "./tables.js";

const DOES = { "wake up": "says what to know now", recall: "says what fits the prompt", file: "files what is new" };
const FILING = "filing"; // what goes on after a hook has ended

export class HooksPanel {
  #asked = 0;
  #content = el("div", { class: "column" });
  element = el("section", { class: "card column", "aria-label": "Hooks" }, el("h2", {}, "Hooks of hosts"), this.#content);

  async show() {
    const asked = (this.#asked += 1);
    if (!this.#content.firstChild) replace(this.#content, waiting("Reading what is installed…"));
    try {
      const report = await get("/v1/hooks");
      if (asked === this.#asked) this.#draw(report);
    } catch (error) {
      if (asked === this.#asked) replace(this.#content, failed(error, () => this.show()));
    }
  }

  again() {
    if (this.#content.querySelector(".problem")) this.show();
  }

  #draw({ runs, unfiled, installed, failures, log }) {
    const used = installed.filter((host) => host.server || host.hooks.length || host.problem || runs.some((run) => run.host === host.host));
    const unused = installed.filter((host) => !used.includes(host)).map(({ host }) => host);
    replace(
      this.#content,
      used.map((host) => hookTable(host, runs.filter((run) => run.host === host.host))),
      unused.length > 0 && el("p", { class: "quiet" }, `Not installed for the user of the service: ${unused.join(", ")}. `, el("code", {}, `graphpalace install ${unused[0]}`)),
      unfiled > 0 && el("p", {}, `${count(unfiled, "conversation")} being filed, or waiting for the next hook`),
      failures.length > 0 && el("details", {}, el("summary", {}, `Last errors (${failures.length})`), el("ul", { class: "failures" }, failures.map((one) => el("li", {}, el("p", { class: "quiet" }, moment(one.at), ` · ${one.host} ${one.event}`), el("p", {}, one.error)))), el("p", { class: "quiet" }, `From ${log}`)),
    );
  }
}

function hookTable({ host, server, hooks, files, problem, events }, runs) {
  const state = hooks.length === events.length ? "all hooks are installed" : hooks.length ? `${hooks.length} of ${events.length} hooks are installed` : "no hook is installed";
  const named = [...events, ...runs.filter((run) => !events.some((event) => event.name === run.event)).map((run) => ({ name: run.event, does: "", note: run.event === FILING ? "conversations that were filed after a hook had ended" : "" }))];
  return el(
    "div",
    { class: "table-frame", role: "region", tabindex: "0", "aria-label": `Hooks of ${host}` },
    table(["Event", "Installed", "Last run", "Did"], named.map((event) => row(event, hooks.includes(event.name), runs.find((run) => run.event === event.name))), {
      kind: "hooks",
      caption: el("caption", { title: `In ${files.join(" and ")}` }, el("b", {}, host), ` – ${state}, the MCP server is ${server ? "" : "not "}installed`, problem && el("span", { class: "left-out" }, problem)),
    }),
  );
}

function row({ name, does, note }, there, run) {
  return el(
    "tr",
    {},
    el("th", { scope: "row", title: [DOES[does], note].filter(Boolean).join("; ") || null }, name),
    el("td", {}, name === FILING ? "" : there ? "yes" : "no"),
    el("td", {}, run ? moment(run.at, "ago") : "never"),
    el("td", { class: "did" }, run && (run.error ? el("span", { class: "wrong" }, `failed: ${run.error}`) : run.did), run && ` in ${Math.round(run.took_ms).toLocaleString("en")} ms`, run && !run.error && run.failures > 0 && el("span", { class: "quiet", title: run.failure }, ` (${run.failures} of ${run.runs} failed)`)),
  );
}

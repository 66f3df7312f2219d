// Whether the service, its database and its embedding model can be used, and the palaces with what they hold.

import { get } from "./api.js";
import { el, replace } from "./dom.js";
import { failed, waiting } from "./message.js";
import { moment } from "./moment.js";
import { named, namedValues, table } from "./tables.js";

export class StatusPart {
  #content = el("div", { class: "column" }, waiting("Reading the status…"));
  element = el("section", { class: "card column", "aria-label": "Status" }, el("h2", {}, "Status"), this.#content);

  async load() {
    try {
      const [ready, status] = await Promise.all([readiness(), get("/v1/status")]);
      this.#draw(ready, status);
    } catch (error) {
      replace(this.#content, failed(error, () => this.load()));
    }
  }

  #draw(ready, { server, uri, version, edition, schema, database, browser, reason, palaces }) {
    const kind = { external: "your own server", running: "started by GraphPalace", stopped: "stopped" }[server];
    replace(
      this.#content,
      el("p", { class: `decay-state ${ready.status === "ready" ? "fine" : "late"}` }, ready.status === "ready" ? "Ready: everything works at full speed." : `Not ready: ${ready.reason ?? "it is starting"}.`),
      namedValues(
        named("Database", `${database === "up" ? "answers" : `does not answer${reason ? `: ${reason}` : ""}`}, ${kind}`),
        named("Neo4j", [version, edition].filter(Boolean).join(", ") || "unknown"),
        named("Address", uri),
        named("Schema", schema || "unknown"),
        named("Model", ready.embedding_model ?? "unknown"),
        browser && named("Browser", el("a", { href: browser, rel: "noreferrer" }, browser)),
      ),
      palaces.length > 0 && el("h3", {}, "Palaces"),
      palaces.length > 0 && palaceTable(palaces, ready.palaces_in_memory ?? []),
    );
  }
}

// The state of the service, which it also tells when it is not ready.
async function readiness() {
  const answer = await fetch("/health/ready", { cache: "no-store" }).catch(() => null);
  return answer ? answer.json().catch(() => ({})) : { reason: "the service does not answer" };
}

function palaceTable(palaces, inMemory) {
  const columns = ["Palace", "Wings", "Rooms", "Documents", "Drawers", "Model", "Made", "In memory"];
  const row = ({ name, wings, rooms, closets, drawers, model, dimension, created_at: made }) =>
    el("tr", {}, el("th", { scope: "row" }, name), [wings, rooms, closets, drawers].map((number) => el("td", {}, number.toLocaleString("en"))), el("td", { title: `vectors of ${dimension} numbers` }, model), el("td", {}, moment(made, "day")), el("td", {}, inMemory.includes(name) ? "yes" : "no"));
  return el("div", { class: "table-frame", role: "region", tabindex: "0", "aria-label": "Palaces" }, table(columns, palaces.map(row)));
}

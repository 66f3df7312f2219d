// The settings with which the service works: their values, and where each came from. Secrets are not shown.

import { get } from "./api.js";
import { el, replace } from "./dom.js";
import { failed, waiting } from "./message.js";
import { count } from "./numbers.js";
import { table } from "./tables.js";

const SOURCES = { default: "default", file: "file", environment: "environment", start: "given at the start" };

export class SettingsPart {
  /** @type {any[]} */
  #settings = [];
  #file = el("p", { class: "quiet" });
  #query = el("input", { type: "search", name: "setting", autocomplete: "off", placeholder: "Part of a name", "aria-label": "Part of a name of a setting" });
  #own = el("input", { type: "checkbox", name: "own" });
  #summary = el("p", { class: "quiet", role: "status" });
  #content = el("div", {}, waiting("Reading the settings…"));

  constructor() {
    for (const input of [this.#query, this.#own]) input.addEventListener("input", () => this.#draw());
    this.element = el("section", { class: "card column", "aria-label": "Settings" }, el("h2", {}, "Settings"), this.#file, el("div", { class: "narrow-down" }, this.#query, el("label", { class: "check" }, this.#own, " only what is not the default"), this.#summary), this.#content);
  }

  async load() {
    try {
      const { file, settings } = await get("/v1/settings");
      this.#settings = settings;
      replace(this.#file, file ? `From ${file}, environment variables and options of the command.` : "There is no settings file: what is not given by the environment or an option is the default.");
      this.#draw();
    } catch (error) {
      const secret = error.status === 403 ? "Only a key that may administer everything may see the settings." : null;
      replace(this.#content, secret ? el("p", { class: "quiet" }, secret) : failed(error, () => this.load()));
    }
  }

  #draw() {
    const query = this.#query.value.trim().toLowerCase();
    const shown = this.#settings.filter(({ section, key, source }) => `${section}.${key}`.toLowerCase().includes(query) && (!this.#own.checked || source !== "default"));
    replace(this.#summary, count(shown.length, "setting"));
    const columns = ["Setting", "Value", "From", "What it is for"];
    replace(
      this.#content,
      shown.length > 0 && el("div", { class: "table-frame settings-table", role: "region", tabindex: "0", "aria-label": "Settings as a table" }, table(columns, shown.map(row))),
    );
  }
}

function row({ section, key, value, given, source, variable, does, allowed, default: usual }) {
  const said = value ?? (given ? "(hidden)" : "(none)");
  return el(
    "tr",
    {},
    el("th", { scope: "row", title: variable }, `${section}.${key}`),
    el("td", {}, el("code", {}, said), source !== "default" && value !== null && usual !== value && el("span", { class: "quiet" }, ` default ${usual}`)),
    el("td", {}, el("span", { class: "kind" }, SOURCES[source])),
    el("td", { class: "did" }, does, allowed && el("span", { class: "quiet" }, ` (${allowed})`)),
  );
}

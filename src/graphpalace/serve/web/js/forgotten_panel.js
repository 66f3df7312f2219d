// What was forgotten in a palace, newest first: when, by what, and how much, never what it said.

import { get } from "./api.js";
import { el, replace } from "./dom.js";
import { failed, waiting } from "./message.js";
import { moment } from "./moment.js";
import { count } from "./numbers.js";

const PAGE = 10;
const KINDS = { drawers: "single drawers", source: "a source", conversation: "a conversation", wing: "a wing", room: "a room", name: "a name", pattern: "a pattern" };
/** @type {Record<string, [one: string, many?: string]>} */
const TRACES = { history: ["earlier text"], lessons: ["lesson"], judgements: ["judgement"], searches: ["kept search", "kept searches"], runs: ["run"], entries: ["entry of a search", "entries of searches"], simulations: ["simulation"], diary: ["diary entry", "diary entries"], names: ["name"] };

export class ForgottenPanel {
  #app;
  #asked = 0;
  #list = el("ul", { class: "receipts" });
  #rest = el("div", {});

  constructor(app) {
    this.#app = app;
    this.element = el("section", { class: "card column", "aria-label": "Forgotten" }, el("h2", {}, "Forgotten"), this.#list, this.#rest);
  }

  show() {
    replace(this.#list);
    replace(this.#rest, waiting("Reading what was forgotten…"));
    this.#load("");
  }

  again() {
    if (this.#rest.querySelector(".problem")) this.show();
  }

  async #load(after) {
    const asked = (this.#asked += 1);
    try {
      const { receipts, next } = await get("/v1/forget/receipts", { palace: this.#app.palace, after, limit: PAGE });
      if (asked !== this.#asked) return;
      this.#list.append(...receipts.map(item));
      replace(this.#rest, this.#list.children.length === 0 ? el("p", { class: "quiet" }, "Nothing was forgotten yet. ", el("code", {}, "graphpalace forget"), " removes texts for good.") : next && el("button", { type: "button", onclick: () => this.#load(next) }, "Show more"));
    } catch (error) {
      if (asked === this.#asked) replace(this.#rest, failed(error, () => this.#load(after)));
    }
  }
}

/** @param {{ facts: number, closets: string[], traces: Record<string, number> }} receipt */
export function alsoGone({ facts, closets, traces }) {
  const more = Object.entries(traces).filter(([name, number]) => number > 0 && name in TRACES).map(([name, number]) => count(number, ...TRACES[name]));
  return [closets.length > 0 && count(closets.length, "closet"), facts > 0 && count(facts, "fact"), ...more].filter(Boolean).join(", ");
}

function item(receipt) {
  const { at, by, kinds, deleted } = receipt;
  return el(
    "li",
    {},
    el("p", {}, `By ${kinds.map((kind) => KINDS[kind] ?? kind).join(" and ")}: ${count(deleted, "drawer")}`),
    el("p", { class: "quiet" }, alsoGone(receipt)),
    el("p", { class: "quiet" }, moment(at), by && ` · ${by}`),
  );
}

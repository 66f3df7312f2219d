// The names of a palace, those with most drawers first, chosen by a part of the name and by type.

import { get } from "./api.js";
import { el, options, replace, viewHeading } from "./dom.js";
import { failed, nothing, waiting } from "./message.js";
import { SURE_TYPES, kind, nameLink } from "./name_link.js";
import { count } from "./numbers.js";

const PAGE = 60;

export class NameList {
  #app;
  #query = el("input", { type: "search", name: "query", autocomplete: "off", maxlength: 200, placeholder: "Part of a name", "aria-label": "Part of a name" });
  #type = options(el("select", { name: "entity_type" }), [["", "any"], ...SURE_TYPES.map((one) => [one, one])], "");
  #summary = el("p", { class: "summary", role: "status" });
  #found = el("ul", { class: "name-list" });
  #rest = el("div", {});
  #asked = 0;

  constructor(app) {
    this.#app = app;
    const form = el("form", { role: "search", class: "ask" }, el("div", { class: "ask-line" }, this.#query, el("button", { class: "primary" }, "Find")), el("div", { class: "narrow-down" }, el("label", {}, "Type ", this.#type)));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#go();
    });
    this.#type.addEventListener("change", () => this.#go());
    this.element = el("div", { class: "column" }, viewHeading("Names"), form, this.#summary, this.#found, this.#rest);
  }

  show(params) {
    document.title = "Names – GraphPalace";
    this.#query.value = params.get("query") ?? "";
    this.#type.value = params.get("type") ?? "";
    replace(this.#found);
    replace(this.#rest, waiting("Reading the names…"));
    replace(this.#summary);
    this.#load(0);
  }

  again() {
    if (this.#rest.querySelector(".problem")) this.#load(this.#found.children.length);
  }

  #go() {
    const params = new URLSearchParams();
    if (this.#query.value.trim()) params.set("query", this.#query.value.trim());
    if (this.#type.value) params.set("type", this.#type.value);
    const before = location.hash;
    location.hash = params.size ? `#/names?${params}` : "#/names";
    if (location.hash === before) this.show(params);
  }

  async #load(offset) {
    const asked = (this.#asked += 1);
    try {
      const found = await get("/v1/names", { palace: this.#app.palace, query: this.#query.value.trim(), entity_type: this.#type.value, offset, limit: PAGE });
      if (asked === this.#asked) this.#draw(found);
    } catch (error) {
      if (asked === this.#asked) replace(this.#rest, failed(error, () => this.#load(offset)));
    }
  }

  #draw({ names, next, due }) {
    this.#found.append(...names.map(item));
    const shown = this.#found.children.length;
    const chosen = this.#query.value.trim() || this.#type.value;
    replace(this.#summary, shown > 0 && `${next === null ? "" : "the first "}${count(shown, "name")}`, due > 0 && ` · ${count(due, "drawer")} still to be read`);
    replace(this.#rest, shown === 0 ? (chosen ? nothing("No such name.", "Try another part of it, or any type.") : none(due)) : next !== null && el("button", { type: "button", onclick: () => this.#load(next) }, "Show more"));
  }
}

function none(due) {
  return due > 0
    ? nothing("No names yet.", `${count(due, "drawer")} still to be read. The service reads them when nothing was written for a moment.`)
    : nothing("No names yet.", "Names are found in texts after they were stored. For texts of an earlier version: graphpalace names build");
}

function item({ id, name, entity_type: type, drawer_count: drawers }) {
  return el("li", {}, nameLink(id, name), kind(type), el("span", { class: "quiet" }, drawers > 0 ? count(drawers, "drawer") : "only in facts"));
}

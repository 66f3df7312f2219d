// The page of one name: what it is, its facts on a line of time, the drawers that mention it, and its neighbours.

import { get } from "./api.js";
import { el, replace } from "./dom.js";
import { openText } from "./drawer_dialog.js";
import { drawerText } from "./drawer_text.js";
import { factActions } from "./fact_changes.js";
import { factForm } from "./fact_form.js";
import { graphLink } from "./graph_link.js";
import { failed, nothing, waiting } from "./message.js";
import { NameChanges } from "./name_changes.js";
import { kind, nameHref, nameLink } from "./name_link.js";
import { Notice } from "./notice.js";
import { count } from "./numbers.js";
import { timeLine } from "./time_line.js";

const PAGE = 20;
const MOST_FACTS = 200;
const BEFORE = 60; // characters of a text before the name
const PASSAGE = 180;

export class NamePage {
  #app;
  #name = "";
  /** @type {any} */
  #entity = null;
  #asked = 0;
  #unlearned = el("input", { type: "checkbox", name: "unlearned" });
  #facts = el("div", {});
  #notice = new Notice();
  #moving = false; // to another name, because of a change
  #drawers = el("ul", { class: "name-drawers" });
  #more = el("div", {});
  element = el("div", { class: "column" });

  constructor(app) {
    this.#app = app;
    this.#unlearned.addEventListener("change", () => this.#loadFacts());
  }

  show(params) {
    this.#name = params.get("name") ?? "";
    if (!this.#moving) this.#notice.say("");
    this.#moving = false;
    this.#unlearned.checked = false;
    replace(this.element, back(), waiting("Reading the name…"));
    this.#load();
  }

  again() {
    if (this.element.querySelector(".problem")) this.#load();
  }

  async #load() {
    const asked = (this.#asked += 1);
    const palace = this.#app.palace;
    try {
      const page = await get(`/v1/names/${encodeURIComponent(this.#name)}`, { palace, limit: PAGE });
      if (asked !== this.#asked) return;
      this.#draw(page);
    } catch (error) {
      if (asked !== this.#asked) return;
      const missing = error.code === "NOT_FOUND";
      replace(this.element, back(), missing ? nothing("This palace has no such name.", "It may have been merged away, or nothing mentions it any more.") : failed(error, () => this.show(new URLSearchParams({ name: this.#name }))));
    }
  }

  #draw(page) {
    const { entity, merged, facts, drawers, neighbours } = page;
    const palace = this.#app.palace;
    const changes = new NameChanges(page, { palace, notice: this.#notice, changed: (name) => this.#changed(name) });
    document.title = `${entity.name} – GraphPalace`;
    const aliases = entity.aliases.filter((one) => one !== entity.name && !merged.includes(one));
    replace(
      this.element,
      back(),
      el("header", { class: "name-head" }, el("h1", { tabindex: "-1" }, entity.name), kind(entity.entity_type), el("p", { class: "quiet" }, `${count(entity.drawer_count, "drawer")}, ${count(facts, "fact")}`), el("a", { href: `#/search?${new URLSearchParams({ q: entity.name })}` }, "Search for it"), graphLink(entity.id)),
      aliases.length > 0 && el("p", { class: "quiet" }, `Also written ${aliases.join(", ")}`),
      this.#notice.element,
      el(
        "div",
        { class: "name-parts" },
        el(
          "div",
          { class: "column" },
          el("section", { class: "card", "aria-label": "Facts" }, el("h2", {}, "Facts"), el("label", { class: "check quiet" }, this.#unlearned, " also what was taken back"), this.#facts, el("details", {}, el("summary", {}, "State a fact"), factForm({ palace, subject: entity.name, notice: this.#notice, changed: () => this.#loadFacts() }))),
          el("section", { class: "card", "aria-label": "Drawers" }, el("h2", {}, "Drawers"), this.#drawers, this.#more, entity.drawer_count > 0 && changes.mentionsForm(this.#drawers)),
        ),
        el("div", { class: "column" }, el("section", { class: "card", "aria-label": "Neighbours" }, el("h2", {}, "Named together with"), neighbourList(neighbours)), changes.element),
      ),
    );
    this.#entity = entity;
    replace(this.#drawers);
    this.#addDrawers(drawers, 0);
    this.#loadFacts();
    this.element.querySelector("h1")?.focus({ preventScroll: true });
  }

  // What was done is still told when the name, or the one that it became, is shown afresh.
  #changed(name) {
    if (name === this.#name || name === this.#entity.name) this.#load();
    else {
      this.#moving = true;
      location.hash = nameHref(name);
    }
  }

  async #loadFacts() {
    const { id, name } = this.#entity;
    const palace = this.#app.palace;
    try {
      const { facts, more } = await get("/v1/facts/timeline", { palace, name, unlearned: this.#unlearned.checked, limit: MOST_FACTS });
      if (id !== this.#entity.id) return;
      replace(this.#facts, facts.length === 0 ? el("p", { class: "quiet" }, "No facts are known about it", this.#unlearned.checked ? ", and none was taken back." : ".") : timeLine(facts, { about: name, palace, actions: (fact) => factActions(fact, { palace, notice: this.#notice, changed: () => this.#loadFacts() }) }), more && el("p", { class: "quiet" }, `Only the first ${MOST_FACTS} are shown.`));
    } catch (error) {
      if (id === this.#entity.id) replace(this.#facts, failed(error, () => this.#loadFacts()));
    }
  }

  #addDrawers(drawers, offset) {
    const palace = this.#app.palace;
    this.#drawers.append(...drawers.map((one) => drawerItem(one, this.#entity, palace)));
    const shown = offset + drawers.length;
    const more = el("button", { type: "button", onclick: () => this.#moreDrawers(shown) }, "Show more");
    replace(this.#more, shown === 0 ? el("p", { class: "quiet" }, "No drawer mentions it; only facts do.") : drawers.length === PAGE && shown < this.#entity.drawer_count && more);
  }

  async #moreDrawers(offset) {
    const { id } = this.#entity;
    try {
      const { drawers } = await get(`/v1/names/${encodeURIComponent(id)}`, { palace: this.#app.palace, offset, limit: PAGE });
      if (id === this.#entity.id) this.#addDrawers(drawers, offset);
    } catch (error) {
      if (id === this.#entity.id) replace(this.#more, failed(error, () => this.#moreDrawers(offset)));
    }
  }
}

const back = () => el("p", {}, el("a", { href: "#/names" }, "All names"));

function drawerItem({ drawer, text, closet, wing, room, count: times, is_title: title }, { name, aliases }, palace) {
  const open = () => openText(() => drawerText(drawer, { palace }));
  return el(
    "li",
    {},
    el("input", { type: "checkbox", name: "mention", value: drawer, "aria-label": `Choose ${closet}: ${text.slice(0, 80)}` }),
    el("button", { type: "button", class: "link", onclick: open }, around(text, [name, ...aliases])),
    el("p", { class: "quiet" }, `${wing} › ${room} › ${closet} · `, title ? "it is the title" : times === 1 ? "once" : `${times} times`),
  );
}

// The part of a text that has a name, with the name marked; the beginning of the text if it stands further down.
function around(text, names) {
  const plain = text.replace(/^#+ +(.*)$/gm, "$1 ·").replace(/^[>*|\s-]+/gm, "").replace(/\s+/g, " ").trim();
  const found = names.map((name) => [plain.toLowerCase().indexOf(name.toLowerCase()), name.length]).filter(([at]) => at >= 0);
  const [at, length] = found.sort(([a, long], [b, longer]) => a - b || longer - long)[0] ?? [0, 0];
  const start = at <= BEFORE ? 0 : plain.indexOf(" ", at - BEFORE) + 1;
  const whole = plain.slice(start, start + PASSAGE);
  const end = start + PASSAGE >= plain.length ? plain.length : start + Math.max(whole.lastIndexOf(" "), at + length - start);
  return [start > 0 && "… ", plain.slice(start, at), length > 0 && el("mark", {}, plain.slice(at, at + length)), plain.slice(at + length, end), end < plain.length && " …"];
}

function neighbourList(neighbours) {
  if (neighbours.length === 0) return el("p", { class: "quiet" }, "No drawer has another name beside it.");
  return el("ul", { class: "neighbours" }, neighbours.map(({ id, name, shared }) => el("li", {}, nameLink(id, name), el("p", { class: "quiet" }, `in ${count(shared, "drawer")} with it`))));
}

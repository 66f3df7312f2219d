// What belongs to an open drawer: the names that it mentions, and the facts that were read from it.

import { get } from "./api.js";
import { el, replace } from "./dom.js";
import { factActions } from "./fact_changes.js";
import { factForm } from "./fact_form.js";
import { sentence, times } from "./fact_text.js";
import { nameLink } from "./name_link.js";

export class BesidePart {
  #drawer;
  #palace;
  #notice;
  #names = el("div", { class: "names" });
  #facts = el("div", { class: "column" });
  element = el("section", { class: "beside-drawer column", "aria-label": "Names and facts" }, this.#names, this.#facts);

  /** @param {{ drawer: any, palace: string | null, notice: import("./notice.js").Notice }} what */
  constructor({ drawer, palace, notice }) {
    this.#drawer = drawer;
    this.#palace = palace;
    this.#notice = notice;
  }

  // Returns what stands beside the drawer; null if the reader of the page may not see that.
  async load() {
    const { id } = this.#drawer;
    const [beside, mentions] = await Promise.all([
      get(`/v1/drawers/${encodeURIComponent(id)}/beside`, { palace: this.#palace }).catch(() => null),
      get("/v1/mentions", { palace: this.#palace, drawer: id }).catch(() => []),
    ]);
    this.#showNames(mentions[0]?.names ?? []);
    if (beside) this.#showFacts(beside.facts);
    return beside;
  }

  #showNames(names) {
    replace(this.#names, names.length > 0 && [el("h3", {}, "Names"), el("ul", {}, names.map((one) => el("li", {}, nameLink(one.id, one.name))))]);
  }

  #showFacts(facts) {
    const changed = () => this.load();
    const stating = el("details", {}, el("summary", {}, "State a fact that this text says"), factForm({ palace: this.#palace, drawers: [this.#drawer.id], notice: this.#notice, changed }));
    const item = (fact) => el("li", {}, el("p", {}, sentence(fact), " ", el("span", { class: "quiet" }, times(fact))), factActions(fact, { palace: this.#palace, notice: this.#notice, changed }));
    replace(this.#facts, facts.length > 0 && [el("h3", {}, "Facts"), el("ul", { class: "rows" }, facts.map(item))], stating);
  }
}

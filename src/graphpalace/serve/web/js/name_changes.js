// Changes to a name: another name that means the same is merged, an alias or some mentions are split off.

import { actionButton } from "./action_button.js";
import { get, post } from "./api.js";
import { el, freshId, replace } from "./dom.js";
import { FormField, anyEmpty, showProblems } from "./form_field.js";
import { nameHref } from "./name_link.js";
import { count } from "./numbers.js";

const SUGGESTED = 8;

export class NameChanges {
  #page;
  #palace;
  #notice;
  #changed;
  element;

  /**
   * @param {any} page as the service shows the name
   * @param {{ palace: string | null, notice: import("./notice.js").Notice, changed: (name: string) => void }} how changed: shows a name afresh
   */
  constructor(page, { palace, notice, changed }) {
    this.#page = page;
    this.#palace = palace;
    this.#notice = notice;
    this.#changed = changed;
    this.element = el(
      "section",
      { class: "card", "aria-label": "Change the name" },
      el("h2", {}, "One name or two"),
      this.#mergeForm(),
      page.merged.length > 0 && el("div", { class: "column" }, el("h3", {}, "Merged by hand"), el("ul", { class: "rows" }, page.merged.map((alias) => el("li", {}, `${alias} `, actionButton("Split it off", () => this.#split(alias), { class: "more", "aria-label": `Split off ${alias}` }))))),
    );
  }

  // What drawers say of the name that does not go together, and the form that gives the chosen mentions to another name.
  /** @param {HTMLElement} list of drawers, each with a box that chooses it */
  mentionsForm(list) {
    const { entity, may_be_two: signs } = this.#page;
    const fields = { alias: new FormField("The other name", el("input", { name: "alias", maxlength: 200, autocomplete: "off" }), { hint: `Empty: the same name with a number, such as ${entity.name} (2).` }) };
    const wrong = el("p", { class: "wrong", role: "alert" });
    const boxes = () => /** @type {HTMLInputElement[]} */ ([...list.querySelectorAll("input[name=mention]")]);
    const choose = (drawers) => {
      for (const box of boxes()) box.checked = drawers.includes(box.value);
    };
    const split = async () => {
      replace(wrong);
      const drawers = boxes().filter((box) => box.checked).map((box) => box.value);
      if (drawers.length === 0) {
        replace(wrong, "Choose drawers in the list first.");
        return;
      }
      try {
        await this.#give(drawers, fields.alias.value);
      } catch (error) {
        replace(wrong, showProblems(fields, error));
      }
    };
    return el(
      "details",
      { class: "mentions", open: signs?.length > 0 },
      el("summary", {}, "Some drawers mean another thing by this name"),
      el(
        "div",
        { class: "column" },
        signs?.length > 0 && el("p", {}, "It may be the name of two. Texts say of it:"),
        signs?.length > 0 && el("ul", { class: "rows" }, signs.map(({ sign, drawers }) => el("li", {}, `${sign}, in ${count(drawers.length, "drawer")} `, el("button", { type: "button", class: "more", onclick: () => choose(drawers) }, "Choose these")))),
        el("p", { class: "quiet" }, "Choose them in the list of drawers above."),
        fields.alias.element,
        el("div", { class: "actions" }, actionButton("Split them off", split), wrong),
      ),
    );
  }

  #mergeForm() {
    const { entity } = this.#page;
    const names = el("datalist", { id: freshId("names") });
    const suggest = async (event) => {
      const query = event.target.value.trim();
      if (query.length < 2) return;
      const found = await get("/v1/names", { palace: this.#palace, query, limit: SUGGESTED }).catch(() => ({ names: [] }));
      replace(names, found.names.filter(({ id }) => id !== entity.id).map(({ name }) => el("option", { value: name })));
    };
    const fields = { other: new FormField("Another name for the same", el("input", { name: "other", maxlength: 200, autocomplete: "off", list: names.id, oninput: suggest }), { suggestions: names }) };
    const wrong = el("p", { class: "wrong", role: "alert" });
    const merge = async (stays) => {
      replace(wrong);
      if (anyEmpty({ other: "Name the other one." }, fields)) return;
      const other = fields.other.value;
      try {
        await (stays ? this.#merge(entity.name, other) : this.#merge(other, entity.name));
      } catch (error) {
        replace(wrong, showProblems({ ...fields, name: fields.other }, error));
      }
    };
    const form = el("form", { class: "column", novalidate: true, "aria-label": "Merge" }, fields.other.element, el("div", { class: "actions" }, el("button", {}, "Merge it into this name"), actionButton("Merge this name into it", () => merge(false))), wrong);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      merge(true);
    });
    return form;
  }

  async #merge(stays, other) {
    const { entity } = await post("/v1/names/merge", { palace: this.#palace, name: stays, other });
    this.#notice.say(`“${other}” is now another name of “${entity.name}”.`, async () => {
      await post("/v1/names/split", { palace: this.#palace, name: entity.name, alias: other });
      this.#changed(this.#page.entity.name);
      return "They are two names again.";
    });
    this.#changed(entity.name);
  }

  async #split(alias) {
    const { name } = this.#page.entity;
    try {
      await post("/v1/names/split", { palace: this.#palace, name, alias });
      this.#notice.say([el("a", { href: nameHref(alias) }, alias), " is a name of its own again."], () => this.#mergeBack(name, alias));
      this.#changed(name);
    } catch (error) {
      this.#notice.fail(error);
    }
  }

  async #give(drawers, alias) {
    const { name } = this.#page.entity;
    const { other } = await post("/v1/names/split", { palace: this.#palace, name, drawers, ...(alias && { alias }) });
    const given = other?.name ?? alias;
    this.#notice.say([`${count(drawers.length, "drawer")} now ${drawers.length === 1 ? "means" : "mean"} `, el("a", { href: nameHref(given) }, given), "."], () => this.#mergeBack(name, given));
    this.#changed(name);
  }

  async #mergeBack(name, other) {
    await post("/v1/names/merge", { palace: this.#palace, name, other });
    this.#changed(name);
    return "They are one name again.";
  }
}

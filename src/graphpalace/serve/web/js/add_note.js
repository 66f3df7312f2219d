// The form for a note, and what became of it: where it is stored, or where it stood already, and what it may outdate.

import { whileDisabled } from "./action_button.js";
import { PlaceFields } from "./add_places.js";
import { post } from "./api.js";
import { el, options, replace } from "./dom.js";
import { drawerLink } from "./drawer_link.js";
import { FormField, anyEmpty, showProblems } from "./form_field.js";
import { Notice } from "./notice.js";
import { percent } from "./numbers.js";
import { restore, supersede } from "./superseding.js";

const MOST_CHARS = 1_000_000;
const IMPORTANCE = [["0.5", "usual"], ["0.75", "more than usual"], ["1", "as high as possible"], ["0.25", "less than usual"]];

export class NoteForm {
  #app;
  #places = new PlaceFields();
  #done = el("div", { class: "column", "aria-live": "polite" });
  #wrong = el("p", { class: "wrong", role: "alert" });
  #button = el("button", { class: "primary" }, "Store");
  #fields;

  constructor(app) {
    this.#app = app;
    const more = {
      title: new FormField("Title", el("input", { name: "title", maxlength: 1000, autocomplete: "off" }), { hint: "Of the document that the text belongs to. Without one, it is a note of its room." }),
      author: new FormField("Who said it", el("input", { name: "author", maxlength: 1000, autocomplete: "off" })),
      occurred_at: new FormField("When", el("input", { name: "occurred_at", type: "datetime-local" }), { hint: "When it was said or happened, if that was not today." }),
      importance: new FormField("Importance", options(el("select", { name: "importance" }), IMPORTANCE, "0.5"), { hint: "Important texts rank higher in answers." }),
    };
    this.#fields = { text: new FormField("Text", el("textarea", { name: "text", rows: 6, maxlength: MOST_CHARS }), { hint: "It is kept word for word." }), wing: this.#places.wing, room: this.#places.room, ...more };
    const { text, wing, room } = this.#fields;
    const form = el(
      "form",
      { class: "column", novalidate: true },
      text.element,
      el("div", { class: "field-pair" }, wing.element, room.element),
      el("details", {}, el("summary", {}, "Title, author, time and importance"), el("div", { class: "field-pair" }, Object.values(more).map(({ element }) => element))),
      el("div", { class: "actions" }, this.#button, this.#wrong),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      whileDisabled(this.#button, () => this.#store());
    });
    this.element = el("section", { class: "card column", "aria-label": "A note" }, el("h2", {}, "A note"), form, this.#done);
  }

  /** @param {URLSearchParams} params */
  show(params) {
    for (const name of /** @type {const} */ (["wing", "room"])) if (params.get(name)) this.#fields[name].input.value = params.get(name) ?? "";
    this.#places.load(this.#app.palace);
  }

  forget() {
    replace(this.#done);
  }

  async #store() {
    replace(this.#wrong);
    if (anyEmpty({ text: "Write something first.", wing: "Name a wing, for example home." }, this.#fields)) return;
    const { text, wing, room, title, author, occurred_at: at, importance } = this.#fields;
    const palace = this.#app.palace;
    const note = {
      palace,
      text: text.input.value,
      wing: wing.value,
      importance: Number(importance.value),
      ...(room.value && { room: room.value }),
      ...(title.value && { title: title.value }),
      ...(author.value && { author: author.value }),
      ...(at.value && { occurred_at: new Date(at.value).toISOString() }),
    };
    try {
      const stored = await post("/v1/drawers", note);
      replace(this.#done, outcome(stored, palace));
      text.input.value = "";
      this.#places.load(palace);
      text.input.focus();
    } catch (error) {
      replace(this.#wrong, showProblems(this.#fields, error));
    }
  }
}

function outcome(drawer, palace) {
  const where = drawerLink(drawer.id, palace, `${drawer.wing} › ${drawer.room} › ${drawer.closet}`);
  return el(
    "div",
    { class: "done column" },
    el("p", {}, drawer.created ? "Stored in " : "This text was there already, in ", where, "."),
    el("blockquote", { class: "quiet" }, beginning(drawer.text)),
    drawer.news?.length > 0 && el("h3", {}, "It may outdate what you stored before"),
    drawer.news?.length > 0 && el("ul", { class: "rows" }, drawer.news.map((old) => olderText(old, drawer.id, palace))),
  );
}

// An older text that the new one is probably news on, and a button that says that it is.
function olderText({ drawer: old, probability, text }, id, palace) {
  const notice = new Notice();
  const replaced = async () => {
    try {
      await supersede(old, id, palace);
      notice.say("Answers now say that the new text replaces it.", async () => {
        await restore(old, palace);
        return "It counts again.";
      });
    } catch (error) {
      notice.fail(error);
    }
  };
  return el("li", {}, el("p", {}, drawerLink(old, palace, beginning(text)), el("span", { class: "quiet" }, ` ${percent(probability)} probable`)), el("div", { class: "actions" }, el("button", { type: "button", onclick: replaced }, "The new text replaces it"), notice.element));
}

const beginning = (text) => (text.length > 200 ? `${text.slice(0, 200).replace(/\s\S*$/, "")} …` : text);

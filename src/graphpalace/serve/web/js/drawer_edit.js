// The form that changes a drawer. The earlier text is kept in its history.

import { whileDisabled } from "./action_button.js";
import { change } from "./api.js";
import { el, replace } from "./dom.js";
import { FormField, anyEmpty, showProblems } from "./form_field.js";

/**
 * @param {any} drawer
 * @param {{ palace: string | null, saved: (drawer: any, text: string, undo: (() => Promise<any>) | null) => void, end: () => void }} how
 */
export function editForm(drawer, { palace, saved, end }) {
  const fields = {
    text: new FormField("Text", el("textarea", { name: "text", rows: 10, value: drawer.text }), { hint: "The earlier text is kept in its history, where no search finds it." }),
    title: new FormField("Title of its document", el("input", { name: "title", maxlength: 1000, value: drawer.closet, autocomplete: "off" })),
    importance: new FormField("Importance", el("input", { name: "importance", type: "number", min: 0, max: 1, step: "any", value: String(drawer.importance) }), { hint: "0 to 1; 0.5 is usual." }),
  };
  const wrong = el("p", { class: "wrong", role: "alert" });
  const button = el("button", { class: "primary" }, "Save");
  const form = el("form", { class: "column", novalidate: true, "aria-label": "Edit" }, Object.values(fields).map(({ element }) => element), el("div", { class: "actions" }, button, el("button", { type: "button", onclick: end }, "Cancel"), wrong));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    whileDisabled(button, save);
  });
  return form;

  async function save() {
    replace(wrong);
    if (anyEmpty({ text: "A drawer needs a text. To remove it, forget it.", title: "A document needs a title.", importance: "Give a number from 0 to 1." }, fields)) return;
    const now = { text: fields.text.input.value, title: fields.title.value, importance: Number(fields.importance.value) };
    const before = { text: drawer.text, title: drawer.closet, importance: drawer.importance };
    const changed = Object.keys(now).filter((name) => now[name] !== before[name]);
    if (changed.length === 0) {
      saved(drawer, "Nothing was changed.", null);
      return;
    }
    const send = (values) => change(`/v1/drawers/${encodeURIComponent(drawer.id)}`, { palace, ...Object.fromEntries(changed.map((name) => [name, values[name]])) });
    try {
      saved(await send(now), "Saved.", () => send(before));
    } catch (error) {
      replace(wrong, showProblems(fields, error));
    }
  }
}

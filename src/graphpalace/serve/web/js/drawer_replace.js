// The form that keeps a text as it was in its time, and says what holds instead: a new text, or another drawer.

import { whileDisabled } from "./action_button.js";
import { post } from "./api.js";
import { el, replace } from "./dom.js";
import { FormField, showProblems } from "./form_field.js";
import { restore, supersede } from "./superseding.js";

/**
 * @param {any} drawer
 * @param {{ palace: string | null, replaced: (text: string, undo: () => Promise<string>) => void, end: () => void }} how
 */
export function replaceForm(drawer, { palace, replaced, end }) {
  const fields = {
    text: new FormField("What holds now", el("textarea", { name: "text", rows: 5 }), { hint: "It is stored as another text of the same room. This one stays, and answers mark it as outdated." }),
    new: new FormField("Or another text that is stored already", el("input", { name: "new", autocomplete: "off" }), { hint: "Its link or its id, such as drawer-0123…" }),
  };
  const wrong = el("p", { class: "wrong", role: "alert" });
  const button = el("button", { class: "primary" }, "Replace");
  const form = el("form", { class: "column", novalidate: true, "aria-label": "Replace" }, fields.text.element, fields.new.element, el("div", { class: "actions" }, button, el("button", { type: "button", onclick: end }, "Cancel"), wrong));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    whileDisabled(button, save);
  });
  return form;

  async function save() {
    replace(wrong);
    const [text, other] = [fields.text.input.value, idIn(fields.new.value)];
    if ((text.trim() === "") === (other === "")) {
      fields.text.say(other === "" ? "Write what holds now, or name another text." : "Give one of the two: a new text, or another one.");
      fields.text.input.focus();
      return;
    }
    try {
      const stored = other === "" ? await post("/v1/drawers", { palace, text, wing: drawer.wing, room: drawer.room, importance: drawer.importance }) : null;
      await supersede(drawer.id, stored ? stored.id : other, palace);
      replaced("Answers now mark this text as outdated.", async () => {
        await restore(drawer.id, palace);
        return stored?.created ? "It counts again. The new text stays too." : "It counts again.";
      });
    } catch (error) {
      replace(wrong, showProblems(fields, error));
    }
  }
}

// The id in a link to a drawer, or the id itself.
function idIn(given) {
  const query = given.split("#/drawer?")[1];
  return query === undefined ? given : (new URLSearchParams(query).get("id") ?? "");
}

// The form for an entry of a diary.

import { whileDisabled } from "./action_button.js";
import { post } from "./api.js";
import { el, freshId, replace } from "./dom.js";
import { FormField, anyEmpty, showProblems } from "./form_field.js";

export class DiaryForm {
  #app;
  #written;
  #agents = el("datalist", { id: freshId("agents") });
  #searchable = el("input", { type: "checkbox", name: "searchable", checked: true });
  #button = el("button", { class: "primary" }, "Write");
  #said = el("p", { class: "quiet", role: "status" });
  #wrong = el("p", { class: "wrong", role: "alert" });
  #fields = {
    agent: new FormField("Whose diary", el("input", { name: "agent", maxlength: 200, autocomplete: "off", list: this.#agents.id }), { hint: "A new name makes a new diary.", suggestions: this.#agents }),
    topic: new FormField("Topic", el("input", { name: "topic", maxlength: 200, autocomplete: "off" }), { hint: "In a few words, if you like." }),
    text: new FormField("Entry", el("textarea", { name: "text", rows: 5 })),
  };

  /**
   * @param {{ palace: string | null }} app
   * @param {{ written: (agent: string) => void }} how
   */
  constructor(app, { written }) {
    this.#app = app;
    this.#written = written;
    const { agent, topic, text } = this.#fields;
    const form = el("form", { class: "column", novalidate: true }, agent.element, topic.element, text.element, el("label", { class: "check" }, this.#searchable, " searches find it"), el("div", { class: "actions" }, this.#button, this.#said, this.#wrong));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      whileDisabled(this.#button, () => this.#write());
    });
    this.element = el("section", { class: "card column", "aria-label": "Write an entry" }, el("h2", {}, "Write an entry"), form);
  }

  /**
   * @param {string[]} agents
   * @param {string | null} chosen
   */
  suggest(agents, chosen) {
    replace(this.#agents, agents.map((name) => el("option", { value: name })));
    if (chosen && this.#fields.text.value === "") this.#fields.agent.input.value = chosen;
  }

  async #write() {
    replace(this.#wrong);
    replace(this.#said);
    if (anyEmpty({ agent: "Say whose diary it is.", text: "Write something first." }, this.#fields)) return;
    const { agent, topic, text } = this.#fields;
    const path = ["", "v1", "agents", ...agent.value.split("/"), "diary"].map(encodeURIComponent).join("/");
    try {
      await post(path, { palace: this.#app.palace, text: text.input.value, topic: topic.value, searchable: this.#searchable.checked });
      text.input.value = "";
      topic.input.value = "";
      replace(this.#said, "Written.");
      this.#written(agent.value);
    } catch (error) {
      replace(this.#wrong, showProblems(this.#fields, error));
    }
  }
}

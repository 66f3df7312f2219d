// Labelled fields of a form. Each shows what the service says is wrong with it.

import { el, freshId, replace } from "./dom.js";

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Input */

export class FormField {
  /**
   * @param {string} label
   * @param {Input} input
   * @param {{ hint?: string, suggestions?: HTMLElement }} [more] suggestions: a list that the input names
   */
  constructor(label, input, { hint = "", suggestions } = {}) {
    const id = freshId("field");
    this.input = input;
    this.said = el("span", { class: "field-problem", id: `${id}-problem`, role: "alert" });
    input.id = id;
    input.setAttribute("aria-describedby", `${id}-hint ${id}-problem`);
    input.addEventListener("input", () => this.say(""));
    this.element = el("div", { class: "form-field" }, el("label", { for: id }, label), input, suggestions, el("span", { class: "hint", id: `${id}-hint` }, hint), this.said);
  }

  get value() {
    return this.input.value.trim();
  }

  /** @param {string} message "" if nothing is wrong */
  say(message) {
    replace(this.said, message);
    if (message) this.input.setAttribute("aria-invalid", "true");
    else this.input.removeAttribute("aria-invalid");
  }
}

/**
 * Shows at its field what is wrong with each, and goes to the first of them. Returns what no field could show.
 * @param {Record<string, FormField>} fields
 * @param {Error & { fields?: Record<string, string> }} error
 */
export function showProblems(fields, error) {
  const known = Object.entries(error.fields ?? {}).filter(([name]) => name in fields);
  for (const [name, message] of known) fields[name].say(message);
  const first = known.length > 0 ? fields[known[0][0]].input : null;
  const folded = first?.closest("details");
  if (folded) folded.open = true;
  first?.focus();
  return known.length > 0 ? "" : error.message;
}

/**
 * Says which of some fields are empty, and goes to the first of them. Returns whether there are any.
 * @param {Record<string, string>} messages what to say, by the name of the field
 * @param {Record<string, FormField>} fields
 */
export function anyEmpty(messages, fields) {
  const empty = Object.keys(messages).filter((name) => fields[name].value === "");
  for (const name of empty) fields[name].say(messages[name]);
  if (empty.length > 0) fields[empty[0]].input.focus();
  return empty.length > 0;
}

// Ending a fact, and taking back one that was never true; both can be undone.

import { actionButton, whileDisabled } from "./action_button.js";
import { post } from "./api.js";
import { el, replace } from "./dom.js";
import { sentence } from "./fact_text.js";
import { FormField, showProblems } from "./form_field.js";

/**
 * @param {any} fact
 * @param {{ palace: string | null, notice: import("./notice.js").Notice, changed: () => void }} how
 * @returns {import("./dom.js").Child}
 */
export function factActions(fact, { palace, notice, changed }) {
  if (fact.invalidated_at) return null;
  const asking = el("div", {});
  const say = [fact.subject, fact.predicate.replaceAll("_", " "), fact.object].join(" ");
  return el(
    "div",
    { class: "fact-actions" },
    el(
      "div",
      { class: "actions" },
      !fact.valid_to && el("button", { type: "button", class: "more", "aria-label": `It has ended: ${say}`, onclick: ask }, "It has ended"),
      actionButton("It was never true", () => take(null), { class: "more", "aria-label": `It was never true: ${say}` }),
    ),
    asking,
  );

  function ask() {
    const field = new FormField("When it ended", el("input", { name: "ended", autocomplete: "off", value: new Date().toISOString().slice(0, 10) }), { hint: "Such as 2019, 2019-05 or 2019-05-31." });
    const button = el("button", { class: "primary" }, "End it");
    const form = el("form", { class: "column", novalidate: true, "aria-label": "End the fact" }, field.element, el("div", { class: "actions" }, button, el("button", { type: "button", onclick: () => replace(asking) }, "Cancel")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      whileDisabled(button, () => take(field));
    });
    replace(asking, form);
    field.input.focus();
  }

  /** @param {FormField | null} field when it ended; null: it was never true */
  async function take(field) {
    try {
      const { kept } = await post("/v1/facts/invalidate", { palace, fact: fact.id, ...(field && { ended: field.value }) });
      notice.say([field ? "Ended: " : "Taken back: ", sentence(fact), "."], async () => {
        await backAgain(fact, kept, palace);
        changed();
        return "It holds again.";
      });
      changed();
    } catch (error) {
      if (field) field.say(showProblems({ ended: field }, error) || field.said.textContent || "");
      else notice.fail(error);
    }
  }
}

/**
 * States a fact as it was known before, in place of what is known of it now.
 * @param {any} fact
 * @param {any[]} instead
 * @param {string | null} palace
 */
export async function backAgain({ subject, predicate, object, valid_from, valid_to, confidence, source, drawers }, instead, palace) {
  for (const one of instead) await post("/v1/facts/invalidate", { palace, fact: one.id });
  await post("/v1/facts", { palace, subject, predicate, object, confidence, source, drawers, ...(valid_from && { valid_from }), ...(valid_to && { valid_to }) });
}

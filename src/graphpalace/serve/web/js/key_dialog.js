// Asks for the API key once, even if several requests need it.

import { el } from "./dom.js";

/** @type {Promise<string> | null} */
let answer = null;

/** @param {boolean} refused whether the service did not accept the last key */
export function askForKey(refused) {
  answer ??= ask(refused).finally(() => (answer = null));
  return answer;
}

/**
 * @param {boolean} refused
 * @returns {Promise<string>}
 */
function ask(refused) {
  return new Promise((resolve) => {
    const field = el("input", { type: "password", name: "key", required: true, autocomplete: "off", id: "api-key" });
    const form = el(
      "form",
      { method: "dialog" },
      el("h2", { id: "key-title" }, "API key"),
      refused
        ? el("p", { role: "alert", class: "problem" }, "The service did not accept this key.")
        : el("p", {}, "This service needs an API key, which is kept until you close this tab. `graphpalace page` opens the page without it."),
      el("label", { for: "api-key" }, "Key"),
      field,
      el("div", { class: "actions" }, el("button", { class: "primary" }, "Use this key")),
    );
    const dialog = el("dialog", { "aria-labelledby": "key-title", class: "small" }, form);
    form.addEventListener("submit", () => {
      resolve(field.value.trim());
      dialog.remove();
    });
    dialog.addEventListener("cancel", (event) => event.preventDefault()); // nothing works without a key
    document.body.append(dialog);
    dialog.showModal();
  });
}

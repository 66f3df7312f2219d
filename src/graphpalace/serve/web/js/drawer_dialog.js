// A text in full, with where it stands.

import { el, replace } from "./dom.js";
import { failed, waiting } from "./message.js";

// `load` gives {title, place, text, note}.
export async function openText(load) {
  const content = el("div", { class: "reading" }, waiting("Opening…"));
  const close = el("button", { type: "button", onclick: () => dialog.close() }, "Close");
  const dialog = el("dialog", { class: "large", "aria-label": "Text" }, content, el("div", { class: "actions" }, close));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  try {
    const { title, place, text, note, code } = await load();
    replace(
      content,
      el("h2", {}, title),
      place && el("p", { class: "quiet" }, place),
      el("pre", { class: code ? "text code" : "text", tabindex: "0" }, text),
      note && el("p", { class: "quiet" }, note),
    );
  } catch (error) {
    replace(content, failed(error));
  }
}

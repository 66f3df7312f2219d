// A dialog with the whole text of a drawer and its place in the palace.

import { el, replace } from "./dom.js";
import { markdown as rendered } from "./markdown.js";
import { failed, waiting } from "./message.js";

// `load` returns {title, place, text, note, code, markdown}. The dialog closes when another view opens.
export async function openText(load) {
  const content = el("div", { class: "reading" }, waiting("Opening…"));
  const close = el("button", { type: "button", onclick: () => dialog.close() }, "Close");
  const dialog = el("dialog", { class: "large", "aria-label": "Text" }, content, el("div", { class: "actions" }, close));
  const leave = () => dialog.close();
  addEventListener("hashchange", leave);
  dialog.addEventListener("close", () => {
    removeEventListener("hashchange", leave);
    dialog.remove();
  });
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  try {
    const { title, place, text, note, code, markdown } = await load();
    const written = el("pre", { class: code ? "text code" : "text", tabindex: "0" }, text);
    const read = markdown ? el("div", { class: "text markdown", tabindex: "0" }, rendered(text)) : written;
    const turn = el("button", { type: "button", class: "more", "aria-pressed": "false" }, "Show source");
    turn.addEventListener("click", () => {
      const plain = turn.getAttribute("aria-pressed") === "false";
      turn.setAttribute("aria-pressed", String(plain));
      (plain ? read : written).replaceWith(plain ? written : read);
    });
    replace(
      content,
      el("h2", {}, title),
      place && el("p", { class: "quiet" }, place),
      markdown && turn,
      read,
      note && el("p", { class: "quiet" }, note),
    );
  } catch (error) {
    replace(content, failed(error));
  }
}
